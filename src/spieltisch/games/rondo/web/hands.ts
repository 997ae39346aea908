/** What a tap or a key on a field, or on a stone of the rack, does to a turn. */
import type { BoardProps } from "#web/games/props";
import { lights, onField, pickedIn, pointAt, tapStone, withStones } from "./pick";
import { readView, stonesOn } from "./stones";

/** Lays on a field, or asks what to lay there; otherwise it is asked for all the same, and so why it cannot be. */
export function lay(props: BoardProps, name: string): void {
  const { choices, narrowed } = props;
  if (lights(choices, narrowed).has(name)) {
    const found = pointAt(choices, narrowed, name);
    if (found.length === 1) props.choose(found[0]!.text);
    else props.narrow(found);
  } else if (pickedIn(choices, narrowed).kind === "field" && onField(choices, name).length)
    props.narrow(pointAt(choices, null, name));
  else if (choices.length) refuse(props, name);
}

function refuse(props: BoardProps, name: string): void {
  const picked = pickedIn(props.choices, props.narrowed);
  const first = stonesOn(readView(props.view), props.seat)[0];
  if (picked.kind === "stones")
    props.choose(
      `${name}:${picked.down ? picked.letter.toLowerCase() : picked.letter.repeat(picked.number)}`,
    );
  else if (first) props.choose(`${name}:${first.toLowerCase()}`);
}

/** The stone at a place of the rack. */
export function takeStone(props: BoardProps, place: number): void {
  const rack = stonesOn(readView(props.view), props.seat);
  const letter = rack[place];
  if (!letter) return;
  const picked = pickedIn(props.choices, props.narrowed);
  const raised =
    picked.kind === "stones" && picked.letter === letter && place - rack.indexOf(letter) < picked.number;
  props.narrow(tapStone(props.choices, props.narrowed, letter, raised));
}

export function turnOver({ choices, narrowed, narrow }: BoardProps): void {
  const picked = pickedIn(choices, narrowed);
  if (picked.kind === "stones" && picked.number === 1)
    narrow(withStones(choices, picked.letter, 1, !picked.down));
}
