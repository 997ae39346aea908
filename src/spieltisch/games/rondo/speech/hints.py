"""Hints of Rondo: what is laid where, without numbers of fields, and a reason from the chains that the rack allows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Final

from spieltisch.games.rondo import rules
from spieltisch.games.rondo.board import LETTERS
from spieltisch.games.rondo.chains import BestChain
from spieltisch.games.rondo.state import MOST, Action, End, Lay, Pass, State, count
from spieltisch.games.rondo.view import View, imagine
from spieltisch.i18n.message import Message, message_factory

say = message_factory("rondo")
_PARTS: Final = {"A": "arm", "I": "inner", "K": "spoke", "O": "outer"}


def propose(view: View, lay: Lay) -> Message:
    """The stones, and their field by its value and the part of the wheel that it belongs to."""
    field = view.fields[lay.field]
    part = _PARTS[field.name[0]] if re.fullmatch(r"A[NESW]|[IKO]\d+", field.name) else "other"
    stones = say(f"stone.{lay.stones[0].upper()}", n=len(lay.stones))
    if lay.stones.islower():
        return say("propose.down", stone=stones, value=field.value, part=part)
    return say("propose.up", stones=stones, value=field.value, part=part, points=_gain(view, lay))


def explain(view: View, action: Action, choices: Sequence[Action]) -> Message | None:
    """The first reason that is true of the action; None if there is none, or if the rack is not known."""
    if view.racks[view.seat].stones is None:
        return None
    state = imagine(view, Random(0))  # only the own rack and the board are looked at
    match action:
        case Lay():
            return _explain_lay(view, state, action, choices)
        case Pass():
            return _explain_pass(view, state)
        case End():
            return _explain_end(view, state)
        case _:
            return None


def _explain_lay(view: View, state: State, lay: Lay, choices: Sequence[Action]) -> Message | None:
    gain, after = _gain(view, lay), rules.apply(state, lay)
    others = [score for seat, score in enumerate(view.scores) if seat != view.seat]
    if after.cause == "grey" and not view.cause and after.scores[view.seat] > max(others):
        return say("why.closes")  # R11
    best, onward = _best_points(state), _best_points(after)
    if best and onward is not None and gain + onward == best:
        points = view.gained + best
        if lay.stones.islower():
            return say("why.bridge", points=points)
        return say("why.chain", points=points) if onward or view.gained else say("why.most", points=points)
    if gain and gain == max(_gain(view, other) for other in choices if isinstance(other, Lay)):
        return say("why.highest", points=gain)
    return _explain_way(view, state, after) if lay.stones.islower() else None


def _explain_way(view: View, state: State, after: State) -> Message | None:
    """A bridge next to a more valuable field than can be laid on now."""
    opened = rules.fields_in(after.adjacent & ~after.covered & ~state.adjacent)
    value = max((view.fields[field].value for field in opened), default=0)
    open_now = rules.fields_in(rules.open_fields(state))
    return say("why.way", value=value) if value > max(view.fields[field].value for field in open_now) else None


def _explain_pass(view: View, state: State) -> Message | None:
    drawn = min(2, MOST - view.racks[view.seat].size, view.bag.size)  # R5
    points = _best_points(state)
    return say("why.pass", points=points) if drawn and points is not None else None


def _explain_end(view: View, state: State) -> Message | None:
    left = view.racks[view.seat].size
    if left and _best_points(state) == 0:
        return say("why.end")
    return say("why.keep", n=left) if left and not view.cause else None


def _best_points(state: State) -> int | None:
    """The points of the best chain, or of the best continuation of the current one; None if there are too many."""
    if not any(count(state.racks[state.seat], colour) for colour in range(len(LETTERS))):
        return 0
    found = BestChain(state)
    return int(found.value) if found.complete else None


def _gain(view: View, lay: Lay) -> int:
    return len(lay.stones) * view.fields[lay.field].value if lay.stones.isupper() else 0  # R10
