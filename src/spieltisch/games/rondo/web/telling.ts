/** A field in a sentence, for whoever hears the board. */
import type { RondoField } from "#web/api/types";
import { lower, placeOf, say } from "./words";

export function sentenceOf(field: RondoField, names: readonly string[], beside: readonly string[]): string {
  const place = placeOf(field.name);
  const near = beside.map(placeOf);
  const colour = lower(field.colour);
  if (field.face_up) return say("field.up", { place, colour, stones: field.face_up, near });
  if (field.bridge !== null && field.hidden)
    return say("field.known", { place, colour: lower(field.hidden), near });
  if (field.bridge !== null) return say("field.down", { place, name: names[field.bridge] ?? "", near });
  const grey = field.grey ? "yes" : "no";
  return say("field.free", { place, colour, value: field.value, grey, near });
}
