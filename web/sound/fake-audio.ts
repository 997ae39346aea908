/** A fake audio context for tests, which notes what is scheduled on it. */

export interface ScheduledNode {
  kind: "oscillator" | "noise";
  start: number;
  stop: number;
}

class FakeParam {
  value = 0;
  setValueAtTime(value: number, time: number): void {
    if (!(value > 0) || !(time >= 0)) throw new RangeError(`${value} at ${time}`);
  }
  exponentialRampToValueAtTime(value: number, time: number): void {
    this.setValueAtTime(value, time);
  }
}

export class FakeAudioContext {
  readonly scheduled: ScheduledNode[] = [];
  readonly gains: { gain: FakeParam }[] = [];
  readonly destination = {};
  readonly sampleRate = 100;
  currentTime = 1;
  state: AudioContextState = "suspended";

  resume(): Promise<void> {
    this.state = "running";
    return Promise.resolve();
  }

  createGain(): unknown {
    const gain = { gain: new FakeParam(), connect: (next: unknown) => next };
    this.gains.push(gain);
    return gain;
  }

  createBiquadFilter(): unknown {
    return { frequency: new FakeParam(), connect: (next: unknown) => next };
  }

  createBuffer(_channels: number, length: number): unknown {
    const samples = new Float32Array(length);
    return { getChannelData: () => samples };
  }

  createOscillator(): unknown {
    return this.#source("oscillator");
  }

  createBufferSource(): unknown {
    return this.#source("noise");
  }

  #source(kind: ScheduledNode["kind"]): unknown {
    const node = { kind, start: NaN, stop: NaN };
    this.scheduled.push(node);
    return {
      frequency: new FakeParam(),
      connect: (next: unknown) => next,
      start: (time: number) => (node.start = time),
      stop: (time: number) => (node.stop = time),
    };
  }
}
