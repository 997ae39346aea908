/** Lets everybody see what happened: news is shown one after another, each for its time. */

export class Pace<News> {
  #waiting: News[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    /** Shows the news, and says how many milliseconds it is to be seen before the next. */
    readonly show: (news: News) => number,
  ) {}

  take(news: News): void {
    this.#waiting.push(news);
    if (this.#timer === null) this.#next();
  }

  /** Whether there is more to be shown. */
  get behind(): boolean {
    return this.#waiting.length > 0;
  }

  /** Shows the rest at once. */
  hurry(): void {
    this.#stop();
    for (const news of this.#waiting.splice(0)) this.show(news);
  }

  /** Forgets what was not shown. */
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
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
