/** Playback queue: shows updates one by one, each for its time, so that people can follow the moves of others. */

export class PlaybackQueue<Update> {
  #waiting: Update[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    /** Shows an update and returns the milliseconds to wait before the next one. */
    readonly show: (update: Update) => number,
    /** All updates are shown, and the time of the last one is over. */
    readonly rest: () => void = () => {},
  ) {}

  push(update: Update): void {
    this.#waiting.push(update);
    if (this.#timer === null) this.#next();
  }

  /** The number of updates that are not shown yet. */
  get pending(): number {
    return this.#waiting.length;
  }

  /** Shows all pending updates at once. */
  flush(): void {
    this.#stop();
    for (const update of this.#waiting.splice(0)) this.show(update);
    this.rest();
  }

  /** Ends the time of the update that is shown: those that belong to it are shown at once, and the next one begins. */
  skip(belongs: (update: Update) => boolean): void {
    if (this.#timer === null) return;
    this.#stop();
    while (this.#waiting.length > 0 && belongs(this.#waiting[0]!)) this.show(this.#waiting.shift()!);
    this.#next();
  }

  /** Drops all pending updates. */
  clear(): void {
    this.#stop();
    this.#waiting = [];
  }

  #next(): void {
    this.#stop();
    while (this.#waiting.length > 0) {
      const milliseconds = this.show(this.#waiting.shift()!);
      if (milliseconds > 0) {
        this.#timer = setTimeout(() => this.#next(), milliseconds);
        return;
      }
    }
    this.rest();
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
