/** Meshes, materials and textures of three.js, as the scene creates and updates them. */
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
import type { MeshData } from "./geometry/tower";
import type { Vector } from "./geometry/vector";

export function createTexture(paint: (canvas: HTMLCanvasElement) => void): CanvasTexture {
  const canvas = document.createElement("canvas");
  paint(canvas);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.minFilter = LinearMipmapLinearFilter;
  return texture;
}

/** Creates an instanced mesh of cubes, none of them visible yet. */
export function createCubes(capacity: number, material: MeshBasicMaterial): InstancedMesh {
  const mesh = new InstancedMesh(new BoxGeometry(), material, capacity);
  mesh.count = 0;
  return mesh;
}

/** Creates a material that is drawn only behind other things, so that hidden pieces shine through. */
export const createOccludedMaterial = (paint: string, opacity: number): MeshBasicMaterial =>
  new MeshBasicMaterial({
    color: paint,
    transparent: true,
    opacity,
    depthFunc: GreaterDepth,
    depthWrite: false,
  });

export function setColour(material: Material | Material[], paint: string): void {
  (material as MeshBasicMaterial).color.set(paint);
}

/** Places the cubes of an instanced mesh. */
export function setCubes(mesh: InstancedMesh, centres: readonly Vector[], edge: number): void {
  const matrix = new Matrix4();
  mesh.count = Math.min(centres.length, mesh.instanceMatrix.count);
  for (let at = 0; at < mesh.count; at++) {
    matrix.makeScale(edge, edge, edge).setPosition(...centres[at]!);
    mesh.setMatrixAt(at, matrix);
  }
  mesh.instanceMatrix.needsUpdate = true;
  mesh.visible = mesh.count > 0;
}

/** Replaces the geometry of a mesh. */
export function setGeometry(mesh: Mesh, data: MeshData): void {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(data.position, 3));
  geometry.setAttribute("normal", new BufferAttribute(data.normal, 3));
  geometry.setAttribute("uv", new BufferAttribute(data.uv, 2));
  geometry.setAttribute("color", new BufferAttribute(data.colour, 3));
  geometry.setIndex(new BufferAttribute(data.index, 1));
  mesh.geometry.dispose();
  mesh.geometry = geometry;
  mesh.visible = data.index.length > 0;
}
