/** Keyframe animations of pawns and discs. A tap finishes all of them; none changes what is shown after it. */
import { scaleDuration } from "#web/motion";
import type { Point } from "../layout/track";

// Durations in milliseconds.
const HOP = 60;
const LONGEST_WALK = 300;
const FLIGHT = 280;
const WALK_EASING = "cubic-bezier(.5, 0, .3, 1)";
const FLIGHT_EASING = "cubic-bezier(.2, .8, .2, 1)";

export class Animations {
  #running = new Set<Animation>();

  #run(element: Element, frames: Keyframe[], timing: KeyframeAnimationOptions): Promise<void> {
    const animation = element.animate(frames, timing);
    this.#running.add(animation);
    return animation.finished.then(
      () => void this.#running.delete(animation),
      () => void this.#running.delete(animation), // cancelled, since its element is gone
    );
  }

  /** Jumps to the last frame of every running animation. */
  finish = (): void => {
    for (const animation of this.#running) animation.finish();
  };

  /** Moves an element along a path that ends at its own position; returns the duration. */
  walk(element: Element, path: readonly Point[]): number {
    const end = path.at(-1)!;
    const duration = scaleDuration(Math.min(LONGEST_WALK, HOP * (path.length - 1)));
    const frames = path.map(({ x, y }) => ({ transform: `translate(${x - end.x}px, ${y - end.y}px)` }));
    void this.#run(element, frames, { duration, easing: WALK_EASING });
    return duration;
  }

  /** Moves an element by an offset on an arc, after a delay in milliseconds. */
  fly(element: Element, { x, y }: Point, delay: number): Promise<void> {
    const lift = Math.min(90, 0.25 * Math.hypot(x, y));
    return this.#run(
      element,
      [
        { transform: "none", opacity: 1 },
        { transform: `translate(${0.5 * x}px, ${0.5 * y - lift}px) scale(.85)`, opacity: 1, offset: 0.5 },
        { transform: `translate(${x}px, ${y}px) scale(.4)`, opacity: 0.2 },
      ],
      { duration: scaleDuration(FLIGHT), delay, easing: FLIGHT_EASING, fill: "both" },
    );
  }
}
