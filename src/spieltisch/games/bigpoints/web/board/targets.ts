/** Hit targets: the areas of the board that can be selected in the current stage. */
import type { Choice } from "#web/api/types";
import { choicesOf, describeDestination, describePawn, type Destination, type Stage } from "../choices";
import { hitRadii, pawnBase, pawnBaseOnDisc, pawnBaseOnStep } from "../layout/pieces";
import type { Layout, Point } from "../layout/track";
import { freeSteps, pawnPlace, type View } from "../view";

export interface HitTarget {
  key: string;
  /** The pawn that moves. */
  pawn: string;
  centre: Point;
  r: number;
  label: string;
  /** The choices it stands for: a single disc is chosen, a pawn or a direction narrows the choices to these. */
  choices: Choice[];
  /** Its distance along the track, which is the tab order. */
  order: number;
}

type Unsized = Omit<HitTarget, "r">;

/** The centre of a destination: of its disc, or of the pawn on its step. */
export function landingCentre(layout: Layout, view: View, { landing }: Destination): Point {
  if (landing !== null) return layout.spots[landing]!;
  const { x, y } = pawnBaseOnStep(layout, freeSteps(view)[0] ?? 0);
  return { x, y: y - 0.4 * layout.d };
}

/** The base of the pawn at a destination. */
export function landingBase(layout: Layout, view: View, { landing }: Destination): Point {
  return landing === null ? pawnBaseOnStep(layout, freeSteps(view)[0] ?? 0) : pawnBaseOnDisc(layout, landing);
}

/** The hit targets of a stage, in tab order. */
export function hitTargets(
  layout: Layout,
  view: View,
  destinations: readonly Destination[],
  stage: Stage,
): HitTarget[] {
  const create = { pawn: pawnTargets, direction: directionTargets, take: takeTargets }[stage];
  const targets = create(layout, view, destinations).sort((one, other) => one.order - other.order);
  const radii = hitRadii(
    targets.map(({ centre }) => centre),
    layout.d,
  );
  return targets.map((target, at) => ({ ...target, r: radii[at]! }));
}

function pawnTargets(layout: Layout, view: View, destinations: readonly Destination[]): Unsized[] {
  return [...new Set(destinations.map(({ pawn }) => pawn))].map((pawn, at) => {
    const own = destinations.filter((one) => one.pawn === pawn);
    const { x, y } = pawnBase(layout, view, pawn);
    return {
      key: `pawn ${pawn}`,
      pawn,
      centre: { x, y: y - 0.16 * layout.d },
      label: describePawn(view, own),
      choices: choicesOf(own),
      order: (pawnPlace(view, pawn) ?? Infinity) + at / 10,
    };
  });
}

function directionTargets(layout: Layout, view: View, destinations: readonly Destination[]): Unsized[] {
  return destinations.map((destination) => ({
    key: `direction ${destination.backward}`,
    pawn: destination.pawn,
    centre: landingCentre(layout, view, destination),
    label: describeDestination(view, destination),
    choices: choicesOf([destination]),
    order: destination.landing ?? Infinity,
  }));
}

function takeTargets(layout: Layout, view: View, [destination]: readonly Destination[]): Unsized[] {
  const { pawn, landing, options } = destination!;
  return options.map(({ choice, place }) => ({
    key: `take ${choice.text}`,
    pawn,
    centre: place === null ? landingCentre(layout, view, destination!) : layout.spots[place]!,
    label: choice.words,
    choices: [choice],
    order: place ?? landing ?? Infinity,
  }));
}
