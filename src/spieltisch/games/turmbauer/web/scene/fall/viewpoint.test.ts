import { describe, expect, it } from "vitest";
import type { Film } from "./film";
import { cube, FOUNDATION } from "./fixture";
import { bestViewpoint } from "./viewpoint";

describe("the viewpoint of a fall", () => {
  const filmOf = (numbers: number[], way: [number, number, number]): Film => ({
    numbers,
    frames: 2,
    rate: 1,
    poses: Float32Array.from([0, 5, 0, 1, 0, 0, 0, ...way, 1, 0, 0, 0]),
  });
  const side = (azimuth: number): number => Math.abs(Math.sin((azimuth * Math.PI) / 180));

  it("is across the motion", () => {
    const east = bestViewpoint(filmOf([1], [5, 0.5, 0]), [FOUNDATION, [cube([0, 0, 5])]], {
      azimuth: 24,
      elevation: 19,
    });
    expect(side(east.azimuth)).toBeLessThan(0.6);
    const north = bestViewpoint(filmOf([1], [0, 0.5, -5]), [FOUNDATION, [cube([0, 0, 5])]], {
      azimuth: 24,
      elevation: 19,
    });
    expect(side(north.azimuth)).toBeGreaterThan(0.6);
  });

  it("is not behind a wall", () => {
    const wall = Array.from({ length: 72 }, (_, at) => cube([(at % 12) - 3, -2, Math.floor(at / 12)]));
    const orbit = bestViewpoint(filmOf([2], [5, 0.5, 0]), [FOUNDATION, wall, [cube([0, 0, 5])]], {
      azimuth: 0,
      elevation: 19,
    });
    expect(Math.cos((orbit.azimuth * Math.PI) / 180)).toBeLessThan(0);
  });
});
