/** The pawns: where they stand, where the mover's would go, and how it shines through what hides it. */
import {
  BackSide,
  Color,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Vector3,
} from "three";
import { PAINTS, type Colour } from "#web/art/palette";
import type { Point } from "../tower";
import { middleOf } from "./bevel";
import { pawnShape } from "./furniture";
import { colour, seen } from "./making";

export interface Standing {
  readonly pawns: readonly { colour: Colour; field: Point | null; own: boolean }[];
  readonly aim: { colour: Colour; field: Point } | null;
}

export class Pawns {
  readonly #shape = pawnShape();
  readonly #rim = pawnShape(0.035);
  readonly #pawns = new InstancedMesh(this.#shape, new MeshStandardMaterial({ roughness: 0.34 }), 4);
  readonly #rims = new InstancedMesh(this.#rim, new MeshBasicMaterial({ side: BackSide }), 4);
  readonly #through = [
    new Mesh(this.#rim, seen("#fff8ea", 0.85)),
    new Mesh(this.#shape, seen("#ffffff", 0.8)),
  ];
  readonly #aim = [
    new Mesh(this.#rim, new MeshBasicMaterial({ side: BackSide })),
    new Mesh(this.#shape, new MeshBasicMaterial({ transparent: true, opacity: 0.8 })),
  ];
  /** Those that stand, and what is told about them. */
  readonly meshes: readonly Mesh[] = [this.#pawns, this.#rims];
  readonly signs: readonly Mesh[] = [...this.#through, ...this.#aim];

  constructor() {
    this.#pawns.castShadow = true;
    this.#through.forEach((mesh, at) => (mesh.renderOrder = 5 + at));
    this.#aim.forEach((mesh, at) => (mesh.renderOrder = 7 + at));
    for (const mesh of this.meshes) mesh.frustumCulled = false;
  }

  light(dark: boolean): void {
    colour(this.#rims.material, dark ? "#f7eddd" : "#fff8ea");
    colour(this.#aim[0]!.material, dark ? "#ffe2a0" : "#fffdf5");
  }

  /** Puts the pawns onto their fields, moved as what they stand on; those on the table stand near its rim. */
  stand({ pawns, aim }: Standing, radius: number, moved: (field: Point) => Matrix4 | null): void {
    const matrix = new Matrix4();
    pawns.forEach(({ colour: paint, field, own }, at) => {
      const place = footOf(field, at, radius);
      const motion = field && moved(field);
      matrix.makeTranslation(place);
      if (motion) matrix.premultiply(motion);
      this.#pawns.setMatrixAt(at, matrix);
      this.#pawns.setColorAt(at, new Color(PAINTS[paint].solid));
      this.#rims.setMatrixAt(at, matrix);
      if (own)
        for (const mesh of this.#through) {
          mesh.position.copy(place);
          if (mesh.geometry === this.#shape) colour(mesh.material, PAINTS[paint].solid);
        }
    });
    this.#pawns.count = this.#rims.count = pawns.length;
    for (const mesh of this.#through) mesh.visible = pawns.some(({ own, field }) => own && field);
    for (const mesh of this.#aim) {
      mesh.visible = aim !== null;
      if (aim) mesh.position.copy(footOf(aim.field, 0, radius));
    }
    if (aim) colour(this.#aim[1]!.material, PAINTS[aim.colour].solid);
    this.#pawns.instanceMatrix.needsUpdate = this.#rims.instanceMatrix.needsUpdate = true;
    if (this.#pawns.instanceColor) this.#pawns.instanceColor.needsUpdate = true;
  }
}

function footOf(field: Point | null, number: number, radius: number): Vector3 {
  if (field) {
    const [x, y, z] = middleOf(field);
    return new Vector3(x, y + 0.4925, z);
  }
  const angle = ((number * 13 + 14) * Math.PI) / 180;
  const far = radius - 0.85;
  return new Vector3(far * Math.sin(angle), 0, far * Math.cos(angle));
}
