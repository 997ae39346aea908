"""The rules of Big Points; read them beside RULES.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Never

from spieltisch.core.game import Chance, Decision, IllegalAction, Outcome, Over, Pending, Seat, Setup, ranking
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
    Hand,
    Lay,
    Move,
    State,
    Take,
    count,
    discs,
)
from spieltisch.i18n.message import Argument, message_factory

say = message_factory("bigpoints")
new = tuple.__new__  # what a named tuple's constructor does after some work that the hot path can spare


def _moves(*, extra: bool, backward: bool) -> tuple[tuple[tuple[Move, ...], ...], ...]:
    """For every pawn, the moves it has: with nothing to take, only ahead, only behind, both; last, onto the stairs."""

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


AHEAD, BEHIND, BESIDE = Take.AHEAD, Take.BEHIND, Take.BESIDE  # quicker to name than an enum's members
SEATS: Final = tuple(Seat(number) for number in range(5))
NORMAL: Final = _moves(extra=False, backward=False)
EXTRA: Final = _moves(extra=True, backward=False)
BACKWARD: Final = _moves(extra=True, backward=True)


def initial(setup: Setup) -> State:
    deal = Deal(setup, sum(ON_TRACK), b"", (0,) * len(COLOURS))
    return State(deal, 0, (START,) * 5, (EMPTY,) * setup.players, setup.first, extra=False)  # R4


def laid_out(setup: Setup, discs_: bytes) -> State:
    """The state once these discs are laid, from the start towards the staircase."""
    state = initial(setup)
    colours = tuple(sum(1 << n for n, disc in enumerate(discs_, 1) if disc == colour) for colour in COLOURS)
    deal = state.deal._replace(discs=discs_, colours=colours)
    return state._replace(deal=deal, left=(1 << len(discs_) + 1) - 2)


def is_dealing(state: State) -> bool:
    return len(state.deal.discs) < state.deal.size


def is_over(state: State) -> bool:
    return min(state.pawns) >= STAIRS  # R15


def pending(state: State) -> Pending[Action]:
    deal, left, pawns, _, seat, extra = state
    if len(deal.discs) < deal.size:
        return _next_disc(deal)
    actions: list[Action] = []
    blue, red, yellow, green, purple = pawns
    free = left & ~(blue | red | yellow | green | purple)
    tables = zip(pawns, deal.colours, EXTRA if extra else NORMAL, BACKWARD)  # noqa: B905 - white and black have no pawn
    for place, colour, moves, backward in tables:
        if place >= STAIRS:  # R17
            continue
        if ahead := left & colour & -(place << 1):
            onto = ahead & -ahead  # R5
            if place > START or free & onto - 1:  # R6: behind lies at least the disc just left
                actions += moves[3 if free >= onto << 1 else 2]
            else:
                actions += moves[1 if free >= onto << 1 else 0]  # R7
        else:
            actions += moves[4]  # R8
        if extra and (behind := left & colour & place - 1):  # R11
            onto = 1 << behind.bit_length() - 1
            actions += backward[3 if free & onto - 1 else 1]
    if not actions:  # R15
        return Over(outcome(state))
    if extra:
        actions.append(DECLINE)  # R10
    return new(Decision, (seat, tuple(actions)))


def _next_disc(deal: Deal) -> Chance[Action]:
    """What is left of the shuffle."""  # R3
    left = [ON_TRACK[colour] - deal.discs.count(colour) for colour in COLOURS]
    return Chance(
        tuple(LAYS[colour] for colour in COLOURS if left[colour]),
        tuple(number for number in left if number),
    )


def landing(state: State, pawn: Colour) -> Bits:
    """The nearest disc of the pawn's colour ahead of it; 0 where the staircase comes next."""  # R5, R8
    ahead = state.left & state.deal.colours[pawn] & -(state.pawns[pawn] << 1)
    return ahead & -ahead


def landing_behind(state: State, pawn: Colour) -> Bits:
    """The nearest disc of the pawn's colour behind it; 0 where there is none."""  # R11
    behind = state.left & state.deal.colours[pawn] & state.pawns[pawn] - 1
    return 1 << behind.bit_length() - 1 if behind else 0


def takeable(state: State, pawn: Colour, onto: Bits) -> tuple[Bits, Bits]:
    """The nearest discs ahead and behind on which no pawn stands once this one has moved there; 0 for none."""  # R6
    blue, red, yellow, green, purple = state.pawns
    free = state.left & ~((blue | red | yellow | green | purple) ^ state.pawns[pawn] | onto)
    ahead, behind = free & -onto, free & onto - 1
    return ahead & -ahead, 1 << behind.bit_length() - 1 if behind else 0


def apply(state: State, action: Action) -> State:
    if isinstance(action, Move):
        return _moved(state, action)
    if isinstance(action, Lay):
        return _laid(state, action.disc)
    if not state.extra:
        _refuse_decline(state)
    following = SEATS[(state.seat + 1) % len(state.hands)]
    return State(state.deal, state.left, state.pawns, state.hands, following, extra=False)


def _laid(state: State, disc: Colour) -> State:
    deal = state.deal
    if not is_dealing(state):
        _refuse("R3", "refuse.laid")
    if deal.discs.count(disc) == ON_TRACK[disc]:
        _refuse("R3", "refuse.gone", disc=say(f"disc.{LETTERS[disc]}"))
    bit = 1 << len(deal.discs) + 1
    colours = tuple(bits | bit if colour == disc else bits for colour, bits in enumerate(deal.colours))
    return state._replace(deal=deal._replace(discs=deal.discs + bytes([disc]), colours=colours), left=state.left | bit)


def _moved(state: State, move: Move) -> State:
    pawn, take, extra, backward = move
    deal, left, pawns, hands, seat, asked = state
    place = pawns[pawn]
    if extra is not asked or place >= STAIRS or len(deal.discs) < deal.size or (backward and not extra):
        _refuse_turn(state, move)
    own = left & deal.colours[pawn]
    if backward:
        behind = own & place - 1
        onto = 1 << behind.bit_length() - 1 if behind else 0  # R11
    else:
        ahead = own & -(place << 1)
        onto = ahead & -ahead  # R5
    if onto:
        blue, red, yellow, green, purple = pawns
        free = left & ~((blue | red | yellow | green | purple) ^ place | onto)
        gone = _taken(take, free, onto)
        gained = ONE[deal.discs[gone.bit_length() - 2]] if gone else EMPTY
    else:
        _check_climb(move)
        onto, gone, gained = STAIRS << sum(other >= STAIRS for other in pawns), 0, ONE[pawn]  # R8
    held = hands[seat]
    hand = held + gained - ONE[BLACK] if extra else held + gained  # R10, R13
    pawns = pawns[:pawn] + (onto,) + pawns[pawn + 1 :]  # noqa: RUF005 - quicker
    hands = hands[:seat] + (hand,) + hands[seat + 1 :]  # noqa: RUF005
    if held >= ONE[BLACK] and not extra and min(pawns) < STAIRS:  # R10, R12, R14, R15
        return new(State, (deal, left ^ gone, pawns, hands, seat, True))
    return new(State, (deal, left ^ gone, pawns, hands, SEATS[(seat + 1) % len(hands)], False))  # R4


def _taken(take: Take, free: Bits, onto: Bits) -> Bits:
    """The disc that goes with a move onto that disc; 0 where there is nothing to take."""  # R6, R7
    if take is AHEAD:
        ahead = free & -onto
        return ahead & -ahead or _refuse("R7", "refuse.none_ahead")
    if take is BEHIND:
        behind = free & onto - 1
        return 1 << behind.bit_length() - 1 if behind else _refuse("R7", "refuse.none_behind")
    if take is BESIDE:
        _refuse("R5", "refuse.not_yet")
    if free:
        _refuse("R6", "refuse.must_take")
    return 0


def _check_climb(move: Move) -> None:
    """Refuses everything but the staircase, where no disc of the pawn's colour lies that way."""
    if move.backward:
        _refuse("R11", "refuse.no_disc_behind")
    if move.take is not Take.BESIDE:
        _refuse("R8", "refuse.must_climb")


def _refuse_decline(state: State) -> Never:
    """Says why nothing can be declined."""
    if is_dealing(state):
        _refuse("R3", "refuse.dealing")
    if is_over(state):
        _refuse("R15", "refuse.over")
    _refuse("R5", "refuse.pass")


def _refuse_turn(state: State, move: Move) -> Never:
    """Says why such a move is not pending, or why the pawn stays where it is."""
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
    """How many pawns were on the staircase before each pawn; None for a pawn that is not there."""
    return tuple(place.bit_length() - STAIRS.bit_length() if place >= STAIRS else None for place in state.pawns)


def step_values(setup: Setup) -> tuple[int, ...]:
    """What the steps are worth, in the order in which they are taken."""  # R2
    return (0, 1, 2, 3, 4) if setup.option("stairs") == "humble" else (4, 3, 2, 1, 0)


def colour_values(state: State) -> tuple[int, ...]:
    """What a disc of each pawn's colour is worth now: nothing while the pawn is not on the staircase."""  # R16
    values = step_values(state.deal.setup)
    return tuple(0 if step is None else values[step] for step in steps_taken(state))


def hand_score(hand: Hand, values: Sequence[int]) -> int:
    """What a hand scores when discs of the pawns' colours have these values."""  # R16
    held = discs(hand)
    coloured = sum(number * value for number, value in zip(held[:WHITE], values, strict=True))
    return coloured + held[WHITE] * sum(number > 0 for colour, number in enumerate(held) if colour != WHITE)


def outcome(state: State) -> Outcome:
    values = colour_values(state)
    scores = tuple(hand_score(hand, values) for hand in state.hands)
    return Outcome(scores, ranking([(score,) for score in scores]), "stairs")  # R18


def handed_in(state: State) -> int:
    """How many black discs are out of the game."""  # R13
    on_track = (state.left & state.deal.colours[BLACK]).bit_count()
    return state.deal.discs.count(BLACK) - on_track - sum(count(hand, BLACK) for hand in state.hands)


def _refuse(rule: str, key: str, **arguments: Argument) -> Never:
    raise IllegalAction(rule, say(key, **arguments))
