import { describe, expect, it } from "vitest";
import { FallingMesh, finalExtent } from "./falling-mesh";
import { durationOf } from "./film";
import { film, stones } from "./fixture";

describe("a falling tower", () => {
  it("moves the stones of the film and no others, and none through the table", () => {
    const falling = new FallingMesh(stones, film, 20);
    const before = falling.mesh.position.slice();
    falling.seek(durationOf(film));
    const { position, normal, starts } = falling.mesh;
    const ground = 3 * starts[1]!;
    expect(position.subarray(0, ground)).toEqual(before.subarray(0, ground));
    expect(position.subarray(ground)).not.toEqual(before.subarray(ground));
    const low = Math.min(...position.filter((_, at) => at % 3 === 1));
    expect(low).toBeGreaterThan(-0.05);
    expect(Math.hypot(...normal.subarray(ground, ground + 3))).toBeCloseTo(1, 3);
    falling.seek(0);
    falling.mesh.position.forEach((value, at) => expect(value).toBeCloseTo(before[at]!, 2));
  });

  it("leaves a lower and wider heap", () => {
    const extent = finalExtent(stones, film, 5.4);
    expect(extent.floors).toBeLessThan(4);
    expect(extent.radius).toBeGreaterThan(5.4);
  });
});
