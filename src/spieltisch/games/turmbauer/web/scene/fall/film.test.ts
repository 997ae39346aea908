import { describe, expect, it } from "vitest";
import { film, FIXTURE } from "./fixture";
import { decodeFilm, durationOf, fallenStones, posesAt, transformTo } from "./film";

describe("a film", () => {
  it("has the poses of the physics engine, on the axes of the scene", () => {
    const moments = [0, 20 / film.rate, durationOf(film)];
    for (const [number, poses] of Object.entries(FIXTURE.poses)) {
      const at = film.numbers.indexOf(Number(number));
      poses.forEach(([x, y, z, w, i, j, k], moment) => {
        const actual = [...posesAt(film, moments[moment]!).subarray(7 * at, 7 * at + 7)];
        const expected = [x! - 0.5, z!, 0.5 - y!, w!, i!, k!, -j!];
        actual.forEach((value, part) => expect(value).toBeCloseTo(expected[part]!, 3));
      });
    }
    expect(film.rate).toBe(30);
  });

  it("names the stones that fell", () => {
    expect(fallenStones(film)).toEqual(FIXTURE.fallen);
  });

  it("is interpolated between its frames", () => {
    const [one, two] = [posesAt(film, 0.5), posesAt(film, 0.5 + 1 / film.rate)];
    const middle = posesAt(film, 0.5 + 0.5 / film.rate);
    expect(middle[0]).toBeCloseTo((one[0]! + two[0]!) / 2, 5);
    expect(Math.hypot(...middle.subarray(3, 7))).toBeCloseTo(1, 5);
    expect(posesAt(film, 99)).toEqual(posesAt(film, durationOf(film)));
  });

  it("moves the centre of a stone to its pose", () => {
    const now = posesAt(film, durationOf(film));
    const transform = transformTo(film, now, 2);
    const [x, y, z] = film.poses.subarray(14, 17) as unknown as [number, number, number];
    for (const axis of [0, 1, 2]) {
      const [a, b, c, d] = transform.subarray(4 * axis, 4 * axis + 4) as unknown as [
        number,
        number,
        number,
        number,
      ];
      expect(a * x + b * y + c * z + d).toBeCloseTo(now[14 + axis]!, 4);
    }
  });

  it("is null if nothing moves, or if the bytes are invalid", () => {
    expect(decodeFilm(new ArrayBuffer(3))).toBeNull();
    expect(decodeFilm(new ArrayBuffer(40))).toBeNull();
    expect(decodeFilm(new TextEncoder().encode("fall\x50\0\0\0\x1e\0").buffer)).toBeNull();
  });
});
