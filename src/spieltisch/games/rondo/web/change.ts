/** What differs between two views of a game. */
import type { RondoField, RondoView } from "#web/api/types";
import { covered, stonesOn, type Letter } from "./stones";

/** A stone that came to a field, and its place on the rack that it came from; null for a rack that is hidden. */
export interface Laid {
  name: string;
  whose: number;
  place: number | null;
}

/** A stone that somebody drew, and its place on the rack. */
export interface Drawn {
  whose: number;
  place: number | null;
}

export interface Changes {
  /** In the order of the chain. */
  laid: Laid[];
  drawn: Drawn[];
}

const letterOf = (field: RondoField): Letter | null =>
  (field.bridge === null ? field.colour : field.hidden) as Letter | null;

const placeOf = (rack: readonly Letter[], letter: Letter | null | undefined): number | null => {
  const place = letter ? rack.lastIndexOf(letter) : -1;
  return place < 0 ? null : place;
};

/** Letters without others, each taken away once. */
function without(letters: readonly Letter[], others: readonly (Letter | null)[]): Letter[] {
  const left = [...letters];
  for (const letter of others) {
    const at = letter ? left.indexOf(letter) : -1;
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

export function changes(before: RondoView, now: RondoView, chain: readonly string[]): Changes {
  const lay = new Set(before.fields.filter(covered).map(({ name }) => name));
  const fresh = now.fields
    .filter((field) => covered(field) && !lay.has(field.name))
    .map((field) => ({ field, whose: field.bridge ?? before.seat }))
    .sort((one, other) => chain.indexOf(one.field.name) - chain.indexOf(other.field.name));
  const laid = fresh.map(({ field, whose }) => ({
    name: field.name,
    whose,
    place: placeOf(stonesOn(before, whose), letterOf(field)),
  }));
  const left = before.bag.size - now.bag.size;
  const drawn = now.racks.flatMap((rack, whose) => {
    const gone = fresh
      .filter((one) => one.whose === whose)
      .flatMap(({ field }) => Array<Letter | null>(field.face_up || 1).fill(letterOf(field)));
    const number = Math.max(0, Math.min(left, rack.size - (before.racks[whose]?.size ?? 0) + gone.length));
    const letters = without(stonesOn(now, whose), without(stonesOn(before, whose), gone));
    return Array.from({ length: number }, (_, at) => ({
      whose,
      place: placeOf(stonesOn(now, whose), letters[at]),
    }));
  });
  return { laid, drawn };
}
