/** Tower mesh: wooden cubes with bevelled edges and baked ambient occlusion, in one mesh. */
import type { Cube, Stone } from "../../view";
import { tileOf, type Tile } from "../atlas";
import { BEVELS, FLAT_FACES, NECKS, SAMPLES, type MeshPart } from "./cube";
import { OccupancyGrid } from "./occupancy";
import { addScaled, cellCentre, type Vector } from "./vector";

export interface MeshData {
  readonly position: Float32Array;
  readonly normal: Float32Array;
  readonly uv: Float32Array;
  readonly colour: Float32Array;
  readonly index: Uint32Array;
  /** The first vertex of every stone, and the number of all vertices. */
  readonly starts: number[];
}

/** A copy of a template. */
interface Instance {
  readonly part: MeshPart;
  readonly centre: Vector;
  readonly tile: Tile;
  /** The light at every sample; null for a neck, which lies in a gap. */
  readonly light: Float32Array | null;
}

const NECK_LIGHT = 0.45;

function bakeLight(centre: Vector, grid: OccupancyGrid): Float32Array {
  return Float32Array.from(SAMPLES, ({ position, normal }) => {
    const point = addScaled(centre, position);
    const occlusion = (distance: number): number => grid.occlusionAt(addScaled(point, normal, distance));
    return Math.max(0.5, 1 - 0.5 * occlusion(0.42) - 0.14 * occlusion(0.9));
  });
}

/** The visible faces and the bevels of a cube; nothing if no face is visible. */
function* cubeInstances(cube: Cube, shade: OccupancyGrid, cull: OccupancyGrid): Generator<Instance> {
  const visible = FLAT_FACES.filter(
    ({ normal }) => !cull.has(cube.x + normal[0], cube.y - normal[2], cube.z + normal[1]),
  );
  if (!visible.length) return;
  const centre = cellCentre(cube);
  const [tile, light] = [tileOf(cube), bakeLight(centre, shade)];
  for (const { part } of visible) yield { part, centre, tile, light };
  yield { part: BEVELS, centre, tile, light };
}

function* neckInstances(stone: Stone): Generator<Instance> {
  for (const one of stone)
    for (const other of stone) {
      const offset = [other.x - one.x, other.z - one.z, other.y - one.y];
      const axis = offset.indexOf(1);
      if (axis < 0 || offset.filter(Boolean).length > 1) continue;
      const [a, b] = [cellCentre(one), cellCentre(other)];
      const centre: Vector = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
      yield { part: NECKS[axis]!, centre, tile: tileOf({ ...one, colour: "natural" }), light: null };
    }
}

/** One grid for all stones, or one per stone. */
export type Grids = OccupancyGrid | readonly OccupancyGrid[];

const gridOf = (grids: Grids, stone: number): OccupancyGrid =>
  grids instanceof OccupancyGrid ? grids : grids[stone]!;

/** Builds one mesh of all stones. The first grids cast the baked shadows, the second ones hide faces. */
export function buildMesh(stones: readonly Stone[], shade: Grids, cull: Grids = shade): MeshData {
  const instances: Instance[] = [];
  const starts: number[] = [];
  let [vertexCount, indexCount] = [0, 0];
  for (const [number, stone] of stones.entries()) {
    starts.push(vertexCount);
    const before = instances.length;
    for (const cube of stone)
      instances.push(...cubeInstances(cube, gridOf(shade, number), gridOf(cull, number)));
    instances.push(...neckInstances(stone));
    for (const { part } of instances.slice(before)) {
      vertexCount += part.sample.length;
      indexCount += part.index.length;
    }
  }
  starts.push(vertexCount);
  const mesh: MeshData = {
    position: new Float32Array(3 * vertexCount),
    normal: new Float32Array(3 * vertexCount),
    uv: new Float32Array(2 * vertexCount),
    colour: new Float32Array(3 * vertexCount),
    index: new Uint32Array(indexCount),
    starts,
  };
  let [vertex, corner] = [0, 0];
  for (const instance of instances) {
    for (const at of instance.part.index) mesh.index[corner++] = vertex + at;
    copyInstance(mesh, vertex, instance);
    vertex += instance.part.sample.length;
  }
  return mesh;
}

function copyInstance(mesh: MeshData, first: number, { part, centre, tile, light }: Instance): void {
  mesh.normal.set(part.normal, 3 * first);
  for (let vertex = 0; vertex < part.sample.length; vertex++) {
    const to = first + vertex;
    for (let axis = 0; axis < 3; axis++)
      mesh.position[3 * to + axis] = part.position[3 * vertex + axis]! + centre[axis]!;
    mesh.uv[2 * to] = tile.left + part.uv[2 * vertex]! * tile.size[0];
    mesh.uv[2 * to + 1] = tile.low + part.uv[2 * vertex + 1]! * tile.size[1];
    const brightness = light ? light[part.sample[vertex]!]! : NECK_LIGHT;
    mesh.colour[3 * to] = brightness;
    mesh.colour[3 * to + 1] = brightness * (light ? 0.985 : 0.88);
    mesh.colour[3 * to + 2] = brightness * (light ? 0.96 : 0.72);
  }
}
