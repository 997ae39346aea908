/** How a track of discs winds through a box. All lengths are pixels; d is the diameter of a disc. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A place on the track, and the corner of its line that comes next. */
export interface Spot extends Point {
  readonly next: number;
}

export interface Shape {
  readonly discs: number;
  /** Whether the staircase stands in the upper right corner. */
  readonly stairs: boolean;
  /** Whether there is room for the pawns before the first disc. */
  readonly start: boolean;
}

export interface Plan {
  readonly d: number;
  readonly rows: number;
  /** The middle of the groove, from the start on. */
  readonly line: readonly Point[];
  /** The start, then a place for every disc. */
  readonly spots: readonly Spot[];
  /** The upper left corner of the staircase. */
  readonly stairs: Point | null;
}

const NOTCH = { width: 4.6, height: 3.3, gap: 0.35 };
const TIGHT = 1.05; // the least distance between two discs
const ROWS = { most: 14, least: 1.26, wide: 1.75 }; // how many, and the distance between two
const EDGE = { above: 0.85, below: 0.66 };
const SMALLEST = 8;
const BIGGEST = 160;
const ROUGH = 0.25;
const FINE = 0.005;
const CORNERS = 18; // of a half circle

/** The track with the biggest discs that finds room. */
export function fit(width: number, height: number, shape: Shape): Plan {
  const fits = (rows: number, d: number, step = TIGHT): boolean =>
    plan(width, height, shape, rows, d, step) !== null;
  const most = (rows: number): number => Math.min(BIGGEST, height / high(rows));

  // How many rows: roughly is enough, and what is no bigger is not looked for.
  let best = { d: 0, rows: 1 };
  for (let rows = 1; rows <= ROWS.most; rows++) {
    const least = Math.max(SMALLEST, best.d + ROUGH);
    const d = largest(least, most(rows), ROUGH, (d) => fits(rows, d));
    if (d !== null) best = { d, rows };
  }
  if (!best.d) return halved(fit(2 * width, 2 * height, shape));

  const { rows } = best;
  const d = largest(best.d, most(rows), FINE, (d) => fits(rows, d)) ?? best.d;
  const apart = largest(TIGHT, 2, FINE / d, (step) => fits(rows, d, step)) ?? TIGHT;
  const { line, spots } = plan(width, height, shape, rows, d, apart)!;
  return { d, rows, line, spots, stairs: shape.stairs ? { x: width - NOTCH.width * d, y: 0 } : null };
}

/** The same in a box of half the size. */
function halved({ d, rows, line, spots, stairs }: Plan): Plan {
  const half = <T extends Point>(point: T): T => ({ ...point, x: point.x / 2, y: point.y / 2 });
  return { d: d / 2, rows, line: line.map(half), spots: spots.map(half), stairs: stairs && half(stairs) };
}

/** How high so many rows are at least, in diameters. */
function high(rows: number): number {
  return (rows - 1) * ROWS.least + EDGE.above + EDGE.below;
}

/** The largest value for which something holds that holds for all smaller ones, to within so much. */
function largest(
  least: number,
  most: number,
  close: number,
  holds: (value: number) => boolean,
): number | null {
  if (least > most || !holds(least)) return null;
  let [low, above] = [least, most];
  while (above - low > close) {
    const middle = (low + above) / 2;
    if (holds(middle)) low = middle;
    else above = middle;
  }
  return low;
}

function plan(
  width: number,
  height: number,
  shape: Shape,
  rows: number,
  d: number,
  step: number,
): { line: Point[]; spots: Spot[] } | null {
  if (width <= (shape.stairs ? NOTCH.width + 3 : 3) * d) return null;
  if (shape.stairs && height < (NOTCH.height + 0.1) * d) return null;
  const line = wind(width, height, shape, rows, d);
  if (line.some(({ x }) => x < 0.49 * d || x > width - 0.49 * d)) return null;
  const spots = place(line, (shape.start ? 1.9 : 0.1) * d, step * d, shape.discs);
  return spots && { line, spots };
}

/** The middle of the groove: rows from the bottom to the top, joined by half circles; the last one runs to the right. */
function wind(width: number, height: number, { stairs }: Shape, rows: number, d: number): Point[] {
  const pitch = rows > 1 ? Math.min(ROWS.wide * d, (height - (EDGE.above + EDGE.below) * d) / (rows - 1)) : d;
  const left = d / 2;
  const high = (row: number): number => height - EDGE.below * d - row * pitch;
  const right = (row: number): number =>
    width - left - (stairs && high(row) - 0.55 * d < NOTCH.height * d ? (NOTCH.width + NOTCH.gap) * d : 0);
  const bend = (row: number): number => Math.min(right(row), right(row + 1)) - pitch / 2;

  const line: Point[] = [];
  for (let row = 0; row < rows; row++) {
    const y = high(row);
    const onwards = (rows - 1 - row) % 2 === 0;
    const last = row === rows - 1;
    const from = onwards ? left + (row ? pitch / 2 : 0) : row ? bend(row - 1) : right(row);
    const to = onwards ? (last ? right(row) : bend(row)) : left + (last ? 0 : pitch / 2);
    line.push({ x: from, y }, { x: to, y });
    if (last) break;
    for (let corner = 1; corner < CORNERS; corner++) {
      const angle = (Math.PI * corner) / CORNERS;
      line.push({
        x: to + ((onwards ? 1 : -1) * pitch * Math.sin(angle)) / 2,
        y: y - (pitch * (1 - Math.cos(angle))) / 2,
      });
    }
  }
  return line;
}

/** The start, then discs at equal straight distances; null where the line is too short for them. */
function place(line: readonly Point[], lead: number, step: number, discs: number): Spot[] | null {
  const spots: Spot[] = [{ ...line[0]!, next: 1 }];
  let here = along(line, lead);
  while (here) {
    spots.push(here);
    if (spots.length > discs) return spots;
    here = beyond(line, here, step);
  }
  return null;
}

/** The point so far along the line. */
function along(line: readonly Point[], length: number): Spot | null {
  for (let next = 1; next < line.length; next++) {
    const [from, to] = [line[next - 1]!, line[next]!];
    const whole = Math.hypot(to.x - from.x, to.y - from.y);
    if (whole >= length) return { ...between(from, to, length / whole), next };
    length -= whole;
  }
  return null;
}

/** The first later point of the line that is so far away. */
function beyond(line: readonly Point[], { next: first, ...here }: Spot, step: number): Spot | null {
  let from: Point = here;
  for (let next = first; next < line.length; next++) {
    const to = line[next]!;
    if ((to.x - here.x) ** 2 + (to.y - here.y) ** 2 >= step * step)
      return { ...between(from, to, leaving(here, step, from, to)), next };
    from = to;
  }
  return null;
}

/** Where the way from a point inside a circle to one outside leaves it, as a share of the way. */
function leaving(centre: Point, radius: number, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const [fx, fy] = [from.x - centre.x, from.y - centre.y];
  const a = dx * dx + dy * dy;
  const b = fx * dx + fy * dy;
  const c = fx * fx + fy * fy - radius * radius;
  return (-b + Math.sqrt(Math.max(0, b * b - a * c))) / a;
}

function between(from: Point, to: Point, share: number): Point {
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

/** The groove from one place to another, in the order in which it is walked; null is the end, at the staircase. */
export function way({ line, spots }: Plan, from: number, to: number | null): Point[] {
  const a = spots[from]!;
  const b = to === null ? { ...line.at(-1)!, next: line.length } : spots[to]!;
  return a.next <= b.next && (to === null || from <= to)
    ? [a, ...line.slice(a.next, b.next), b]
    : [a, ...line.slice(b.next, a.next).reverse(), b];
}

/** Points as an SVG path. */
export function drawn(points: readonly Point[]): string {
  return points.map(({ x, y }, at) => `${at ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}
