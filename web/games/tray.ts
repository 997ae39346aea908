/** Areas of the tray that the shell lays out, as attributes for elements of a game's `Tray`. */

interface TrayAttributes {
  "data-tray": "pieces" | "choices";
  "data-layout"?: "line" | "aside" | "wide";
}

/** The player's pieces: `line` gives them a line of their own in a narrow tray, `aside` puts them beside the prompt. */
export function trayPieces(layout?: "line" | "aside"): TrayAttributes {
  return { "data-tray": "pieces", ...(layout && { "data-layout": layout }) };
}

/** The choices: `wide` gives them a line of their own. */
export function trayChoices(layout?: "wide"): TrayAttributes {
  return { "data-tray": "choices", ...(layout && { "data-layout": layout }) };
}
