import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig(({ mode }) => ({
  root: "web",
  plugins: [svelte({ configFile: "../svelte.config.js" })],
  build: {
    outDir: "../src/spieltisch/server/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // nothing inline: the policy of the server's pages forbids it
    manifest: "manifest.json",
    modulePreload: { polyfill: false },
  },
  resolve: {
    alias: { "#web": fileURLToPath(new URL("web", import.meta.url)) }, // for the boards in the games' folders
    ...(mode === "test" ? { conditions: ["browser"] } : {}),
  },
  server: { proxy: { "/api": "http://127.0.0.1:8650" }, fs: { allow: [".."] } },
  test: {
    environment: "node", // a file that needs a document asks for happy-dom in its first line
    root: ".",
    include: ["web/**/*.test.ts", "src/**/web/**/*.test.ts"],
    testTimeout: 30_000, // milliseconds: a machine may be busy
  },
}));
