export const COLOURS = ["blue", "red", "yellow", "green", "purple", "white", "black"] as const;
export const WOODS = ["natural", "brown", "back"] as const;

/** A colour of the games: it has a symbol, and an ink and a tint besides its paint. */
export type Colour = (typeof COLOURS)[number];
export type Wood = (typeof WOODS)[number];
export type Paint = Colour | Wood;
export type Theme = "light" | "dark";

type ByTheme = Readonly<Record<Theme, string>>;

/** Colours of a painted piece: its surface, what is drawn on it, and its outline. */
export interface PaintStyle {
  readonly solid: string;
  readonly on: string;
  readonly edge: ByTheme;
}

export interface ColourStyle extends PaintStyle {
  readonly ink: ByTheme;
  readonly tint: ByTheme;
}

export const PAINTS: Readonly<Record<Colour, ColourStyle> & Record<Wood, PaintStyle>> = {
  blue: {
    solid: "#20559f",
    on: "#ffffff",
    edge: { light: "#123768", dark: "#6fa0e8" },
    ink: { light: "#1b4a8c", dark: "#a3c6fa" },
    tint: { light: "#dfe8f4", dark: "#24354f" },
  },
  red: {
    solid: "#d63e24",
    on: "#ffffff",
    edge: { light: "#8c2310", dark: "#ff8b70" },
    ink: { light: "#a62a13", dark: "#ffa28d" },
    tint: { light: "#fbe0d8", dark: "#52281e" },
  },
  yellow: {
    solid: "#f3c033",
    on: "#3a2800",
    edge: { light: "#8a6100", dark: "#ffdd85" },
    ink: { light: "#765200", dark: "#f6cf66" },
    tint: { light: "#fbecc6", dark: "#4b3b14" },
  },
  green: {
    solid: "#4b9673",
    on: "#06251a",
    edge: { light: "#1f573d", dark: "#82cba7" },
    ink: { light: "#22613f", dark: "#93d6b2" },
    tint: { light: "#dcece3", dark: "#203d30" },
  },
  purple: {
    solid: "#ae82e0",
    on: "#220a45",
    edge: { light: "#5f3c99", dark: "#d2b6f6" },
    ink: { light: "#6a3ea8", dark: "#d3b8f6" },
    tint: { light: "#ede3f9", dark: "#3c2e53" },
  },
  white: {
    solid: "#faf6ee",
    on: "#4b3f31",
    edge: { light: "#86704f", dark: "#ffffff" },
    ink: { light: "#5c4b38", dark: "#f4ebdc" },
    tint: { light: "#f4ecdd", dark: "#4a4036" },
  },
  black: {
    solid: "#1b1918",
    on: "#f2e9da",
    edge: { light: "#000000", dark: "#a09384" },
    ink: { light: "#1b1918", dark: "#cbbfb0" },
    tint: { light: "#e2dad0", dark: "#15110e" },
  },
  natural: { solid: "#e8c78d", on: "#5a3d14", edge: { light: "#8d6830", dark: "#ffe6ba" } },
  brown: { solid: "#632d15", on: "#f2d9c4", edge: { light: "#341407", dark: "#bc7d5e" } },
  back: { solid: "#2e1c12", on: "#f2d9c4", edge: { light: "#120801", dark: "#b58c6c" } },
};

/** The brown of shaded cubes; a darker one would look black. */
export const BROWN_3D = "#84452a";

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

/** Linear interpolation between two colours; all are #rrggbb. */
export function mix(from: string, to: string, share: number): string {
  const goal = channels(to);
  const mixed = channels(from).map((value, i) => Math.round(value + (goal[i]! - value) * share));
  return "#" + mixed.map((value) => value.toString(16).padStart(2, "0")).join("");
}

const WHITE = "#ffffff";
const DARK = "#1a0c00";

/** Shades of a turned piece: towards the lamp, away from it, on its side, and in its grooves. */
export function shades(paint: Paint): Record<"bright" | "dim" | "side" | "groove", string> {
  const { solid } = PAINTS[paint];
  const [glint, share] = GLINTS[paint] ?? [WHITE, 0.26];
  const white = paint === "white";
  return {
    bright: mix(solid, glint, share),
    dim: mix(solid, DARK, white ? 0.1 : 0.14),
    side: mix(solid, DARK, white ? 0.34 : 0.42),
    groove: mix(solid, DARK, white ? 0.2 : 0.35),
  };
}

const GLINTS: Partial<Record<Paint, [string, number]>> = {
  white: [WHITE, 0.9],
  black: ["#8a7f76", 0.26],
  back: ["#c08a5a", 0.26],
};
