import { describe, expect, it } from "vitest";
import type { Cube } from "../tower";
import fixture from "./fall.json";
import { fallenIn, lengthOf, motionTo, posesAt, readFilm, unpack, type Film } from "./film";
import { heapOf, Toppling } from "./topple";
import { vantage } from "./vantage";

const packed = Uint8Array.from(atob(fixture.packed), (letter) => letter.charCodeAt(0)).buffer;
const film = (await unpack(packed))!;
const cube = ([x, y, z]: number[]): Cube => ({ x: x!, y: y!, z: z!, colour: "natural" });
const GROUND = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [1, 1, 0],
].map(cube);
const stones = [GROUND, ...fixture.stones.map((cells) => cells.map(cube))];

describe("a film", () => {
  it("has the poses that the engine gave, on the screen's axes", () => {
    const moments = [0, 20 / film.rate, lengthOf(film)];
    for (const [number, poses] of Object.entries(fixture.poses)) {
      const at = film.numbers.indexOf(Number(number));
      poses.forEach(([x, y, z, w, i, j, k], moment) => {
        const seen = [...posesAt(film, moments[moment]!).subarray(7 * at, 7 * at + 7)];
        const told = [x! - 0.5, z!, 0.5 - y!, w!, i!, k!, -j!];
        seen.forEach((value, part) => expect(value).toBeCloseTo(told[part]!, 3));
      });
    }
    expect(film.rate).toBe(30);
  });

  it("names the stones that fell", () => {
    expect(fallenIn(film)).toEqual(fixture.fallen);
  });

  it("goes on between its frames", () => {
    const [one, two] = [posesAt(film, 0.5), posesAt(film, 0.5 + 1 / film.rate)];
    const middle = posesAt(film, 0.5 + 0.5 / film.rate);
    expect(middle[0]).toBeCloseTo((one[0]! + two[0]!) / 2, 5);
    expect(Math.hypot(...middle.subarray(3, 7))).toBeCloseTo(1, 5);
    expect(posesAt(film, 99)).toEqual(posesAt(film, lengthOf(film)));
  });

  it("moves a stone's middle to where the pose says", () => {
    const now = posesAt(film, lengthOf(film));
    const motion = motionTo(film, now, 2);
    const [x, y, z] = film.poses.subarray(14, 17) as unknown as [number, number, number];
    for (const axis of [0, 1, 2]) {
      const [a, b, c, d] = motion.subarray(4 * axis, 4 * axis + 4) as unknown as [
        number,
        number,
        number,
        number,
      ];
      expect(a * x + b * y + c * z + d).toBeCloseTo(now[14 + axis]!, 4);
    }
  });

  it("is nothing where nothing moves, or where the bytes are others", () => {
    expect(readFilm(new ArrayBuffer(3))).toBeNull();
    expect(readFilm(new ArrayBuffer(40))).toBeNull();
    expect(readFilm(new TextEncoder().encode("fall\x50\0\0\0\x1e\0").buffer)).toBeNull();
  });
});

describe("the tower that falls", () => {
  it("moves the stones of the film and no others, and none through the table", () => {
    const falling = new Toppling(stones, film, 20);
    const before = falling.mesh.position.slice();
    falling.move(lengthOf(film));
    const { position, normal, starts } = falling.mesh;
    const ground = 3 * starts[1]!;
    expect(position.subarray(0, ground)).toEqual(before.subarray(0, ground));
    expect(position.subarray(ground)).not.toEqual(before.subarray(ground));
    const low = Math.min(...position.filter((_, at) => at % 3 === 1));
    expect(low).toBeGreaterThan(-0.05);
    expect(Math.hypot(...normal.subarray(ground, ground + 3))).toBeCloseTo(1, 3);
    falling.move(0);
    falling.mesh.position.forEach((value, at) => expect(value).toBeCloseTo(before[at]!, 2));
  });

  it("leaves a heap that is lower and wider", () => {
    const heap = heapOf(stones, film, 5.4);
    expect(heap.floors).toBeLessThan(4);
    expect(heap.radius).toBeGreaterThan(5.4);
  });
});

describe("the best look at a fall", () => {
  const shown = (numbers: number[], way: [number, number, number]): Film => ({
    numbers,
    frames: 2,
    rate: 1,
    poses: Float32Array.from([0, 5, 0, 1, 0, 0, 0, ...way, 1, 0, 0, 0]),
  });
  const side = (azimuth: number): number => Math.abs(Math.sin((azimuth * Math.PI) / 180));

  it("goes across its way", () => {
    const east = vantage(shown([1], [5, 0.5, 0]), [GROUND, [cube([0, 0, 5])]], {
      azimuth: 24,
      elevation: 19,
    });
    expect(side(east.azimuth)).toBeLessThan(0.6);
    const north = vantage(shown([1], [0, 0.5, -5]), [GROUND, [cube([0, 0, 5])]], {
      azimuth: 24,
      elevation: 19,
    });
    expect(side(north.azimuth)).toBeGreaterThan(0.6);
  });

  it("is not from behind a wall", () => {
    const wall = Array.from({ length: 72 }, (_, at) => cube([(at % 12) - 3, -2, Math.floor(at / 12)]));
    const look = vantage(shown([2], [5, 0.5, 0]), [GROUND, wall, [cube([0, 0, 5])]], {
      azimuth: 0,
      elevation: 19,
    });
    expect(Math.cos((look.azimuth * Math.PI) / 180)).toBeLessThan(0);
  });
});
