/** Fixture for the tests: a film that the physics engine recorded, and its stones. */
import type { Cube, Stone } from "../../view";
import fixture from "./film.json";
import { unpackFilm } from "./film";

export const FIXTURE = fixture;

export const cube = ([x, y, z]: number[]): Cube => ({ x: x!, y: y!, z: z!, colour: "natural" });

const packed = Uint8Array.from(atob(fixture.packed), (letter) => letter.charCodeAt(0)).buffer;
export const film = (await unpackFilm(packed))!;

export const FOUNDATION: Stone = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [1, 1, 0],
].map(cube);
export const stones: Stone[] = [FOUNDATION, ...fixture.stones.map((cells) => cells.map(cube))];
