"""Turmbauer in sentences: positions, choices, events and scores as messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spieltisch.core.game import Heard
from spieltisch.core.json import Json
from spieltisch.core.speech import Speech, Witnessed
from spieltisch.games.turmbauer.building.cells import TABLE, UP, Cell, cell, height, is_coloured, x_of, y_of, z_of
from spieltisch.games.turmbauer.building.choices import open_places
from spieltisch.games.turmbauer.building.climbing import terrain_of
from spieltisch.games.turmbauer.description import (
    cube_phrases,
    describe_reach,
    floor_plans,
    height_profile,
    stone_phrases,
    supporting_phrases,
)
from spieltisch.games.turmbauer.notation import read
from spieltisch.games.turmbauer.phrases import cell_phrase, colour_phrase, field_phrase, pawn_phrase, say
from spieltisch.games.turmbauer.reason import find_reason
from spieltisch.games.turmbauer.speech.hints import explain, propose
from spieltisch.games.turmbauer.speech.turns import mark_turn, tell_turn
from spieltisch.games.turmbauer.state import (
    COLLAPSE,
    COLOURS,
    STANDS,
    TRIES,
    Action,
    Box,
    Move,
    Phase,
    Pick,
    Place,
    Roll,
    State,
    Stay,
    Tremor,
    Verdict,
    colour_of,
)
from spieltisch.games.turmbauer.view import Side, View, state_of
from spieltisch.i18n.message import Argument, Audience, Message


class TurmbauerSpeech(Speech[Action, View]):
    """Messages about Turmbauer, from views and witnessed actions only."""

    def position(self, view: View, audience: Audience) -> Sequence[Message]:
        state = state_of(view)
        messages = [say("stones.reconstructed")] if view.reconstructed else []
        messages += [say("plan.how"), say("tower", floors=1 + max(map(z_of, cube_phrases(state))), n=len(state.tower))]
        messages += [*height_profile(state), *floor_plans(state)]
        for side in view.sides:
            messages.append(self._side(view, side, audience))
        if view.phase is not Phase.OVER:
            messages += self._turn(view, state, audience)
        return messages

    def _side(self, view: View, side: Side, audience: Audience) -> Message:
        number = COLOURS.index(side.colour)
        state = state_of(view)
        stones, words = state.stones, stone_phrases(state)
        return audience(
            say,
            "side",
            side.seat,
            colour=colour_phrase(number),
            place=field_phrase(TABLE if side.pawn is None else cell(*side.pawn)),
            rings=side.rings,
            stock=tuple(words[stones.number(kind) or 0] for kind in side.stock) or say("nothing"),
            cubes=sum(int(kind[0]) for kind in side.box),
        )

    def _turn(self, view: View, state: State, audience: Audience) -> Iterator[Message]:
        yield audience(say, "to_play", view.seat, colour=colour_phrase(colour_of(state)))
        if view.roll and view.phase is not Phase.MOVE:
            yield say("rolled", low=view.roll[0], high=view.roll[1])
        if view.ruled_out:
            yield say("tries", n=len(view.ruled_out), most=TRIES)
        if view.phase is Phase.PLACE:
            yield say("building", stone=stone_phrases(state)[state.chosen], n=len(open_places(state)))
        if view.phase is Phase.MOVE:
            yield from describe_reach(state)

    def choice(self, view: View, action: Action) -> Message:
        state = state_of(view)
        match action:
            case Roll(low, high):
                return say("choose.roll", low=low, high=high)
            case Pick(kind, ring):
                return say("choose.ring_a" if ring else "choose.stone", stone=stone_phrases(state)[kind])
            case Box(kind):
                return say("choose.box", stone=stone_phrases(state)[kind])
            case Place(cells):
                return say("choose.place", cubes=_cubes_at(state, cells), bearers=supporting_phrases(state, cells))
            case Tremor(side):
                return say(f"tremor.{side}")
            case Verdict(fallen):
                return say("verdict.stands") if fallen == STANDS else say("choose.fall", n=fallen)
            case Stay():
                return say("choose.stay", pawn=pawn_phrase(colour_of(state)))
            case Move(field, ring):
                if ring:
                    return say("choose.ring", place=_field_with_cube(view, field), ring=say(f"ring.{ring}"))
                return say(f"choose.{_direction(state, field)}", place=_field_with_cube(view, field))

    def proposal(self, view: View, action: Action) -> Message:
        return propose(state_of(view), action) or self.choice(view, action)

    def hint_reason(self, view: View, action: Action, choices: Sequence[Action]) -> Message | None:
        return explain(state_of(view), action, choices)

    def headings(self, view: View, action: Action) -> Sequence[Sequence[Message]]:
        """Places are listed under each field that carries the stone, by height; moves by height."""
        match action:
            case Place(cells):
                state = state_of(view)
                cubes = terrain_of(state.tower).cubes
                below = [Cell(place - UP) for place in cells]
                return [
                    (
                        say("heading.height", height=height(field)),
                        _field_heading(field),
                        _direction_heading(cells, field),
                    )
                    for field in below
                    if field in cubes or z_of(field) < 0
                ]
            case Move(field, _):
                return [(say("heading.height", height=height(field)),)]
            case Stay():
                here = next(side.height for side in view.sides if side.colour == view.colour)
                return [(say("heading.height", height=here),)]
        return []

    def has_advice(self, view: View, action: Action) -> bool:
        """Whether the action builds a stone."""
        return isinstance(action, Place)

    def advice(self, view: View, action: Action) -> Sequence[Message]:
        """How firmly the stone would stand at a place."""
        if not isinstance(action, Place):
            return ()
        from spieltisch.games.turmbauer.physics.advice import describe_stability  # noqa: PLC0415  (loads the solver)

        return tuple(describe_stability(state_of(view), action.cells))

    def happened(self, before: View, heard: Heard, after: View, audience: Audience) -> Message:
        state, seat = state_of(before), before.seat
        match read(state, heard.text):
            case Roll(low, high):
                return audience(say, "rolls", seat, low=low, high=high, colour=colour_phrase(colour_of(state)))
            case Pick(kind, ring):
                if ring:
                    return audience(say, "takes_by_ring", seat, stone=stone_phrases(state)[kind])
                return audience(say, "takes", seat, stone=stone_phrases(state)[kind])
            case Box(kind):
                return audience(say, "boxes", seat, stone=stone_phrases(state)[kind])
            case Place(cells):
                built, carrying = stone_phrases(state)[state.chosen], supporting_phrases(state, cells)
                return audience(
                    say, "builds", seat, stone=built, cells=tuple(map(cell_phrase, cells)), bearers=carrying
                )
            case Tremor(side):
                return say(f"tremor.{side}")
            case Verdict(fallen):
                return self._verdict(before, fallen, audience)
            case Stay():
                return audience(say, "stays", seat, pawn=pawn_phrase(colour_of(state)))
            case Move(field, ring):
                where, who = field_phrase(field), pawn_phrase(colour_of(state))
                if ring:
                    return audience(say, "moves.ring", seat, place=where, pawn=who, ring=say(f"ring.{ring}"))
                return audience(say, f"moves.{_direction(state, field)}", seat, place=where, pawn=who)

    def _verdict(self, before: View, fallen: int, audience: Audience) -> Message:
        if fallen == STANDS:
            return say("verdict.stands")
        if fallen >= COLLAPSE:
            return audience(say, "collapses", before.seat, n=fallen)
        if len(before.ruled_out) + 1 == TRIES:
            return say("verdict.last", n=fallen)
        return say("verdict.falls", n=fallen)

    def opens_turn(self, heard: Heard) -> bool:
        """A turn starts with a roll of the dice."""
        return "+" in heard.text

    def turn(self, steps: Sequence[Witnessed[View]], audience: Audience) -> Sequence[Message]:
        return tuple(tell_turn(steps, audience)) or [
            self.happened(step.before, step.heard, step.after, audience) for step in steps
        ]

    def mark(self, steps: Sequence[Witnessed[View]]) -> Json:
        return mark_turn(steps)

    def scores(self, view: View, audience: Audience) -> Sequence[Message]:
        """How the game ended, and per seat what decides it: heights, cubes, rings."""  # R20, R21, R22
        assert view.outcome is not None
        collapse = view.outcome.ending == "collapse"
        messages = [say("ending.collapse", n=view.fallen) if collapse else say("ending.built")]
        for seat, score in enumerate(view.outcome.scores):
            sides = [side for side in view.sides if side.seat == seat]
            cubes = sum(int(kind[0]) for side in sides for kind in (*side.box, *(side.stock if collapse else ())))
            rings = sum(side.rings for side in sides)
            kind = ("sheet.collapse" if collapse else "sheet") + ("_two" if len(sides) == 2 else "")
            arguments: dict[str, Argument] = {"height": score, "cubes": cubes, "rings": rings}
            if len(sides) == 2:
                arguments["heights"] = tuple(side.height for side in sides)
            messages.append(audience(say, kind, seat, **arguments))
        return messages

    def reason(self, view: View, heard: Sequence[Heard], audience: Audience) -> Sequence[Message]:
        """Who brought the tower down, and how the winner compares with the best of the others."""
        causer, found = find_reason(view)
        messages = [] if causer is None else [audience(say, "reason.collapse", causer)]
        if found is not None:
            key = f"reason.{found.by}"
            if found.by == "height" and view.setup.players == 2:
                key = "reason.heights"
            elif found.by == "cubes" and causer is not None:
                key = "reason.cubes_left"
            messages.append(say(key, n=found.winner, other=found.second))
        return messages

    def decided_by_points(self, view: View) -> bool:
        """Scores are heights, and the reason compares them."""
        return False


def _cubes_at(state: State, cells: Sequence[Cell]) -> tuple[Message, ...]:
    """The cubes of the chosen stone at these cells, each with its colour."""
    own = COLOURS[colour_of(state)]
    return tuple(
        say("cube_at", cube=say(f"cube.{own}" if is_coloured(place) else "cube.natural"), cell=cell_phrase(place))
        for place in cells
    )


def _field_heading(field: Cell) -> Message:
    """The heading of a field, or of a square of the table."""
    return say("heading.field", field=field_phrase(field))


def _direction_heading(cells: Sequence[Cell], field: Cell) -> Message:
    """The heading for the sides of a field towards which the stone mostly lies."""
    east = max(map(x_of, cells)) + min(map(x_of, cells)) - 2 * x_of(field)
    north = max(map(y_of, cells)) + min(map(y_of, cells)) - 2 * y_of(field)
    sides = [say("towards.N") if north > 0 else say("towards.S")] if north else []
    sides += [say("towards.E") if east > 0 else say("towards.W")] if east else []
    return say("heading.towards", sides=tuple(sides)) if sides else say("heading.above")


def _field_with_cube(view: View, field: Cell) -> Message:
    """A field with the colour of its cube, or the table."""
    if field == TABLE:
        return say("table")
    return say("field_cube", field=field_phrase(field), cube=cube_phrases(state_of(view))[field])


def _direction(state: State, field: Cell) -> str:
    """Whether the pawn would go up, down, or stay on its level."""
    rise = height(field) - height(state.pawns[colour_of(state)])
    return "up" if rise > 0 else "down" if rise < 0 else "level"


SPEECH = TurmbauerSpeech()
