/** Fixture for the tests: boards with stones on them. */
import builtIn from "../../board.json";
import { emptyView, type BoardFile } from "./board-file";
import type { View } from "../view";

const board = builtIn as unknown as BoardFile;

/** The built-in board with stones on it: "AE:P" places one face up, "I4:?" one face down. */
export function viewWithStones(stones: string): View {
  const view = { ...emptyView("", board, "blue"), phase: "turn" as const };
  const placed = new Map(
    stones
      .split(" ")
      .filter(Boolean)
      .map((one) => one.split(":") as [string, string]),
  );
  return {
    ...view,
    fields: view.fields.map((field) => {
      const letters = placed.get(field.name);
      if (!letters) return field;
      return letters === "?" ? { ...field, bridge: 0 } : { ...field, face_up: letters.length };
    }),
  };
}
