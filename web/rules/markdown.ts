/** Markdown renderer for our rules: headings, paragraphs, lists, tables, bold, italic, code. All text is escaped. */

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function inline(text: string): string {
  return text
    .replace(/[&<>"]/g, (sign) => ESCAPES[sign]!)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\*\*(.+?)\*\*/g, "<strong>$1</strong>")
    .replace(/\*([^*]+)\*/g, "<em>$1</em>")
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1");
}

/** The id attribute of a numbered rule, so that links can point at it. */
function idOf(item: string): string {
  const number = /^R\d+\b/.exec(item)?.[0];
  return number ? ` id="${number}"` : "";
}

function items(lines: readonly string[], mark: RegExp): string {
  const found: string[] = [];
  for (const line of lines) {
    if (mark.test(line)) found.push(line.replace(mark, ""));
    else found[found.length - 1] += ` ${line.trim()}`;
  }
  return found.map((item) => `<li${idOf(item)}>${inline(item)}</li>`).join("");
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

export function renderHtml(markdown: string, heading = true): string {
  return renderBlocks(markdown, heading).join("\n");
}

/** The HTML of each block, so that diagrams can be placed between them. */
export function renderBlocks(markdown: string, heading = true): string[] {
  return markdown
    .trim()
    .replace(/^(#{1,3} .*)\n(?!\n)/gm, "$1\n\n") // a heading ends with its line
    .split(/\n{2,}/)
    .map((block) => {
      const lines = block.split("\n");
      const title = /^(#{1,3}) (.*)$/.exec(block);
      if (title)
        return title[1] === "#" && !heading
          ? ""
          : `<h${title[1]!.length}>${inline(title[2]!)}</h${title[1]!.length}>`;
      if (/^\d+\. /.test(block)) return `<ol>${items(lines, /^\d+\. /)}</ol>`;
      if (/^[-*] /.test(block)) return `<ul>${items(lines, /^[-*] /)}</ul>`;
      if (block.startsWith("|")) return table(lines);
      return `<p>${inline(lines.join(" "))}</p>`;
    });
}
