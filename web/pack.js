// After the build: checks the size budgets of scripts, fills in the service worker's file list, and compresses all text.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { brotliCompressSync, gzipSync } from "node:zlib";

// Budgets, in bytes of compressed script.
const INITIAL = 100_000; // what the first page loads
const BOARD = 60_000; // what a game's board loads in addition
const ON_DEMAND = 200_000; // what a board may load later
const MIN_SIZE = 1000; // bytes; smaller files are not compressed
const TEXT = /\.(html|js|css|json|svg|txt|webmanifest|map)$/;

const folder = new URL("../src/spieltisch/server/static/", import.meta.url);
const read = (name) => readFileSync(new URL(name, folder));
const gzip = (bytes) => gzipSync(bytes, { level: 9 });

const manifest = JSON.parse(read("manifest.json"));

/** The chunks that load together with this one, itself included, and the dynamic imports that `include` accepts. */
function closure(name, include = () => false, seen = new Set()) {
  if (seen.has(name)) return seen;
  seen.add(name);
  const { imports = [], dynamicImports = [] } = manifest[name];
  for (const other of [...imports, ...dynamicImports.filter(include)]) closure(other, include, seen);
  return seen;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

function checkInitialBudget() {
  const chunks = [...closure("index.html")]
    .map((name) => manifest[name].file)
    .map((file) => ({ file, bytes: gzip(read(file)).length }))
    .sort((one, other) => other.bytes - one.bytes);
  const total = chunks.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= INITIAL) return;
  const biggest = chunks.slice(0, 3).map(({ file, bytes }) => `${file} (${bytes})`);
  fail(
    `The first page loads ${total} bytes of compressed script; ${INITIAL} are allowed. The biggest: ${biggest.join(", ")}.`,
  );
}

/** What a game's board loads in addition to the first page, at once and on demand. */
function checkBoardBudgets() {
  const initial = closure("index.html");
  for (const name of Object.keys(manifest).filter((name) => /\/games\/\w+\/web\/Board\.svelte$/.test(name))) {
    const own = [...closure(name)].filter((chunk) => !initial.has(chunk));
    const later = [...closure(name, () => true)].filter(
      (chunk) => !initial.has(chunk) && !own.includes(chunk),
    );
    for (const [chunks, budget] of [
      [own, BOARD],
      [later, ON_DEMAND],
    ]) {
      const files = chunks.map((chunk) => manifest[chunk].file);
      const total = files.reduce((sum, file) => sum + gzip(read(file)).length, 0);
      if (total > budget)
        fail(
          `${name} loads ${total} bytes of compressed script; ${budget} are allowed: ${files.join(", ")}.`,
        );
    }
  }
}

function compress() {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!TEXT.test(name)) continue;
    const bytes = read(name);
    if (bytes.length <= MIN_SIZE) continue;
    writeFileSync(new URL(`${name}.gz`, folder), gzip(bytes));
    writeFileSync(new URL(`${name}.br`, folder), brotliCompressSync(bytes));
  }
}

/** Writes into the service worker what to cache for an offline start: everything but the games' boards. */
function listCachedFiles() {
  const shell = closure("index.html", (name) => !/\/games\/.*\/(?!Lid\.)/.test(name));
  const files = [...shell]
    .map((name) => manifest[name])
    .flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]);
  const cached = [...new Set(files)].sort().map((file) => `/${file}`);
  const worker = read("sw.js")
    .toString()
    .replace("const FILES = []", `const FILES = ${JSON.stringify(cached)}`);
  writeFileSync(new URL("sw.js", folder), worker);
}

checkInitialBudget();
checkBoardBudgets();
listCachedFiles();
compress();
