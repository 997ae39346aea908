/** Selection commands: what a tap or a key on a field or on a stone of the rack does. */
import type { BoardProps } from "#web/games/props";
import {
  choicesOnField,
  choicesWithStones,
  highlightFields,
  inferSelection,
  selectField,
  toggleStone,
} from "../choices";
import { rackStones, type View } from "../view";

/** Places on a field, or narrows the choices to it; on any other field it sends an illegal choice, since the refusal says why. */
export function pressField(props: BoardProps, name: string): void {
  const { choices, narrowed } = props;
  if (highlightFields(choices, narrowed).has(name)) {
    const found = selectField(choices, narrowed, name);
    if (found.length === 1) props.choose(found[0]!.text);
    else props.narrow(found);
  } else if (inferSelection(choices, narrowed).kind === "field" && choicesOnField(choices, name).length)
    props.narrow(selectField(choices, null, name));
  else if (choices.length) requestRefusal(props, name);
}

function requestRefusal(props: BoardProps, name: string): void {
  const selection = inferSelection(props.choices, props.narrowed);
  const first = rackStones(props.view as View, props.seat)[0];
  if (selection.kind === "stones") {
    const { letter, count, faceDown } = selection;
    props.choose(`${name}:${faceDown ? letter.toLowerCase() : letter.repeat(count)}`);
  } else if (first) props.choose(`${name}:${first.toLowerCase()}`);
}

/** Selects or deselects the stone in a slot of the rack. */
export function pressRackSlot(props: BoardProps, slot: number): void {
  const rack = rackStones(props.view as View, props.seat);
  const letter = rack[slot];
  if (!letter) return;
  const selection = inferSelection(props.choices, props.narrowed);
  const selected =
    selection.kind === "stones" &&
    selection.letter === letter &&
    slot - rack.indexOf(letter) < selection.count;
  props.narrow(toggleStone(props.choices, props.narrowed, letter, selected));
}

/** Turns a single selected stone face down, or face up again. */
export function flipStone({ choices, narrowed, narrow }: BoardProps): void {
  const selection = inferSelection(choices, narrowed);
  if (selection.kind === "stones" && selection.count === 1)
    narrow(choicesWithStones(choices, selection.letter, 1, !selection.faceDown));
}
