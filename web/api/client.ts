/** Requests to the server: an answer, a refusal with its sentence, or nobody there. */
import { locale } from "../i18n/catalogue.svelte";
import { bearer, renew, settle } from "./token";
import type { Inside, Refusal } from "./types";

export class Refused extends Error {
  readonly code: string;
  readonly rule: string | null;
  readonly after: number | null;

  constructor(
    readonly refusal: Refusal,
    readonly status: number,
    after: string | null,
  ) {
    super(refusal.message);
    this.code = refusal.code;
    this.rule = refusal.rule ?? null;
    this.after = after ? Number(after) : null;
  }

  /** Whether the same request may succeed later. */
  get passing(): boolean {
    return this.status === 503 || this.status === 429;
  }
}

/** No answer came: the server or the network is away. */
export class Unreachable extends Error {}

export interface Asked {
  body?: unknown;
  method?: string;
  query?: Record<string, string | number | null | undefined>;
  signal?: AbortSignal;
}

export function address(path: string, query: Asked["query"] = {}): string {
  const found = new URLSearchParams({ language: locale.language });
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined) found.set(name, String(value));
  return `/api/${path}?${found.toString()}`;
}

export async function request(path: string, { body, method, query, signal }: Asked = {}): Promise<Response> {
  const headers = new Headers();
  const secret = bearer();
  if (secret) headers.set("authorization", `Bearer ${secret}`);
  if (body !== undefined) headers.set("content-type", "application/json");
  let response: Response;
  try {
    response = await fetch(address(path, query), {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers,
      cache: "no-store",
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Unreachable();
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

async function refusal(response: Response): Promise<Error> {
  try {
    return new Refused(
      (await response.json()) as Refusal,
      response.status,
      response.headers.get("retry-after"),
    );
  } catch {
    return new Unreachable(); // a proxy that stands before a server which is away
  }
}

export async function ask<T>(path: string, asked?: Asked): Promise<T> {
  const response = await request(path, asked);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** An answer in a game's own form; null where it is empty. */
export async function bytes(path: string, asked?: Asked): Promise<ArrayBuffer | null> {
  const response = await request(path, asked);
  return response.status === 204 ? null : response.arrayBuffer();
}

/** A closer look at a position. */
export async function look(path: string, asked?: Asked): Promise<unknown> {
  return (await ask<Inside>(path, asked)).inside;
}

export async function read(path: string, asked?: Asked): Promise<string> {
  return (await request(path, asked)).text();
}

/** A request that introduces this browser: its answer sets the cookie. Where the cookie was lost, a new secret is made. */
export async function introduce<T>(path: string, body: unknown): Promise<T> {
  try {
    return await introduced<T>(path, body);
  } catch (error) {
    if (!(error instanceof Refused && error.code === "not-yours" && bearer() === null)) throw error;
    renew();
    return introduced<T>(path, body);
  }
}

async function introduced<T>(path: string, body: unknown): Promise<T> {
  const answer = await ask<T>(path, { body });
  settle();
  return answer;
}
