/** Viewport: the size of the board in its box, and the zoom if fields are too small to tap. */
import { MediaQuery } from "svelte/reactivity";
import type { Layout } from "../layout/board";
import type { Point } from "../layout/graph";
import {
  boxToBoard,
  clampZoom,
  MAX_ZOOMED,
  MIN_UNZOOMED,
  pinchZoom,
  UNZOOMED,
  zoomTo,
  type Pinch,
  type Size,
  type Zoom,
} from "./zoom";

const CORNER = 36; // pixels: the height of what stands in the corners, which a wheel leaves free
const MAX_FIELD = 96; // pixels

export class Viewport {
  width = $state(0);
  height = $state(0);
  zoom = $state.raw<Zoom>(UNZOOMED);
  pinching = $state(false);
  #fingers: { id: number; position: Point }[] = [];

  constructor(
    readonly layout: () => Layout,
    /** Whether something stands in the corners of the box. */
    readonly hasCorners: () => boolean,
  ) {}

  /** The width of a field in pixels, without zoom. */
  u = $derived.by(() => {
    const { wheel, width, height } = this.layout();
    const free = this.height - (this.hasCorners() && !wheel ? 2 * CORNER : 0);
    return Math.max(1, Math.min(MAX_FIELD, this.width / width, free / height));
  });
  board = $derived.by(() => ({ width: this.layout().width * this.u, height: this.layout().height * this.u }));
  readonly #coarse = new MediaQuery("(pointer: coarse)");
  /** Whether fields are too small to tap without zoom; a mouse hits small ones too. */
  isSmall = $derived.by(() => this.#coarse.current && this.u < MIN_UNZOOMED);
  zoomed = $derived.by(() => this.zoom.scale > 1);

  get box(): Size {
    return { width: this.width, height: this.height };
  }

  zoomOut = (): void => {
    this.zoom = UNZOOMED;
  };

  zoomTo(target: Point | string): void {
    const spot = typeof target === "string" ? this.layout().spots.get(target) : target;
    if (spot) this.zoom = zoomTo(spot, this.u, this.board, this.box);
  }

  /** Zooms to the centre of some fields. */
  zoomToFields(names: readonly string[]): void {
    const spots = names.flatMap((name) => this.layout().spots.get(name) ?? []);
    const mean = (of: (spot: Point) => number): number =>
      spots.reduce((sum, spot) => sum + of(spot), 0) / Math.max(1, spots.length);
    this.zoomTo({ x: mean(({ x }) => x), y: mean(({ y }) => y) });
  }

  /** Adapts the zoom after the box was resized. */
  onResize(): void {
    this.zoom = this.isSmall ? clampZoom(this.zoom, this.board, this.box) : UNZOOMED;
  }

  /** Converts the position of a pointer to the board, in field widths. */
  toBoard(event: MouseEvent, bounds: DOMRect): Point {
    return boxToBoard(this.#toBox(event, bounds), this.zoom, this.u);
  }

  #toBox(event: MouseEvent, bounds: DOMRect): Point {
    return {
      x: event.clientX - bounds.left - this.width / 2,
      y: event.clientY - bounds.top - this.height / 2,
    };
  }

  // Two fingers pan and zoom; one finger only taps.
  onPointerDown = (event: PointerEvent, bounds: DOMRect): void => {
    if (event.pointerType !== "touch") return;
    this.#fingers.push({ id: event.pointerId, position: this.#toBox(event, bounds) });
    this.pinching = this.#fingers.length === 2;
  };

  onPointerMove = (event: PointerEvent, bounds: DOMRect): void => {
    const finger = this.#fingers.find(({ id }) => id === event.pointerId);
    if (!finger) return;
    const before = this.#pinch();
    finger.position = this.#toBox(event, bounds);
    const now = this.#pinch();
    if (before && now && this.zoomed)
      this.zoom = clampZoom(pinchZoom(this.zoom, before, now, MAX_ZOOMED / this.u), this.board, this.box);
  };

  onPointerUp = (event: PointerEvent): void => {
    this.#fingers = this.#fingers.filter(({ id }) => id !== event.pointerId);
    this.pinching = false;
  };

  #pinch(): Pinch | null {
    const [one, other] = this.#fingers;
    return one && other && this.pinching ? [one.position, other.position] : null;
  }
}
