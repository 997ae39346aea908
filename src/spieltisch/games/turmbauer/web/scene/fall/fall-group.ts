/** Meshes of a fall: the falling tower, its shadow casters, and outlines of the stones that fell. */
import {
  BackSide,
  BufferAttribute,
  BufferGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Material,
} from "three";
import { cellCentre } from "../geometry/vector";
import { createCubes, setColour, setGeometry } from "../meshes";
import type { FallingMesh } from "./falling-mesh";
import { fallenStones, type Transform } from "./film";

const OUTLINES = [
  { edge: 1.17, light: "#a32e17", dark: "#ff9b85" },
  { edge: 1.1, light: "#fffdf5", dark: "#2a130c" },
];

/** Writes a transform into a matrix of three.js. */
export function toMatrix(transform: Transform, into: Matrix4): Matrix4 {
  const [a, b, c, d, e, f, g, h, i, j, k, l] = transform as unknown as number[];
  return into.set(a!, b!, c!, d!, e!, f!, g!, h!, i!, j!, k!, l!, 0, 0, 0, 1);
}

export class FallGroup extends Group {
  readonly #tower: Mesh;
  readonly #caster = createCubes(512, new MeshBasicMaterial({ colorWrite: false, depthWrite: false }));
  readonly #outlines = OUTLINES.map(() =>
    createCubes(512, new MeshBasicMaterial({ side: BackSide, depthWrite: false, transparent: true })),
  );
  readonly #fallen: Set<number>;

  constructor(
    readonly falling: FallingMesh,
    material: Material,
    dark: boolean,
  ) {
    super();
    this.#tower = new Mesh(new BufferGeometry(), material);
    setGeometry(this.#tower, falling.mesh);
    this.#tower.receiveShadow = true;
    this.#fallen = new Set(fallenStones(falling.film));
    this.#caster.castShadow = true;
    this.#outlines.forEach((outline, at) => {
      outline.renderOrder = 2 + at;
      setColour(outline.material, dark ? OUTLINES[at]!.dark : OUTLINES[at]!.light);
    });
    for (const mesh of [this.#tower, this.#caster, ...this.#outlines]) mesh.frustumCulled = false;
    this.add(this.#tower, this.#caster, ...this.#outlines);
  }

  /** Shows a time in seconds; at the end, the stones that fell are outlined. */
  seek(seconds: number, ended: boolean): void {
    this.falling.seek(seconds);
    for (const name of ["position", "normal", "color"])
      (this.#tower.geometry.getAttribute(name) as BufferAttribute).needsUpdate = true;
    this.#place(this.#caster, 0.985, () => true);
    this.#outlines.forEach((outline, at) =>
      this.#place(outline, OUTLINES[at]!.edge, (number) => ended && this.#fallen.has(number)),
    );
  }

  #place(mesh: InstancedMesh, edge: number, includes: (number: number) => boolean): void {
    const [cube, stoneMatrix] = [new Matrix4(), new Matrix4()];
    let count = 0;
    this.falling.stones.forEach((stone, number) => {
      if (!includes(number)) return;
      const transform = this.falling.transformOf(number);
      if (transform) toMatrix(transform, stoneMatrix);
      else stoneMatrix.identity();
      for (const cell of stone) {
        if (count === mesh.instanceMatrix.count) return;
        cube.makeScale(edge, edge, edge).setPosition(...cellCentre(cell));
        mesh.setMatrixAt(count++, cube.premultiply(stoneMatrix));
      }
    });
    mesh.count = count;
    mesh.visible = count > 0;
    mesh.instanceMatrix.needsUpdate = true;
  }

  override dispose(): void {
    this.#tower.geometry.dispose();
    for (const mesh of [this.#caster, ...this.#outlines]) {
      mesh.geometry.dispose();
      (mesh.material as Material).dispose();
      mesh.dispose();
    }
  }
}
