/**
 * The commitments of a table as this browser first saw them. The server is not asked again what it promised: whatever it
 * sends later is compared with what is kept here.
 */
import type { TableView } from "../api/types";
import { storage } from "../storage";
import { hashHex, loadNonce, removeNonce } from "./nonces";

export interface KeptCommitments {
  /** The hash of the server's secret of every game of the match. */
  commits: string[];
  /** Whether the starting seat is to be drawn. */
  drawn: boolean;
  /** Whether they were kept before the first draw. */
  early: boolean;
  /** The hash of every seat's nonce, once all seats are taken; null before. */
  seats: (string | null)[] | null;
  /** This browser's nonces by seat. */
  own: Record<number, string>;
  /** Whether the server has sent other commitments since. */
  changed: boolean;
}

const LIMIT = 60; // tables

/** Keeps the commitments of a table, or compares them with those that are kept; null if the match was over before. */
export function keepCommitments(table: string, view: TableView): KeptCommitments | null {
  const before = loadCommitments(table);
  if (!before && view.status === "over") return null;
  const kept = before ? compare(before, view) : start(view);
  if (JSON.stringify(kept) !== JSON.stringify(before)) {
    storage.save(`fair.${table}`, kept);
    forgetOldest(table);
  }
  return kept;
}

export function loadCommitments(table: string): KeptCommitments | null {
  return storage.load<KeptCommitments>(`fair.${table}`);
}

function start({ fair, status, you }: TableView): KeptCommitments {
  const early = status === "gathering" || status === "revealing";
  return {
    commits: fair.commits,
    drawn: fair.drawn,
    early,
    seats: status === "gathering" ? null : fair.commitments,
    own: ownNonces(fair.commitments, you),
    changed: false,
  };
}

function compare(kept: KeptCommitments, { fair, status, you }: TableView): KeptCommitments {
  const gathering = status === "gathering" && !kept.seats;
  const mine = ownNonces(fair.commitments, you);
  const replaced = Object.entries(kept.own).some(
    ([seat, nonce]) =>
      you.includes(Number(seat)) &&
      mine[Number(seat)] === undefined &&
      fair.commitments[Number(seat)] !== hashHex(nonce),
  );
  const changed =
    replaced ||
    fair.drawn !== kept.drawn ||
    !equal(fair.commits, kept.commits) ||
    (kept.seats !== null && !equal(fair.commitments, kept.seats));
  return {
    ...kept,
    seats: kept.seats ?? (gathering ? null : fair.commitments),
    own: gathering && !replaced ? mine : { ...mine, ...kept.own },
    changed: kept.changed || changed,
  };
}

function ownNonces(
  commitments: TableView["fair"]["commitments"],
  you: readonly number[],
): Record<number, string> {
  const found: Record<number, string> = {};
  for (const seat of you) {
    const nonce = loadNonce(commitments[seat] ?? "");
    if (nonce) found[seat] = nonce;
  }
  return found;
}

function equal(a: readonly (string | null)[], b: readonly (string | null)[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}

/** Forgets the tables that were seen longest ago. */
function forgetOldest(latest: string): void {
  const known = [latest, ...(storage.load<string[]>("fair") ?? []).filter((table) => table !== latest)];
  for (const table of known.slice(LIMIT)) {
    for (const nonce of Object.values(loadCommitments(table)?.own ?? {})) removeNonce(hashHex(nonce));
    storage.remove(`fair.${table}`);
  }
  storage.save("fair", known.slice(0, LIMIT));
}
