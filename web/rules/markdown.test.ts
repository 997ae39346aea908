import { expect, test } from "vitest";
import { renderRules } from "./markdown";

function renderHtml(markdown: string, heading = true): string {
  return renderRules(markdown, heading)
    .map((part) => ("html" in part ? part.html : `[${part.figure}]`))
    .join("\n");
}

test("markup in the text is escaped", () => {
  expect(renderHtml('<script>alert("1 & 2")</script>')).toBe(
    "<p>&lt;script&gt;alert(&quot;1 &amp; 2&quot;)&lt;/script&gt;</p>",
  );
});

test("markup stays escaped in headings, lists and tables", () => {
  const page = "# <b>\n\n1. <i>\n\n- <img src=x onerror=y>\n\n| <a> |\n|---|\n| <u> |";
  expect(renderHtml(page)).not.toMatch(/<(b|i|img|a|u)\b/);
});

test("headings keep their level, and the first can be left out", () => {
  expect(renderHtml("# One\n\n## Two")).toBe("<h1>One</h1>\n<h2>Two</h2>");
  expect(renderHtml("# One\n\n## Two", false)).toBe("\n<h2>Two</h2>");
});

test("a heading ends with its line", () => {
  expect(renderHtml("## One\nMore.\n\n## Two\n- a")).toBe(
    "<h2>One</h2>\n<p>More.</p>\n<h2>Two</h2>\n<ul><li>a</li></ul>",
  );
});

test("the lines of a paragraph are joined", () => {
  expect(renderHtml("One line\nand another.\n\nA second.")).toBe(
    "<p>One line and another.</p>\n<p>A second.</p>",
  );
});

test("bold, italic and code", () => {
  expect(renderHtml("**Aim.** Be *first* at `A1`.")).toBe(
    "<p><strong>Aim.</strong> Be <em>first</em> at <code>A1</code>.</p>",
  );
});

test("a link is reduced to its text", () => {
  expect(renderHtml("See [the rules](RULES.md).")).toBe("<p>See the rules.</p>");
});

test("lists, with continued lines", () => {
  expect(renderHtml("1. First,\n   and on.\n2. Then.")).toBe(
    "<ol><li>First, and on.</li><li>Then.</li></ol>",
  );
  expect(renderHtml("- One\n- *Two*")).toBe("<ul><li>One</li><li><em>Two</em></li></ul>");
});

test("a table has a head and rows", () => {
  expect(renderHtml("| Colour | Points |\n|---|---:|\n| red | 4 |\n| **all** | 9 |")).toBe(
    "<table><thead><tr><th>Colour</th><th>Points</th></tr></thead>" +
      "<tbody><tr><td>red</td><td>4</td></tr><tr><td><strong>all</strong></td><td>9</td></tr></tbody></table>",
  );
});

test("the numbers of the rules that a passage says are an attribute and no text", () => {
  expect(renderHtml("Take one. <!-- R6 R7 -->\n\n- Move. <!-- R5 -->")).toBe(
    '<p data-rules="R6 R7">Take one.</p>\n<ul><li data-rules="R5">Move.</li></ul>',
  );
  expect(renderHtml('One. <!-- R6" onclick="x -->')).not.toContain("data-rules");
});

test("a figure stands between two blocks", () => {
  expect(renderHtml("One.\n\n<!-- figure: move -->\n\nTwo.")).toBe("<p>One.</p>\n[move]\n<p>Two.</p>");
});

test("what is for the terminal is left out", () => {
  expect(renderHtml("## One\nA.\n\n## Typing <!-- terminal -->\nB.\n\nC.")).toBe("<h2>One</h2>\n<p>A.</p>");
  expect(renderHtml("## Typing <!-- terminal -->\nB.\n\n## Two\nC.")).toBe("<h2>Two</h2>\n<p>C.</p>");
});
