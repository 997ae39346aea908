import { describe, expect, it } from "vitest";
import builtIn from "../../board.json";
import { parseBoardFile } from "./board-file";

describe("a board file", () => {
  const good = JSON.stringify(builtIn);

  it("is parsed, or the part that is wrong is named", () => {
    expect(parseBoardFile(good)).toEqual(builtIn);
    expect(parseBoardFile("{")).toBe("");
    expect(parseBoardFile("[]")).toBe("cells");
    expect(parseBoardFile(JSON.stringify({ ...builtIn, grey: [] }))).toBe("grey");
    expect(parseBoardFile(JSON.stringify({ ...builtIn, grey: ["Z1"] }))).toBe("grey");
    expect(parseBoardFile(good.replace('"AN":["', '"AN":["Z9","'))).toBe("adjacency AN");
    expect(parseBoardFile(good.replace('"colour":"P"', '"colour":"X"'))).toMatch(/^sides /);
  });
});
