/** Environment of the tower: the turntable, the ground that receives its shadow, and the lights. */
import {
  CanvasTexture,
  CylinderGeometry,
  DirectionalLight,
  HemisphereLight,
  Mesh,
  MeshStandardMaterial,
  PlaneGeometry,
  Scene,
  ShadowMaterial,
  SRGBColorSpace,
} from "three";
import { seededRandom } from "./atlas";

const UNITS = 1024; // per side of the turntable's texture, while it is painted

export class Environment {
  readonly #canvas = document.createElement("canvas");
  readonly #texture = new CanvasTexture(this.#canvas);
  readonly #materials = [
    new MeshStandardMaterial({ roughness: 0.8 }),
    new MeshStandardMaterial({ roughness: 0.8, map: this.#texture }),
  ];
  readonly #shadow = new ShadowMaterial();
  readonly #turntable = new Mesh(new CylinderGeometry(1, 1, 0.34, 72), [
    this.#materials[0]!,
    this.#materials[1]!,
    this.#materials[0]!,
  ]);
  readonly #ground = new Mesh(new PlaneGeometry(1, 1), this.#shadow);
  readonly #sky = new HemisphereLight();
  readonly #lamp = new DirectionalLight();
  readonly #fill = new DirectionalLight("#dce6ff");
  readonly #pixels: number;
  #painted = "";

  constructor(scene: Scene, software: boolean) {
    this.#texture.colorSpace = SRGBColorSpace;
    this.#texture.anisotropy = software ? 1 : 8;
    this.#pixels = software ? 512 : UNITS; // repainted whenever the radius grows
    this.#turntable.position.y = -0.17;
    this.#turntable.receiveShadow = this.#turntable.castShadow = true;
    this.#ground.rotation.x = -Math.PI / 2;
    this.#ground.position.y = -0.36;
    this.#ground.receiveShadow = true;
    this.#lamp.castShadow = true;
    this.#lamp.shadow.mapSize.setScalar(software ? 512 : 2048);
    this.#lamp.shadow.radius = 5;
    this.#lamp.shadow.bias = -0.0004;
    this.#lamp.shadow.normalBias = 0.03;
    scene.add(this.#turntable, this.#ground, this.#sky, this.#lamp, this.#lamp.target, this.#fill);
  }

  /** Sets the theme of the lights, the size of the turntable, and the extent of the shadows. */
  update(radius: number, floors: number, dark: boolean, shadowRadius = radius): void {
    this.#turntable.scale.set(radius, 1, radius);
    this.#sky.color.set(dark ? "#ffe9c8" : "#fff6e6");
    this.#sky.groundColor.set(dark ? "#4a3420" : "#c9a878");
    this.#sky.intensity = dark ? 1.85 : 2.15;
    this.#lamp.color.set(dark ? "#ffd9a0" : "#fff3dc");
    this.#lamp.intensity = dark ? 2.6 : 2.35;
    this.#fill.intensity = dark ? 0.25 : 0.35;
    this.#materials[0]!.color.set(dark ? "#3a2818" : "#a87c45");
    this.#shadow.opacity = dark ? 0.45 : 0.24;
    const halfWidth = shadowRadius + 3;
    const height = Math.max(halfWidth, floors + 4);
    this.#ground.scale.setScalar(2 * (halfWidth + 0.8 * floors));
    Object.assign(this.#lamp.shadow.camera, {
      left: -halfWidth,
      right: halfWidth,
      top: height,
      bottom: -halfWidth,
      near: 1,
      far: 70,
    });
    this.#lamp.shadow.camera.updateProjectionMatrix();
    if (this.#painted === `${radius} ${dark}`) return;
    this.#painted = `${radius} ${dark}`;
    this.#paintTurntable(radius, dark);
  }

  /** Keeps the lamp at the upper left of the camera. */
  followCamera(azimuth: number): void {
    const angle = (azimuth * Math.PI) / 180;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    this.#lamp.position.set(-7 * cos + 8.5 * sin, 15, 7 * sin + 8.5 * cos).multiplyScalar(1.8);
    this.#fill.position.set(9 * cos + 4 * sin, 6, -9 * sin + 4 * cos);
  }

  #paintTurntable(radius: number, dark: boolean): void {
    this.#canvas.width = this.#canvas.height = this.#pixels;
    const context = this.#canvas.getContext("2d")!;
    context.scale(this.#pixels / UNITS, this.#pixels / UNITS);
    const [line, wood] = dark ? ["255,225,180", "#4a3624"] : ["80,46,8", "#d7b27a"];
    context.fillStyle = wood;
    context.fillRect(0, 0, UNITS, UNITS);
    const random = seededRandom(5);
    for (let grain = 0; grain < 170; grain++) {
      const [y, swing, phase] = [random() * UNITS, 4 + random() * 10, random() * 6];
      context.beginPath();
      for (let x = 0; x <= UNITS; x += 32) context.lineTo(x, y + swing * Math.sin(x / 260 + phase));
      context.strokeStyle = dark
        ? `rgba(255,220,170,${0.02 + random() * 0.04})`
        : `rgba(110,66,14,${0.03 + random() * 0.07})`;
      context.lineWidth = 1 + random() * 3;
      context.stroke();
    }
    const cell = UNITS / (2 * radius);
    context.strokeStyle = `rgba(${line},${dark ? 0.14 : 0.2})`;
    context.lineWidth = 2;
    context.beginPath();
    for (let at = (UNITS / 2) % cell; at < UNITS; at += cell) {
      context.moveTo(at, 0);
      context.lineTo(at, UNITS);
      context.moveTo(0, at);
      context.lineTo(UNITS, at);
    }
    context.stroke();
    context.strokeStyle = `rgba(${line},${dark ? 0.35 : 0.45})`;
    context.lineWidth = 5;
    context.beginPath();
    context.arc(UNITS / 2, UNITS / 2, UNITS * 0.482, 0, 7);
    context.stroke();
    this.#texture.needsUpdate = true;
  }

  dispose(): void {
    this.#turntable.geometry.dispose();
    this.#ground.geometry.dispose();
    this.#texture.dispose();
    for (const material of [...this.#materials, this.#shadow]) material.dispose();
    this.#lamp.dispose();
  }
}
