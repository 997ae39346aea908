/** Layout of the wheel, the shape of the built-in board: lengths in field widths, angles in degrees clockwise from north. */
import { CENTRE } from "../view";
import type { BoardGraph, Point } from "./graph";

export interface Bar {
  angle: number;
  inner: number;
  outer: number;
}

/** The wood of a wheel. */
export interface Wheel {
  rings: { radius: number; wood: number }[];
  bars: Bar[];
}

export interface WheelLayout {
  spots: Map<string, Point>;
  wheel: Wheel;
  width: number;
  height: number;
}

const RADII = { A: 1.3, I: 2.55, K: 3.8, O: 5.1 } as const;
const STEPS = { I: 22.5, K: 22.5, O: 11.25 } as const; // degrees between two fields of a ring
const ARMS = "NESW";

export function polar(radius: number, degrees: number): Point {
  const angle = (degrees * Math.PI) / 180;
  return { x: radius * Math.sin(angle), y: -radius * Math.cos(angle) };
}

export const angleOf = ({ x, y }: Point): number => (Math.atan2(x, -y) * 180) / Math.PI;

/** The polar coordinates of a field by its name; null if no field of a wheel has that name. */
export function wheelPosition(name: string): { radius: number; angle: number } | null {
  const found = /^(?:A([NESW])|([IKO])(0|[1-9]\d?))$/.exec(name);
  if (!found) return null;
  if (found[1]) return { radius: RADII.A, angle: ARMS.indexOf(found[1]) * 90 };
  const ring = found[2] as "I" | "K" | "O";
  const angle = Number(found[3]) * STEPS[ring];
  return angle < 360 ? { radius: RADII[ring], angle } : null;
}

/** Whether a field lies on the outer ring, whose curve grey tiles follow. */
export const isOnRim = (name: string): boolean => wheelPosition(name)?.radius === RADII.O;

/** Lays out a board whose fields have the names of a wheel; null for any other board. */
export function layoutWheel({ cells }: BoardGraph): WheelLayout | null {
  const places = cells.map((name) => [name, wheelPosition(name)] as const);
  const spots = new Map<string, Point>([[CENTRE, { x: 0, y: 0 }]]);
  for (const [name, place] of places) {
    if (!place) return null;
    spots.set(name, polar(place.radius, place.angle));
  }
  const has = (letter: string): boolean => cells.some((name) => name.startsWith(letter));
  const [inner, outer] = [has("I"), has("O")];
  const rings = [
    ...(outer ? [{ radius: RADII.O, wood: 1.46 }] : []),
    ...(inner ? [{ radius: RADII.I, wood: 1.26 }] : []),
  ];
  const bars = places.flatMap(([name, place]) => {
    if (name.startsWith("A")) return [{ angle: place!.angle, inner: 0.6, outer: inner ? RADII.I : 1.8 }];
    if (name.startsWith("K"))
      return [{ angle: place!.angle, inner: inner ? RADII.I : 3.3, outer: outer ? RADII.O : 4.3 }];
    return [];
  });
  const size = outer ? 11.9 : 9;
  return { spots, wheel: { rings, bars }, width: size, height: size };
}
