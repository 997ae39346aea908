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

const SIDEWAYS = 0.9; // the part of the picture that may be filled
const UPWARDS = 0.93;
export const FLOORS = 7; // at least: a low tower is not seen larger than one that has grown
const PAWN = 1.2; // high, on top of everything
const THICK = 0.34; // the turntable
const AROUND = Array.from({ length: 24 }, (_, at) => (at * Math.PI) / 12);

/** Where the eye stands so that tower and turntable are seen whole: as near as it can, whichever way the table is turned. */
export function eyeOf(look: Look, floors: number, radius: number, aspect: number): Eye {
  const rise = (look.elevation * Math.PI) / 180;
  const turn = (look.azimuth * Math.PI) / 180;
  const [sine, cosine] = [Math.sin(rise), Math.cos(rise)];
  const slope = Math.tan((FIELD * Math.PI) / 360);
  const ring = (wide: number, high: number): { across: number; up: number; near: number }[] =>
    AROUND.map((angle) => {
      const ahead = wide * Math.cos(angle);
      return {
        across: Math.abs(wide * Math.sin(angle)),
        up: high * cosine - ahead * sine,
        near: ahead * cosine + high * sine,
      };
    });
  const points = [
    ...ring(radius, 0),
    ...ring(radius, -THICK),
    ...ring(radius / 2, Math.max(FLOORS, floors) + PAWN),
  ];
  const above = (middle: number): number =>
    Math.max(...points.map(({ up, near }) => (up - middle) / (slope * UPWARDS) + near));
  const below = (middle: number): number =>
    Math.max(...points.map(({ up, near }) => (middle - up) / (slope * UPWARDS) + near));
  let [low, high] = [-radius, floors + radius];
  for (let tries = 0; tries < 24; tries++) {
    const middle = (low + high) / 2;
    if (above(middle) > below(middle)) low = middle;
    else high = middle;
  }
  const beside = Math.max(...points.map(({ across, near }) => across / (slope * aspect * SIDEWAYS) + near));
  const distance = Math.max(above(low), beside);
  const target: Eye["target"] = [-low * sine * Math.sin(turn), low * cosine, -low * sine * Math.cos(turn)];
  return {
    target,
    position: [
      target[0] + distance * Math.sin(turn) * cosine,
      target[1] + distance * sine,
      target[2] + distance * Math.cos(turn) * cosine,
    ],
  };
}

/** The turntable's radius. */
export function radiusOf(cells: readonly { x: number; y: number }[]): number {
  const far = Math.max(...cells.map(({ x, y }) => Math.hypot(x - 0.5, y - 0.5)));
  return Math.max(5.4, far + 1.4);
}
