/** The tower in space. Draws when something has changed, never otherwise; `end` gives back all it holds. */
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
import { floorsOf, type Cube, type Point } from "../tower";
import { meshOf, middleOf, Room } from "./bevel";
import { Bearing } from "./bearing";
import { eyeOf, FIELD, FLOORS, radiusOf, type Look } from "./camera";
import { lengthOf, type Film } from "./film";
import { Furniture } from "./furniture";
import { Heap, matrixOf } from "./heap";
import type { Load } from "./labels";
import { colour, cubes, kept, seen, set, texture, wear } from "./making";
import { paintMarks, quadsOf, type Mark } from "./marks";
import { Pawns, type Standing } from "./pawns";
import { meet, type Met } from "./ray";
import { paintTiles } from "./tiles";
import { heapOf, Toppling, type Frame } from "./topple";
import { vantage } from "./vantage";

export interface Picture extends Standing {
  readonly stones: readonly (readonly Cube[])[];
  /** The stone in the hand, or the one that is being built. */
  readonly held: readonly Cube[];
  /** Whether that stone did not stand. */
  readonly fell: boolean;
  readonly marks: readonly Mark[];
  /** What carries what, where it is to be seen. */
  readonly loads: readonly Load[] | null;
  readonly dark: boolean;
}

/** A fall: the stones with the foundation first and the one that was being built last, and how they moved. */
export interface Fall {
  readonly stones: readonly (readonly Cube[])[];
  readonly film: Film;
}

/** What was tapped: a cube, the one in the hand, a cell of the turntable, or nothing. */
export type Tapped = { on: "tower" | "held"; met: Met } | { on: "table"; cell: Point } | null;

const HULLS = [
  { wide: 1.19, light: "#2a2018", dark: "#17110c" },
  { wide: 1.12, light: "#fffdf5", dark: "#ffe2a0" },
];

const FELL = { light: "#a32e17", dark: "#ff9b85" };

export class Space {
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(FIELD, 1, 0.5, 300);
  readonly #furniture: Furniture;
  readonly #tiles = texture(paintTiles);
  readonly #signs = document.createElement("canvas");
  readonly #signTexture = new CanvasTexture(this.#signs);
  readonly #wood = new MeshStandardMaterial({ map: this.#tiles, vertexColors: true, roughness: 0.66 });
  readonly #solid = this.#wood.clone(); // for what falls
  readonly #glowing = new MeshStandardMaterial({
    map: this.#tiles,
    vertexColors: true,
    roughness: 0.6,
    emissive: new Color("#ffdf9a"),
    emissiveIntensity: 0.12,
    transparent: true, // drawn after its hulls
  });
  readonly #rest = new Group(); // what is not seen while a fall is
  readonly #tower = new Mesh(new BufferGeometry(), this.#wood);
  readonly #held = new Mesh(new BufferGeometry(), this.#glowing);
  readonly #marks: Mesh;
  readonly #caster = cubes(512, new MeshBasicMaterial({ colorWrite: false, depthWrite: false }));
  readonly #hulls = HULLS.map(() =>
    cubes(8, new MeshBasicMaterial({ side: BackSide, depthWrite: false, transparent: true })),
  );
  readonly #hidden = cubes(8, seen("#ffffff", 0.5));
  readonly #pawns = new Pawns();

  #picture: Picture | null = null;
  #heap: Heap | null = null;
  #bearing: Bearing | null = null;
  #frames: readonly [Frame, Frame] | null = null; // how much is seen of a fall at its beginning and end
  #share = 0;
  #look: Look = { azimuth: 24, elevation: 19 };
  #frame = 0;
  #radius = 5.4;
  #floors = 1;

  /** Slow: where the processor draws, it draws less finely. */
  constructor(
    readonly canvas: HTMLCanvasElement,
    readonly slow: boolean,
  ) {
    this.#renderer = new WebGLRenderer({
      canvas,
      antialias: !slow,
      alpha: true,
      powerPreference: "low-power",
    });
    this.#furniture = new Furniture(this.#scene, slow);
    this.#tiles.anisotropy = slow ? 1 : 8;
    this.#renderer.debug.checkShaderErrors = false; // the question would wait for the answer
    this.#renderer.setClearColor(0, 0);
    this.#renderer.toneMapping = NoToneMapping;
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = slow ? BasicShadowMap : PCFShadowMap;
    this.#renderer.shadowMap.autoUpdate = false;
    this.#signTexture.colorSpace = SRGBColorSpace;
    this.#marks = new Mesh(
      new BufferGeometry(),
      new MeshBasicMaterial({ map: this.#signTexture, transparent: true, depthWrite: false }),
    );
    this.#tower.receiveShadow = this.#held.receiveShadow = true;
    this.#caster.castShadow = true;
    this.#hulls.forEach((hull, at) => (hull.renderOrder = 2 + at));
    this.#marks.renderOrder = 1;
    this.#hidden.renderOrder = 3.5; // before the stone itself, which hides nothing of it
    this.#held.renderOrder = 4;
    for (const mesh of [this.#caster, ...this.#hulls, this.#hidden]) mesh.frustumCulled = false;
    this.#rest.add(
      this.#tower,
      this.#held,
      this.#marks,
      this.#caster,
      ...this.#hulls,
      this.#hidden,
      ...this.#pawns.signs,
    );
    this.#scene.add(this.#rest, ...this.#pawns.meshes);
  }

  /** Shows a position; only what differs from the last is made anew. */
  show(picture: Picture): void {
    const before = this.#picture;
    const now = kept(before, picture);
    if (now !== before) this.#make(before, now);
  }

  #make(before: Picture | null, picture: Picture): void {
    this.#picture = picture;
    const cells = picture.stones.flat();
    const all = [...cells, ...picture.held];
    this.#floors = floorsOf(all);
    this.#radius = radiusOf(all);
    this.#furniture.set(this.#radius, this.#floors, picture.dark);
    if (before?.dark !== picture.dark) this.#light(picture.dark);
    if (!before) this.#rehearse();
    const line = picture.fell ? FELL : HULLS[0]!;
    colour(this.#hulls[0]!.material, picture.dark ? line.dark : line.light);
    if (before?.stones !== picture.stones) {
      wear(this.#tower, meshOf(picture.stones, new Room(cells)));
    }
    if (before?.loads !== picture.loads || before?.stones !== picture.stones || before.dark !== picture.dark)
      this.#bear(picture);
    if (before?.stones !== picture.stones || before.held !== picture.held) {
      wear(this.#held, meshOf(picture.held.length ? [picture.held] : [], new Room(all)));
      set(this.#caster, all.map(middleOf), 0.985);
      this.#hulls.forEach((hull, at) => set(hull, picture.held.map(middleOf), HULLS[at]!.wide));
      set(this.#hidden, picture.held.map(middleOf), 1);
      this.#renderer.shadowMap.needsUpdate = true;
    }
    this.#stand(picture);
    this.#mark();
    this.draw();
  }

  /** Draws a stone in the hand once, which the first frame covers, so that nobody waits for it later. */
  #rehearse(): void {
    const cube: Cube = { x: 0, y: 0, z: 1, colour: "natural" };
    wear(this.#held, meshOf([[cube]], new Room([cube])));
    for (const mesh of [...this.#hulls, this.#hidden]) set(mesh, [middleOf(cube)], 1);
    set(this.#caster, [middleOf(cube)], 1);
    this.#renderer.shadowMap.needsUpdate = true;
    this.#render();
    const gl = this.#renderer.getContext();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); // else it is never really drawn
  }

  /** The tower is seen through while what carries what is shown in it. */
  #bear({ loads, stones, dark }: Picture): void {
    this.#bearing?.removeFromParent();
    this.#bearing?.dispose();
    this.#bearing = loads ? new Bearing(loads, stones, this.#tower, dark) : null;
    if (this.#bearing) this.#rest.add(this.#bearing);
    this.#wood.transparent = loads !== null;
    this.#wood.opacity = loads ? (dark ? 0.3 : 0.36) : 1;
    this.#wood.needsUpdate = true;
    this.#tower.renderOrder = loads ? -1 : 0;
    this.canvas.dataset.loads = String(loads?.length ?? 0);
  }

  /** Shows a fall in place of the position, from its beginning; null ends that. */
  fall(fall: Fall | null): void {
    this.#heap?.removeFromParent();
    this.#heap?.dispose();
    this.#heap = null;
    this.#frames = null;
    this.#rest.visible = fall === null;
    if (fall && this.#picture) {
      const { dark } = this.#picture;
      const cells = fall.stones.flat();
      const first = { floors: floorsOf(cells), radius: radiusOf(cells) };
      const last = heapOf(fall.stones, fall.film, first.radius);
      this.#frames = [first, last];
      this.#heap = new Heap(new Toppling(fall.stones, fall.film, first.radius), this.#solid, dark);
      this.#scene.add(this.#heap);
      this.#furniture.set(first.radius, first.floors, dark, last.radius);
      return this.moment(0, false);
    }
    this.canvas.dataset.moment = "";
    if (this.#picture) this.#make(this.#picture, this.#picture);
  }

  /** From where a fall is seen best. */
  vantage({ stones, film }: Fall, look: Look): Look {
    return vantage(film, stones, look);
  }

  /** Shows the fall as it was after so many seconds; at its end, which stones fell. */
  moment(seconds: number, ended: boolean): void {
    if (!this.#heap || !this.#picture) return;
    const length = lengthOf(this.#heap.falling.film) || 1;
    this.#share = Math.min(1, seconds / length);
    this.#heap.move(seconds, ended);
    this.#stand(this.#picture);
    this.canvas.dataset.moment = seconds.toFixed(2);
    this.draw();
  }

  #light(dark: boolean): void {
    paintMarks(this.#signs, dark);
    this.#signTexture.needsUpdate = true;
    colour(this.#hulls[1]!.material, dark ? HULLS[1]!.dark : HULLS[1]!.light);
    colour(this.#hidden.material, dark ? "#ffe2a0" : "#fffdf5");
    this.#pawns.light(dark);
  }

  #stand(picture: Picture): void {
    this.#pawns.stand(picture, this.#radius, (field) => {
      const motion = this.#heap?.falling.motionAt(field);
      return motion ? matrixOf(motion, new Matrix4()) : null;
    });
    this.#renderer.shadowMap.needsUpdate = true;
  }

  #mark(): void {
    const quads = quadsOf(this.#picture?.marks ?? [], Math.round(this.#look.azimuth / 90));
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(quads.position, 3));
    geometry.setAttribute("uv", new BufferAttribute(quads.uv, 2));
    geometry.setIndex(new BufferAttribute(quads.index, 1));
    this.#marks.geometry.dispose();
    this.#marks.geometry = geometry;
    this.#marks.visible = quads.index.length > 0;
  }

  look(look: Look): void {
    if (kept(this.#look, look) === this.#look) return;
    const turned = Math.round(look.azimuth / 90) !== Math.round(this.#look.azimuth / 90);
    this.#look = look;
    if (turned) this.#mark();
    this.#renderer.shadowMap.needsUpdate = true;
    this.draw();
  }

  resize(width: number, height: number): void {
    this.#renderer.setPixelRatio(this.slow ? 0.75 : Math.min(2, devicePixelRatio));
    this.#renderer.setSize(width, height, false);
    this.#camera.aspect = width / height;
    if (this.#picture) this.#render(); // at once: the canvas is empty now
  }

  /** Asks for a frame; as often as one likes. */
  draw(): void {
    this.#frame ||= requestAnimationFrame(() => this.#render());
  }

  #render(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const [first, last] = this.#frames ?? [{ floors: this.#floors, radius: this.#radius }, null];
    const share = last ? this.#share * this.#share * (3 - 2 * this.#share) : 0;
    const floors = Math.max(FLOORS, first.floors);
    const { position, target } = eyeOf(
      this.#look,
      floors + share * ((last?.floors ?? floors) - floors),
      first.radius + share * ((last ?? first).radius - first.radius),
      this.#camera.aspect,
    );
    this.#camera.position.set(...position);
    this.#camera.up.set(0, 1, 0);
    this.#camera.lookAt(...target);
    this.#camera.updateProjectionMatrix();
    this.#furniture.follow(this.#look.azimuth);
    this.#renderer.render(this.#scene, this.#camera);
    const { calls, triangles } = this.#renderer.info.render;
    Object.assign(this.canvas.dataset, { calls, triangles, frame: this.#renderer.info.render.frame });
    this.drawn();
  }

  /** Is called after every frame. */
  drawn: () => void = () => {};

  /** Where a point is seen, in shares of the canvas's width and height. */
  spotOf(x: number, y: number, z: number): [number, number] {
    const { x: across, y: up } = new Vector3(x, y, z).project(this.#camera);
    return [(1 + across) / 2, (1 - up) / 2];
  }

  get radius(): number {
    return this.#radius;
  }

  /** What lies under a point of the canvas, in shares of its width and height. */
  at(x: number, y: number): Tapped {
    const eye = this.#camera.position;
    const way = new Vector3(2 * x - 1, 1 - 2 * y, 0.5).unproject(this.#camera).sub(eye).normalize();
    const has = (cells: readonly Point[]): ((cell: Point) => boolean) => {
      const names = new Set(cells.map((cell) => `${cell.x},${cell.y},${cell.z}`));
      return (cell) => names.has(`${cell.x},${cell.y},${cell.z}`);
    };
    const held = has(this.#picture?.held ?? []);
    const tower = has(this.#picture?.stones.flat() ?? []);
    const met = meet(
      [eye.x + 1, 1 - eye.z, eye.y],
      [way.x, -way.z, way.y],
      (cell) => held(cell) || tower(cell),
    );
    if (met) return { on: held(met.cell) ? "held" : "tower", met };
    if (way.y >= 0) return null;
    const far = -eye.y / way.y;
    const [east, south] = [eye.x + far * way.x, eye.z + far * way.z];
    if (Math.hypot(east, south) > this.#radius) return null;
    return { on: "table", cell: { x: Math.floor(east + 1), y: Math.floor(1 - south), z: 0 } };
  }

  /** Gives everything back. */
  end(): void {
    cancelAnimationFrame(this.#frame);
    this.#heap?.dispose();
    this.#bearing?.dispose();
    this.#solid.dispose();
    this.#furniture.dispose();
    this.#scene.traverse((one) => {
      if (!(one instanceof Mesh)) return;
      (one.geometry as BufferGeometry).dispose();
      for (const material of [one.material].flat() as Material[]) material.dispose();
      if (one instanceof InstancedMesh) one.dispose();
    });
    this.#tiles.dispose();
    this.#signTexture.dispose();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
  }
}
