/** HTTP client: every request ends with a response, a RefusalError, or a NetworkError. */
import { locale } from "../i18n/catalogue.svelte";
import { bearerToken, confirmCookie, renewToken } from "./token";
import type { DetailsView, Refusal } from "./types";

/** The server refused the request, and says why in a sentence for people. */
export class RefusalError extends Error {
  readonly code: string;
  readonly rule: string | null;
  /** Seconds. */
  readonly retryAfter: number | null;

  constructor(
    readonly refusal: Refusal,
    readonly status: number,
    retryAfter: string | null,
  ) {
    super(refusal.message);
    this.code = refusal.code;
    this.rule = refusal.rule ?? null;
    this.retryAfter = retryAfter ? Number(retryAfter) : null;
  }

  /** Whether the same request may succeed later. */
  get retryable(): boolean {
    return this.status === 503 || this.status === 429;
  }
}

/** No response came: the server or the network is down. */
export class NetworkError extends Error {}

export interface RequestOptions {
  body?: unknown;
  method?: string;
  query?: Record<string, string | number | null | undefined>;
  signal?: AbortSignal;
  /** Milliseconds after which a request without a response counts as failed. */
  timeout?: number;
}

function urlOf(path: string, query: RequestOptions["query"] = {}): string {
  const parameters = new URLSearchParams({ language: locale.language });
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined) parameters.set(name, String(value));
  return `/api/${path}?${parameters.toString()}`;
}

export async function request(
  path: string,
  { body, method, query, signal, timeout }: RequestOptions = {},
): Promise<Response> {
  const headers = new Headers();
  const token = bearerToken();
  if (token) headers.set("authorization", `Bearer ${token}`);
  if (body !== undefined) headers.set("content-type", "application/json");
  const aborter = new AbortController();
  const abort = (): void => aborter.abort();
  const timer = timeout && setTimeout(abort, timeout);
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  let response: Response;
  try {
    response = await fetch(urlOf(path, query), {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers,
      cache: "no-store",
      signal: aborter.signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new NetworkError();
  } finally {
    clearTimeout(timer);
  }
  if (!response.ok) throw await errorOf(response);
  return response;
}

async function errorOf(response: Response): Promise<Error> {
  try {
    return new RefusalError(
      (await response.json()) as Refusal,
      response.status,
      response.headers.get("retry-after"),
    );
  } catch {
    return new NetworkError(); // not our JSON: a proxy in front of a server that is down
  }
}

export async function requestJson<T>(path: string, options?: RequestOptions): Promise<T> {
  const response = await request(path, options);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export async function requestText(path: string, options?: RequestOptions): Promise<string> {
  return (await request(path, options)).text();
}

/** A binary response in the game's own format; null if it is empty. */
export async function requestBytes(path: string, options?: RequestOptions): Promise<ArrayBuffer | null> {
  const response = await request(path, options);
  return response.status === 204 ? null : response.arrayBuffer();
}

/** Details of a position, in the game's own format. */
export async function requestDetails(path: string, options?: RequestOptions): Promise<unknown> {
  return (await requestJson<DetailsView>(path, options)).inside;
}

/**
 * A POST that starts a session: its response sets the cookie.
 * If an earlier cookie was lost, the request is sent again with a new token.
 */
export async function startSession<T>(path: string, body: unknown): Promise<T> {
  try {
    return await post<T>(path, body);
  } catch (error) {
    if (!(error instanceof RefusalError && error.code === "not-yours" && bearerToken() === null)) throw error;
    renewToken();
    return post<T>(path, body);
  }
}

async function post<T>(path: string, body: unknown): Promise<T> {
  const response = await requestJson<T>(path, { body });
  confirmCookie();
  return response;
}
