/** A knock on wood when the person's turn starts; off unless switched on in the settings. */
import { settings } from "../settings.svelte";

let context: AudioContext | undefined;
let before = false;

export function soundTurn(myTurn: boolean): void {
  if (myTurn && !before && settings.sounds) knock();
  before = myTurn;
}

function knock(): void {
  context ??= new AudioContext();
  for (const [at, pitch] of [
    [0, 420],
    [0.12, 560],
  ] as const) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    const start = context.currentTime + at;
    tone.type = "triangle";
    tone.frequency.setValueAtTime(pitch, start);
    tone.frequency.exponentialRampToValueAtTime(pitch / 2, start + 0.09);
    volume.gain.setValueAtTime(0.25, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.12);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + 0.13);
  }
}
