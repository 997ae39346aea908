/** What carries what, as it is drawn: rods inside a tower that is seen through. */
import {
  CylinderGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
  type Material,
} from "three";
import type { Cube } from "../tower";
import type { Vector } from "./block";
import { touchOf, type Load } from "./labels";
import { centreOf, rodsOf, thickness } from "./loads";

const UP = new Vector3(0, 1, 0);
const PAINT = { light: ["#8a3d10", "#2a2018"], dark: ["#ffb45e", "#fff3dc"] } as const;

export class Bearing extends Group {
  /** Fills the tower's place, so that of its faces only the nearest tints what is inside. */
  readonly #before: Mesh;
  readonly #made: InstancedMesh[];

  constructor(loads: readonly Load[], stones: readonly (readonly Cube[])[], tower: Mesh, dark: boolean) {
    super();
    const [rod, bead] = PAINT[dark ? "dark" : "light"].map(
      (color) => new MeshStandardMaterial({ color, roughness: 0.5 }),
    ) as [MeshStandardMaterial, MeshStandardMaterial];
    const heaviest = Math.max(...loads.map(({ weight }) => weight));
    const rods = new InstancedMesh(new CylinderGeometry(1, 1, 1, 14), rod, Math.max(1, 2 * loads.length));
    const discs = new InstancedMesh(new CylinderGeometry(1, 1, 1, 22), bead, Math.max(1, loads.length));
    const beads = new InstancedMesh(new SphereGeometry(1, 14, 10), bead, stones.length);
    const matrix = new Matrix4();
    const [turn, size] = [new Quaternion(), new Vector3()];
    const all = rodsOf(loads, stones);
    all.forEach(({ from, to, radius }, at) => {
      const [one, other] = [vector(from), vector(to)];
      const way = other.clone().sub(one);
      const long = way.length();
      turn.setFromUnitVectors(UP, long ? way.divideScalar(long) : UP);
      rods.setMatrixAt(
        at,
        matrix.compose(one.add(other).divideScalar(2), turn, size.set(radius, long, radius)),
      );
    });
    loads.forEach((load, at) => {
      const wide = thickness(load.weight, heaviest) + 0.1;
      discs.setMatrixAt(
        at,
        matrix.compose(vector(touchOf(load)), turn.identity(), size.set(wide, 0.06, wide)),
      );
    });
    stones.forEach((stone, at) => {
      const most = Math.max(0, ...loads.filter(({ carried }) => carried === at).map(({ weight }) => weight));
      const wide = most ? thickness(most, heaviest) + 0.045 : 0;
      beads.setMatrixAt(
        at,
        matrix.compose(vector(centreOf(stone)), turn.identity(), size.set(wide, wide, wide)),
      );
    });
    rods.count = all.length;
    discs.count = loads.length;
    this.#made = [rods, discs, beads];
    for (const mesh of this.#made) mesh.frustumCulled = false;
    this.#before = new Mesh(tower.geometry, new MeshBasicMaterial({ colorWrite: false, transparent: true }));
    this.#before.renderOrder = -2;
    this.add(...this.#made, this.#before);
  }

  override dispose(): void {
    (this.#before.material as Material).dispose();
    for (const mesh of this.#made) {
      mesh.geometry.dispose();
      (mesh.material as Material).dispose();
      mesh.dispose();
    }
  }
}

const vector = ([x, y, z]: Vector): Vector3 => new Vector3(x, y, z);
