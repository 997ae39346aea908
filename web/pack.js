// After the build: weighs the scripts that the page loads at first, and writes compressed twins of all text.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { brotliCompressSync, gzipSync } from "node:zlib";

const MOST = 100_000; // bytes of script at first, compressed
const BOARD = 60_000; // bytes of script for a game's board, beside what the page has loaded at first
const LATER = 200_000; // bytes of script that a board may ask for when it is there
const WORTH = 1000; // bytes from which on a file is compressed
const TEXT = /\.(html|js|css|json|svg|txt|webmanifest|map)$/;

const folder = new URL("../src/spieltisch/server/static/", import.meta.url);
const read = (name) => readFileSync(new URL(name, folder));
const squeeze = (bytes) => gzipSync(bytes, { level: 9 });

const manifest = JSON.parse(read("manifest.json"));

/** The chunks that are loaded with this one, itself included; with `later` those too that it may ask for. */
function together(name, later = () => false, met = new Set()) {
  if (met.has(name)) return met;
  met.add(name);
  const { imports = [], dynamicImports = [] } = manifest[name];
  for (const other of [...imports, ...dynamicImports.filter(later)]) together(other, later, met);
  return met;
}

function weigh() {
  const chunks = [...together("index.html")]
    .map((name) => manifest[name].file)
    .map((file) => ({ file, bytes: squeeze(read(file)).length }))
    .sort((one, other) => other.bytes - one.bytes);
  const all = chunks.reduce((sum, { bytes }) => sum + bytes, 0);
  if (all <= MOST) return;
  const biggest = chunks.slice(0, 3).map(({ file, bytes }) => `${file} (${bytes})`);
  console.error(
    `The page loads ${all} bytes of script at first, compressed; ${MOST} are allowed. The biggest: ${biggest.join(", ")}.`,
  );
  process.exit(1);
}

/** What a game's board adds to what is there already, at once and later. */
function weighBoards() {
  const first = together("index.html");
  for (const name of Object.keys(manifest).filter((name) => /\/games\/\w+\/web\/Board\.svelte$/.test(name))) {
    const own = [...together(name)].filter((chunk) => !first.has(chunk));
    const later = [...together(name, () => true)].filter(
      (chunk) => !first.has(chunk) && !own.includes(chunk),
    );
    for (const [chunks, most] of [
      [own, BOARD],
      [later, LATER],
    ]) {
      const files = chunks.map((chunk) => manifest[chunk].file);
      const all = files.reduce((sum, file) => sum + squeeze(read(file)).length, 0);
      if (all <= most) continue;
      console.error(
        `${name} loads ${all} bytes of script, compressed; ${most} are allowed: ${files.join(", ")}.`,
      );
      process.exit(1);
    }
  }
}

function compress() {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!TEXT.test(name)) continue;
    const bytes = read(name);
    if (bytes.length <= WORTH) continue;
    writeFileSync(new URL(`${name}.gz`, folder), squeeze(bytes));
    writeFileSync(new URL(`${name}.br`, folder), brotliCompressSync(bytes));
  }
}

/** Tells the worker what to keep for a start without a server: everything but the games' boards. */
function list() {
  const shell = together("index.html", (name) => !/\/games\/.*\/(?!Lid\.)/.test(name));
  const files = [...shell]
    .map((name) => manifest[name])
    .flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]);
  const kept = [...new Set(files)].sort().map((file) => `/${file}`);
  const worker = read("sw.js")
    .toString()
    .replace("const FILES = []", `const FILES = ${JSON.stringify(kept)}`);
  writeFileSync(new URL("sw.js", folder), worker);
}

weigh();
weighBoards();
list();
compress();
