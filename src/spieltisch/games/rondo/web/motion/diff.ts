/** Diff of two views. */
import { isCovered, rackStones, type Field, type Letter, type View } from "../view";

/** A field that was covered, and the slot of the rack that its stone came from; null for a hidden rack. */
export interface PlacedStone {
  field: string;
  seat: number;
  slot: number | null;
}

/** A stone that was drawn from the bag, and its slot on the rack; null for a hidden rack. */
export interface DrawnStone {
  seat: number;
  slot: number | null;
}

export interface ViewDiff {
  /** In the order of the chain. */
  placed: PlacedStone[];
  drawn: DrawnStone[];
}

const letterOf = (field: Field): Letter | null =>
  (field.bridge === null ? field.colour : field.hidden) as Letter | null;

const slotOf = (rack: readonly Letter[], letter: Letter | null | undefined): number | null => {
  const slot = letter ? rack.lastIndexOf(letter) : -1;
  return slot < 0 ? null : slot;
};

/** Multiset difference of two lists of letters. */
function subtract(letters: readonly Letter[], others: readonly (Letter | null)[]): Letter[] {
  const left = [...letters];
  for (const letter of others) {
    const at = letter ? left.indexOf(letter) : -1;
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

export function diffViews(before: View, after: View, chain: readonly string[]): ViewDiff {
  const covered = new Set(before.fields.filter(isCovered).map(({ name }) => name));
  const fresh = after.fields
    .filter((field) => isCovered(field) && !covered.has(field.name))
    .map((field) => ({ field, seat: field.bridge ?? before.seat }))
    .sort((one, other) => chain.indexOf(one.field.name) - chain.indexOf(other.field.name));
  const placed = fresh.map(({ field, seat }) => ({
    field: field.name,
    seat,
    slot: slotOf(rackStones(before, seat), letterOf(field)),
  }));
  const fromBag = before.bag.size - after.bag.size;
  const drawn = after.racks.flatMap((rack, seat) => {
    const gone = fresh
      .filter((one) => one.seat === seat)
      .flatMap(({ field }) => Array<Letter | null>(field.face_up || 1).fill(letterOf(field)));
    const grown = rack.size - (before.racks[seat]?.size ?? 0) + gone.length;
    const count = Math.max(0, Math.min(fromBag, grown));
    const letters = subtract(rackStones(after, seat), subtract(rackStones(before, seat), gone));
    return Array.from({ length: count }, (_, at) => ({
      seat,
      slot: slotOf(rackStones(after, seat), letters[at]),
    }));
  });
  return { placed, drawn };
}
