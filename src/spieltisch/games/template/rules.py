"""The rules of Pebbles; read them alongside RULES.md."""

from __future__ import annotations

import json
from typing import Never, TypeVar

from spieltisch.core.game import (
    BadSetup,
    Chance,
    Decision,
    IllegalAction,
    Outcome,
    Over,
    Pending,
    Seat,
    Setup,
    ranking,
)
from spieltisch.core.type_errors import not_an_action
from spieltisch.games.template.state import (
    COLOURS,
    DRAWS,
    FACE_DOWN,
    FACE_UP,
    HAND,
    LETTERS,
    NONE,
    STOP,
    Action,
    Colour,
    Draw,
    Lay,
    Pebbles,
    Phase,
    State,
    Stop,
    add,
)
from spieltisch.i18n.message import Argument, message_factory

T = TypeVar("T")
say = message_factory("template")


def bag_of(setup: Setup) -> Pebbles:
    """The pebbles in the bag before the deal."""  # R2
    text = setup.option("bag")
    pebbles = _parse_bag(json.loads(text)) if text else (5, 5, 5)
    if sum(pebbles) < HAND * setup.players:
        raise BadSetup(say("bag.few", least=HAND * setup.players, given=sum(pebbles)), "R2", "bag")
    return pebbles


def _parse_bag(bag: dict[str, object]) -> Pebbles:
    if set(bag) != set(LETTERS):
        raise BadSetup(say("bag.colours"), "R2", "bag")
    pebbles = tuple(count for count in map(bag.get, LETTERS) if type(count) is int and 0 <= count <= 1000)
    if len(pebbles) != len(LETTERS):
        raise BadSetup(say("bag.counts"), "R2", "bag")
    return pebbles


def initial(setup: Setup) -> State:
    empty = (NONE,) * setup.players
    return State(
        setup=setup,
        phase=Phase.DEAL,
        seat=setup.first,
        laying=None,
        bag=bag_of(setup),
        hands=empty,
        shown=empty,
        hidden=empty,
    )


def pending(state: State) -> Pending[Action]:
    hand = state.hands[state.seat]
    match state.phase:
        case Phase.DEAL | Phase.DRAW:  # R3, R8
            left = [colour for colour in COLOURS if state.bag[colour]]
            return Chance(tuple(DRAWS[colour] for colour in left), tuple(state.bag[colour] for colour in left))
        case Phase.LAY:  # R4
            held = [colour for colour in COLOURS if hand[colour]]
            face_down = () if sum(state.hidden[state.seat]) else tuple(FACE_DOWN[colour] for colour in held)  # R6
            return Decision(state.seat, tuple(FACE_UP[colour] for colour in held) + face_down)
        case Phase.MORE:  # R5
            assert state.laying is not None
            more = (FACE_UP[state.laying],) if hand[state.laying] else ()
            return Decision(state.seat, (*more, STOP))
        case Phase.OVER:
            return Over(outcome(state))


def apply(state: State, action: Action) -> State:
    match state.phase, action:
        case ((Phase.DEAL | Phase.DRAW), Draw(colour)):
            return _draw(state, colour)
        case ((Phase.LAY | Phase.MORE), Lay(colour, face_up)):
            return _lay(state, colour, face_up)
        case Phase.MORE, Stop():
            return _end_laying(state)
        case _, (Draw() | Lay() | Stop()):
            _refuse_phase(state.phase, action)
    raise not_an_action(action)


def _draw(state: State, colour: Colour) -> State:
    if not state.bag[colour]:
        _refuse("R8", "refuse.bag", pebble=say(f"pebble.{LETTERS[colour]}"))
    hand = add(state.hands[state.seat], colour, +1)
    hands = _replaced(state.hands, state.seat, hand)
    return _next_phase(state._replace(bag=add(state.bag, colour, -1), hands=hands))


def _lay(state: State, colour: Colour, face_up: bool) -> State:
    seat = state.seat
    if not state.hands[seat][colour]:
        _refuse("R4", "refuse.hand", pebble=say(f"pebble.{LETTERS[colour]}"))
    if state.phase is Phase.MORE and colour != state.laying and face_up:
        _refuse("R5", "refuse.colour")
    if state.phase is Phase.MORE and not face_up:
        _refuse("R5", "refuse.face_down_later")
    if not face_up and sum(state.hidden[seat]) > 0:
        _refuse("R6", "refuse.face_down_again")
    hands = _replaced(state.hands, seat, add(state.hands[seat], colour, -1))
    if face_up:
        shown = _replaced(state.shown, seat, add(state.shown[seat], colour, +1))
        return state._replace(phase=Phase.MORE, laying=colour, hands=hands, shown=shown)
    hidden = _replaced(state.hidden, seat, add(state.hidden[seat], colour, +1))
    return _end_laying(state._replace(hands=hands, hidden=hidden))  # R6


def _end_laying(state: State) -> State:
    return _next_phase(state._replace(phase=Phase.DRAW, laying=None))


def _next_phase(state: State) -> State:
    """The state with the next phase: the same player draws again, the next player's turn starts, or the game ends."""
    if sum(state.bag) and sum(state.hands[state.seat]) < HAND:  # R3, R8
        return state
    following = Seat((state.seat + 1) % state.setup.players)
    if state.phase is Phase.DEAL:
        phase = Phase.LAY if following == state.setup.first else Phase.DEAL
        return state._replace(phase=phase, seat=following)
    if not sum(state.hands[state.seat]):  # R9
        return state._replace(phase=Phase.OVER)
    return state._replace(phase=Phase.LAY, seat=following)


def score(state: State, seat: Seat) -> int:
    """The score of a seat."""  # R10
    return sum((up + down) ** 2 for up, down in zip(state.shown[seat], state.hidden[seat], strict=True))


def outcome(state: State) -> Outcome:
    scores = tuple(score(state, Seat(seat)) for seat in range(state.setup.players))
    if state.setup.rules == 1:  # R11, version 1
        return Outcome(scores, ranking([(points,) for points in scores]), "empty")
    keys = [(points, -sum(hand)) for points, hand in zip(scores, state.hands, strict=True)]  # R11
    return Outcome(scores, ranking(keys), "empty")


def _refuse_phase(phase: Phase, action: Action) -> Never:
    match phase, action:
        case Phase.OVER, _:
            _refuse("R9", "refuse.over")
        case Phase.DEAL, _:
            _refuse("R3", "refuse.dealing")
        case Phase.DRAW, _:
            _refuse("R8", "refuse.drawing")
        case _, Draw():
            _refuse("R4", "refuse.draw")
        case _:
            _refuse("R4", "refuse.stop")


def _refuse(rule: str, key: str, **arguments: Argument) -> Never:
    raise IllegalAction(rule, say(key, **arguments))


def _replaced(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])
