/** Templates of a bevelled cube and of the necks that join two cubes of a stone: built once, copied for every cube. */
import { addScaled, cross, dot, type Vector } from "./vector";

/** A mesh template: vertices with normals, texture coordinates on the cube's tile, and the sample whose light they take. */
export interface MeshPart {
  readonly position: number[];
  readonly normal: number[];
  readonly uv: number[];
  readonly sample: number[];
  readonly index: number[];
}

export const HALF = 0.985 / 2; // half the edge of a cube
const BEVEL = 0.07;
const FLAT = HALF - BEVEL;
const SUBDIVISIONS = 2; // of a face per side, for the ambient occlusion
const NECK = 0.45; // half the width of a neck
const ORIGIN: Vector = [0, 0, 0];

const FACES: readonly { normal: Vector; across: Vector; up: Vector }[] = [
  { normal: [1, 0, 0], across: [0, 0, -1], up: [0, 1, 0] },
  { normal: [-1, 0, 0], across: [0, 0, 1], up: [0, 1, 0] },
  { normal: [0, 1, 0], across: [1, 0, 0], up: [0, 0, -1] },
  { normal: [0, -1, 0], across: [1, 0, 0], up: [0, 0, 1] },
  { normal: [0, 0, 1], across: [1, 0, 0], up: [0, 1, 0] },
  { normal: [0, 0, -1], across: [-1, 0, 0], up: [0, 1, 0] },
];

/** A vertex of a face, at which the ambient occlusion is sampled. */
interface Sample {
  readonly position: Vector;
  readonly normal: Vector;
  readonly uv: readonly [number, number];
}

const emptyPart = (): MeshPart => ({ position: [], normal: [], uv: [], sample: [], index: [] });

/** Adds a vertex; returns its index. */
function addVertex(
  part: MeshPart,
  position: Vector,
  normal: Vector,
  uv: readonly [number, number],
  sample: number,
): number {
  part.position.push(...position);
  part.normal.push(...normal);
  part.uv.push(...uv);
  part.sample.push(sample);
  return part.sample.length - 1;
}

/** Adds a triangle, wound so that its front faces the normal of its first vertex. */
function addTriangle(part: MeshPart, a: number, b: number, c: number): void {
  const positionOf = (vertex: number): Vector =>
    part.position.slice(3 * vertex, 3 * vertex + 3) as unknown as Vector;
  const normal = part.normal.slice(3 * a, 3 * a + 3) as unknown as Vector;
  const [ab, ac] = [b, c].map((vertex) => addScaled(positionOf(vertex), positionOf(a), -1)) as [
    Vector,
    Vector,
  ];
  part.index.push(a, ...(dot(cross(ab, ac), normal) >= 0 ? [b, c] : [c, b]));
}

function addQuad(part: MeshPart, a: number, b: number, c: number, d: number): void {
  addTriangle(part, a, b, c);
  addTriangle(part, a, c, d);
}

function subdivisionGrid(): [number, number][] {
  const steps = Array.from({ length: SUBDIVISIONS + 1 }, (_, at) => (2 * at) / SUBDIVISIONS - 1);
  return steps.flatMap((b) => steps.map((a): [number, number] => [a, b]));
}

/** The vertices of all faces, face by face. */
export const SAMPLES: readonly Sample[] = FACES.flatMap(({ normal, across, up }) =>
  subdivisionGrid().map(([a, b]) => ({
    position: addScaled(addScaled(addScaled(ORIGIN, normal, HALF), across, a * FLAT), up, b * FLAT),
    normal,
    uv: [0.5 + a * FLAT, 0.5 + b * FLAT] as const,
  })),
);

const SAMPLES_PER_FACE = (SUBDIVISIONS + 1) ** 2;

/** The six flat faces. */
export const FLAT_FACES: readonly { part: MeshPart; normal: Vector }[] = FACES.map(({ normal }, face) => {
  const part = emptyPart();
  for (let at = 0; at < SAMPLES_PER_FACE; at++) {
    const sample = SAMPLES[face * SAMPLES_PER_FACE + at]!;
    addVertex(part, sample.position, normal, sample.uv, face * SAMPLES_PER_FACE + at);
  }
  for (let row = 0; row < SUBDIVISIONS; row++)
    for (let column = 0; column < SUBDIVISIONS; column++) {
      const first = row * (SUBDIVISIONS + 1) + column;
      addQuad(part, first, first + 1, first + SUBDIVISIONS + 2, first + SUBDIVISIONS + 1);
    }
  return { part, normal };
});

/** The sample of a face that is nearest to a corner or edge point, given in units of the flat part. */
function nearestSample(face: Vector, place: Vector): number {
  const goal = addScaled(ORIGIN, place, FLAT);
  let [found, least] = [0, Infinity];
  SAMPLES.forEach(({ position, normal }, at) => {
    const offset = addScaled(position, goal, -1);
    if (dot(normal, face) === 1 && dot(offset, offset) < least) [found, least] = [at, dot(offset, offset)];
  });
  return found;
}

/** Adds a vertex at the rim of a face, with the texture of another face. */
function addRimVertex(part: MeshPart, face: Vector, place: Vector, textured: Vector): number {
  const own = nearestSample(face, place);
  return addVertex(part, SAMPLES[own]!.position, face, SAMPLES[nearestSample(textured, place)]!.uv, own);
}

function addEdgeBevels(part: MeshPart): void {
  FACES.forEach(({ normal: one }, at) => {
    for (const { normal: other } of FACES.slice(at + 1)) {
      if (dot(one, other)) continue;
      const along = cross(one, other);
      for (let cut = 0; cut < SUBDIVISIONS; cut++) {
        const places = [cut - 1, cut].map((by) => addScaled(addScaled(one, other), along, by));
        const [a, b] = places.map((place) => addRimVertex(part, one, place, one)) as [number, number];
        const [c, d] = places.map((place) => addRimVertex(part, other, place, one)) as [number, number];
        addQuad(part, a, b, d, c);
      }
    }
  });
}

function addCornerBevels(part: MeshPart): void {
  for (const x of [-1, 1])
    for (const y of [-1, 1])
      for (const z of [-1, 1]) {
        const faces: Vector[] = [
          [x, 0, 0],
          [0, y, 0],
          [0, 0, z],
        ];
        const [a, b, c] = faces.map((face) => addRimVertex(part, face, [x, y, z], faces[0]!)) as [
          number,
          number,
          number,
        ];
        addTriangle(part, a, b, c);
      }
}

/** The bevelled edges and corners. */
export const BEVELS: MeshPart = (() => {
  const part = emptyPart();
  addEdgeBevels(part);
  addCornerBevels(part);
  return part;
})();

/** The necks along each axis, centred between two cubes. */
export const NECKS: readonly MeshPart[] = (
  [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ] as const
).map((axis) => {
  const part = emptyPart();
  for (const { normal, across, up } of FACES) {
    if (dot(normal, axis)) continue;
    const halfWidth = (side: Vector): number => (dot(side, axis) ? BEVEL + 0.02 : NECK);
    const corner = (x: number, y: number): number =>
      addVertex(
        part,
        addScaled(
          addScaled(addScaled(ORIGIN, normal, NECK), across, x * halfWidth(across)),
          up,
          y * halfWidth(up),
        ),
        normal,
        [0.5, 0.5],
        -1,
      );
    addQuad(part, corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1));
  }
  return part;
});
