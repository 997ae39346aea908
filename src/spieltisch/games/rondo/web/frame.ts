/** The outlines of the board's wood, in pixels. */
import { CENTRE } from "./stones";
import { polar, turnOf, type Plan, type Spot } from "./wheel";

const HALF_TILE = 5.2; // degrees
const RIM = { near: 4.54, far: 5.66 };
const SQUARE = 0.54;
const FIELD = 0.5;

const at = ({ x, y }: Spot, u: number): string => `${round(x * u)} ${round(y * u)}`;
const round = (value: number): number => Math.round(value * 100) / 100;

/** Straight bars of a wheel, so much to each side of their middle line. */
export function barPath(plan: Plan, half: number, u: number, from = 0, to = 0): string {
  return (plan.wheel?.bars ?? [])
    .map(({ turn, inner, outer }) => {
      const side = polar(half, turn + 90);
      const [near, far] = [polar(inner + from, turn), polar(outer - to, turn)];
      const corners = [
        { x: near.x - side.x, y: near.y - side.y },
        { x: far.x - side.x, y: far.y - side.y },
        { x: far.x + side.x, y: far.y + side.y },
        { x: near.x + side.x, y: near.y + side.y },
      ];
      return `M${corners.map((corner) => at(corner, u)).join("L")}Z`;
    })
    .join("");
}

/** A line through some fields, one after another. */
export function linePath(plan: Plan, names: readonly string[], u: number): string {
  return names
    .flatMap((name) => plan.spots.get(name) ?? [])
    .map((spot, place) => (place ? "L" : "M") + at(spot, u))
    .join("");
}

/** The trail of a chain, from the rim of the hub where it starts at the centre. */
export function trailPath(plan: Plan, names: readonly string[], u: number): string {
  const [from, first] = [plan.spots.get(names[0] ?? ""), plan.spots.get(names[1] ?? "")];
  if (names[0] !== CENTRE || !from || !first) return linePath(plan, names, u);
  const part = (plan.hub + 0.1) / Math.hypot(first.x - from.x, first.y - from.y);
  const rim = { x: from.x + (first.x - from.x) * part, y: from.y + (first.y - from.y) * part };
  return `M${at(rim, u)}${linePath(plan, names.slice(1), u).replace("M", "L")}`;
}

export function linkPath(plan: Plan, u: number): string {
  return plan.links.map((link) => linePath(plan, link, u)).join("");
}

/** The tile under a grey field: a piece of the outer ring, or a square that looks at the centre. */
export function tilePath(plan: Plan, name: string, u: number, rim: boolean): string {
  const spot = plan.spots.get(name)!;
  const turn = turnOf(spot);
  if (rim) {
    const corner = (radius: number, off: number): string => at(polar(radius, turn + off), u);
    const [far, near] = [RIM.far * u, RIM.near * u];
    return `M${corner(RIM.far, -HALF_TILE)}A${far} ${far} 0 0 1 ${corner(RIM.far, HALF_TILE)}L${corner(RIM.near, HALF_TILE)}A${near} ${near} 0 0 0 ${corner(RIM.near, -HALF_TILE)}Z`;
  }
  const [ahead, aside] = plan.wheel
    ? [polar(SQUARE, turn), polar(SQUARE, turn + 90)]
    : [polar(SQUARE, 0), polar(SQUARE, 90)];
  const corners = [
    [1, -1],
    [1, 1],
    [-1, 1],
    [-1, -1],
  ].map(([a, b]) => ({ x: spot.x + a! * ahead.x + b! * aside.x, y: spot.y + a! * ahead.y + b! * aside.y }));
  return `M${corners.map((corner) => at(corner, u)).join("L")}Z`;
}

/** A free place beside a field for a label of so many half widths and heights: off all fields, inside the box, near. */
export function besides(plan: Plan, name: string, limit: Spot, half: Spot): Spot {
  const spot = plan.spots.get(name) ?? plan.spots.get(CENTRE)!;
  const ways = [1, 1.2, 1.45].flatMap((far) =>
    Array.from({ length: 16 }, (_, way) => polar(1, way * 22.5)).map((off) => ({
      x: spot.x + off.x * far * (FIELD + half.x),
      y: spot.y + off.y * far * (FIELD + half.y),
      far,
    })),
  );
  const room = ({ x, y, far }: Spot & { far: number }): number => {
    const inside = Math.abs(x) + half.x <= limit.x && Math.abs(y) + half.y <= limit.y;
    const nearest = Math.min(
      ...[...plan.spots].map(
        ([other, { x: ox, y: oy }]) =>
          Math.hypot(Math.max(0, Math.abs(ox - x) - half.x), Math.max(0, Math.abs(oy - y) - half.y)) -
          (other === CENTRE ? plan.hub - FIELD : 0),
      ),
    );
    return Math.min(nearest, FIELD + 0.15) - far / 10 - (inside ? 0 : 10);
  };
  return ways.reduce((best, way) => (room(way) > room(best) + 1e-6 ? way : best));
}
