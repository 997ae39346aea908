/** Zoom of small screens: a scale and an offset, in pixels from the centre of the box. */
import type { Point } from "../layout/graph";

// Widths of a field in pixels.
export const MIN_UNZOOMED = 44; // a narrower field is too small to tap without zoom
export const MAX_ZOOMED = 90;
const ZOOMED = 50; // after zooming to a spot
const CENTRING = 0.86; // how far a spot moves to the centre of the box; 1 is all the way

export interface Zoom extends Point {
  scale: number;
}

export const UNZOOMED: Zoom = { scale: 1, x: 0, y: 0 };

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

export interface Size {
  width: number;
  height: number;
}

/** Clamps the offset so that the box shows nothing beyond the board. */
export function clampZoom({ scale, x, y }: Zoom, board: Size, box: Size): Zoom {
  const maxX = Math.max(0, (board.width * scale - box.width) / 2);
  const maxY = Math.max(0, (board.height * scale - box.height) / 2);
  return { scale, x: clamp(x, -maxX, maxX), y: clamp(y, -maxY, maxY) };
}

/** Zooms to a spot of the board. */
export function zoomTo(spot: Point, u: number, board: Size, box: Size): Zoom {
  const scale = ZOOMED / u;
  const [x, y] = [-scale * u * spot.x * CENTRING, -scale * u * spot.y * CENTRING];
  return clampZoom({ scale, x, y }, board, box);
}

/** The positions of two fingers. */
export type Pinch = readonly [Point, Point];

/** Applies a pinch gesture: the point between the fingers stays between them. */
export function pinchZoom(zoom: Zoom, before: Pinch, now: Pinch, maxScale: number): Zoom {
  const distance = ([one, other]: Pinch): number => Math.hypot(one.x - other.x, one.y - other.y);
  const centre = ([one, other]: Pinch): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
  const scale = clamp(zoom.scale * (distance(now) / Math.max(1, distance(before))), 1, maxScale);
  const [from, to] = [centre(before), centre(now)];
  return {
    scale,
    x: to.x - ((from.x - zoom.x) * scale) / zoom.scale,
    y: to.y - ((from.y - zoom.y) * scale) / zoom.scale,
  };
}

/** Converts a point of the box to the board, in field widths. */
export function boxToBoard(point: Point, zoom: Zoom, u: number): Point {
  return { x: (point.x - zoom.x) / zoom.scale / u, y: (point.y - zoom.y) / zoom.scale / u };
}
