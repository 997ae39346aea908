/** Markdown renderer for our rules: headings, paragraphs, lists, tables, bold, italic, code. All text is escaped. */

/** A part of the page: text as HTML, or the name of a figure. */
export type Part = { html: string } | { figure: string };

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const RULES = /\s*<!-- (R\d+(?: R\d+)*) -->/; // the numbered rules that a passage says
const FIGURE = /^<!-- figure: (\w+) -->$/;
const TERMINAL = /^## .*<!-- terminal -->\n[\s\S]*?(?=^## |(?![\s\S]))/gm; // a section about typing moves

function inline(text: string): string {
  return text
    .replace(/[&<>"]/g, (sign) => ESCAPES[sign]!)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\*\*(.+?)\*\*/g, "<strong>$1</strong>")
    .replace(/\*([^*]+)\*/g, "<em>$1</em>")
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1");
}

/** An element with inline text; what it says of the numbered rules is an attribute, so that links can point at it. */
function element(tag: string, text: string): string {
  const rules = RULES.exec(text)?.[1];
  return `<${tag}${rules ? ` data-rules="${rules}"` : ""}>${inline(text.replace(RULES, ""))}</${tag}>`;
}

function items(lines: readonly string[], mark: RegExp): string {
  const found: string[] = [];
  for (const line of lines) {
    if (mark.test(line)) found.push(line.replace(mark, ""));
    else found[found.length - 1] += ` ${line.trim()}`;
  }
  return found.map((item) => element("li", item)).join("");
}

function table(lines: readonly string[]): string {
  const cells = (line: string): string[] =>
    line
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => inline(cell.trim()));
  const [head, , ...body] = lines;
  const row = (line: string, tag: string): string =>
    `<tr>${cells(line)
      .map((cell) => `<${tag}>${cell}</${tag}>`)
      .join("")}</tr>`;
  return `<table><thead>${row(head!, "th")}</thead><tbody>${body.map((line) => row(line, "td")).join("")}</tbody></table>`;
}

function block(text: string, heading: boolean): string {
  const lines = text.split("\n");
  const title = /^(#{1,3}) (.*)$/.exec(text);
  if (title) return title[1] === "#" && !heading ? "" : element(`h${title[1]!.length}`, title[2]!);
  if (/^\d+\. /.test(text)) return `<ol>${items(lines, /^\d+\. /)}</ol>`;
  if (/^[-*] /.test(text)) return `<ul>${items(lines, /^[-*] /)}</ul>`;
  if (text.startsWith("|")) return table(lines);
  return element("p", lines.join(" "));
}

/** The parts of a page, in order; without the title if `heading` is false, and without what is for the terminal only. */
export function renderRules(markdown: string, heading = true): Part[] {
  return markdown
    .replace(TERMINAL, "")
    .trim()
    .replace(/^(#{1,3} .*)\n(?!\n)/gm, "$1\n\n") // a heading ends with its line
    .split(/\n{2,}/)
    .map((text) => {
      const figure = FIGURE.exec(text)?.[1];
      return figure ? { figure } : { html: block(text, heading) };
    });
}
