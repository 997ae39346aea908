"""Hints of Turmbauer: stones and places as in the log, and a reason from heights in reach, firmness and what is left."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from spieltisch.games.turmbauer.building.cells import TABLE, height
from spieltisch.games.turmbauer.building.choices import built_at
from spieltisch.games.turmbauer.building.climbing import Terrain, terrain_of
from spieltisch.games.turmbauer.evaluation import best_plans, reach_of
from spieltisch.games.turmbauer.phrases import pawn_phrase, say
from spieltisch.games.turmbauer.speech.turns import block_phrase, place_phrases
from spieltisch.games.turmbauer.state import Action, Box, Move, Pick, Place, State, Stay, colour_of, colours, seat_of
from spieltisch.i18n.message import Message

_CANDIDATES: Final = 20  # places of a stone of which the heights in reach are compared
_CHECKED: Final = 4  # of these, places whose firmness is computed


def propose(state: State, action: Action) -> Message | None:
    """The action in the words of the log; None for those that name no place or stone."""
    match action:
        case Place():
            return _propose_place(state, action)
        case Move():
            return _propose_move(state, action)
        case Pick(kind, ring):
            key = "propose.ring_a" if ring else "propose.stone"
            return say(key, stone=block_phrase("block", state, kind, colour_of(state)))
        case Box(kind):
            return say("propose.box", stone=block_phrase("block", state, kind, colour_of(state)))
        case _:
            return None


def _propose_place(state: State, place: Place) -> Message:
    return say(
        "propose.place",
        stone=block_phrase("block", state, state.chosen, colour_of(state)),
        places=place_phrases(state, place.cells),
        height=max(map(height, place.cells)),
    )


def _propose_move(state: State, move: Move) -> Message:
    here, there = height(state.pawns[colour_of(state)]), height(move.field)
    if move.ring:
        return say("propose.ring", ring=say(f"ring.{move.ring}"), height=there)
    if there > here:
        return say("propose.up", height=there)
    return say("propose.down" if there < here else "propose.level", height=there)


def explain(state: State, action: Action, choices: Sequence[Action]) -> Message | None:
    """The first reason that is true of the action; None if there is none."""
    match action:
        case Place():
            return _explain_place(state, action)
        case Pick():
            return _explain_pick(state, action, choices)
        case Box():
            return _explain_box(state, action, choices)
        case Move() | Stay():
            return _explain_move(state, action, choices)
        case _:
            return None


# moves


def _explain_move(state: State, action: Move | Stay, choices: Sequence[Action]) -> Message | None:
    own = colour_of(state)
    here = height(state.pawns[own])
    there = height(action.field) if isinstance(action, Move) else here
    without = max((height(one.field) for one in choices if isinstance(one, Move) and not one.ring), default=here)
    without = max(here, without)
    by_ring = max((height(one.field) for one in choices if isinstance(one, Move) and one.ring), default=here)
    if isinstance(action, Move) and action.ring:
        return say("why.ring") if there > without else None
    if there < without:
        return None
    if isinstance(action, Move) and there == here:
        return _explain_level(state, action)
    if there > max(height(pawn) for colour, pawn in enumerate(state.pawns) if colour != own) and there > here:
        return say("why.above", pawn=pawn_phrase(own))
    return say("why.spares") if by_ring > there else say("why.highest")


def _explain_level(state: State, move: Move) -> Message | None:
    """A move to a field with more exits."""
    own, terrain = colour_of(state), terrain_of(state.tower)
    if TABLE in (move.field, state.pawns[own]):
        return None
    before, after = (len(terrain.exits(field, own)) for field in (state.pawns[own], move.field))
    return say("why.exits") if after > before else None


# stones and places


def _explain_place(state: State, place: Place) -> Message | None:
    from spieltisch.games.turmbauer.physics.stability import stability_of  # noqa: PLC0415  (loads the solver)

    own, tower = colour_of(state), built_at(state, place.cells)
    before, after = terrain_of(state.tower), terrain_of(tower)
    word = stability_of(tower).word
    if word == "falls":
        return None
    top = top_in_reach(state, after, own)
    if top > top_in_reach(state, before, own):
        return say("why.climb_firm" if word == "firm" else "why.climb", height=top)
    lost = [(top_in_reach(state, before, one) - top_in_reach(state, after, one), one) for one in _rivals(state)]
    if lost and max(lost)[0] > 0:
        return say("why.blocks", pawn=pawn_phrase(max(lost)[1]))
    return say("why.firm") if word == "firm" else None


def _explain_pick(state: State, pick: Pick, choices: Sequence[Action]) -> Message | None:
    top = _firm_top(state, pick)
    if top is not None:
        return say("why.pick", height=top)
    by_dice = [one for one in choices if isinstance(one, Pick) and not one.ring]
    return say("why.dice") if by_dice == [pick] else None


def _firm_top(state: State, pick: Pick) -> int | None:
    """The height to which a firm place of the stone lets the pawn climb, if it is more than now; None if none is found."""
    from spieltisch.games.turmbauer.physics.stability import stability_of  # noqa: PLC0415  (loads the solver)

    own, chosen = colour_of(state), state._replace(chosen=pick.kind)
    now = top_in_reach(state, terrain_of(state.tower), own)
    plans = best_plans(state, [pick], _CANDIDATES, Random(0))
    towers = [built_at(chosen, plan.place) for plan in plans]
    tops = sorted(((top_in_reach(state, terrain_of(tower), own), -at) for at, tower in enumerate(towers)), reverse=True)
    for top, at in tops[:_CHECKED]:
        if top > now and stability_of(towers[-at]).word == "firm":
            return top
    return None


def _explain_box(state: State, box: Box, choices: Sequence[Action]) -> Message | None:
    """Fewer cubes in the box break a tie."""  # R20
    sizes = [state.stones.kinds[one.kind].size for one in choices if isinstance(one, Box)]
    fewest = state.stones.kinds[box.kind].size == min(sizes)
    return say("why.fewest") if fewest and min(sizes) < max(sizes) else None


def top_in_reach(state: State, terrain: Terrain, colour: int) -> int:
    """The greatest height that the pawn of a colour reaches without a ring."""
    return max(map(height, reach_of(state, terrain, colour)))


def _rivals(state: State) -> list[int]:
    """The colours of the other seats."""
    own = seat_of(state, colour_of(state))
    return [colour for colour in range(colours(state)) if seat_of(state, colour) != own]
