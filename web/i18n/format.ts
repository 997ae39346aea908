/**
 * Message formatter with the same syntax as the Python catalogues (spieltisch/i18n/format.py):
 * {name}, {n, plural, =0 {…} one {…} other {# …}}, {which, select, a {…} other {…}}.
 */

export type Argument = string | number | readonly string[];
export type Arguments = Readonly<Record<string, Argument>>;

type Part =
  string | { name: string } | { name: string; kind: "plural" | "select"; cases: Map<string, Part[]> };

const PLACEHOLDER = /^\s*([a-z_]+)\s*(?:,\s*(plural|select)\s*,\s*(\S+)\s*)?$/;
const CASE = /^\s*(=\d+|[a-z_]+)\s*$/;
const patterns = new Map<string, Part[]>();

export function format(language: string, text: string, given: Arguments = {}): string {
  let parts = patterns.get(text);
  if (!parts) patterns.set(text, (parts = parse(text)));
  return render(language, parts, given);
}

export function parse(text: string): Part[] {
  const tokens = text.match(/[{}#]|[^{}#]+/g) ?? [];
  let at = 0;

  function sentence(counted: string | null): Part[] {
    const parts: Part[] = [];
    while (at < tokens.length && tokens[at] !== "}") {
      const token = tokens[at++]!;
      if (token === "#" && counted) parts.push({ name: counted });
      else if (token === "{") parts.push(placeholder(counted));
      else parts.push(token);
    }
    return parts;
  }

  function placeholder(counted: string | null): Part {
    const header = PLACEHOLDER.exec(tokens[at++] ?? "");
    if (!header) throw new Error(`a placeholder cannot be read: ${text}`);
    const [, name, kind, first] = header as unknown as [
      string,
      string,
      "plural" | "select" | undefined,
      string,
    ];
    if (!kind) {
      expect("}");
      return { name };
    }
    const cases = new Map<string, Part[]>();
    for (let label = first; ; label = nextLabel()) {
      expect("{");
      cases.set(label, sentence(kind === "plural" ? name : counted));
      expect("}");
      if (tokens[at]?.trim() === "") at++;
      if (tokens[at] === "}") break;
    }
    at++;
    if (!cases.has("other")) throw new Error(`${name} lacks the case other: ${text}`);
    return { name, kind, cases };
  }

  function nextLabel(): string {
    const found = CASE.exec(tokens[at++] ?? "");
    if (!found) throw new Error(`a case cannot be read: ${text}`);
    return found[1]!;
  }

  function expect(token: string): void {
    if (tokens[at++] !== token) throw new Error(`${token} is missing: ${text}`);
  }

  const parts = sentence(null);
  if (at !== tokens.length) throw new Error(`a closing brace was not opened: ${text}`);
  return parts;
}

function render(language: string, parts: readonly Part[], given: Arguments): string {
  return parts
    .map((part) => {
      if (typeof part === "string") return part;
      const value = given[part.name];
      if (value === undefined) throw new Error(`${part.name} was not given`);
      if (!("kind" in part)) return formatValue(language, value);
      return render(language, selectCase(language, part.kind, part.cases, value), given);
    })
    .join("");
}

function selectCase(language: string, kind: string, cases: Map<string, Part[]>, value: Argument): Part[] {
  const other = cases.get("other")!;
  if (kind === "select" || typeof value !== "number") return cases.get(String(value)) ?? other;
  return cases.get(`=${value}`) ?? cases.get(new Intl.PluralRules(language).select(value)) ?? other;
}

function formatValue(language: string, value: Argument): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return new Intl.NumberFormat(language).format(value);
  return new Intl.ListFormat(language === "en" ? "en-GB" : language, { type: "conjunction" }).format(value);
}
