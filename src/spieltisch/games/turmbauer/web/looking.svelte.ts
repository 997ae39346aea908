/** From where the tower is looked at: board and tray both ask. */
import type { Gesture } from "./choosing";
import { from, sideOf, type Look } from "./space/camera";

class Looking {
  look = $state.raw<Look>(from("s", false));
  /** Whether the tower is seen, or only its plan, where north is above. */
  towered = $state(true);
  readonly side = $derived(this.towered ? sideOf(this.look) : "s");
}

export const looking = new Looking();

const ROUND = ["north", "east", "south", "west"] as const satisfies Gesture[];

/** Which way it is for somebody who looks from a side: 0 is away from oneself, then clockwise. */
export const heading = (side: string, quarters: number): (typeof ROUND)[number] =>
  ROUND[("swne".indexOf(side) + quarters) % 4]!;
