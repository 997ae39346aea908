// After the build: weighs the scripts that the page loads at first, and writes compressed twins of all text.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { brotliCompressSync, gzipSync } from "node:zlib";

const MOST = 100_000; // bytes of script at first, compressed
const WORTH = 1000; // bytes from which on a file is compressed
const TEXT = /\.(html|js|css|json|svg|txt|webmanifest|map)$/;

const folder = new URL("../src/spieltisch/server/static/", import.meta.url);
const read = (name) => readFileSync(new URL(name, folder));
const squeeze = (bytes) => gzipSync(bytes, { level: 9 });

/** The chunks that are loaded with this one, itself included. */
function together(manifest, name, met = new Set()) {
  if (met.has(name)) return met;
  met.add(name);
  for (const other of manifest[name].imports ?? []) together(manifest, other, met);
  return met;
}

function weigh() {
  const manifest = JSON.parse(read("manifest.json"));
  const chunks = [...together(manifest, "index.html")]
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

function compress() {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!TEXT.test(name)) continue;
    const bytes = read(name);
    if (bytes.length <= WORTH) continue;
    writeFileSync(new URL(`${name}.gz`, folder), squeeze(bytes));
    writeFileSync(new URL(`${name}.br`, folder), brotliCompressSync(bytes));
  }
}

weigh();
compress();
