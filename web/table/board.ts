/** What a board is given. It holds no rules: it shows the view and offers the choices. */
import type { Choice, Event, Previewed } from "../wire/types";

export interface BoardProps {
  view: unknown;
  seat: number | null;
  names: string[];
  choices: Choice[];
  events: Event[];
  draft: string[];
  busy: boolean;
  choose(text: string): void;
  takeBack(): void;
  ask(draft: string[]): Promise<Previewed>;
}
