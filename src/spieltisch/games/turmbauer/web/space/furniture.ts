/** What stands about the tower: the turntable, the floor that takes its shadow, the lamp, and how pawns are turned. */
import {
  CanvasTexture,
  CylinderGeometry,
  DirectionalLight,
  HemisphereLight,
  LatheGeometry,
  Mesh,
  MeshStandardMaterial,
  PlaneGeometry,
  Scene,
  ShadowMaterial,
  SRGBColorSpace,
  Vector2,
} from "three";
import { scatter } from "./tiles";

const TOP = 1024; // the turntable's face, in the units that it is painted in

export class Furniture {
  readonly #top = document.createElement("canvas");
  readonly #face = new CanvasTexture(this.#top);
  readonly #materials = [
    new MeshStandardMaterial({ roughness: 0.8 }),
    new MeshStandardMaterial({ roughness: 0.8, map: this.#face }),
  ];
  readonly #shadow = new ShadowMaterial();
  readonly #turntable = new Mesh(new CylinderGeometry(1, 1, 0.34, 72), [
    this.#materials[0]!,
    this.#materials[1]!,
    this.#materials[0]!,
  ]);
  readonly #floor = new Mesh(new PlaneGeometry(1, 1), this.#shadow);
  readonly #sky = new HemisphereLight();
  readonly #lamp = new DirectionalLight();
  readonly #fill = new DirectionalLight("#dce6ff");
  readonly #pixels: number;
  #painted = "";

  constructor(scene: Scene, slow: boolean) {
    this.#face.colorSpace = SRGBColorSpace;
    this.#face.anisotropy = slow ? 1 : 8;
    this.#pixels = slow ? 512 : TOP; // painted anew whenever a stone makes it wider
    this.#turntable.position.y = -0.17;
    this.#turntable.receiveShadow = this.#turntable.castShadow = true;
    this.#floor.rotation.x = -Math.PI / 2;
    this.#floor.position.y = -0.36;
    this.#floor.receiveShadow = true;
    this.#lamp.castShadow = true;
    this.#lamp.shadow.mapSize.setScalar(slow ? 512 : 2048);
    this.#lamp.shadow.radius = 5;
    this.#lamp.shadow.bias = -0.0004;
    this.#lamp.shadow.normalBias = 0.03;
    scene.add(this.#turntable, this.#floor, this.#sky, this.#lamp, this.#lamp.target, this.#fill);
  }

  /** The light of day or of the evening, a turntable as wide as it takes, and shadows as far as something lies. */
  set(radius: number, floors: number, dark: boolean, reach = radius): void {
    this.#turntable.scale.set(radius, 1, radius);
    this.#sky.color.set(dark ? "#ffe9c8" : "#fff6e6");
    this.#sky.groundColor.set(dark ? "#4a3420" : "#c9a878");
    this.#sky.intensity = dark ? 1.85 : 2.15;
    this.#lamp.color.set(dark ? "#ffd9a0" : "#fff3dc");
    this.#lamp.intensity = dark ? 2.6 : 2.35;
    this.#fill.intensity = dark ? 0.25 : 0.35;
    this.#materials[0]!.color.set(dark ? "#3a2818" : "#a87c45");
    this.#shadow.opacity = dark ? 0.45 : 0.24;
    const wide = reach + 3;
    const high = Math.max(wide, floors + 4);
    this.#floor.scale.setScalar(2 * (wide + 0.8 * floors));
    Object.assign(this.#lamp.shadow.camera, {
      left: -wide,
      right: wide,
      top: high,
      bottom: -wide,
      near: 1,
      far: 70,
    });
    this.#lamp.shadow.camera.updateProjectionMatrix();
    if (this.#painted === `${radius} ${dark}`) return;
    this.#painted = `${radius} ${dark}`;
    this.#paint(radius, dark);
  }

  /** The lamp hangs at the upper left of whoever looks. */
  follow(azimuth: number): void {
    const turn = (azimuth * Math.PI) / 180;
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    this.#lamp.position.set(-7 * cos + 8.5 * sin, 15, 7 * sin + 8.5 * cos).multiplyScalar(1.8);
    this.#fill.position.set(9 * cos + 4 * sin, 6, -9 * sin + 4 * cos);
  }

  #paint(radius: number, dark: boolean): void {
    this.#top.width = this.#top.height = this.#pixels;
    const pen = this.#top.getContext("2d")!;
    pen.scale(this.#pixels / TOP, this.#pixels / TOP);
    const [line, wood] = dark ? ["255,225,180", "#4a3624"] : ["80,46,8", "#d7b27a"];
    pen.fillStyle = wood;
    pen.fillRect(0, 0, TOP, TOP);
    const random = scatter(5);
    for (let grain = 0; grain < 170; grain++) {
      const [y, swing, phase] = [random() * TOP, 4 + random() * 10, random() * 6];
      pen.beginPath();
      for (let x = 0; x <= TOP; x += 32) pen.lineTo(x, y + swing * Math.sin(x / 260 + phase));
      pen.strokeStyle = dark
        ? `rgba(255,220,170,${0.02 + random() * 0.04})`
        : `rgba(110,66,14,${0.03 + random() * 0.07})`;
      pen.lineWidth = 1 + random() * 3;
      pen.stroke();
    }
    const cell = TOP / (2 * radius);
    pen.strokeStyle = `rgba(${line},${dark ? 0.14 : 0.2})`;
    pen.lineWidth = 2;
    pen.beginPath();
    for (let at = (TOP / 2) % cell; at < TOP; at += cell) {
      pen.moveTo(at, 0);
      pen.lineTo(at, TOP);
      pen.moveTo(0, at);
      pen.lineTo(TOP, at);
    }
    pen.stroke();
    pen.strokeStyle = `rgba(${line},${dark ? 0.35 : 0.45})`;
    pen.lineWidth = 5;
    pen.beginPath();
    pen.arc(TOP / 2, TOP / 2, TOP * 0.482, 0, 7);
    pen.stroke();
    this.#face.needsUpdate = true;
  }

  dispose(): void {
    this.#turntable.geometry.dispose();
    this.#floor.geometry.dispose();
    this.#face.dispose();
    for (const material of [...this.#materials, this.#shadow]) material.dispose();
    this.#lamp.dispose();
  }
}

/** A pawn as it comes from the lathe, its head at its top; wider for the line about it. */
export function pawnShape(grown = 0): LatheGeometry {
  const body: [number, number][] = [
    [0, 0],
    [0.3, 0],
    [0.34, 0.04],
    [0.34, 0.1],
    [0.3, 0.16],
    [0.2, 0.32],
    [0.135, 0.52],
    [0.125, 0.6],
    [0.21, 0.635],
    [0.21, 0.675],
    [0.12, 0.7],
  ];
  const head = Array.from({ length: 11 }, (_, at): [number, number] => {
    const angle = -0.95 + ((Math.PI / 2 + 0.95) * at) / 10;
    return [0.2 * Math.cos(angle), 0.87 + 0.2 * Math.sin(angle)];
  });
  const points = [...body, ...head].map(
    ([x, y]) => new Vector2(x ? x + grown : 0, y < 0.01 ? -grown * 0.4 : y + (y > 0.87 ? grown : 0)),
  );
  return new LatheGeometry(points, 24);
}
