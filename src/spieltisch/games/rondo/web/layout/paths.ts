/** SVG paths of the board's wood, its tiles and trails; u is the width of a field in pixels. */
import { CENTRE } from "../view";
import type { Layout } from "./board";
import type { Point } from "./graph";
import { angleOf, polar } from "./wheel";

const HALF_TILE = 5.2; // degrees
const RIM = { near: 4.54, far: 5.66 }; // radii of the tiles of the outer ring
const HALF_SQUARE = 0.54; // of any other tile

const format = ({ x, y }: Point, u: number): string => `${round(x * u)} ${round(y * u)}`;
const round = (value: number): number => Math.round(value * 100) / 100;

/** The bars of a wheel, given half their width and how much shorter they are at both ends. */
export function barPath(layout: Layout, half: number, u: number, innerInset = 0, outerInset = 0): string {
  return (layout.wheel?.bars ?? [])
    .map(({ angle, inner, outer }) => {
      const side = polar(half, angle + 90);
      const [near, far] = [polar(inner + innerInset, angle), polar(outer - outerInset, angle)];
      const corners = [
        { x: near.x - side.x, y: near.y - side.y },
        { x: far.x - side.x, y: far.y - side.y },
        { x: far.x + side.x, y: far.y + side.y },
        { x: near.x + side.x, y: near.y + side.y },
      ];
      return `M${corners.map((corner) => format(corner, u)).join("L")}Z`;
    })
    .join("");
}

/** A polyline through some fields. */
function linePath(layout: Layout, names: readonly string[], u: number): string {
  return names
    .flatMap((name) => layout.spots.get(name) ?? [])
    .map((spot, index) => (index ? "L" : "M") + format(spot, u))
    .join("");
}

/** The trail of a chain; if it starts at the centre, from the rim of the hub. */
export function trailPath(layout: Layout, names: readonly string[], u: number): string {
  const [from, first] = [layout.spots.get(names[0] ?? ""), layout.spots.get(names[1] ?? "")];
  if (names[0] !== CENTRE || !from || !first) return linePath(layout, names, u);
  const share = (layout.hubRadius + 0.1) / Math.hypot(first.x - from.x, first.y - from.y);
  const rim = { x: from.x + (first.x - from.x) * share, y: from.y + (first.y - from.y) * share };
  return `M${format(rim, u)}${linePath(layout, names.slice(1), u).replace("M", "L")}`;
}

/** All links. */
export function linkPath(layout: Layout, u: number): string {
  return layout.links.map((link) => linePath(layout, link, u)).join("");
}

/** The tile under a grey field: a section of the outer ring, or a square that faces the centre. */
export function tilePath(layout: Layout, name: string, u: number, rim: boolean): string {
  const spot = layout.spots.get(name)!;
  const angle = angleOf(spot);
  if (rim) {
    const corner = (radius: number, offset: number): string => format(polar(radius, angle + offset), u);
    const [far, near] = [RIM.far * u, RIM.near * u];
    return `M${corner(RIM.far, -HALF_TILE)}A${far} ${far} 0 0 1 ${corner(RIM.far, HALF_TILE)}L${corner(RIM.near, HALF_TILE)}A${near} ${near} 0 0 0 ${corner(RIM.near, -HALF_TILE)}Z`;
  }
  const [ahead, aside] = layout.wheel
    ? [polar(HALF_SQUARE, angle), polar(HALF_SQUARE, angle + 90)]
    : [polar(HALF_SQUARE, 0), polar(HALF_SQUARE, 90)];
  const corners = [
    [1, -1],
    [1, 1],
    [-1, 1],
    [-1, -1],
  ].map(([a, b]) => ({ x: spot.x + a! * ahead.x + b! * aside.x, y: spot.y + a! * ahead.y + b! * aside.y }));
  return `M${corners.map((corner) => format(corner, u)).join("L")}Z`;
}
