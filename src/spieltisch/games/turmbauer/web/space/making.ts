/** How the parts of the scene are made and changed. */
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  GreaterDepth,
  InstancedMesh,
  LinearMipmapLinearFilter,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  SRGBColorSpace,
  type Material,
} from "three";
import type { Mesh as Wood } from "./bevel";

/** What comes after, with all parts that are as before taken from before; before itself if nothing differs. */
export function kept<T extends object>(before: T | null, after: T): T {
  if (!before) return after;
  const same = (name: string): boolean =>
    JSON.stringify(before[name as keyof T]) === JSON.stringify(after[name as keyof T]);
  const olds = Object.keys(after).filter(same);
  if (olds.length === Object.keys(after).length) return before;
  return { ...after, ...Object.fromEntries(olds.map((name) => [name, before[name as keyof T]])) };
}

export function texture(paint: (canvas: HTMLCanvasElement) => void): CanvasTexture {
  const canvas = document.createElement("canvas");
  paint(canvas);
  const made = new CanvasTexture(canvas);
  made.colorSpace = SRGBColorSpace;
  made.minFilter = LinearMipmapLinearFilter;
  return made;
}

export function cubes(most: number, material: MeshBasicMaterial): InstancedMesh {
  const mesh = new InstancedMesh(new BoxGeometry(), material, most);
  mesh.count = 0;
  return mesh;
}

export const seen = (paint: string, opacity: number): MeshBasicMaterial =>
  new MeshBasicMaterial({
    color: paint,
    transparent: true,
    opacity,
    depthFunc: GreaterDepth,
    depthWrite: false,
  });

export function colour(material: Material | Material[], paint: string): void {
  (material as MeshBasicMaterial).color.set(paint);
}

export function set(
  mesh: InstancedMesh,
  middles: readonly (readonly [number, number, number])[],
  wide: number,
): void {
  const matrix = new Matrix4();
  mesh.count = Math.min(middles.length, mesh.instanceMatrix.count);
  for (let at = 0; at < mesh.count; at++) {
    matrix.makeScale(wide, wide, wide).setPosition(...(middles[at] as [number, number, number]));
    mesh.setMatrixAt(at, matrix);
  }
  mesh.instanceMatrix.needsUpdate = true;
  mesh.visible = mesh.count > 0;
}

export function wear(mesh: Mesh, wood: Wood): void {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(wood.position, 3));
  geometry.setAttribute("normal", new BufferAttribute(wood.normal, 3));
  geometry.setAttribute("uv", new BufferAttribute(wood.uv, 2));
  geometry.setAttribute("color", new BufferAttribute(wood.colour, 3));
  geometry.setIndex(new BufferAttribute(wood.index, 1));
  mesh.geometry.dispose();
  mesh.geometry = geometry;
  mesh.visible = wood.index.length > 0;
}
