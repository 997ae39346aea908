/** Scene of the tower. It renders on demand only; `dispose` releases its resources. */
import {
  BackSide,
  BasicShadowMap,
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Color,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  NoToneMapping,
  PCFShadowMap,
  PerspectiveCamera,
  Scene,
  SRGBColorSpace,
  Vector3,
  WebGLRenderer,
  type Material,
} from "three";
import { cellKey, countFloors, type Cell, type Cube, type Stone } from "../view";
import { paintAtlas } from "./atlas";
import { cameraPose, FIELD_OF_VIEW, MIN_FLOORS, turntableRadius, type Orbit } from "./camera";
import { Environment } from "./environment";
import { FallGroup, toMatrix } from "./fall/fall-group";
import { FallingMesh, finalExtent, type Extent } from "./fall/falling-mesh";
import { durationOf, type Fall } from "./fall/film";
import { bestViewpoint } from "./fall/viewpoint";
import { outlineDots } from "./geometry/outline";
import { OccupancyGrid } from "./geometry/occupancy";
import { buildMesh } from "./geometry/tower";
import { cellCentre } from "./geometry/vector";
import { LoadGroup } from "./loads/load-group";
import type { Load } from "./loads/loads";
import { buildMarkerQuads, paintMarkers, type Marker } from "./markers";
import {
  createCubes,
  createOccludedMaterial,
  createTexture,
  setColour,
  setCubes,
  setGeometry,
} from "./meshes";
import { Pawns, type PawnState } from "./pawns";
import { raycast, type RayHit } from "./raycast";
import { reuseUnchanged } from "./reuse";

export interface SceneState extends PawnState {
  readonly stones: readonly Stone[];
  /** The stone whose placement is previewed, or that is being built. */
  readonly heldStone: Stone;
  /** Whether that stone fell. */
  readonly fell: boolean;
  readonly markers: readonly Marker[];
  /** The stones that were built in everybody's last turn. */
  readonly lastStones: readonly (readonly Cell[])[];
  /** The loads inside the tower; null if they are not shown. */
  readonly loads: readonly Load[] | null;
  readonly dark: boolean;
}

/** The thing under a pointer: a cube of the tower or of the held stone, a cell of the turntable, or nothing. */
export type PickResult = { on: "tower" | "held"; hit: RayHit } | { on: "table"; cell: Cell } | null;

// Outlines of the held stone: back faces of enlarged cubes.
const OUTLINES = [
  { edge: 1.19, light: "#2a2018", dark: "#17110c" },
  { edge: 1.12, light: "#fffdf5", dark: "#ffe2a0" },
];
const DOT = 0.075; // of the outline of last stones
const FELL_OUTLINE = { light: "#a32e17", dark: "#ff9b85" };

export class TowerScene {
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.5, 300);
  readonly #environment: Environment;
  readonly #atlas = createTexture(paintAtlas);
  readonly #markerCanvas = document.createElement("canvas");
  readonly #markerTexture = new CanvasTexture(this.#markerCanvas);
  readonly #wood = new MeshStandardMaterial({ map: this.#atlas, vertexColors: true, roughness: 0.66 });
  readonly #fallWood = this.#wood.clone(); // never translucent
  readonly #heldWood = new MeshStandardMaterial({
    map: this.#atlas,
    vertexColors: true,
    roughness: 0.6,
    emissive: new Color("#ffdf9a"),
    emissiveIntensity: 0.12,
    transparent: true, // so that it is drawn after its outlines
  });
  readonly #position = new Group(); // hidden while a fall is shown
  readonly #tower = new Mesh(new BufferGeometry(), this.#wood);
  readonly #heldStone = new Mesh(new BufferGeometry(), this.#heldWood);
  readonly #markers: Mesh;
  readonly #shadowCasters = createCubes(512, new MeshBasicMaterial({ colorWrite: false, depthWrite: false }));
  readonly #outlines = OUTLINES.map(() =>
    createCubes(8, new MeshBasicMaterial({ side: BackSide, depthWrite: false, transparent: true })),
  );
  readonly #occludedStone = createCubes(8, createOccludedMaterial("#ffffff", 0.5));
  readonly #lastStones = createCubes(1024, new MeshBasicMaterial());
  readonly #pawns = new Pawns();

  #state: SceneState | null = null;
  #fall: FallGroup | null = null;
  #loads: LoadGroup | null = null;
  #fallExtents: readonly [Extent, Extent] | null = null; // at the start and at the end of a fall
  #fallProgress = 0;
  #orbit: Orbit = { azimuth: 24, elevation: 19 };
  #frameRequest = 0;
  #radius = 5.4;
  #floors = 1;

  /** `software`: a software renderer gets less detail. */
  constructor(
    readonly canvas: HTMLCanvasElement,
    readonly software: boolean,
  ) {
    this.#renderer = new WebGLRenderer({
      canvas,
      antialias: !software,
      alpha: true,
      powerPreference: "low-power",
    });
    this.#environment = new Environment(this.#scene, software);
    this.#atlas.anisotropy = software ? 1 : 8;
    this.#renderer.debug.checkShaderErrors = false; // the check would block
    this.#renderer.setClearColor(0, 0);
    this.#renderer.toneMapping = NoToneMapping;
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = software ? BasicShadowMap : PCFShadowMap;
    this.#renderer.shadowMap.autoUpdate = false;
    this.#markerTexture.colorSpace = SRGBColorSpace;
    this.#markers = new Mesh(
      new BufferGeometry(),
      new MeshBasicMaterial({ map: this.#markerTexture, transparent: true, depthWrite: false }),
    );
    this.#tower.receiveShadow = this.#heldStone.receiveShadow = true;
    this.#shadowCasters.castShadow = true;
    this.#outlines.forEach((outline, at) => (outline.renderOrder = 2 + at));
    this.#markers.renderOrder = 1;
    this.#occludedStone.renderOrder = 3.5; // before the stone itself, which must not occlude it
    this.#heldStone.renderOrder = 4;
    for (const mesh of [this.#shadowCasters, ...this.#outlines, this.#occludedStone, this.#lastStones])
      mesh.frustumCulled = false;
    this.#position.add(
      this.#tower,
      this.#heldStone,
      this.#markers,
      this.#shadowCasters,
      ...this.#outlines,
      this.#occludedStone,
      this.#lastStones,
      ...this.#pawns.overlays,
    );
    this.#scene.add(this.#position, ...this.#pawns.meshes);
  }

  /** Shows a position; only the parts that differ from the last one are rebuilt. */
  update(state: SceneState): void {
    const before = this.#state;
    const after = reuseUnchanged(before, state);
    if (after !== before) this.#rebuild(before, after);
  }

  #rebuild(before: SceneState | null, state: SceneState): void {
    this.#state = state;
    const { stones, heldStone, dark } = state;
    const cells = [...stones.flat(), ...heldStone];
    this.#floors = countFloors(cells);
    this.#radius = turntableRadius(cells);
    this.#environment.update(this.#radius, this.#floors, dark);
    if (before?.dark !== dark) this.#setTheme(dark);
    if (!before) this.#warmUp();
    const outline = state.fell ? FELL_OUTLINE : OUTLINES[0]!;
    setColour(this.#outlines[0]!.material, dark ? outline.dark : outline.light);
    if (before?.stones !== stones)
      setGeometry(this.#tower, buildMesh(stones, new OccupancyGrid(stones.flat())));
    if (before?.loads !== state.loads || before?.stones !== stones || before.dark !== dark)
      this.#updateLoads(state);
    if (before?.stones !== stones || before.heldStone !== heldStone) this.#updateHeldStone(state);
    if (before?.lastStones !== state.lastStones)
      setCubes(this.#lastStones, state.lastStones.flatMap(outlineDots), DOT);
    this.#placePawns(state);
    this.#updateMarkers();
    this.requestRender();
  }

  #updateHeldStone({ stones, heldStone }: SceneState): void {
    const cells = [...stones.flat(), ...heldStone];
    const centres = heldStone.map(cellCentre);
    setGeometry(this.#heldStone, buildMesh(heldStone.length ? [heldStone] : [], new OccupancyGrid(cells)));
    setCubes(this.#shadowCasters, cells.map(cellCentre), 0.985);
    this.#outlines.forEach((outline, at) => setCubes(outline, centres, OUTLINES[at]!.edge));
    setCubes(this.#occludedStone, centres, 1);
    this.#renderer.shadowMap.needsUpdate = true;
  }

  /** Renders a held stone once, below the first frame, since drivers compile its shaders only then. */
  #warmUp(): void {
    const cube: Cube = { x: 0, y: 0, z: 1, colour: "natural" };
    const centres = [cellCentre(cube)];
    setGeometry(this.#heldStone, buildMesh([[cube]], new OccupancyGrid([cube])));
    for (const mesh of [...this.#outlines, this.#occludedStone, this.#shadowCasters])
      setCubes(mesh, centres, 1);
    this.#renderer.shadowMap.needsUpdate = true;
    this.#render();
    const gl = this.#renderer.getContext();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); // forces the driver to finish
  }

  /** Shows the loads inside the tower, which becomes translucent. */
  #updateLoads({ loads, stones, dark }: SceneState): void {
    this.#loads?.removeFromParent();
    this.#loads?.dispose();
    this.#loads = loads ? new LoadGroup(loads, stones, this.#tower, dark) : null;
    if (this.#loads) this.#position.add(this.#loads);
    this.#wood.transparent = loads !== null;
    this.#wood.opacity = loads ? (dark ? 0.3 : 0.36) : 1;
    this.#wood.needsUpdate = true;
    this.#tower.renderOrder = loads ? -1 : 0;
    this.canvas.dataset.loads = String(loads?.length ?? 0);
  }

  /** Shows the start of a fall instead of the position; null returns to the position. */
  showFall(fall: Fall | null): void {
    this.#fall?.removeFromParent();
    this.#fall?.dispose();
    this.#fall = null;
    this.#fallExtents = null;
    this.#position.visible = fall === null;
    if (fall && this.#state) {
      const { dark } = this.#state;
      const cells = fall.stones.flat();
      const first = { floors: countFloors(cells), radius: turntableRadius(cells) };
      const last = finalExtent(fall.stones, fall.film, first.radius);
      this.#fallExtents = [first, last];
      this.#fall = new FallGroup(new FallingMesh(fall.stones, fall.film, first.radius), this.#fallWood, dark);
      this.#scene.add(this.#fall);
      this.#environment.update(first.radius, first.floors, dark, last.radius);
      return this.seekFall(0, false);
    }
    this.canvas.dataset.moment = "";
    if (this.#state) this.#rebuild(this.#state, this.#state);
  }

  /** The best orbit for a fall. */
  fallViewpoint({ stones, film }: Fall, orbit: Orbit): Orbit {
    return bestViewpoint(film, stones, orbit);
  }

  /** Shows the fall at a time in seconds; at its end, the stones that fell are outlined. */
  seekFall(seconds: number, ended: boolean): void {
    if (!this.#fall || !this.#state) return;
    const duration = durationOf(this.#fall.falling.film) || 1;
    this.#fallProgress = Math.min(1, seconds / duration);
    this.#fall.seek(seconds, ended);
    this.#placePawns(this.#state);
    this.canvas.dataset.moment = seconds.toFixed(2);
    this.requestRender();
  }

  #setTheme(dark: boolean): void {
    paintMarkers(this.#markerCanvas, dark);
    this.#markerTexture.needsUpdate = true;
    setColour(this.#outlines[1]!.material, dark ? OUTLINES[1]!.dark : OUTLINES[1]!.light);
    setColour(this.#lastStones.material, dark ? "#fff3dc" : "#2a2018");
    setColour(this.#occludedStone.material, dark ? "#ffe2a0" : "#fffdf5");
    this.#pawns.setTheme(dark);
  }

  #placePawns(state: SceneState): void {
    this.#pawns.place(state, this.#radius, (field) => {
      const transform = this.#fall?.falling.transformAt(field);
      return transform ? toMatrix(transform, new Matrix4()) : null;
    });
    this.#renderer.shadowMap.needsUpdate = true;
  }

  #updateMarkers(): void {
    const quads = buildMarkerQuads(this.#state?.markers ?? [], Math.round(this.#orbit.azimuth / 90));
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(quads.position, 3));
    geometry.setAttribute("uv", new BufferAttribute(quads.uv, 2));
    geometry.setIndex(new BufferAttribute(quads.index, 1));
    this.#markers.geometry.dispose();
    this.#markers.geometry = geometry;
    this.#markers.visible = quads.index.length > 0;
  }

  setOrbit(orbit: Orbit): void {
    if (reuseUnchanged(this.#orbit, orbit) === this.#orbit) return;
    const quarterChanged = Math.round(orbit.azimuth / 90) !== Math.round(this.#orbit.azimuth / 90);
    this.#orbit = orbit;
    if (quarterChanged) this.#updateMarkers();
    this.#renderer.shadowMap.needsUpdate = true;
    this.requestRender();
  }

  resize(width: number, height: number): void {
    this.#renderer.setPixelRatio(this.software ? 0.75 : Math.min(2, devicePixelRatio));
    this.#renderer.setSize(width, height, false);
    this.#camera.aspect = width / height;
    if (this.#state) this.#render(); // at once, since resizing has cleared the canvas
  }

  /** Requests a frame; several requests share one. */
  requestRender(): void {
    this.#frameRequest ||= requestAnimationFrame(() => this.#render());
  }

  #placeCamera(): void {
    const [first, last] = this.#fallExtents ?? [{ floors: this.#floors, radius: this.#radius }, null];
    const progress = this.#fallProgress;
    const share = last ? progress * progress * (3 - 2 * progress) : 0; // smoothstep
    const floors = Math.max(MIN_FLOORS, first.floors);
    const { position, target } = cameraPose(
      this.#orbit,
      floors + share * ((last?.floors ?? floors) - floors),
      first.radius + share * ((last ?? first).radius - first.radius),
      this.#camera.aspect,
    );
    this.#camera.position.set(...position);
    this.#camera.up.set(0, 1, 0);
    this.#camera.lookAt(...target);
    this.#camera.updateProjectionMatrix();
  }

  #render(): void {
    cancelAnimationFrame(this.#frameRequest);
    this.#frameRequest = 0;
    this.#placeCamera();
    this.#environment.followCamera(this.#orbit.azimuth);
    this.#renderer.render(this.#scene, this.#camera);
    const { calls, triangles } = this.#renderer.info.render;
    Object.assign(this.canvas.dataset, { calls, triangles, frame: this.#renderer.info.render.frame });
    this.onRender();
  }

  /** Called after every frame. */
  onRender: () => void = () => {};

  /** Projects a point to the canvas, in shares of its width and height. */
  project(x: number, y: number, z: number): [number, number] {
    const projected = new Vector3(x, y, z).project(this.#camera);
    return [(1 + projected.x) / 2, (1 - projected.y) / 2];
  }

  get radius(): number {
    return this.#radius;
  }

  /** Picking: the thing under a point of the canvas, given in shares of its width and height. */
  pick(x: number, y: number): PickResult {
    const eye = this.#camera.position;
    const ray = new Vector3(2 * x - 1, 1 - 2 * y, 0.5).unproject(this.#camera).sub(eye).normalize();
    const held = new Set(this.#state?.heldStone.map(cellKey));
    const tower = new Set(this.#state?.stones.flat().map(cellKey));
    const hit = raycast([eye.x + 1, 1 - eye.z, eye.y], [ray.x, -ray.z, ray.y], (cell) => {
      const key = cellKey(cell);
      return held.has(key) || tower.has(key);
    });
    if (hit) return { on: held.has(cellKey(hit.cell)) ? "held" : "tower", hit };
    if (ray.y >= 0) return null;
    const distance = -eye.y / ray.y;
    const [east, south] = [eye.x + distance * ray.x, eye.z + distance * ray.z];
    if (Math.hypot(east, south) > this.#radius) return null;
    return { on: "table", cell: { x: Math.floor(east + 1), y: Math.floor(1 - south), z: 0 } };
  }

  dispose(): void {
    cancelAnimationFrame(this.#frameRequest);
    this.#fall?.dispose();
    this.#loads?.dispose();
    this.#fallWood.dispose();
    this.#environment.dispose();
    this.#scene.traverse((one) => {
      if (!(one instanceof Mesh)) return;
      (one.geometry as BufferGeometry).dispose();
      for (const material of [one.material].flat() as Material[]) material.dispose();
      if (one instanceof InstancedMesh) one.dispose();
    });
    this.#atlas.dispose();
    this.#markerTexture.dispose();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
  }
}
