/** Meshes of the pawns: on their fields, the active one also through what hides it, and the preview of its move. */
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
import type { Cell } from "../view";
import { HALF } from "./geometry/cube";
import { createPawnGeometry } from "./geometry/pawn";
import { cellCentre } from "./geometry/vector";
import { createOccludedMaterial, setColour } from "./meshes";

export interface PawnState {
  readonly pawns: readonly { colour: Colour; field: Cell | null; active: boolean }[];
  /** The preview of a move. */
  readonly preview: { colour: Colour; field: Cell } | null;
}

export class Pawns {
  readonly #geometry = createPawnGeometry();
  readonly #outlineGeometry = createPawnGeometry(0.035);
  readonly #pawns = new InstancedMesh(this.#geometry, new MeshStandardMaterial({ roughness: 0.34 }), 4);
  readonly #outlines = new InstancedMesh(this.#outlineGeometry, new MeshBasicMaterial({ side: BackSide }), 4);
  readonly #occluded = [
    new Mesh(this.#outlineGeometry, createOccludedMaterial("#fff8ea", 0.85)),
    new Mesh(this.#geometry, createOccludedMaterial("#ffffff", 0.8)),
  ];
  readonly #preview = [
    new Mesh(this.#outlineGeometry, new MeshBasicMaterial({ side: BackSide })),
    new Mesh(this.#geometry, new MeshBasicMaterial({ transparent: true, opacity: 0.8 })),
  ];
  /** The pawns themselves; the overlays are hidden while a fall is shown. */
  readonly meshes: readonly Mesh[] = [this.#pawns, this.#outlines];
  readonly overlays: readonly Mesh[] = [...this.#occluded, ...this.#preview];

  constructor() {
    this.#pawns.castShadow = true;
    this.#occluded.forEach((mesh, at) => (mesh.renderOrder = 5 + at));
    this.#preview.forEach((mesh, at) => (mesh.renderOrder = 7 + at));
    for (const mesh of this.meshes) mesh.frustumCulled = false;
  }

  setTheme(dark: boolean): void {
    setColour(this.#outlines.material, dark ? "#f7eddd" : "#fff8ea");
    setColour(this.#preview[0]!.material, dark ? "#ffe2a0" : "#fffdf5");
  }

  /** Places the pawns: on their fields, which may move in a fall, or near the rim of the turntable. */
  place({ pawns, preview }: PawnState, radius: number, motionOf: (field: Cell) => Matrix4 | null): void {
    const matrix = new Matrix4();
    pawns.forEach(({ colour, field, active }, at) => {
      const base = pawnBase(field, at, radius);
      const motion = field && motionOf(field);
      matrix.makeTranslation(base);
      if (motion) matrix.premultiply(motion);
      this.#pawns.setMatrixAt(at, matrix);
      this.#pawns.setColorAt(at, new Color(PAINTS[colour].solid));
      this.#outlines.setMatrixAt(at, matrix);
      if (active)
        for (const mesh of this.#occluded) {
          mesh.position.copy(base);
          if (mesh.geometry === this.#geometry) setColour(mesh.material, PAINTS[colour].solid);
        }
    });
    this.#pawns.count = this.#outlines.count = pawns.length;
    for (const mesh of this.#occluded) mesh.visible = pawns.some(({ active, field }) => active && field);
    for (const mesh of this.#preview) {
      mesh.visible = preview !== null;
      if (preview) mesh.position.copy(pawnBase(preview.field, 0, radius));
    }
    if (preview) setColour(this.#preview[1]!.material, PAINTS[preview.colour].solid);
    this.#pawns.instanceMatrix.needsUpdate = this.#outlines.instanceMatrix.needsUpdate = true;
    if (this.#pawns.instanceColor) this.#pawns.instanceColor.needsUpdate = true;
  }
}

function pawnBase(field: Cell | null, number: number, radius: number): Vector3 {
  if (field) {
    const [x, y, z] = cellCentre(field);
    return new Vector3(x, y + HALF, z);
  }
  const angle = ((number * 13 + 14) * Math.PI) / 180;
  const distance = radius - 0.85;
  return new Vector3(distance * Math.sin(angle), 0, distance * Math.cos(angle));
}
