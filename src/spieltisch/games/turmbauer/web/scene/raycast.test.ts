import { describe, expect, it } from "vitest";
import type { Cell } from "../view";
import { raycast } from "./raycast";

describe("a ray", () => {
  const isOccupied = ({ x, y, z }: Cell): boolean => x === 0 && y === 0 && z === 0;

  it("hits the face it comes from", () => {
    expect(raycast([0.5, 0.5, 5], [0, 0, -1], isOccupied)).toEqual({
      cell: { x: 0, y: 0, z: 0 },
      adjacent: { x: 0, y: 0, z: 1 },
      top: true,
    });
    expect(raycast([4.5, 0.5, 0.5], [-1, 0, 0], isOccupied)?.adjacent).toEqual({ x: 1, y: 0, z: 0 });
  });

  it("ends at the table", () => {
    expect(raycast([4.5, 4.5, 5], [0, 0, -1], isOccupied)).toBeNull();
  });
});
