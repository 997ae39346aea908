import { afterEach, expect, test, vi } from "vitest";
import { requestUpdate } from "./updates";

afterEach(() => vi.unstubAllGlobals());

test("all pages of the events become one update, with the table of the last page", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (address: string) => {
    const query = new URL(address, "http://here").searchParams;
    asked.push(`${query.get("after")} ${query.get("seat")}`);
    const after = Number(query.get("after"));
    const page = { version: 5, events: [{ number: after + 1 }, { number: after + 2 }], table: { after } };
    return Promise.resolve(Response.json({ ...page, next: after < 3 ? after + 2 : null }));
  });
  const update = await requestUpdate("t", 1, 0);
  expect(asked).toEqual(["1 0", "3 0"]);
  expect(update.events.map(({ number }) => number)).toEqual([2, 3, 4, 5]);
  expect(update.table).toEqual({ after: 3 });
});
