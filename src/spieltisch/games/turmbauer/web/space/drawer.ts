/** Who draws in space here: a graphics card, the processor in its place, or nobody. */
export type Drawer = "card" | "processor" | null;

let known: Drawer | undefined;

export function drawer(): Drawer {
  known ??= ask();
  return known;
}

function ask(): Drawer {
  const made = document.createElement("canvas").getContext("webgl2");
  if (!made) return null;
  const told = made.getExtension("WEBGL_debug_renderer_info");
  const name = told ? String(made.getParameter(told.UNMASKED_RENDERER_WEBGL)) : "";
  made.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name) ? "processor" : "card";
}
