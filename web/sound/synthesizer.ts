/** Sounds of the table, synthesized: each is a handful of short notes and bursts of noise. */

export const SOUNDS = ["disc", "stone", "dice", "wood", "fall", "win", "turn"] as const;

/** `turn`: the person may move; `win`: the person has won; the others are what a game's pieces sound like. */
export type Sound = (typeof SOUNDS)[number];

interface Note {
  /** Seconds after the start of the sound. */
  at: number;
  /** Seconds until it has faded. */
  length: number;
  level: number;
  wave: "sine" | "triangle" | "noise";
  /** Its pitch in hertz, of noise the middle of its band; it glides from the first to the second. */
  pitch: readonly [number, number];
}

const tone = (at: number, from: number, to: number, length: number, level: number): Note => ({
  at,
  length,
  level,
  wave: "triangle",
  pitch: [from, to],
});
const ring = (at: number, pitch: number, length: number, level: number): Note => ({
  at,
  length,
  level,
  wave: "sine",
  pitch: [pitch, pitch],
});
const noise = (at: number, band: number, length: number, level: number): Note => ({
  at,
  length,
  level,
  wave: "noise",
  pitch: [band, 0.6 * band],
});

/** A piece of wood that hits another: the smaller it is, the higher. */
const thud = (at: number, pitch: number, level: number): Note[] => [
  tone(at, pitch, 0.55 * pitch, 0.11, level),
  noise(at, 4 * pitch, 0.03, 0.7 * level),
];
/** A bar of a marimba. */
const bar = (at: number, pitch: number): Note[] => [
  ring(at, pitch, 0.5, 0.22),
  ring(at, 3.9 * pitch, 0.12, 0.05),
];

const VOICES: Readonly<Record<Sound, readonly Note[]>> = {
  disc: [tone(0, 880, 520, 0.07, 0.2), noise(0, 2600, 0.03, 0.22), noise(0.055, 3200, 0.02, 0.08)],
  stone: [ring(0, 1480, 0.07, 0.14), ring(0, 2330, 0.04, 0.07), noise(0, 5200, 0.02, 0.2)],
  dice: [
    ...[0, 0.07, 0.12, 0.2, 0.25].map((at, i) => noise(at, 3000 + 350 * (i % 3), 0.025, 0.2)),
    ...thud(0.34, 620, 0.16),
    ...thud(0.41, 560, 0.1),
  ],
  wood: thud(0, 260, 0.3),
  fall: [
    noise(0, 300, 0.9, 0.3),
    ...[0, 0.09, 0.15, 0.24, 0.3, 0.41, 0.55, 0.72].flatMap((at, i) =>
      thud(at, 330 - 60 * (i % 4), 0.3 - 0.03 * i),
    ),
  ],
  win: [523.25, 659.26, 783.99, 1046.5].flatMap((pitch, i) => bar(0.11 * i, pitch)),
  turn: [tone(0, 420, 210, 0.12, 0.25), tone(0.12, 560, 280, 0.12, 0.25)],
};

const SILENCE = 0.0005; // an exponential ramp cannot reach zero
const noises = new WeakMap<BaseAudioContext, AudioBuffer>();

/** Schedules a sound on a node of an audio context, after so many seconds. */
export function schedule(sound: Sound, context: BaseAudioContext, output: AudioNode, delay = 0): void {
  for (const { at, length, level, wave, pitch } of VOICES[sound]) {
    const start = context.currentTime + delay + at;
    const gain = context.createGain();
    gain.gain.setValueAtTime(level, start);
    gain.gain.exponentialRampToValueAtTime(SILENCE, start + length);
    gain.connect(output);
    const [source, frequency] = wave === "noise" ? hiss(context, gain) : oscillator(context, wave, gain);
    frequency.setValueAtTime(pitch[0], start);
    frequency.exponentialRampToValueAtTime(pitch[1], start + length);
    source.start(start);
    source.stop(start + length);
  }
}

function oscillator(
  context: BaseAudioContext,
  wave: OscillatorType,
  output: AudioNode,
): [AudioScheduledSourceNode, AudioParam] {
  const source = context.createOscillator();
  source.type = wave;
  source.connect(output);
  return [source, source.frequency];
}

/** White noise through a band-pass filter. */
function hiss(context: BaseAudioContext, output: AudioNode): [AudioScheduledSourceNode, AudioParam] {
  const source = context.createBufferSource();
  source.buffer = noiseOf(context);
  source.loop = true;
  const filter = context.createBiquadFilter();
  filter.type = "bandpass";
  source.connect(filter).connect(output);
  return [source, filter.frequency];
}

/** A second of white noise, made once per context. */
function noiseOf(context: BaseAudioContext): AudioBuffer {
  let buffer = noises.get(context);
  if (!buffer) {
    buffer = context.createBuffer(1, context.sampleRate, context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
    noises.set(context, buffer);
  }
  return buffer;
}
