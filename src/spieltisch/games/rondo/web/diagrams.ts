/** Diagrams of the rules. */
import type { Diagram } from "#web/games/props";
import type { Choice } from "#web/api/types";
import builtIn from "../board.json";
import { emptyView, type BoardFile } from "./layout/board-file";
import type { View } from "./view";
import { say } from "./words";

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

const choice = (text: string): Choice => ({ text, words: "", paths: [], ends: false });

/** An unfinished chain: the stones placed before it, its own placements, and the choices to continue it. */
function unfinishedChain(
  before: string,
  chain: string,
  open: string,
): Pick<Diagram, "view" | "choices" | "draft"> {
  const fields = chain.split(" ");
  return {
    view: { ...viewWithStones(`${before} ${chain}`), phase: "chain", last: fields.at(-1)!.split(":")[0]! },
    choices: open.split(" ").filter(Boolean).map(choice),
    draft: fields,
  };
}

export const DIAGRAMS: Diagram[] = [
  {
    after: 3,
    view: viewWithStones(""),
    choices: ["AW:R", "AN:r", "AE:r", "AS:r"].map(choice),
    caption: () => say("figure.start"),
  },
  { after: 5, ...unfinishedChain("AW:R", "AE:P I4:B I3:Y", "I2:P"), caption: () => say("figure.chain") },
  {
    after: 7,
    ...unfinishedChain("AW:R I12:P I13:B", "K13:? O26:GGG", "O25:R O27:P"),
    caption: () => say("figure.bridge"),
  },
  {
    after: 8,
    view: viewWithStones(
      "AN:B AE:P AS:Y AW:R I0:? I2:P I3:Y I4:B I5:G I7:? I8:R I9:G I12:P I13:B I15:P K5:P K7:B K13:? K15:R K1:? K3:G O10:B O14:R O24:P O25:? O26:GGG O28:R O29:Y O30:G O0:? O4:Y O8:GG O12:B O16:P O20:? O31:B O2:B O5:R O9:Y O15:G O17:Y O19:B",
    ),
    caption: () => say("figure.end"),
  },
];
