/** Where the eye is: it goes around the turntable, or looks down on it. */
export interface Look {
  /** In degrees, 0 from the south, 90 from the east. */
  readonly azimuth: number;
  readonly elevation: number;
}

export const FIELD = 26; // degrees of sight from top to bottom
const SIDES: Readonly<Record<string, number>> = { s: 0, e: 90, n: 180, w: 270 };
const ASKEW = 24; // degrees aside, so that two sides of every cube are seen

/** A look from one side. */
export const from = (side: string, narrow: boolean): Look => ({
  azimuth: SIDES[side]! + ASKEW,
  elevation: narrow ? 24 : 19,
});
export const FROM_ABOVE: Look = { azimuth: 0, elevation: 88 };

/** Which of the four sides the look is from. */
export function sideOf({ azimuth }: Look): "n" | "e" | "s" | "w" {
  const quarter = Math.round((azimuth - ASKEW) / 90);
  return (["s", "e", "n", "w"] as const)[((quarter % 4) + 4) % 4]!;
}

/** A look on the way from one to another, by the shorter way around. */
export function between(one: Look, other: Look, share: number): Look {
  const around = ((((other.azimuth - one.azimuth) % 360) + 540) % 360) - 180;
  return {
    azimuth: one.azimuth + around * share,
    elevation: one.elevation + (other.elevation - one.elevation) * share,
  };
}

export interface Eye {
  readonly position: [number, number, number];
  readonly target: [number, number, number];
}

/** Where the eye stands so that tower and turntable are seen whole. */
export function eyeOf(look: Look, floors: number, radius: number, aspect: number): Eye {
  const rise = (look.elevation * Math.PI) / 180;
  const turn = (look.azimuth * Math.PI) / 180;
  const above = Math.sin(rise) ** 3; // nothing from the side: from above the whole table is seen, and the top is near
  const wide = (2.3 * radius) / aspect;
  const high = 1.35 * (floors + 2) * Math.cos(rise) + (1.5 + 0.8 * above) * radius * Math.sin(rise);
  const distance = Math.max(wide, high) / (2 * Math.tan((FIELD * Math.PI) / 360)) + floors * above;
  const height = 0.45 * floors * Math.cos(rise);
  return {
    target: [0, height, 0],
    position: [
      distance * Math.sin(turn) * Math.cos(rise),
      height + distance * Math.sin(rise),
      distance * Math.cos(turn) * Math.cos(rise),
    ],
  };
}

/** The turntable's radius. */
export function radiusOf(cells: readonly { x: number; y: number }[]): number {
  const far = Math.max(...cells.map(({ x, y }) => Math.hypot(x - 0.5, y - 0.5)));
  return Math.max(5.4, far + 1.4);
}
