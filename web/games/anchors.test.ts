// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { createAnchors, NO_ANCHORS } from "./anchors";

test("a marked element is found by its key until it leaves the page", () => {
  const anchors = createAnchors(() => null);
  const hand = document.createElement("div");
  expect(anchors.find("hand")).toBeNull();
  const detach = anchors.mark("hand")(hand);
  expect(anchors.find("hand")).toBe(hand);
  expect(anchors.find("rack")).toBeNull();
  detach?.();
  expect(anchors.find("hand")).toBeNull();
});

test("an element that has taken over a key keeps it when the one before leaves", () => {
  const anchors = createAnchors(() => null);
  const [before, after] = [document.createElement("div"), document.createElement("div")];
  const detach = anchors.mark("hand")(before);
  anchors.mark("hand")(after);
  detach?.();
  expect(anchors.find("hand")).toBe(after);
});

test("a key has one attachment, so that an update of the props attaches nothing anew", () => {
  const anchors = createAnchors(() => null);
  expect(anchors.mark("hand")).toBe(anchors.mark("hand"));
  expect(anchors.mark("hand")).not.toBe(anchors.mark("rack"));
});

test("a static board has no anchors", () => {
  NO_ANCHORS.mark("hand")(document.createElement("div"));
  expect(NO_ANCHORS.find("hand")).toBeNull();
  expect(NO_ANCHORS.seat(0)).toBeNull();
});
