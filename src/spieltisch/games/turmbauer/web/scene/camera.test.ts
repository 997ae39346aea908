import { describe, expect, it } from "vitest";
import { cameraPose, interpolateOrbit, orbitFrom, orbitSide, turntableRadius } from "./camera";

describe("the camera", () => {
  it("moves the shorter way around", () => {
    expect(interpolateOrbit({ azimuth: 350, elevation: 20 }, { azimuth: 10, elevation: 30 }, 0.5)).toEqual({
      azimuth: 360,
      elevation: 25,
    });
    expect(orbitSide(orbitFrom("w", false))).toBe("w");
  });

  it("is farther away on narrow screens", () => {
    const far = (aspect: number): number =>
      Math.hypot(...cameraPose(orbitFrom("s", true), 9, 5.4, aspect).position);
    expect(far(0.6)).toBeGreaterThan(far(1.4));
    expect(turntableRadius([{ x: 9, y: 0 }])).toBeCloseTo(8.51 + 1.4, 1);
  });
});
