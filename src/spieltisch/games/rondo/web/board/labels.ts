/** Labels of the fields for screen readers. */
import type { Field } from "../view";
import { colourCase, fieldName, say } from "../words";

export function describeField(field: Field, names: readonly string[], neighbours: readonly string[]): string {
  const place = fieldName(field.name);
  const near = neighbours.map(fieldName);
  const colour = colourCase(field.colour);
  if (field.face_up) return say("field.up", { place, colour, stones: field.face_up, near });
  if (field.bridge !== null && field.hidden)
    return say("field.known", { place, colour: colourCase(field.hidden), near });
  if (field.bridge !== null) return say("field.down", { place, name: names[field.bridge] ?? "", near });
  const grey = field.grey ? "yes" : "no";
  return say("field.free", { place, colour, value: field.value, grey, near });
}
