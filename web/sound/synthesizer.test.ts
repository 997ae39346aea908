import { expect, test } from "vitest";
import { FakeAudioContext } from "./fake-audio";
import { schedule, SOUNDS, type Sound } from "./synthesizer";

function notesOf(sound: Sound, delay = 0): FakeAudioContext["scheduled"] {
  const context = new FakeAudioContext();
  schedule(sound, context as unknown as BaseAudioContext, {} as AudioNode, delay);
  return context.scheduled;
}

test.each(SOUNDS)("%s starts at once and is over within a second", (sound) => {
  const notes = notesOf(sound);
  expect(Math.min(...notes.map(({ start }) => start))).toBe(1);
  for (const { start, stop } of notes) {
    expect(stop).toBeGreaterThan(start);
    expect(stop).toBeLessThanOrEqual(2);
  }
});

test("no two sounds are the same", () => {
  expect(new Set(SOUNDS.map((sound) => JSON.stringify(notesOf(sound)))).size).toBe(SOUNDS.length);
});

test("a delay moves every note", () => {
  const [now, later] = [notesOf("dice"), notesOf("dice", 0.5)];
  expect(later.map(({ start }) => start)).toEqual(now.map(({ start }) => start + 0.5));
});
