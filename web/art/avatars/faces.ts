/** Faces of twelve animals, painted on a disc: shapes in a box from −50 to 50, drawn one above the other. */
import type { Animal } from "./looks";

/** A painted area, an ink line, or both. */
export interface Shape {
  readonly d: string;
  readonly fill: string;
  /** The width of its ink line. */
  readonly line?: number;
  readonly opacity?: number;
  /** Whether it is drawn a second time, mirrored. */
  readonly mirrored?: true;
}

export const INK = "#2a1a10";
const CREAM = "#fff4df";
const SAND = "#f2ddb2";
const STRAW = "#e3be80";
const HONEY = "#cb8f4a";
const FOX = "#c4783a";
const OAK = "#a5713d";
const WALNUT = "#75492a";
const BARK = "#46291a";
const GREY = "#9c8b78";
const ASH = "#c9bba6";
const ROSE = "#dd9a78";
const MOSS = "#8e9560";
const AMBER = "#f4dc9a";
const NONE = "none";

function oval(x: number, y: number, rx: number, ry = rx): string {
  return `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0Z`;
}

const area = (d: string, fill: string, opacity = 1): Shape => ({ d, fill, opacity });
const line = (d: string, width: number, fill = NONE): Shape => ({ d, fill, line: width });
const pair = (shape: Shape): Shape => ({ ...shape, mirrored: true });

/** Two eyes, each with the lamp in it. */
function eyes(x: number, y: number, r: number): Shape[] {
  const [dx, dy, glint] = [0.3 * r, 0.38 * r, 0.34 * r];
  return [
    area(oval(-x, y, r) + oval(x, y, r), INK),
    area(oval(-x - dx, y - dy, glint) + oval(x - dx, y - dy, glint), "#fff"),
  ];
}

const cheeks = (x: number, y: number, r: number): Shape => area(oval(-x, y, r) + oval(x, y, r), ROSE, 0.75);

function quills(): string {
  const points: string[] = [];
  for (let i = 0; i < 15; i++) {
    const angle = Math.PI * (1.12 - (i * 1.24) / 14);
    for (const [turn, r] of [
      [0.12, 29],
      [0, 38],
      [-0.12, 29],
    ] as const) {
      const [x, y] = [r * Math.cos(angle + turn), 2 - r * Math.sin(angle + turn)];
      points.push(`${x.toFixed(1)} ${y.toFixed(1)}`);
    }
  }
  return `M0 6L${points.join("L")}Z`;
}

export const FACES: Readonly<Record<Animal, readonly Shape[]>> = {
  chick: [
    line("M-3-29C-10-40-4-44-1-36C1-45 8-43 4-31", 2.4, STRAW),
    area(oval(0, 4, 31, 33), "#efcb78"),
    area("M-31 8A31 33 0 0 0 31 8C24 22-24 22-31 8Z", "#ddae55", 0.55),
    ...eyes(13, -3, 5.6),
    line("M-9 8L0 3L9 8L0 17ZM-9 8H9", 2.2, FOX),
    cheeks(20, 10, 5),
  ],
  mouse: [
    area(oval(-24, -19, 17) + oval(24, -19, 17), ASH),
    area(oval(-24, -18, 10) + oval(24, -18, 10), ROSE, 0.8),
    area("M0-24C20-24 30-6 24 10C18 25 8 32 0 34C-8 32-18 25-24 10C-30-6-20-24 0-24Z", ASH),
    area("M0 8C10 8 14 18 10 25C6 31 3 33 0 34C-3 33-6 31-10 25C-14 18-10 8 0 8Z", CREAM),
    ...eyes(11, -1, 5.2),
    pair(line("M11 24L31 20M11 27L30 30", 1.5)),
    area(oval(0, 23, 5), WALNUT),
  ],
  hare: [
    pair(area("M8-4C0-18 4-44 14-46C22-46 22-18 17-2Z", STRAW)),
    pair(area("M12-8C8-20 9-38 14-40C18-39 17-20 15-7Z", ROSE, 0.75)),
    area(oval(0, 13, 25, 23), STRAW),
    area(oval(-8, 22, 9.5, 8.5) + oval(8, 22, 9.5, 8.5), CREAM),
    line("M-5 27.5Q-5 26-3.5 26H3.5Q5 26 5 27.5V34Q5 36 3 36H-3Q-5 36-5 34ZM0 27V36", 1.5, "#fff"),
    ...eyes(13, 7, 5),
    area("M-5 15H5L0 21Z", WALNUT),
    line("M0 20V25", 2),
  ],
  frog: [
    area(oval(0, 9, 34, 24), MOSS),
    area(oval(-18, -15, 13) + oval(18, -15, 13), MOSS),
    area(oval(-18, -16, 8.5) + oval(18, -16, 8.5), CREAM),
    ...eyes(18, -15, 5),
    area(oval(0, 19, 23, 11), "#b6ba85"),
    line("M-22 9Q0 27 22 9", 3),
    area(oval(-4, 1, 1.6) + oval(4, 1, 1.6), INK),
    cheeks(27, 8, 4.5),
  ],
  duck: [
    area("M-4-33C-9-43 1-46 3-37C6-44 13-41 8-32Z", OAK),
    area(oval(0, -2, 29, 33), OAK),
    area("M-29 6C-20 14 20 14 29 6C27 24 14 33 0 33S-27 24-29 6Z", CREAM),
    area(oval(-12, -9, 8) + oval(12, -9, 8), CREAM),
    ...eyes(12, -8.5, 5),
    line("M-8 1C-6-2 6-2 8 1C10 7 26 9 26 15C26 21 12 21 0 21S-26 21-26 15C-26 9-10 7-8 1Z", 2.4, "#e0a94f"),
    line("M-22 16Q0 13 22 16", 1.8),
    area(oval(-4, 5, 1.4) + oval(4, 5, 1.4), INK),
  ],
  bear: [
    area(oval(-23, -22, 12) + oval(23, -22, 12), WALNUT),
    area(oval(-23, -21, 6.5) + oval(23, -21, 6.5), HONEY),
    area(oval(0, 3, 33, 31), WALNUT),
    area(oval(0, 16, 18, 15), STRAW),
    ...eyes(14, -4, 4.8),
    area("M-8 9Q0 5 8 9Q7 16 0 17Q-7 16-8 9Z", INK),
    line("M0 16V21M-7 23Q0 27 7 23", 2.2),
  ],
  hedgehog: [
    area(quills(), BARK),
    area("M-29 6C-30-8-14-14 0-6C14-14 30-8 29 6C27 20 12 34 0 36C-12 34-27 20-29 6Z", SAND),
    ...eyes(12, 7, 5),
    cheeks(20, 17, 4.5),
    area(oval(0, 23, 6.5, 5.2), INK),
    area(oval(-2, 21.5, 1.5), "#fff"),
    line("M-5 31Q0 34 5 31", 2),
  ],
  squirrel: [
    pair(area("M12-18L22-40L29-10Z", FOX)),
    pair(area("M24-42L19-30L26-30Z", BARK)),
    area("M0-25C21-25 33-10 31 8C29 24 14 33 0 33S-29 24-31 8C-33-10-21-25 0-25Z", FOX),
    area("M0 4C8-6 26 2 24 14C22 27 9 33 0 33S-22 27-24 14C-26 2-8-6 0 4Z", CREAM),
    ...eyes(15, -4, 5.4),
    area("M-5 9H5L0 15Z", INK),
    line("M-4 20.5H4V27.5H-4Z", 1.4, "#fff"),
    line("M0 14V18M-7 19Q0 24 7 19", 2),
  ],
  fox: [
    pair(area("M9-16L31-40L35-3Z", FOX)),
    pair(area("M18-17L28-29L30-9Z", BARK)),
    area("M-36-2C-28-22-12-22 0-22S28-22 36-2C30 16 12 26 0 37C-12 26-30 16-36-2Z", FOX),
    area("M-36-2C-24 0-12 6-5 20H5C12 6 24 0 36-2C30 16 12 26 0 37C-12 26-30 16-36-2Z", CREAM),
    pair(area("M9 2Q15-6 22-2Q16 6 9 2Z", INK)),
    area(oval(0, 32, 6, 5), INK),
  ],
  cat: [
    pair(area("M8-20L28-38L31-4Z", GREY)),
    pair(area("M17-20L25-28L27-12Z", ROSE)),
    area(oval(0, 5, 33, 28), GREY),
    { ...line("M-4-23V-10M4-23V-10M-12-20L-9-11M12-20L9-11", 3), opacity: 0.8 },
    line(oval(-14, 1, 7.5, 7) + oval(14, 1, 7.5, 7), 1.8, AMBER),
    area(oval(-14, 1, 2.4, 6) + oval(14, 1, 2.4, 6), INK),
    area(oval(-7, 17, 9, 7) + oval(7, 17, 9, 7), CREAM),
    pair(line("M17 16L36 12M17 20L35 22", 1.6)),
    area("M-5 10H5L0 16Z", WALNUT),
    line("M0 15V19M-7 20Q-3 24 0 19Q3 24 7 20", 2),
  ],
  owl: [
    area(
      "M-31-36C-22-31-12-29 0-29S22-31 31-36C36-14 36 8 28 22C20 33 8 36 0 36S-20 33-28 22C-36 8-36-14-31-36Z",
      OAK,
    ),
    area("M0 14C10 14 19 20 22 28C14 35 6 36 0 36S-14 35-22 28C-19 20-10 14 0 14Z", STRAW),
    line(oval(-14.5, -4, 14.5) + oval(14.5, -4, 14.5), 2.2, CREAM),
    ...eyes(14.5, -4, 7.6),
    line("M-5.5 4H5.5L0 15Z", 2, HONEY),
    line("M-10 25l4 4 4-4M2 25l4 4 4-4", 2.4),
  ],
  raven: [
    area(
      "M-18-26C-8-38 14-38 24-22C33-8 31 18 24 34Q2 43-20 35C-23 26-20 20-14 13L-38 13C-33-2-26-9-20-11C-22-16-21-22-18-26Z",
      "#3a302c",
    ),
    line("M-38 13C-33-2-26-9-18-11C-13-8-11 0-12 10L-14 13ZM-36 11.5L-13 6", 1.9, WALNUT),
    area(oval(1, -11, 7), AMBER),
    area(oval(0, -11, 3.8), INK),
    area(oval(-1.5, -12.5, 1.3), "#fff"),
    area(
      "M4 36C6 26 14 18 26 16L27 19C17 21 10 27 8 36ZM13 36C15 30 20 26 28 25L28.5 28C23 29 19 31 17 36Z",
      "#85766c",
    ),
  ],
};
