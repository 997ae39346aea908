/** Parser of a record's lines, as far as the proof of fair chance needs them. */

/** One line of the log: an action of chance (seat null) or of a seat. */
export interface RecordedAction {
  seat: number | null;
  text: string;
}

/** How many of the last actions were undone. */
export interface RecordedUndo {
  undone: number;
}

export interface RecordedGame {
  game: string;
  edition: string;
  players: number;
  first: number;
  /** Whether `first` was drawn, and not agreed on. */
  drawn: boolean;
  /** Options that are not the default; documents as JSON text. */
  options: Record<string, string>;
  commit: string | null;
  /** One per seat; empty if the seat revealed none. */
  nonces: string[];
  /** Null while the game is not over. */
  secret: string | null;
  entries: (RecordedAction | RecordedUndo)[];
}

const COMMENT = /(?:^|\s);.*$/;
const ACTION = /^(\*|\d+) (.+)$/;

/** The games of a record, in order. */
export function parseRecord(text: string): RecordedGame[] {
  const games: Record<string, string>[] = [];
  const entries: RecordedGame["entries"][] = [];
  for (const raw of text.split("\n")) {
    const line = raw.replace(COMMENT, "").trim();
    const action = ACTION.exec(line);
    const [key, ...rest] = line.split(/ +/);
    if (key === "game") {
      games.push({});
      entries.push([]);
    }
    const fields = games.at(-1);
    const log = entries.at(-1);
    if (!fields || !log || !key) continue;
    if (action) log.push({ seat: action[1] === "*" ? null : Number(action[1]), text: action[2]! });
    else if (key === "undo") log.push({ undone: Number(rest[0]) });
    else if (REPEATED.has(key))
      fields[`${key} ${rest[0]}`] = line.slice(line.indexOf(rest[0]!, key.length) + rest[0]!.length).trim();
    else fields[key] = rest.join(" ");
  }
  return games.map((fields, at) => makeGame(fields, entries[at]!));
}

const REPEATED = new Set(["option", "data", "seat", "nonce"]);

function makeGame(fields: Record<string, string>, entries: RecordedGame["entries"]): RecordedGame {
  const players = Number(fields.players);
  const options = Object.entries(fields)
    .filter(([key]) => key.startsWith("option "))
    .map(([key, value]) => [key.slice("option ".length), fields[`data ${value}`] ?? value]);
  return {
    game: fields.game ?? "",
    edition: fields.edition ?? "",
    players,
    first: Number(fields.first),
    drawn: fields.drawn === "first",
    options: Object.fromEntries(options) as Record<string, string>,
    commit: fields.commit ?? null,
    nonces: Array.from({ length: players }, (_, seat) => fields[`nonce ${seat}`] ?? ""),
    secret: fields.secret ?? null,
    entries,
  };
}
