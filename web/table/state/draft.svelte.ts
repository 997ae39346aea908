/** The draft of a turn: the actions chosen so far, where they lead, and what can be chosen next. */
import { requestJson, type RequestOptions } from "../../api/client";
import { outbox } from "../../api/outbox.svelte";
import type { Choice, CommandResult, DraftPreview, Hint } from "../../api/types";
import { settings } from "../../settings.svelte";
import type { RequestState } from "./requests.svelte";
import type { TableSession } from "./session.svelte";

const PREVIEW_TIMEOUT = 30_000; // milliseconds; advice may take long

export class Draft {
  actions = $state.raw<string[]>([]);
  preview = $state.raw<DraftPreview | null>(null);
  /** The choices that remain after one thing was selected on the board; null for all. */
  narrowed = $state.raw<Choice[] | null>(null);
  hint = $state.raw<Hint | null>(null);
  /** Whether the turn has been sent without a preview: nothing more can be chosen. */
  #sent = $state(false);
  /** Gives up the preview that is waited for. */
  #waiting = $state.raw<AbortController | null>(null);

  constructor(
    readonly session: TableSession,
    readonly requests: RequestState,
    /** The person has chosen an action. */
    readonly chosen: (action: string) => void = () => {},
  ) {}

  readonly choices = $derived.by<Choice[]>(() => {
    if (this.#sent) return [];
    return this.preview ? this.preview.choices : (this.session.position?.choices ?? []);
  });
  readonly complete = $derived.by(() => this.#sent || (this.preview?.complete ?? false));
  /** Whether a choice waits for the connection: until then it can be taken back. */
  readonly waiting = $derived.by(() => this.#waiting !== null && outbox.retrying > 0);
  /** The view after the draft. */
  readonly view = $derived.by(() => this.preview?.view ?? this.session.position?.view ?? null);
  /** The position after the draft, in sentences. */
  readonly description = $derived.by(() => this.preview?.told ?? this.session.position?.told ?? []);

  /** Adds an action; a turn that is complete is played, unless the person wants to confirm it. */
  async choose(action: string): Promise<void> {
    if (this.requests.busy) return;
    this.chosen(action);
    const actions = [...this.actions, action];
    if (this.#endsTurn(action) && !settings.confirm) return this.#playDirectly(actions);
    const preview = await this.#setActions(actions);
    if (preview?.complete && !settings.confirm) await this.play();
  }

  async takeBack(): Promise<void> {
    if (this.requests.busy) return this.#waiting?.abort();
    if (this.actions.length <= 1) this.clear();
    else await this.#setActions(this.actions.slice(0, -1));
  }

  clear(): void {
    this.#waiting?.abort();
    this.actions = [];
    this.preview = null;
    this.hint = null;
    this.narrowed = null;
    this.#sent = false;
  }

  /** Limits the choices to these; null for all. */
  narrow = (choices: Choice[] | null): void => {
    this.narrowed = choices?.length ? choices : null;
  };

  /** Where actions would lead; neither the table nor the draft changes. */
  loadPreview = (actions: string[], options: RequestOptions = {}): Promise<DraftPreview> => {
    const { name, seat, version } = this.session;
    const body = { seat, version, draft: actions };
    return requestJson<DraftPreview>(`tables/${name}/preview`, { body, ...options });
  };

  async play(): Promise<void> {
    await this.#send(this.actions);
  }

  async loadHint(): Promise<void> {
    const { name, seat, version } = this.session;
    const body = { seat, version, draft: this.actions };
    const hint = await this.requests.run(() => requestJson<Hint>(`tables/${name}/hint`, { body }));
    if (hint && hint.version >= this.session.draftable) this.hint = hint;
  }

  async #setActions(actions: string[]): Promise<DraftPreview | null> {
    const waiting = (this.#waiting = new AbortController());
    const options = { signal: waiting.signal, timeout: PREVIEW_TIMEOUT };
    const preview = await this.requests.run(() =>
      outbox.ask(() => this.loadPreview(actions, options), waiting.signal),
    );
    if (this.#waiting === waiting) this.#waiting = null;
    if (!preview || preview.version < this.session.draftable) return null;
    this.actions = actions;
    this.preview = preview;
    this.hint = null;
    this.narrowed = null;
    return preview;
  }

  #endsTurn(action: string): boolean {
    const choice = this.choices.find(({ text }) => text === action);
    return choice?.ends === true;
  }

  /** Plays a turn without asking first where it leads; if that fails, everything is as before. */
  async #playDirectly(actions: string[]): Promise<void> {
    const { hint, narrowed } = this;
    this.hint = null;
    this.narrowed = null;
    this.#sent = true;
    if (await this.#send(actions)) return;
    const unchanged = this.#sent; // else an update has cleared the draft
    this.#sent = false;
    if (unchanged) Object.assign(this, { hint, narrowed });
  }

  async #send(actions: string[]): Promise<boolean> {
    const { name, seat, version } = this.session;
    const body = { seat, version, draft: actions };
    return (
      (await this.requests.run(() => outbox.send<CommandResult>(`tables/${name}/actions`, body))) !== null
    );
  }
}
