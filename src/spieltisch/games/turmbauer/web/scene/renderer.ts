/** WebGL detection: what renders the scene here, if anything. */
export type Renderer = "gpu" | "software" | null;

let detected: Renderer | undefined;

export function detectRenderer(): Renderer {
  detected ??= detect();
  return detected;
}

function detect(): Renderer {
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) return null;
  const info = context.getExtension("WEBGL_debug_renderer_info");
  const name = info ? String(context.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name) ? "software" : "gpu";
}
