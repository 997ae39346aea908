import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeAudioContext } from "./fake-audio";
import { SoundPlayer, type SoundPreferences } from "./player";

let made: FakeAudioContext[];
let target: EventTarget;
let preferences: { -readonly [Name in keyof SoundPreferences]: SoundPreferences[Name] };
let player: SoundPlayer;
let stop: () => void;
const vibrate = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  vibrate.mockClear();
  vi.stubGlobal("navigator", { userActivation: { isActive: true, hasBeenActive: true }, vibrate });
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  made = [];
  target = new EventTarget();
  preferences = { volume: "normal", vibration: false };
  player = new SoundPlayer(preferences, () => {
    made.push(new FakeAudioContext());
    return made.at(-1) as unknown as AudioContext;
  });
  stop = player.listen(target);
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const tap = (): boolean => target.dispatchEvent(new Event("pointerup"));
const played = (): number => made[0]?.scheduled.length ?? 0;
const volume = (): number | undefined => made[0]?.gains[0]?.gain.value;

test("before the first tap there is no audio at all", () => {
  player.play("disc");
  expect(made).toEqual([]);
  tap();
  expect(played()).toBe(0);
  vi.advanceTimersByTime(1000);
  player.play("disc");
  expect(played()).toBeGreaterThan(0);
});

test("a gesture that the browser does not count as one starts nothing", () => {
  vi.stubGlobal("navigator", { userActivation: { isActive: false, hasBeenActive: false } });
  tap();
  expect(made).toEqual([]);
});

test("there is one audio context, and a tap resumes it after the browser has suspended it", () => {
  tap();
  made[0]!.state = "suspended";
  player.play("disc");
  expect(played()).toBe(0);
  tap();
  vi.advanceTimersByTime(1000);
  player.play("disc");
  expect(made).toHaveLength(1);
  expect(played()).toBeGreaterThan(0);
});

test("off is silent, and needs no audio context", () => {
  preferences.volume = "off";
  tap();
  player.play("win");
  expect(made).toEqual([]);
});

test("a sound is as loud as is set when it is played", () => {
  tap();
  const heard = (["quiet", "normal", "loud"] as const).map((level) => {
    preferences.volume = level;
    player.play(level === "normal" ? "wood" : "disc");
    return volume()!;
  });
  expect(heard).toEqual(heard.toSorted((a, b) => a - b));
  const before = played();
  preferences.volume = "off";
  player.play("stone");
  expect(played()).toBe(before);
});

test("the same sound is not played twice at once", () => {
  tap();
  player.play("stone");
  const once = played();
  player.play("stone");
  expect(played()).toBe(once);
  vi.advanceTimersByTime(200);
  player.play("stone");
  expect(played()).toBe(2 * once);
});

test("phones vibrate for what matters, only if that is set, and only after a tap", () => {
  player.play("turn");
  expect(vibrate).not.toHaveBeenCalled();
  preferences.vibration = true;
  preferences.volume = "off";
  player.play("disc");
  expect(vibrate).not.toHaveBeenCalled();
  player.play("turn");
  expect(vibrate).toHaveBeenCalledTimes(1);
  vi.stubGlobal("navigator", { userActivation: { isActive: false, hasBeenActive: false }, vibrate });
  player.play("win");
  expect(vibrate).toHaveBeenCalledTimes(1);
});
