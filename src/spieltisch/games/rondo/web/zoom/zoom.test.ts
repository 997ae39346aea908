import { describe, expect, it } from "vitest";
import builtIn from "../../board.json";
import { layoutBoard } from "../layout/board";
import { boxToBoard, clampZoom, pinchZoom, UNZOOMED, zoomTo } from "./zoom";

const layout = layoutBoard(builtIn);

describe("the zoom", () => {
  const u = 28.6;
  const board = { width: 11.9 * u, height: 11.9 * u };
  const box = { width: 344, height: 340 };

  it("makes fields large and stays on the board", () => {
    const zoom = zoomTo(layout.spots.get("O8")!, u, board, box);
    expect(zoom.scale * u).toBeCloseTo(50);
    expect(zoom.x).toBeCloseTo((board.width * zoom.scale - box.width) / -2);
    expect(zoom.y).toBeCloseTo(0);
    expect(clampZoom({ ...zoom, x: 1e6 }, board, box).x).toBeCloseTo(-zoom.x);
  });

  it("follows two fingers, and grows as they move apart", () => {
    const zoom = zoomTo({ x: 2, y: 1 }, u, board, box);
    const fingers = [
      { x: -20, y: 10 },
      { x: 60, y: 10 },
    ] as const;
    const along = [
      { x: -10, y: 40 },
      { x: 70, y: 40 },
    ] as const;
    const apart = [
      { x: -30, y: 10 },
      { x: 70, y: 10 },
    ] as const;
    expect(pinchZoom(zoom, fingers, along, 3)).toEqual({ scale: zoom.scale, x: zoom.x + 10, y: zoom.y + 30 });
    const nearer = pinchZoom(zoom, fingers, apart, 3);
    const middle = { x: 20, y: 10 };
    expect(nearer.scale).toBeCloseTo(zoom.scale * 1.25);
    expect(boxToBoard(middle, nearer, u).x).toBeCloseTo(boxToBoard(middle, zoom, u).x);
    expect(pinchZoom(zoom, fingers, apart, 1.8).scale).toBe(1.8);
    expect(pinchZoom(zoom, apart, [middle, middle], 3).scale).toBe(1);
  });

  it("converts a point of the box to the board", () => {
    const zoom = zoomTo({ x: 2, y: 1 }, u, board, box);
    const point = { x: 2 * u * zoom.scale + zoom.x, y: 1 * u * zoom.scale + zoom.y };
    expect(boxToBoard(point, zoom, u).x).toBeCloseTo(2);
    expect(boxToBoard(point, UNZOOMED, u).x).not.toBeCloseTo(2);
  });
});
