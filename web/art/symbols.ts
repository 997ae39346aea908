import type { Colour } from "./palette";

/** The symbol of every colour, for people who cannot tell the colours apart: a path in a box of 24 by 24, fill rule even-odd. */
export const SYMBOLS: Readonly<Record<Colour | "back", string>> = {
  blue: "M12 .8C10 5.2 5 10 5 15.6a7 7 0 0 0 14 0C19 10 14 5.2 12 .8Z",
  red: "M12 21.8C6 17.2 1.6 13.4 1.6 8.4A5.6 5.6 0 0 1 12 5.5a5.6 5.6 0 0 1 10.4 2.9c0 5-4.4 8.8-10.4 13.4Z",
  yellow: "M12 1L15.2 8.2L23 9L17.2 14.3L18.8 22L12 18.1L5.2 22L6.8 14.3L1 9L8.8 8.2Z",
  green:
    "M12 1a4.9 4.9 0 0 1 3.9 7.9l-1.4 2.2 2.6-.6a4.9 4.9 0 1 1-3.2 7.6q.4 2.6 2 4.9H8.1q1.6-2.3 2-4.9a4.9 4.9 0 1 1-3.2-7.6l2.6.6-1.4-2.2A4.9 4.9 0 0 1 12 1Z",
  purple: "M12 3L23.5 12L12 21L.5 12Z",
  white: "M12 2a10 10 0 1 0 0 20a10 10 0 1 0 0-20Zm0 5.4a4.6 4.6 0 1 1 0 9.2a4.6 4.6 0 1 1 0-9.2Z",
  black: "M14.6 1.8A10.4 10.4 0 1 0 21.9 15.6A8.6 8.6 0 0 1 14.6 1.8Z",
  back: "M3 18.5v-3a9 9 0 0 1 18 0v3h-5.2v-3a3.8 3.8 0 0 0-7.6 0v3Z",
};

/** The path of a paint's symbol; plain wood has none. */
export function symbolOf(paint: string): string | undefined {
  return paint in SYMBOLS ? SYMBOLS[paint as Colour] : undefined;
}
