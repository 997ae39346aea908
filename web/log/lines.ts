/** Lines of the log: events grouped by turn, without what was undone. */
import type { EventView } from "../api/types";

export type LoggedEvent = Pick<EventView, "number" | "kind" | "seat" | "text" | "words" | "turn" | "back">;
export type Turn = NonNullable<EventView["turn"]>;

/** A turn, or the deal if it is nobody's. */
export interface TurnLine {
  kind: "turn";
  number: number;
  turn: Turn;
  /** Its events, for the exact notation. */
  steps: LoggedEvent[];
}

/** Anything else that happened. */
export interface NoteLine {
  kind: "note";
  number: number;
  event: LoggedEvent;
  /** Of an undo: the turns that were taken back. */
  undone: TurnLine[];
}

export type LogLine = TurnLine | NoteLine;

const isAction = ({ kind }: LoggedEvent): boolean => kind === "move" || kind === "draw";

/** Groups events into lines; the number of a line is that of its first event. */
export function listLines(events: readonly LoggedEvent[]): LogLine[] {
  const lines: LogLine[] = [];
  let draws: LoggedEvent[] = []; // whose turn is told with a later event
  for (const event of events) {
    if (isAction(event) && !event.turn) draws.push(event);
    else if (isAction(event)) {
      addToTurn(lines, event.turn!, [...draws, event]);
      draws = [];
    } else {
      const undone = event.kind === "undo" ? takeBack(lines, event.back ?? Infinity) : [];
      lines.push({ kind: "note", number: event.number, event, undone });
    }
  }
  return lines;
}

function addToTurn(lines: LogLine[], turn: Turn, events: LoggedEvent[]): void {
  const at = lines.findLastIndex((line) => line.kind === "turn" && line.number === turn.first);
  const before = at < 0 ? [] : (lines[at] as TurnLine).steps;
  const line: TurnLine = { kind: "turn", number: turn.first, turn, steps: [...before, ...events] };
  if (at < 0) lines.push(line);
  else lines[at] = line;
}

/** Removes the events from a number on from the turns, and returns the turns that are gone. */
function takeBack(lines: LogLine[], from: number): TurnLine[] {
  const gone: TurnLine[] = [];
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at]!;
    if (line.kind !== "turn" || line.steps.at(-1)!.number < from) continue;
    gone.unshift(line);
    const steps = line.steps.filter(({ number }) => number < from);
    const turn = steps.findLast((step) => step.turn)?.turn;
    if (turn) lines[at] = { ...line, turn, steps };
    else lines.splice(at, 1);
  }
  return gone;
}

/** The turns of the current game, without the deal. */
export function currentTurns(lines: readonly LogLine[]): TurnLine[] {
  const start = lines.findLastIndex((line) => line.kind === "note" && line.event.kind === "begin");
  return lines
    .slice(start + 1)
    .filter((line): line is TurnLine => line.kind === "turn" && line.turn.seat !== null);
}

/** The others' turns since a seat's last one; for a spectator, a round. */
export function turnsSince(lines: readonly LogLine[], seat: number | null, players: number): TurnLine[] {
  const turns = currentTurns(lines);
  if (seat === null) return turns.slice(-players);
  const mine = turns.findLastIndex(({ turn }) => turn.seat === seat && turn.complete);
  return turns.slice(mine + 1).filter(({ turn }) => turn.seat !== seat);
}

/** The seat to move, if it was given a hint in this turn; else null. */
export function hintedSeat(
  events: readonly Pick<LoggedEvent, "kind" | "seat">[],
  turn: number | null,
): number | null {
  const last = events.findLast(
    ({ kind, seat }) =>
      kind === "hinted" || kind === "undo" || kind === "begin" || (kind === "move" && seat !== turn),
  );
  return last?.kind === "hinted" && last.seat === turn ? turn : null;
}

/** The mark that a seat's last turn leaves on the board, in the format of the game. */
export interface SeatMark {
  seat: number;
  mark: unknown;
}

/** The marks of everybody's last turn, the latest last. */
export function lastMarks(lines: readonly LogLine[]): SeatMark[] {
  const marks = new Map<number, unknown>();
  for (const { turn } of currentTurns(lines)) {
    marks.delete(turn.seat!);
    marks.set(turn.seat!, turn.mark);
  }
  return [...marks]
    .filter(([, mark]) => mark !== null && mark !== undefined)
    .map(([seat, mark]) => ({ seat, mark }));
}

export const wordsOfTurn = ({ parts }: Turn): string => parts.map(({ text }) => text).join("");

export const wordsOf = (line: LogLine): string =>
  line.kind === "note" ? line.event.words : wordsOfTurn(line.turn);

/** The last turn in words, for a tray without choices; the last event if there is none. */
export function lastWords(events: readonly Pick<LoggedEvent, "words" | "turn">[]): string {
  const last = events.findLast(({ turn }) => turn)?.turn;
  return last ? wordsOfTurn(last) : (events.at(-1)?.words ?? "");
}
