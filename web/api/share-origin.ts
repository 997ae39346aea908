/** The origin at which others reach this server: on its own machine it has an address for the network. */
import { requestJson } from "./client";
import type { ServerInfo } from "./types";

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

export const isLocal = LOCAL.includes(location.hostname);

export async function shareOrigin(): Promise<string> {
  try {
    const { lan } = await requestJson<ServerInfo>("here");
    return isLocal && lan ? lan.replace(/\/$/, "") : location.origin;
  } catch {
    return location.origin;
  }
}
