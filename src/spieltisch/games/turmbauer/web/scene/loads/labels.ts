/** Label placement for the loads. */
import type { Load } from "./loads";

export interface LoadLabel {
  readonly x: number;
  readonly y: number;
  readonly load: Load;
}

/** Selects labels, the heaviest first, so that none overlaps another or a reserved position. */
export function selectLabels(
  labels: readonly LoadLabel[],
  reserved: readonly { x: number; y: number }[],
  most: number,
  [width, height]: readonly [number, number],
): LoadLabel[] {
  const selected: LoadLabel[] = [];
  for (const label of labels.toSorted((one, other) => other.load.weight - one.load.weight)) {
    const overlaps = ({ x, y }: { x: number; y: number }): boolean =>
      Math.abs(x - label.x) < width && Math.abs(y - label.y) < height;
    if (selected.length < most && ![...selected, ...reserved].some(overlaps)) selected.push(label);
  }
  return selected;
}
