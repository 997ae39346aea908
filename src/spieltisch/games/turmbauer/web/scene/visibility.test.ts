import { describe, expect, it } from "vitest";
import type { Cell } from "../view";
import { orbitFrom, orbitSide } from "./camera";
import { countVisible, orbitShowing } from "./visibility";

describe("the visibility of a stone", () => {
  it("moves the camera if the tower hides it", () => {
    const wall = new Set(
      Array.from({ length: 5 }, (_, x) => [0, 1, 2, 3].map((z) => `${x - 2},0,${z}`)).flat(),
    );
    const isOccupied = ({ x, y, z }: Cell): boolean => wall.has(`${x},${y},${z}`);
    const behind = [{ x: 0, y: 1, z: 0 }];
    expect(countVisible(behind, isOccupied, orbitFrom("s", false))).toBe(0);
    expect(orbitSide(orbitShowing(behind, isOccupied, orbitFrom("s", false), false))).not.toBe("s");
    const front = [{ x: 0, y: -1, z: 0 }];
    expect(orbitSide(orbitShowing(front, isOccupied, orbitFrom("s", false), false))).toBe("s");
  });
});
