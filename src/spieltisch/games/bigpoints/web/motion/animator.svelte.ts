/** Board animator: animates the diff of two views, or marks it if motion is reduced. */
import type { Anchors } from "#web/games/anchors";
import { reducedMotion } from "#web/motion";
import { pawnPath, troughSpot } from "../layout/pieces";
import type { Layout, Point } from "../layout/track";
import type { View } from "../view";
import { Animations } from "./animations";
import { diffViews, type ViewDiff } from "./diff";

const DISCARD_DISTANCE = 3.5; // how far a disc that is handed in flies, in diameters

/** The elements and positions that an animation needs. */
export interface AnimationContext {
  layout: Layout;
  frame: HTMLElement;
  pawns: Readonly<Record<string, Element | undefined>>;
  /** The seat whose hand lies in the tray. */
  seat: number | null;
  anchors: Anchors;
}

/** A disc on its way, in pixels of the window. */
export interface DiscFlight {
  id: number;
  letter: string;
  from: Point;
  offset: Point;
  delay: number;
}

export class BoardAnimator {
  /** The changes to mark, if motion is reduced. */
  marked = $state.raw<ViewDiff | null>(null);
  flights = $state.raw<DiscFlight[]>([]);
  readonly animations = new Animations();
  #view: View | null = null;
  #lastId = 0;

  /** Takes the next view; without a context, the board is not laid out yet and nothing is animated. */
  update(after: View, context: AnimationContext | null): void {
    const before = this.#view;
    this.#view = after;
    if (!before || before === after) return;
    const diff = context && diffViews(before, after);
    if (diff) this.#show(before, after, diff, context);
    else if (before.laid !== after.laid || before.track !== after.track) this.marked = null;
  }

  removeFlight(id: number): void {
    this.flights = this.flights.filter((flight) => flight.id !== id);
  }

  #show(before: View, after: View, diff: ViewDiff, context: AnimationContext): void {
    this.marked = reducedMotion() ? diff : null;
    if (reducedMotion()) return;
    this.animations.finish();
    let walked = 0;
    for (const { pawn } of diff.walks) {
      const element = context.pawns[pawn];
      const path = pawnPath(context.layout, before, after, pawn);
      if (element && path.length > 1) walked = Math.max(walked, this.animations.walk(element, path));
    }
    this.flights = [];
    if (diff.taken.length || diff.payer !== null) this.#fly(after, diff, context, walked);
  }

  /** Starts the flights before the next frame is painted: measuring now would lay the page out in the midst of an update. */
  #fly(after: View, diff: ViewDiff, context: AnimationContext, walked: number): void {
    requestAnimationFrame(() => {
      if (this.#view === after && context.frame.isConnected)
        this.flights = [...this.#takes(diff, context, walked), ...this.#discards(diff, context)];
    });
  }

  /** The flights of taken discs into a hand, after the pawns have walked. */
  #takes({ taken }: ViewDiff, context: AnimationContext, delay: number): DiscFlight[] {
    const { layout, frame } = context;
    const { x, y } = frame.getBoundingClientRect();
    return taken.map(({ letter, place, seat }) => {
      const spot = place === null ? troughSpot(layout, letter) : layout.spots[place]!;
      const from = { x: x + spot.x, y: y + spot.y };
      const hand = handPosition(seat, context) ?? { x: from.x, y: from.y + 1.5 * layout.d };
      return this.#flight(letter, from, hand, delay);
    });
  }

  /** The flight of a black disc that is handed in, towards the middle of the board. */
  #discards({ payer }: ViewDiff, context: AnimationContext): DiscFlight[] {
    const hand = handPosition(payer, context);
    if (!hand) return [];
    const { x, y, width, height } = context.frame.getBoundingClientRect();
    const centre = { x: x + width / 2, y: y + height / 2 };
    const share = (DISCARD_DISTANCE * context.layout.d) / Math.hypot(centre.x - hand.x, centre.y - hand.y);
    const end = { x: hand.x + share * (centre.x - hand.x), y: hand.y + share * (centre.y - hand.y) };
    return [this.#flight("k", hand, end, 0)];
  }

  #flight(letter: string, from: Point, to: Point, delay: number): DiscFlight {
    return { id: ++this.#lastId, letter, from, offset: { x: to.x - from.x, y: to.y - from.y }, delay };
  }
}

/** The position of a seat's hand in the window: in the tray, or at the seat; null if it is not on the page. */
function handPosition(seat: number | null, { anchors, seat: own }: AnimationContext): Point | null {
  if (seat === null) return null;
  const hand = seat === own ? anchors.find("hand") : anchors.seat(seat);
  const box = hand?.getBoundingClientRect();
  if (!box?.width) return null;
  return { x: box.left + Math.min(40, box.width / 2), y: box.top + box.height / 2 };
}
