"""The rules of Big Points; read them alongside RULES.md."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import Final, Never, TypeVar

from spieltisch.core.game import (
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
from spieltisch.games.bigpoints.state import (
    BLACK,
    COLOURS,
    DECLINE,
    EMPTY,
    LAYS,
    LETTERS,
    ON_TRACK,
    ONE,
    PAWNS,
    STAIRS,
    START,
    WHITE,
    Action,
    Bits,
    Colour,
    Deal,
    Decline,
    Hand,
    Lay,
    Move,
    State,
    Take,
    discs,
)
from spieltisch.i18n.message import Argument, message_factory

T = TypeVar("T")
say = message_factory("bigpoints")
new = tuple.__new__  # builds a named tuple without the checks of its constructor, in half the time
AHEAD, BEHIND, BESIDE = Take.AHEAD, Take.BEHIND, Take.BESIDE  # a global is faster to read than a member of an enum
SEATS: Final = tuple(Seat(number) for number in range(5))

# What a pawn can take at its landing: the index into its row of a table of moves.
NO_DISC, ONLY_AHEAD, ONLY_BEHIND, BOTH_SIDES, CLIMB = range(5)


def _table_of_moves(*, extra: bool, backward: bool) -> tuple[tuple[tuple[Move, ...], ...], ...]:
    """The legal moves of every pawn, by what it can take at its landing."""

    def moves(pawn: Colour, *takes: Take) -> tuple[Move, ...]:
        return tuple(Move(pawn, take, extra, backward) for take in takes)

    return tuple(
        (
            moves(pawn, Take.NOTHING),
            moves(pawn, Take.AHEAD),
            moves(pawn, Take.BEHIND),
            moves(pawn, Take.AHEAD, Take.BEHIND),
            moves(pawn, Take.BESIDE),
        )
        for pawn in PAWNS
    )


NORMAL: Final = _table_of_moves(extra=False, backward=False)
EXTRA: Final = _table_of_moves(extra=True, backward=False)
BACKWARD: Final = _table_of_moves(extra=True, backward=True)


def initial(setup: Setup) -> State:
    deal = Deal(setup, sum(ON_TRACK), b"", (0,) * len(COLOURS))
    return State(deal, 0, (START,) * 5, (EMPTY,) * setup.players, setup.first, extra=False)  # R4


def after_deal(setup: Setup, laid: bytes) -> State:
    """The state after these discs have been laid, in order from the start to the staircase."""
    state = initial(setup)
    colours = tuple(sum(1 << n for n, disc in enumerate(laid, 1) if disc == colour) for colour in COLOURS)
    deal = state.deal._replace(discs=laid, colours=colours)
    return state._replace(deal=deal, remaining=(1 << len(laid) + 1) - 2)


def is_dealing(state: State) -> bool:
    return len(state.deal.discs) < state.deal.size


def is_over(state: State) -> bool:
    return min(state.pawns) >= STAIRS  # R15


def pending(state: State) -> Pending[Action]:
    deal, remaining, pawns, _, seat, extra = state
    if len(deal.discs) < deal.size:
        return _next_disc(deal)
    free = remaining & ~occupied(pawns)
    actions: list[Action] = []
    tables = zip(pawns, deal.colours, EXTRA if extra else NORMAL, BACKWARD)  # noqa: B905 - white and black have no pawn
    for place, colour, forward, backward in tables:
        if place >= STAIRS:  # R17
            continue
        own = remaining & colour
        onto = nearest_ahead(own, place)  # R5
        actions += forward[_takes(free, place, onto) if onto else CLIMB]  # R8
        if extra and (onto := nearest_behind(own, place)):  # R11
            actions += backward[_takes(free, place, onto)]
    if not actions:  # R15
        return Over(outcome(state))
    if extra:
        actions.append(DECLINE)  # R10
    return new(Decision, (seat, tuple(actions)))


def _next_disc(deal: Deal) -> Chance[Action]:
    """The draw of the next disc of the track, from what is left of the shuffle."""  # R3
    left = [number - colour.bit_count() for number, colour in zip(ON_TRACK, deal.colours, strict=True)]
    return Chance(tuple(compress(LAYS, left)), tuple(filter(None, left)))


def nearest_ahead(discs: Bits, place: Bits) -> Bits:
    """The nearest of the discs ahead of a place; 0 if there is none."""  # R5, R6
    ahead = discs & -(place << 1)
    return ahead & -ahead


def nearest_behind(discs: Bits, place: Bits) -> Bits:
    """The nearest of the discs behind a place; 0 if there is none."""  # R6, R11
    behind = discs & place - 1
    return 1 << behind.bit_length() - 1 if behind else 0


def occupied(pawns: tuple[Bits, ...]) -> Bits:
    """The places of all pawns."""
    blue, red, yellow, green, purple = pawns
    return blue | red | yellow | green | purple


def next_step(pawns: tuple[Bits, ...]) -> Bits:
    """The step that the next pawn on the staircase takes."""  # R8
    return max(STAIRS, 1 << occupied(pawns).bit_length())


def _takes(free: Bits, place: Bits, onto: Bits) -> int:
    """On which sides there is a disc to take for a pawn that moves from a place onto a disc."""  # R6, R7
    free |= place  # the disc it leaves; START, which is no disc, is the lowest bit
    if free & onto - 1 > START:
        return BOTH_SIDES if free >= onto << 1 else ONLY_BEHIND
    return ONLY_AHEAD if free >= onto << 1 else NO_DISC


def landing(state: State, pawn: Colour) -> Bits:
    """The disc that the pawn moves onto; 0 if it moves onto the staircase."""  # R5, R8
    return nearest_ahead(state.remaining & state.deal.colours[pawn], state.pawns[pawn])


def landing_behind(state: State, pawn: Colour) -> Bits:
    """The disc that the pawn moves onto if it moves backward; 0 if it cannot."""  # R11
    return nearest_behind(state.remaining & state.deal.colours[pawn], state.pawns[pawn])


def takeable(state: State, pawn: Colour, onto: Bits) -> tuple[Bits, Bits]:
    """The discs ahead and behind that can be taken after the pawn has moved onto a disc; 0 for none."""  # R6
    free = state.remaining & ~(occupied(state.pawns) ^ state.pawns[pawn] | onto)
    return nearest_ahead(free, onto), nearest_behind(free, onto)


def apply(state: State, action: Action) -> State:
    if isinstance(action, Move):
        return _move(state, action)
    if isinstance(action, Lay):
        return _lay(state, action.disc)
    if not isinstance(action, Decline):
        raise not_an_action(action)
    if not state.extra:
        _refuse_decline(state)
    following = SEATS[(state.seat + 1) % len(state.hands)]
    return State(state.deal, state.remaining, state.pawns, state.hands, following, extra=False)


def _lay(state: State, disc: Colour) -> State:
    deal = state.deal
    if not is_dealing(state):
        _refuse("R3", "refuse.laid")
    if deal.discs.count(disc) == ON_TRACK[disc]:
        _refuse("R3", "refuse.gone", disc=say(f"disc.{LETTERS[disc]}"))
    bit = 1 << len(deal.discs) + 1
    colours = replaced(deal.colours, disc, deal.colours[disc] | bit)
    deal = new(Deal, (deal.setup, deal.size, deal.discs + bytes((disc,)), colours))
    return new(State, (deal, state.remaining | bit, state.pawns, state.hands, state.seat, state.extra))


def _move(state: State, move: Move) -> State:
    pawn, take, extra, backward = move
    deal, remaining, pawns, hands, seat, extra_pending = state
    place = pawns[pawn]
    if extra is not extra_pending or place >= STAIRS or len(deal.discs) < deal.size or (backward and not extra):
        _refuse_turn(state, move)
    own = remaining & deal.colours[pawn]
    onto = nearest_behind(own, place) if backward else nearest_ahead(own, place)  # R5, R11
    if onto:
        free = remaining & ~(occupied(pawns) ^ place | onto)
        taken = _take(take, free, onto)
        gained = ONE[deal.discs[taken.bit_length() - 2]] if taken else EMPTY
    else:
        _check_climb(move)
        onto, taken, gained = next_step(pawns), 0, ONE[pawn]  # R8
    held = hands[seat]
    hand = held + gained - ONE[BLACK] if extra else held + gained  # R10, R13
    pawns, hands = replaced(pawns, pawn, onto), replaced(hands, seat, hand)
    if held >= ONE[BLACK] and not extra and min(pawns) < STAIRS:  # R10, R12, R14, R15
        return new(State, (deal, remaining ^ taken, pawns, hands, seat, True))
    return new(State, (deal, remaining ^ taken, pawns, hands, SEATS[(seat + 1) % len(hands)], False))  # R4


def _take(take: Take, free: Bits, onto: Bits) -> Bits:
    """The disc taken after a move onto a disc; 0 if there is nothing to take."""  # R6, R7
    if take is AHEAD:
        return nearest_ahead(free, onto) or _refuse("R7", "refuse.none_ahead")
    if take is BEHIND:
        return nearest_behind(free, onto) or _refuse("R7", "refuse.none_behind")
    if take is BESIDE:
        _refuse("R5", "refuse.not_yet")
    if free:
        _refuse("R6", "refuse.must_take")
    return 0


def replaced(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """The items with one of them replaced."""
    changed = [*items]
    changed[index] = item
    return tuple(changed)


def _check_climb(move: Move) -> None:
    """Refuses all moves but the one onto the staircase, because no disc of the pawn's colour lies that way."""
    if move.backward:
        _refuse("R11", "refuse.no_disc_behind")
    if move.take is not Take.BESIDE:
        _refuse("R8", "refuse.must_climb")


def _refuse_decline(state: State) -> Never:
    """Refuses to decline, by the rule that applies."""
    if is_dealing(state):
        _refuse("R3", "refuse.dealing")
    if is_over(state):
        _refuse("R15", "refuse.over")
    _refuse("R5", "refuse.pass")


def _refuse_turn(state: State, move: Move) -> Never:
    """Refuses a move that is not pending, or of a pawn on the staircase, by the rule that applies."""
    if is_dealing(state):
        _refuse("R3", "refuse.dealing")
    if is_over(state):
        _refuse("R15", "refuse.over")
    if move.backward and not move.extra:
        _refuse("R5", "refuse.backward")
    if move.extra != state.extra:
        _refuse("R10", "refuse.extra_first" if move.extra else "refuse.moved")
    _refuse("R17", "refuse.stairs", pawn=say(f"pawn.{LETTERS[move.pawn]}"))


def steps_taken(state: State) -> tuple[int | None, ...]:
    """The step of each pawn, counted from 0 in the order of arrival; None for a pawn that is not on the staircase."""
    return tuple([place.bit_length() - STAIRS.bit_length() if place >= STAIRS else None for place in state.pawns])


def step_values(setup: Setup) -> tuple[int, ...]:
    """The values of the steps, in the order in which pawns take them."""  # R2
    return (0, 1, 2, 3, 4) if setup.option("stairs") == "humble" else (4, 3, 2, 1, 0)


def colour_values(state: State) -> tuple[int, ...]:
    """The value of a disc of each pawn's colour: 0 until the pawn is on the staircase."""  # R16
    values = step_values(state.deal.setup)
    return tuple(0 if step is None else values[step] for step in steps_taken(state))


def hand_score(hand: Hand, values: Sequence[int]) -> int:
    """The score of a hand if discs of the pawns' colours have these values."""  # R16
    held = discs(hand)
    coloured = sum(number * value for number, value in zip(held[:WHITE], values, strict=True))
    return coloured + held[WHITE] * sum(number > 0 for colour, number in enumerate(held) if colour != WHITE)


def outcome(state: State) -> Outcome:
    values = colour_values(state)
    scores = tuple(hand_score(hand, values) for hand in state.hands)
    return Outcome(scores, ranking([(score,) for score in scores]), "stairs")  # R18


def handed_in(state: State) -> int:
    """The number of black discs that are out of the game."""  # R13
    on_track = (state.remaining & state.deal.colours[BLACK]).bit_count()
    return state.deal.discs.count(BLACK) - on_track - sum([hand // ONE[BLACK] for hand in state.hands])


def _refuse(rule: str, key: str, **arguments: Argument) -> Never:
    raise IllegalAction(rule, say(key, **arguments))
