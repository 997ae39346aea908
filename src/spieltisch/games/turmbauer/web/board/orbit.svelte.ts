/** Camera orbit as shared state: the board turns it, and the tray's arrows depend on it. */
import type { Manipulation } from "../choices/selection";
import { orbitFrom, orbitSide, type Orbit } from "../scene/camera";

class OrbitState {
  current = $state.raw<Orbit>(orbitFrom("s", false));
  /** Whether the tower is shown; the floor plan alone has north at the top. */
  towerShown = $state(true);
  readonly side = $derived(this.towerShown ? orbitSide(this.current) : "s");
}

export const orbit = new OrbitState();

const COMPASS = ["north", "east", "south", "west"] as const satisfies Manipulation[];

/** The compass direction for an arrow, given the side that the camera is on: 0 points away from it, then clockwise. */
export const compassDirection = (side: string, quarters: number): (typeof COMPASS)[number] =>
  COMPASS[("swne".indexOf(side) + quarters) % 4]!;
