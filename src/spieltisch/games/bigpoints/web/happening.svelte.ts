/** Shows how one view came out of another: pawns walk, discs fly to hands; or rings are left on what changed. */
import type { Anchors } from "#web/games/props";
import { reducedMotion } from "#web/motion";
import { changesOf, type Changes } from "./changes";
import { Motion } from "./motion";
import { route, waiting } from "./places";
import type { View } from "./reading";
import type { Plan, Point } from "./track";

const AWAY = 3.5; // diameters: how far a disc that is handed in is seen to go

/** Where it is shown. */
export interface Scene {
  plan: Plan;
  frame: HTMLElement;
  pawns: Readonly<Record<string, Element | undefined>>;
  /** Whose hand lies in the tray. */
  seat: number | null;
  anchors: Anchors;
}

export interface Flying {
  id: number;
  letter: string;
  from: Point;
  to: Point;
  delay: number;
}

export class Happening {
  /** What rings are left on. */
  changed = $state.raw<Changes | null>(null);
  flights = $state.raw<Flying[]>([]);
  readonly motion = new Motion();
  #seen: View | null = null;
  #flown = 0;

  /** Takes the next view; without a scene there is nothing to be shown yet. */
  see(now: View, scene: Scene | null): void {
    const then = this.#seen;
    this.#seen = now;
    if (!then || then === now) return;
    const found = scene && changesOf(then, now);
    if (found) this.#show(then, now, found, scene);
    else if (then.laid !== now.laid || then.track !== now.track) this.changed = null;
  }

  landed(id: number): void {
    this.flights = this.flights.filter((one) => one.id !== id);
  }

  #show(then: View, now: View, found: Changes, scene: Scene): void {
    this.changed = reducedMotion() ? found : null;
    if (reducedMotion()) return;
    this.motion.finish();
    let walked = 0;
    for (const { pawn } of found.walks) {
      const element = scene.pawns[pawn];
      const points = route(scene.plan, then, now, pawn);
      if (element && points.length > 1) walked = Math.max(walked, this.motion.walk(element, points));
    }
    const { x, y, width, height } = scene.frame.getBoundingClientRect();
    this.flights = found.taken.map(({ letter, place, seat }) => {
      const spot = place === null ? waiting(scene.plan, letter) : scene.plan.spots[place]!;
      const from = { x: x + spot.x, y: y + spot.y };
      const hand = handOf(seat, scene) ?? { x: from.x, y: from.y + 1.5 * scene.plan.d };
      return this.#flight(letter, from, hand, walked);
    });
    const paid = handOf(found.payer, scene);
    if (paid) {
      const middle = { x: x + width / 2, y: y + height / 2 };
      const share = (AWAY * scene.plan.d) / Math.hypot(middle.x - paid.x, middle.y - paid.y);
      const gone = { x: paid.x + share * (middle.x - paid.x), y: paid.y + share * (middle.y - paid.y) };
      this.flights = [...this.flights, this.#flight("k", paid, gone, 0)];
    }
  }

  #flight(letter: string, from: Point, to: Point, delay: number): Flying {
    return { id: ++this.#flown, letter, from, to: { x: to.x - from.x, y: to.y - from.y }, delay };
  }
}

/** Where somebody's hand is in the window: in the tray, or at their seat. */
function handOf(seat: number | null, { anchors, seat: own }: Scene): Point | null {
  if (seat === null) return null;
  const hand = seat === own ? anchors.tray()?.querySelector(".things") : anchors.seat(seat);
  const box = hand?.getBoundingClientRect();
  if (!box?.width) return null;
  return { x: box.left + Math.min(40, box.width / 2), y: box.top + box.height / 2 };
}
