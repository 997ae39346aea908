/** Commands of the people at a table, apart from the moves of the game. */
import { requestJson, startSession } from "../../api/client";
import { commitNonce } from "../../fairness/nonces";
import { outbox } from "../../api/outbox.svelte";
import type { AvatarName } from "../../art/avatars/looks";
import { makeIdempotencyKey } from "../../api/token";
import type { CommandResult } from "../../api/types";
import type { RequestState } from "./requests.svelte";
import type { TableSession } from "./session.svelte";

export class TableCommands {
  constructor(
    readonly session: TableSession,
    readonly requests: RequestState,
    /** The code of the invitation; empty without one. */
    readonly code: string,
  ) {}

  /** Joins the table at a seat, or at any free one; returns whether that succeeded. Without an avatar, that of the match before. */
  async join(name: string, seat: number | null = null, avatar: AvatarName | null = null): Promise<boolean> {
    const body = { key: makeIdempotencyKey(), name, seat, avatar, code: this.code, commit: commitNonce() };
    const done = await this.requests.run(() =>
      outbox.ask(() => startSession<CommandResult>(`tables/${this.session.name}/join`, body)),
    );
    if (done) this.session.reload();
    return done !== null;
  }

  /** Gives a seat to a bot, or opens it for a person. */
  assignSeat(seat: number, player: string | null): Promise<unknown> {
    return this.#send("seats", { seat, player });
  }

  /** Adds open seats, or removes the last ones. */
  resize(players: number): Promise<unknown> {
    return this.#send("players", { players });
  }

  start = (): Promise<unknown> => this.#send("start");
  /** Starts the next game of the match. */
  startNextGame = (): Promise<unknown> => this.#send("continue");
  undo = (): Promise<unknown> =>
    this.#send("undo", { seat: this.session.seat, version: this.session.version });
  resign = (): Promise<unknown> => this.#send("resign", { seat: this.session.seat });
  leave = (): Promise<unknown> => this.#send("leave", { seat: this.session.seat });
  /** Lets a bot play for this seat. */
  lendSeat = (): Promise<unknown> => this.#send("lend", { seat: this.session.seat });
  takeSeatBack = (): Promise<unknown> => this.#send("return", { seat: this.session.seat });
  /** Asks everybody whether a bot shall play for somebody who is away. */
  proposeStandIn = (about: number): Promise<unknown> =>
    this.#send("stand-in", { seat: this.session.seat, about });
  vote = (seat: number, yes: boolean): Promise<unknown> =>
    this.#send("answer", { seat, version: this.session.version, yes });

  /** Lets everybody who has the link see the finished match, or ends that. */
  share(shown: boolean): Promise<unknown> {
    return this.#send("share", { seat: this.session.seat, shown });
  }

  /** Opens a table for a rematch, or for another game; returns its name, or null if that failed. */
  async rematch(game: string | null = null): Promise<string | null> {
    return (await this.#send("rematch", game === null ? {} : { game }))?.table ?? null;
  }

  /** Deletes the table; returns whether that succeeded. */
  async remove(): Promise<boolean> {
    const done = await this.requests.run(async () => {
      await requestJson<undefined>(`tables/${this.session.name}`, { method: "DELETE" });
      return true;
    });
    return done ?? false;
  }

  #send(command: string, body: Record<string, unknown> = {}): Promise<CommandResult | null> {
    return this.requests.run(() =>
      outbox.send<CommandResult>(`tables/${this.session.name}/${command}`, body),
    );
  }
}
