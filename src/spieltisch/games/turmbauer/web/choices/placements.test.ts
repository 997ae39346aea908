import { describe, expect, it } from "vitest";
import type { Choice } from "#web/api/types";
import {
  adjacentPlacement,
  choicesLedBy,
  parsePlacements,
  pivotOf,
  placementsAt,
  placementsOver,
  rankOfFirst,
  shiftPlacement,
  tipPlacement,
  turnPlacement,
} from "./placements";
import { formatCells, parseCells } from "./notation";

const choices = (...texts: string[]): Choice[] =>
  texts.map((text) => ({ text, words: text, paths: [], ends: false }));
const occupied = new Set(["0,0,0", "1,0,0", "0,1,0", "1,1,0"]);

describe("placements", () => {
  const flat = "@0,0,1;1,0,1";
  const across = "@0,0,1;0,1,1";
  const upright = "@0,0,1;0,0,2";
  const beside = "@1,0,1;2,0,1";
  const placements = parsePlacements(choices(flat, across, upright, beside, "@0,1,1;1,1,1"));
  const named = (text: string) => placements.find(({ choice }) => choice.text === text)!;

  it("are parsed and formatted", () => {
    expect(formatCells(parseCells("@-1,0,2;0,0,1")!)).toBe("@0,0,1;-1,0,2");
    expect(parseCells(">1,0,2")).toBeNull();
  });

  it("are found by cell, well supported ones first", () => {
    const found = placementsAt(placements, { x: 0, y: 0, z: 1 }, occupied).map(({ choice }) => choice.text);
    expect(found).toEqual([across, flat, upright]);
    expect(placementsOver(placements, 2, 0, occupied).map(({ choice }) => choice.text)).toEqual([beside]);
    expect(placementsOver(placements, 5, 5, occupied)).toEqual([]);
  });

  it("are cycled through", () => {
    const here = placementsAt(placements, { x: 0, y: 0, z: 1 }, occupied);
    expect(rankOfFirst(here, occupied)).toBe(1);
    const back = adjacentPlacement(here, -1, occupied)!;
    expect(back.choice.text).toBe(upright);
    const led = parsePlacements(choicesLedBy(back, here));
    expect(rankOfFirst(led, occupied)).toBe(3);
    expect(adjacentPlacement(led, 1, occupied)!.choice.text).toBe(across);
  });

  it("are turned and tipped about a pivot", () => {
    const here = placementsAt(placements, { x: 0, y: 0, z: 1 }, occupied);
    const pivot = pivotOf(here, occupied)!;
    expect(pivot).toEqual({ x: 0, y: 0, z: 1 });
    expect(turnPlacement(here, named(flat), pivot)).toEqual({ placement: named(across) });
    expect(tipPlacement(here, named(flat), pivot)).toEqual({ placement: named(upright) });
    expect(turnPlacement(here, named(upright), pivot)).toEqual({ illegal: "" });
    expect(turnPlacement([named(flat)], named(flat), pivot)).toEqual({ illegal: across });
  });

  it("are shifted by a cell, or name the illegal cells", () => {
    expect(shiftPlacement(placements, named(flat), { x: 1, y: 0, z: 0 })).toEqual({
      placement: named(beside),
    });
    expect(shiftPlacement(placements, named(flat), { x: 0, y: -1, z: 0 })).toEqual({
      illegal: "@0,-1,1;1,-1,1",
    });
  });
});
