/** How the board lies in its box, and the lens over it where fields are small. */
import type { Plan, Spot } from "./wheel";
import { held, NEAREST, over, pinched, SMALL, under, WHOLE, type Lens, type Pair } from "./zoom";

const CORNER = 36; // pixels; a wheel leaves its corners free
const LARGEST = 96; // pixels

export class Sight {
  width = $state(0);
  height = $state(0);
  lens = $state.raw<Lens>(WHOLE);
  /** Whether two fingers hold it. */
  pinching = $state(false);
  #fingers: { id: number; spot: Spot }[] = [];

  constructor(
    readonly plan: () => Plan,
    /** Whether something stands in the corners of the box. */
    readonly framed: () => boolean,
  ) {}

  /** One field width, in pixels. */
  u = $derived.by(() => {
    const { wheel, width, height } = this.plan();
    const free = this.height - (this.framed() && !wheel ? 2 * CORNER : 0);
    return Math.max(1, Math.min(LARGEST, this.width / width, free / height));
  });
  board = $derived.by(() => ({ width: this.plan().width * this.u, height: this.plan().height * this.u }));
  small = $derived.by(() => this.u < SMALL);
  zoomed = $derived.by(() => this.lens.z > 1);

  get box(): { width: number; height: number } {
    return { width: this.width, height: this.height };
  }

  whole = (): void => {
    this.lens = WHOLE;
  };

  lookAt(spot: Spot | string): void {
    const there = typeof spot === "string" ? this.plan().spots.get(spot) : spot;
    if (there) this.lens = over(there, this.u, this.board, this.box);
  }

  /** Over some fields, as far as they fit. */
  lookAmong(names: readonly string[]): void {
    const spots = names.flatMap((name) => this.plan().spots.get(name) ?? []);
    const mean = (of: (spot: Spot) => number): number =>
      spots.reduce((sum, spot) => sum + of(spot), 0) / Math.max(1, spots.length);
    this.lookAt({ x: mean(({ x }) => x), y: mean(({ y }) => y) });
  }

  /** After the box has changed. */
  settle(): void {
    this.lens = this.small ? held(this.lens, this.board, this.box) : WHOLE;
  }

  /** Where a point of the window lies on the board, in field widths. */
  under(event: MouseEvent, edges: DOMRect): Spot {
    return under(this.#inBox(event, edges), this.lens, this.u);
  }

  #inBox(event: MouseEvent, edges: DOMRect): Spot {
    return { x: event.clientX - edges.left - this.width / 2, y: event.clientY - edges.top - this.height / 2 };
  }

  // Two fingers move the lens and bring it nearer; one never does.
  touch = (event: PointerEvent, edges: DOMRect): void => {
    if (event.pointerType !== "touch") return;
    this.#fingers.push({ id: event.pointerId, spot: this.#inBox(event, edges) });
    this.pinching = this.#fingers.length === 2;
  };

  drag = (event: PointerEvent, edges: DOMRect): void => {
    const finger = this.#fingers.find(({ id }) => id === event.pointerId);
    if (!finger) return;
    const before = this.#pair();
    finger.spot = this.#inBox(event, edges);
    const now = this.#pair();
    if (before && now && this.zoomed)
      this.lens = held(pinched(this.lens, before, now, NEAREST / this.u), this.board, this.box);
  };

  lift = (event: PointerEvent): void => {
    this.#fingers = this.#fingers.filter(({ id }) => id !== event.pointerId);
    this.pinching = false;
  };

  #pair(): Pair | null {
    const [one, other] = this.#fingers;
    return one && other && this.pinching ? [one.spot, other.spot] : null;
  }
}
