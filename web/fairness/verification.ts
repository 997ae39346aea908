/** What this browser can say about chance at a table, from what it kept, what it saw, and what was revealed at the end. */
import type { EventView, TableView } from "../api/types";
import type { MessageKey } from "../i18n/catalogue.svelte";
import type { Arguments } from "../i18n/format";
import type { ChanceModel } from "./chance";
import type { KeptCommitments } from "./commitments";
import { recompute } from "./draws";
import { hashHex } from "./nonces";
import type { RecordedGame } from "./record";

/** `proven` by this browser, `open` because it cannot know, or `wrong`. */
export type Level = "proven" | "open" | "wrong";

export interface Finding {
  level: Level;
  key: MessageKey;
  given?: Arguments;
}

export interface Evidence {
  table: TableView;
  kept: KeptCommitments | null;
  /** The record, which the server sends after a game. */
  record: readonly RecordedGame[];
  /** What happened, as this page has shown it. */
  events: readonly EventView[];
  /** Null if the game does not say what chance can draw. */
  model: ChanceModel | null;
}

/** The worst level of the findings. */
export function worstLevel(findings: readonly Finding[]): Level {
  return (
    (["wrong", "open"] as const).find((level) => findings.some((one) => one.level === level)) ?? "proven"
  );
}

/** Everything that was checked of the games that are over. */
export function verifyFairness(evidence: Evidence): Finding[] {
  const { table, record } = evidence;
  if (record.length !== (table.number ?? -1) + 1 || record.some(({ secret }) => secret === null))
    return [wrong("fair.secret.missing")];
  return [checkSecrets(evidence), ...checkNonces(evidence), ...checkDraws(evidence), checkLog(evidence)];
}

const proven = (key: MessageKey, given?: Arguments): Finding => ({
  level: "proven",
  key,
  ...(given && { given }),
});
const open = (key: MessageKey, given?: Arguments): Finding => ({
  level: "open",
  key,
  ...(given && { given }),
});
const wrong = (key: MessageKey, given?: Arguments): Finding => ({
  level: "wrong",
  key,
  ...(given && { given }),
});

/** The secrets are those that the server committed to, as far as this browser knows its commitments. */
function checkSecrets({ table: { fair }, kept, record }: Evidence): Finding {
  if (kept?.changed) return wrong("fair.changed");
  const commits = kept?.commits ?? fair.commits;
  const matches = record.every(
    ({ secret, commit }, game) => hashHex(secret!) === commits[game] && commit === commits[game],
  );
  if (!matches) return wrong("fair.secret.wrong");
  if (!kept) return open("fair.secret.unknown");
  return kept.early ? proven("fair.secret.kept") : open("fair.secret.late");
}

/** The nonces are those that were announced, and one of this browser's is among them. */
function checkNonces({ table: { fair, you, seats }, kept, record }: Evidence): Finding[] {
  const findings: Finding[] = [];
  const commitments = kept?.seats ?? fair.commitments;
  const used = (seat: number): string[] => record.map(({ nonces }) => nonces[seat] ?? "");
  const names = (found: number[]): string => found.map((seat) => seats[seat]!.name).join(", ");
  const places = seats.map((_, seat) => seat);

  const foreign = places.filter((seat) =>
    used(seat).some((nonce) => nonce !== "" && hashHex(nonce) !== commitments[seat]),
  );
  if (foreign.length) findings.push(wrong("fair.nonce.other", { names: names(foreign) }));
  const own = Object.entries(kept?.own ?? {}).map(([seat, nonce]) =>
    used(Number(seat)).every((one) => one === nonce),
  );
  if (own.length && own.every(Boolean) && kept?.early) findings.push(proven("fair.nonce.own"));
  else if (!foreign.length) findings.push(open(you.length ? "fair.nonce.without" : "fair.nonce.watching"));
  const silent = places.filter(
    (seat) => commitments[seat] && !you.includes(seat) && used(seat).every((nonce) => nonce === ""),
  );
  if (silent.length) findings.push(open("fair.nonce.silent", { names: names(silent) }));
  return findings;
}

/** The draws, and who was drawn to start, follow from the secrets and the nonces. */
function checkDraws({ kept, record, model }: Evidence): Finding[] {
  if (!model) return [open("fair.draws.unknown")];
  let draws = 0;
  let starter: boolean | null = null;
  for (const [index, game] of record.entries()) {
    const found = recompute(game, index, game.secret!, model);
    if (found.wrongDraw !== null)
      return [wrong("fair.draws.wrong", { number: found.wrongDraw + 1, game: index + 1 })];
    draws += found.draws;
    if (index === 0) starter = found.starter;
    else if (game.first !== (record[0]!.first + index) % game.players) starter = false;
  }
  if (starter === false || (starter === null && kept?.drawn))
    return [proven("fair.draws", { draws }), wrong("fair.starter.wrong")];
  return [proven(starter ? "fair.draws.starter" : "fair.draws", { draws })];
}

/** The record is the game that this page has shown, line by line; a hidden part of a line may be anything. */
function checkLog({ table, record, events }: Evidence): Finding {
  for (const [index, game] of record.entries()) {
    const seen = events.filter((event) => event.game === index && LOGGED.has(event.kind));
    const whole = events.some((event) => event.game === index && event.kind === "begin");
    const log = game.entries.slice(-seen.length || game.entries.length);
    const same =
      game.game === table.game &&
      game.players === table.players &&
      (!whole || game.entries.length === seen.length) &&
      seen.every((event, at) => {
        const entry = log[at];
        if (!entry) return false;
        if ("undone" in entry)
          return event.kind === "undo" && Number(event.text.split(" ").at(-1)) === entry.undone;
        return event.kind !== "undo" && entry.seat === event.seat && couldBe(event.text, entry.text);
      });
    if (!same) return wrong("fair.log.wrong", { game: index + 1 });
  }
  return proven("fair.log");
}

const LOGGED = new Set(["move", "draw", "undo"]);

/** Whether a text is one of which this viewer saw `seen`, with `?` for what was hidden. */
function couldBe(seen: string, text: string): boolean {
  if (!seen.includes("?")) return seen === text;
  const parts = seen.split("?");
  return text.length >= seen.length && text.startsWith(parts[0]!) && text.endsWith(parts.at(-1)!);
}
