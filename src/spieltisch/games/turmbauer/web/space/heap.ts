/** A fall as it is drawn: the stones of the film in one mesh, their shadows, and lines about those that fell. */
import {
  BackSide,
  BufferAttribute,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Material,
} from "three";
import { BufferGeometry } from "three";
import { middleOf } from "./bevel";
import { fallenIn, type Motion } from "./film";
import { colour, cubes, wear } from "./making";
import type { Toppling } from "./topple";

const LINES = [
  { wide: 1.17, light: "#a32e17", dark: "#ff9b85" },
  { wide: 1.1, light: "#fffdf5", dark: "#2a130c" },
];

/** A motion as three.js has it. */
export function matrixOf(motion: Motion, into: Matrix4): Matrix4 {
  const [a, b, c, d, e, f, g, h, i, j, k, l] = motion as unknown as number[];
  return into.set(a!, b!, c!, d!, e!, f!, g!, h!, i!, j!, k!, l!, 0, 0, 0, 1);
}

export class Heap extends Group {
  readonly #wood: Mesh;
  readonly #caster = cubes(512, new MeshBasicMaterial({ colorWrite: false, depthWrite: false }));
  readonly #lines = LINES.map(() =>
    cubes(512, new MeshBasicMaterial({ side: BackSide, depthWrite: false, transparent: true })),
  );
  readonly #fallen: Set<number>;

  constructor(
    readonly falling: Toppling,
    wood: Material,
    dark: boolean,
  ) {
    super();
    this.#wood = new Mesh(new BufferGeometry(), wood);
    wear(this.#wood, falling.mesh);
    this.#wood.receiveShadow = true;
    this.#fallen = new Set(fallenIn(falling.film));
    this.#caster.castShadow = true;
    this.#lines.forEach((line, at) => {
      line.renderOrder = 2 + at;
      colour(line.material, dark ? LINES[at]!.dark : LINES[at]!.light);
    });
    for (const mesh of [this.#wood, this.#caster, ...this.#lines]) mesh.frustumCulled = false;
    this.add(this.#wood, this.#caster, ...this.#lines);
  }

  /** Shows a moment; at the end the stones that fell are outlined. */
  move(seconds: number, ended: boolean): void {
    this.falling.move(seconds);
    for (const name of ["position", "normal", "color"])
      (this.#wood.geometry.getAttribute(name) as BufferAttribute).needsUpdate = true;
    this.#place(this.#caster, 0.985, () => true);
    this.#lines.forEach((line, at) =>
      this.#place(line, LINES[at]!.wide, (number) => ended && this.#fallen.has(number)),
    );
  }

  #place(mesh: InstancedMesh, wide: number, which: (number: number) => boolean): void {
    const [own, moved] = [new Matrix4(), new Matrix4()];
    let count = 0;
    this.falling.stones.forEach((stone, number) => {
      if (!which(number)) return;
      const motion = this.falling.motionOf(number);
      if (motion) matrixOf(motion, moved);
      else moved.identity();
      for (const cell of stone) {
        if (count === mesh.instanceMatrix.count) return;
        own.makeScale(wide, wide, wide).setPosition(...(middleOf(cell) as [number, number, number]));
        mesh.setMatrixAt(count++, own.premultiply(moved));
      }
    });
    mesh.count = count;
    mesh.visible = count > 0;
    mesh.instanceMatrix.needsUpdate = true;
  }

  override dispose(): void {
    this.#wood.geometry.dispose();
    for (const mesh of [this.#caster, ...this.#lines]) {
      mesh.geometry.dispose();
      (mesh.material as Material).dispose();
      mesh.dispose();
    }
  }
}
