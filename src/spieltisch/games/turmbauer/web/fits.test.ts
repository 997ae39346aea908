import { describe, expect, it } from "vitest";
import type { Choice } from "#web/api/types";
import {
  anchorOf,
  fitsAt,
  fitsOf,
  fitsOver,
  leading,
  neighbour,
  numberOf,
  shifted,
  tipped,
  turned,
} from "./fits";
import { placeOf, placeText } from "./tower";

const choices = (...texts: string[]): Choice[] =>
  texts.map((text) => ({ text, words: text, paths: [], ends: false }));
const taken = new Set(["0,0,0", "1,0,0", "0,1,0", "1,1,0"]);

describe("places", () => {
  const flat = "@0,0,1;1,0,1";
  const across = "@0,0,1;0,1,1";
  const upright = "@0,0,1;0,0,2";
  const beside = "@1,0,1;2,0,1";
  const fits = fitsOf(choices(flat, across, upright, beside, "@0,1,1;1,1,1"));
  const named = (text: string) => fits.find(({ choice }) => choice.text === text)!;

  it("are read and written", () => {
    expect(placeText(placeOf("@-1,0,2;0,0,1")!)).toBe("@0,0,1;-1,0,2");
    expect(placeOf(">1,0,2")).toBeNull();
  });

  it("are found on a face, well carried ones first", () => {
    const found = fitsAt(fits, { x: 0, y: 0, z: 1 }, taken).map(({ choice }) => choice.text);
    expect(found).toEqual([across, flat, upright]);
    expect(fitsOver(fits, 2, 0, taken).map(({ choice }) => choice.text)).toEqual([beside]);
    expect(fitsOver(fits, 5, 5, taken)).toEqual([]);
  });

  it("are gone through round and round", () => {
    const here = fitsAt(fits, { x: 0, y: 0, z: 1 }, taken);
    expect(numberOf(here, taken)).toBe(1);
    const back = neighbour(here, -1, taken)!;
    expect(back.choice.text).toBe(upright);
    const led = fitsOf(leading(here, back));
    expect(numberOf(led, taken)).toBe(3);
    expect(neighbour(led, 1, taken)!.choice.text).toBe(across);
  });

  it("are turned and tipped about the cell that they are held by", () => {
    const here = fitsAt(fits, { x: 0, y: 0, z: 1 }, taken);
    const anchor = anchorOf(here, taken)!;
    expect(anchor).toEqual({ x: 0, y: 0, z: 1 });
    expect(turned(here, named(flat), anchor)).toEqual({ fit: named(across) });
    expect(tipped(here, named(flat), anchor)).toEqual({ fit: named(upright) });
    expect(turned(here, named(upright), anchor)).toEqual({ no: "" });
    expect(turned([named(flat)], named(flat), anchor)).toEqual({ no: across });
  });

  it("are shifted by a cell, or tell which cells were meant", () => {
    expect(shifted(fits, named(flat), { x: 1, y: 0, z: 0 })).toEqual({ fit: named(beside) });
    expect(shifted(fits, named(flat), { x: 0, y: -1, z: 0 })).toEqual({ no: "@0,-1,1;1,-1,1" });
  });
});
