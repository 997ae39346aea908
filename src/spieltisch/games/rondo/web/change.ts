/** What differs between two views of a game. */
import type { RondoView } from "#web/wire/types";
import { covered } from "./stones";

export interface Changes {
  /** Fields that stones came to, in the order of the chain, and whose they were. */
  laid: { name: string; whose: number }[];
  /** The seats that drew, once for every stone. */
  drawn: number[];
}

export function changes(before: RondoView, now: RondoView, chain: readonly string[]): Changes {
  const lay = new Set(before.fields.filter(covered).map(({ name }) => name));
  const fresh = now.fields.filter((field) => covered(field) && !lay.has(field.name));
  const laid = fresh
    .map((field) => ({ name: field.name, whose: field.bridge ?? before.seat, stones: field.face_up || 1 }))
    .sort((one, other) => chain.indexOf(one.name) - chain.indexOf(other.name));
  const left = before.bag.size - now.bag.size;
  const drawn = now.racks.flatMap((rack, seat) => {
    const gone = laid.filter(({ whose }) => whose === seat).reduce((sum, { stones }) => sum + stones, 0);
    const gained = rack.size - (before.racks[seat]?.size ?? 0) + gone;
    return left > 0 ? Array<number>(Math.max(0, Math.min(left, gained))).fill(seat) : [];
  });
  return { laid: laid.map(({ name, whose }) => ({ name, whose })), drawn };
}
