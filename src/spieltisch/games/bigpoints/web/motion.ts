/** Walks and flights. They end at once when somebody taps, and change nothing of what is shown after them. */
import { scaleDuration } from "#web/motion";
import type { Point } from "./track";

const HOP = 60;
const LONGEST = 300;
const FLIGHT = 280;
const WALKING = "cubic-bezier(.5, 0, .3, 1)";
const FLYING = "cubic-bezier(.2, .8, .2, 1)";

export class Motion {
  #running = new Set<Animation>();

  #run(element: Element, frames: Keyframe[], timing: KeyframeAnimationOptions): Promise<void> {
    const animation = element.animate(frames, timing);
    this.#running.add(animation);
    return animation.finished.then(
      () => void this.#running.delete(animation),
      () => void this.#running.delete(animation), // its element is gone
    );
  }

  /** Ends everything at its last frame. */
  finish = (): void => {
    for (const animation of this.#running) animation.finish();
  };

  /** Lets a thing that stands at the end of a way come along it; answers how long that takes. */
  walk(element: Element, points: readonly Point[]): number {
    const end = points.at(-1)!;
    const duration = scaleDuration(Math.min(LONGEST, HOP * (points.length - 1)));
    const frames = points.map(({ x, y }) => ({ transform: `translate(${x - end.x}px, ${y - end.y}px)` }));
    void this.#run(element, frames, { duration, easing: WALKING });
    return duration;
  }

  /** Lets a thing fly so far, on an arc, after some milliseconds. */
  fly(element: Element, { x, y }: Point, delay: number): Promise<void> {
    const lift = Math.min(90, 0.25 * Math.hypot(x, y));
    return this.#run(
      element,
      [
        { transform: "none", opacity: 1 },
        { transform: `translate(${0.5 * x}px, ${0.5 * y - lift}px) scale(.85)`, opacity: 1, offset: 0.5 },
        { transform: `translate(${x}px, ${y}px) scale(.4)`, opacity: 0.2 },
      ],
      { duration: scaleDuration(FLIGHT), delay, easing: FLYING, fill: "both" },
    );
  }
}
