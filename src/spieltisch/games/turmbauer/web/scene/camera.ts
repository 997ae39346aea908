/** Orbit camera: it circles the turntable, or looks down on it. */

/** The direction of the camera, in degrees; azimuth 0 is south, 90 is east. */
export interface Orbit {
  readonly azimuth: number;
  readonly elevation: number;
}

export const FIELD_OF_VIEW = 26; // degrees, vertical
const SIDES: Readonly<Record<string, number>> = { s: 0, e: 90, n: 180, w: 270 };
const OBLIQUE = 24; // degrees, so that two sides of every cube are visible

/** The orbit from one side of the table. */
export const orbitFrom = (side: string, narrow: boolean): Orbit => ({
  azimuth: SIDES[side]! + OBLIQUE,
  elevation: narrow ? 24 : 19,
});
export const ORBIT_FROM_ABOVE: Orbit = { azimuth: 0, elevation: 88 };

/** The side of the table that the camera is on. */
export function orbitSide({ azimuth }: Orbit): "n" | "e" | "s" | "w" {
  const quarter = Math.round((azimuth - OBLIQUE) / 90);
  return (["s", "e", "n", "w"] as const)[((quarter % 4) + 4) % 4]!;
}

/** Interpolates between two orbits, the shorter way around. */
export function interpolateOrbit(one: Orbit, other: Orbit, share: number): Orbit {
  const angle = ((((other.azimuth - one.azimuth) % 360) + 540) % 360) - 180;
  return {
    azimuth: one.azimuth + angle * share,
    elevation: one.elevation + (other.elevation - one.elevation) * share,
  };
}

export interface CameraPose {
  readonly position: [number, number, number];
  readonly target: [number, number, number];
}

const FILL = { horizontal: 0.9, vertical: 0.93 }; // the share of the canvas that may be filled
export const MIN_FLOORS = 7; // that are framed, so that a low tower is not drawn larger
const PAWN_HEIGHT = 1.2; // on top of the tower
const TURNTABLE_HEIGHT = 0.34;
const ANGLES = Array.from({ length: 24 }, (_, at) => (at * Math.PI) / 12);

/** The pose closest to the tower that frames tower and turntable for any azimuth. */
export function cameraPose(orbit: Orbit, floors: number, radius: number, aspect: number): CameraPose {
  const elevation = (orbit.elevation * Math.PI) / 180;
  const azimuth = (orbit.azimuth * Math.PI) / 180;
  const [sine, cosine] = [Math.sin(elevation), Math.cos(elevation)];
  const slope = Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
  // A circle in camera space: horizontal and vertical offset, and depth towards the camera.
  const circle = (r: number, height: number): { across: number; up: number; depth: number }[] =>
    ANGLES.map((angle) => {
      const ahead = r * Math.cos(angle);
      return {
        across: Math.abs(r * Math.sin(angle)),
        up: height * cosine - ahead * sine,
        depth: ahead * cosine + height * sine,
      };
    });
  const points = [
    ...circle(radius, 0),
    ...circle(radius, -TURNTABLE_HEIGHT),
    ...circle(radius / 2, Math.max(MIN_FLOORS, floors) + PAWN_HEIGHT),
  ];
  // The distances that the upper and the lower edge need, if the camera aims at a height.
  const upper = (aim: number): number =>
    Math.max(...points.map(({ up, depth }) => (up - aim) / (slope * FILL.vertical) + depth));
  const lower = (aim: number): number =>
    Math.max(...points.map(({ up, depth }) => (aim - up) / (slope * FILL.vertical) + depth));
  let [low, high] = [-radius, floors + radius];
  for (let tries = 0; tries < 24; tries++) {
    const middle = (low + high) / 2;
    if (upper(middle) > lower(middle)) low = middle;
    else high = middle;
  }
  const sides = Math.max(
    ...points.map(({ across, depth }) => across / (slope * aspect * FILL.horizontal) + depth),
  );
  const distance = Math.max(upper(low), sides);
  const target: CameraPose["target"] = [
    -low * sine * Math.sin(azimuth),
    low * cosine,
    -low * sine * Math.cos(azimuth),
  ];
  return {
    target,
    position: [
      target[0] + distance * Math.sin(azimuth) * cosine,
      target[1] + distance * sine,
      target[2] + distance * Math.cos(azimuth) * cosine,
    ],
  };
}

/** The radius of the turntable under some cells. */
export function turntableRadius(cells: readonly { x: number; y: number }[]): number {
  const far = Math.max(...cells.map(({ x, y }) => Math.hypot(x - 0.5, y - 0.5)));
  return Math.max(5.4, far + 1.4);
}
