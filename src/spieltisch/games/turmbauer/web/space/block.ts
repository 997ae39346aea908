/** One bevelled cube and what joins two of them, as templates: made once, copied for every cube. */
export type Vector = readonly [number, number, number];

/** A part of a cube: points with normals, their place on the face's tile, and whose shade they wear. */
export interface Part {
  readonly position: number[];
  readonly normal: number[];
  readonly uv: number[];
  readonly sample: number[];
  readonly index: number[];
}

export const HALF = 0.985 / 2;
const BEVEL = 0.07;
const FLAT = HALF - BEVEL;
const CUTS = 2; // so often is a face divided, for the shade
const NECK = 0.45; // half the width of what joins two cubes of a stone

// The faces in the axes of the screen: x to the east, y up, z to the south.
const FACES: readonly { normal: Vector; across: Vector; up: Vector }[] = [
  { normal: [1, 0, 0], across: [0, 0, -1], up: [0, 1, 0] },
  { normal: [-1, 0, 0], across: [0, 0, 1], up: [0, 1, 0] },
  { normal: [0, 1, 0], across: [1, 0, 0], up: [0, 0, -1] },
  { normal: [0, -1, 0], across: [1, 0, 0], up: [0, 0, 1] },
  { normal: [0, 0, 1], across: [1, 0, 0], up: [0, 1, 0] },
  { normal: [0, 0, -1], across: [-1, 0, 0], up: [0, 1, 0] },
];

interface Sample {
  readonly at: Vector;
  readonly normal: Vector;
  readonly uv: readonly [number, number];
}

export const add = (a: Vector, b: Vector, by = 1): Vector => [
  a[0] + by * b[0],
  a[1] + by * b[1],
  a[2] + by * b[2],
];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

const empty = (): Part => ({ position: [], normal: [], uv: [], sample: [], index: [] });

function vertex(
  part: Part,
  at: Vector,
  normal: Vector,
  uv: readonly [number, number],
  sample: number,
): number {
  part.position.push(...at);
  part.normal.push(...normal);
  part.uv.push(...uv);
  part.sample.push(sample);
  return part.sample.length - 1;
}

/** A triangle whose front is where its first normal points. */
function triangle(part: Part, a: number, b: number, c: number): void {
  const at = (corner: number): Vector => part.position.slice(3 * corner, 3 * corner + 3) as unknown as Vector;
  const normal = part.normal.slice(3 * a, 3 * a + 3) as unknown as Vector;
  const front = dot(cross(add(at(b), at(a), -1), add(at(c), at(a), -1)), normal);
  part.index.push(a, ...(front >= 0 ? [b, c] : [c, b]));
}

function quad(part: Part, a: number, b: number, c: number, d: number): void {
  triangle(part, a, b, c);
  triangle(part, a, c, d);
}

/** The points of all faces at which the shade is asked for. */
export const SAMPLES: readonly Sample[] = FACES.flatMap(({ normal, across, up }) =>
  grid().map(([a, b]) => ({
    at: add(add(add([0, 0, 0], normal, HALF), across, a * FLAT), up, b * FLAT),
    normal,
    uv: [0.5 + a * FLAT, 0.5 + b * FLAT] as const,
  })),
);

function grid(): [number, number][] {
  const steps = Array.from({ length: CUTS + 1 }, (_, at) => (2 * at) / CUTS - 1);
  return steps.flatMap((b) => steps.map((a): [number, number] => [a, b]));
}

const EACH = (CUTS + 1) ** 2;

/** The six faces, in the order of FACES, each with the step to the cell before it. */
export const SIDES: readonly { part: Part; normal: Vector }[] = FACES.map(({ normal }, face) => {
  const part = empty();
  for (let at = 0; at < EACH; at++) {
    const sample = SAMPLES[face * EACH + at]!;
    vertex(part, sample.at, normal, sample.uv, face * EACH + at);
  }
  for (let row = 0; row < CUTS; row++)
    for (let column = 0; column < CUTS; column++) {
      const first = row * (CUTS + 1) + column;
      quad(part, first, first + 1, first + CUTS + 2, first + CUTS + 1);
    }
  return { part, normal };
});

/** The rounded edges and corners. */
export const ROUND: Part = (() => {
  const part = empty();
  /** The point of a face nearest to a place on the rim, in the wood of another face. */
  const rim = (face: Vector, place: Vector, wears: Vector): number => {
    const own = nearest(face, place);
    return vertex(part, SAMPLES[own]!.at, face, SAMPLES[nearest(wears, place)]!.uv, own);
  };
  const nearest = (face: Vector, place: Vector): number => {
    const goal = add([0, 0, 0], place, FLAT);
    let [found, least] = [0, Infinity];
    SAMPLES.forEach(({ at, normal }, number) => {
      const away = add(at, goal, -1);
      if (dot(normal, face) === 1 && dot(away, away) < least) [found, least] = [number, dot(away, away)];
    });
    return found;
  };
  FACES.forEach(({ normal: one }, at) => {
    for (const { normal: other } of FACES.slice(at + 1)) {
      if (dot(one, other)) continue;
      const along = cross(one, other);
      for (let cut = 0; cut < CUTS; cut++) {
        const places = [cut - 1, cut].map((by) => add(add(one, other), along, by)) as [Vector, Vector];
        const [a, b] = places.map((place) => rim(one, place, one)) as [number, number];
        const [c, d] = places.map((place) => rim(other, place, one)) as [number, number];
        quad(part, a, b, d, c);
      }
    }
  });
  for (const x of [-1, 1])
    for (const y of [-1, 1])
      for (const z of [-1, 1]) {
        const faces: Vector[] = [
          [x, 0, 0],
          [0, y, 0],
          [0, 0, z],
        ];
        const [a, b, c] = faces.map((face) => rim(face, [x, y, z], faces[0]!)) as [number, number, number];
        triangle(part, a, b, c);
      }
  return part;
})();

/** What joins two cubes of a stone, along each axis, about the middle between them. */
export const NECKS: readonly Part[] = (
  [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ] as const
).map((way) => {
  const part = empty();
  for (const { normal, across, up } of FACES) {
    if (dot(normal, way)) continue;
    const wide = (side: Vector): number => (dot(side, way) ? BEVEL + 0.02 : NECK);
    const at = (x: number, y: number): number =>
      vertex(
        part,
        add(add(add([0, 0, 0], normal, NECK), across, x * wide(across)), up, y * wide(up)),
        normal,
        [0.5, 0.5],
        -1,
      );
    quad(part, at(-1, -1), at(1, -1), at(1, 1), at(-1, 1));
  }
  return part;
});
