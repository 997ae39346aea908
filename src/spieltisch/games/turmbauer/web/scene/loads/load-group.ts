/** Meshes of the loads: rods, discs at the contacts and beads in the stones, inside a translucent tower. */
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
import type { Stone } from "../../view";
import { contactPoint, type Load } from "./loads";
import { createRods, rodRadius, stoneCentre } from "./rods";

const UP = new Vector3(0, 1, 0);
const UNTURNED = new Quaternion();
const PAINT = { light: ["#8a3d10", "#2a2018"], dark: ["#ffb45e", "#fff3dc"] } as const; // of rods and beads

export class LoadGroup extends Group {
  /** Depth prepass of the tower, so that only its nearest faces tint what is inside. */
  readonly #prepass: Mesh;
  readonly #meshes: InstancedMesh[];

  constructor(loads: readonly Load[], stones: readonly Stone[], tower: Mesh, dark: boolean) {
    super();
    const [rod, bead] = PAINT[dark ? "dark" : "light"].map(
      (color) => new MeshStandardMaterial({ color, roughness: 0.5 }),
    ) as [MeshStandardMaterial, MeshStandardMaterial];
    this.#meshes = [rodMesh(loads, stones, rod), discMesh(loads, bead), beadMesh(loads, stones, bead)];
    for (const mesh of this.#meshes) mesh.frustumCulled = false;
    this.#prepass = new Mesh(tower.geometry, new MeshBasicMaterial({ colorWrite: false, transparent: true }));
    this.#prepass.renderOrder = -2;
    this.add(...this.#meshes, this.#prepass);
  }

  override dispose(): void {
    (this.#prepass.material as Material).dispose();
    for (const mesh of this.#meshes) {
      mesh.geometry.dispose();
      (mesh.material as Material).dispose();
      mesh.dispose();
    }
  }
}

const heaviestOf = (loads: readonly Load[]): number => Math.max(...loads.map(({ weight }) => weight));

function rodMesh(loads: readonly Load[], stones: readonly Stone[], material: Material): InstancedMesh {
  const mesh = new InstancedMesh(new CylinderGeometry(1, 1, 1, 14), material, Math.max(1, 2 * loads.length));
  const [matrix, rotation, size] = [new Matrix4(), new Quaternion(), new Vector3()];
  const rods = createRods(loads, stones);
  rods.forEach(({ from, to, radius }, at) => {
    const [start, end] = [new Vector3(...from), new Vector3(...to)];
    const direction = end.clone().sub(start);
    const length = direction.length();
    rotation.setFromUnitVectors(UP, length ? direction.divideScalar(length) : UP);
    const centre = start.add(end).divideScalar(2);
    mesh.setMatrixAt(at, matrix.compose(centre, rotation, size.set(radius, length, radius)));
  });
  mesh.count = rods.length;
  return mesh;
}

function discMesh(loads: readonly Load[], material: Material): InstancedMesh {
  const mesh = new InstancedMesh(new CylinderGeometry(1, 1, 1, 22), material, Math.max(1, loads.length));
  const [matrix, size] = [new Matrix4(), new Vector3()];
  loads.forEach((load, at) => {
    const radius = rodRadius(load.weight, heaviestOf(loads)) + 0.1;
    const contact = new Vector3(...contactPoint(load));
    mesh.setMatrixAt(at, matrix.compose(contact, UNTURNED, size.set(radius, 0.06, radius)));
  });
  mesh.count = loads.length;
  return mesh;
}

function beadMesh(loads: readonly Load[], stones: readonly Stone[], material: Material): InstancedMesh {
  const mesh = new InstancedMesh(new SphereGeometry(1, 14, 10), material, stones.length);
  const [matrix, size] = [new Matrix4(), new Vector3()];
  stones.forEach((stone, at) => {
    const carried = loads.filter((load) => load.carried === at).map(({ weight }) => weight);
    const weight = Math.max(0, ...carried);
    const radius = weight ? rodRadius(weight, heaviestOf(loads)) + 0.045 : 0;
    const centre = new Vector3(...stoneCentre(stone));
    mesh.setMatrixAt(at, matrix.compose(centre, UNTURNED, size.set(radius, radius, radius)));
  });
  return mesh;
}
