/** Layout of the track: discs along a serpentine line that fills a box. All lengths are in pixels. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A place on the track's centre line, and the index of the line's next vertex. */
export interface Spot extends Point {
  readonly next: number;
}

export interface TrackShape {
  readonly discs: number;
  /** Whether the staircase stands in the upper right corner. */
  readonly stairs: boolean;
  /** Whether there is room for the pawns before the first disc. */
  readonly start: boolean;
}

export interface Layout {
  /** The diameter of a disc. */
  readonly d: number;
  readonly rows: number;
  /** The centre line of the groove, from the start on. */
  readonly line: readonly Point[];
  /** The start, then the centre of every disc. */
  readonly spots: readonly Spot[];
  /** The upper left corner of the staircase. */
  readonly stairs: Point | null;
}

// In diameters of a disc.
const NOTCH = { width: 4.6, height: 3.3, gap: 0.35 }; // the corner that the staircase takes
const MIN_SPACING = 1.05; // between two discs
const ROW_PITCH = { min: 1.26, max: 1.75 };
const MARGIN = { above: 0.85, below: 0.66 };

const MAX_ROWS = 14;
const DIAMETER = { min: 8, max: 160 }; // pixels
const COARSE = 0.25; // pixels: the tolerance while the number of rows is searched
const FINE = 0.005; // pixels: the tolerance afterwards
const BEND_VERTICES = 18; // of a half circle

/** Fits the track into a box, with discs as large as possible. */
export function fitTrack(width: number, height: number, shape: TrackShape): Layout {
  const fits = (rows: number, d: number, spacing = MIN_SPACING): boolean =>
    layOut(width, height, shape, rows, d, spacing) !== null;
  const maximum = (rows: number): number => Math.min(DIAMETER.max, height / minHeight(rows));

  // The number of rows: a coarse search is enough, and only larger discs are of interest.
  let best = { d: 0, rows: 1 };
  for (let rows = 1; rows <= MAX_ROWS; rows++) {
    const minimum = Math.max(DIAMETER.min, best.d + COARSE);
    const d = bisect(minimum, maximum(rows), COARSE, (d) => fits(rows, d));
    if (d !== null) best = { d, rows };
  }
  if (!best.d) return halve(fitTrack(2 * width, 2 * height, shape));

  const { rows } = best;
  const d = bisect(best.d, maximum(rows), FINE, (d) => fits(rows, d)) ?? best.d;
  const spacing = bisect(MIN_SPACING, 2, FINE / d, (spacing) => fits(rows, d, spacing)) ?? MIN_SPACING;
  const { line, spots } = layOut(width, height, shape, rows, d, spacing)!;
  return { d, rows, line, spots, stairs: shape.stairs ? { x: width - NOTCH.width * d, y: 0 } : null };
}

/** Scales a layout to a box of half the size. */
function halve({ d, rows, line, spots, stairs }: Layout): Layout {
  const half = <T extends Point>(point: T): T => ({ ...point, x: point.x / 2, y: point.y / 2 });
  return { d: d / 2, rows, line: line.map(half), spots: spots.map(half), stairs: stairs && half(stairs) };
}

/** The height that some rows need, in diameters. */
function minHeight(rows: number): number {
  return (rows - 1) * ROW_PITCH.min + MARGIN.above + MARGIN.below;
}

/** Bisection: the largest value for which a monotonic predicate holds, within a tolerance; null if there is none. */
function bisect(
  minimum: number,
  maximum: number,
  tolerance: number,
  holds: (value: number) => boolean,
): number | null {
  if (minimum > maximum || !holds(minimum)) return null;
  let [low, high] = [minimum, maximum];
  while (high - low > tolerance) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Lays out the track with a given number of rows, size and spacing of discs; null if it does not fit. */
function layOut(
  width: number,
  height: number,
  shape: TrackShape,
  rows: number,
  d: number,
  spacing: number,
): { line: Point[]; spots: Spot[] } | null {
  if (width <= (shape.stairs ? NOTCH.width + 3 : 3) * d) return null;
  if (shape.stairs && height < (NOTCH.height + 0.1) * d) return null;
  const line = centreLine(width, height, shape, rows, d);
  if (line.some(({ x }) => x < 0.49 * d || x > width - 0.49 * d)) return null;
  const spots = placeDiscs(line, (shape.start ? 1.9 : 0.1) * d, spacing * d, shape.discs);
  return spots && { line, spots };
}

/** The centre line of the groove: rows from bottom to top, joined by half circles; the last row runs to the right. */
function centreLine(width: number, height: number, { stairs }: TrackShape, rows: number, d: number): Point[] {
  const pitch =
    rows > 1 ? Math.min(ROW_PITCH.max * d, (height - (MARGIN.above + MARGIN.below) * d) / (rows - 1)) : d;
  const left = d / 2;
  const rowY = (row: number): number => height - MARGIN.below * d - row * pitch;
  const right = (row: number): number =>
    width - left - (stairs && rowY(row) - 0.55 * d < NOTCH.height * d ? (NOTCH.width + NOTCH.gap) * d : 0);
  const bend = (row: number): number => Math.min(right(row), right(row + 1)) - pitch / 2;

  const line: Point[] = [];
  for (let row = 0; row < rows; row++) {
    const y = rowY(row);
    const rightward = (rows - 1 - row) % 2 === 0;
    const last = row === rows - 1;
    const from = rightward ? left + (row ? pitch / 2 : 0) : row ? bend(row - 1) : right(row);
    const to = rightward ? (last ? right(row) : bend(row)) : left + (last ? 0 : pitch / 2);
    line.push({ x: from, y }, { x: to, y });
    if (last) break;
    for (let vertex = 1; vertex < BEND_VERTICES; vertex++) {
      const angle = (Math.PI * vertex) / BEND_VERTICES;
      line.push({
        x: to + ((rightward ? 1 : -1) * pitch * Math.sin(angle)) / 2,
        y: y - (pitch * (1 - Math.cos(angle))) / 2,
      });
    }
  }
  return line;
}

/** The start, then discs at equal straight distances; null if the line is too short for them. */
function placeDiscs(line: readonly Point[], lead: number, spacing: number, discs: number): Spot[] | null {
  const spots: Spot[] = [{ ...line[0]!, next: 1 }];
  let here = pointAtLength(line, lead);
  while (here) {
    spots.push(here);
    if (spots.length > discs) return spots;
    here = nextAtDistance(line, here, spacing);
  }
  return null;
}

/** The point at a given length along the line; null beyond its end. */
function pointAtLength(line: readonly Point[], length: number): Spot | null {
  for (let next = 1; next < line.length; next++) {
    const [from, to] = [line[next - 1]!, line[next]!];
    const segment = Math.hypot(to.x - from.x, to.y - from.y);
    if (segment >= length) return { ...lerp(from, to, length / segment), next };
    length -= segment;
  }
  return null;
}

/** The first later point of the line at a given distance; null beyond its end. */
function nextAtDistance(
  line: readonly Point[],
  { next: first, ...here }: Spot,
  distance: number,
): Spot | null {
  let from: Point = here;
  for (let next = first; next < line.length; next++) {
    const to = line[next]!;
    if ((to.x - here.x) ** 2 + (to.y - here.y) ** 2 >= distance * distance)
      return { ...lerp(from, to, exitShare(here, distance, from, to)), next };
    from = to;
  }
  return null;
}

/** The intersection of a circle with a segment from inside to outside, as a share of the segment. */
function exitShare(centre: Point, radius: number, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const [fx, fy] = [from.x - centre.x, from.y - centre.y];
  const a = dx * dx + dy * dy;
  const b = fx * dx + fy * dy;
  const c = fx * fx + fy * fy - radius * radius;
  return (-b + Math.sqrt(Math.max(0, b * b - a * c))) / a;
}

function lerp(from: Point, to: Point, share: number): Point {
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

/** The section of the groove from one place to another, in walking order; null is the end, at the staircase. */
export function grooveSection({ line, spots }: Layout, from: number, to: number | null): Point[] {
  const a = spots[from]!;
  const b = to === null ? { ...line.at(-1)!, next: line.length } : spots[to]!;
  return a.next <= b.next && (to === null || from <= to)
    ? [a, ...line.slice(a.next, b.next), b]
    : [a, ...line.slice(b.next, a.next).reverse(), b];
}

/** Formats a polyline as an SVG path. */
export function svgPath(points: readonly Point[]): string {
  return points.map(({ x, y }, at) => `${at ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}
