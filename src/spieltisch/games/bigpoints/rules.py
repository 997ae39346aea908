"""The rules of Big Points; read them beside RULES.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Never

from spieltisch.game import Chance, Decision, IllegalAction, Outcome, Over, Pending, Seat, Setup, ranking
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
from spieltisch.message import Argument, speaker

say = speaker("bigpoints")


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


NORMAL: Final = _moves(extra=False, backward=False)
EXTRA: Final = _moves(extra=True, backward=False)
EXTRA_BACKWARD: Final = _moves(extra=True, backward=True)


def initial(setup: Setup) -> State:
    deal = Deal(setup, sum(ON_TRACK), b"", (Bits(0),) * len(COLOURS))
    return State(deal, Bits(0), (START,) * 5, (EMPTY,) * setup.players, setup.first, extra=False)  # R4


def is_dealing(state: State) -> bool:
    return len(state.deal.discs) < state.deal.size


def is_over(state: State) -> bool:
    return min(state.pawns) >= STAIRS  # R15


def pending(state: State) -> Pending[Action]:
    if is_dealing(state):
        return _next_disc(state.deal)
    if is_over(state):
        return Over(outcome(state))
    left, extra, colours = state.left, state.extra, state.deal.colours
    forward = EXTRA if extra else NORMAL
    occupied = _occupied(state.pawns)
    actions: list[Action] = []
    for pawn, place in enumerate(state.pawns):
        if place >= STAIRS:  # R17
            continue
        ahead = left & colours[pawn] & -(place << 1)
        if onto := ahead & -ahead:  # R5
            free = left & ~(occupied ^ place | onto)
            actions += forward[pawn][(free > onto) + 2 * (free & onto - 1 > 0)]  # R6, R7
        else:
            actions += forward[pawn][4]  # R8
        if extra and (behind := left & colours[pawn] & place - 1):  # R11
            onto = 1 << behind.bit_length() - 1
            free = left & ~(occupied ^ place | onto)
            actions += EXTRA_BACKWARD[pawn][(free > onto) + 2 * (free & onto - 1 > 0)]
    if extra:
        actions.append(DECLINE)  # R10
    return Decision(state.seat, tuple(actions))


def _next_disc(deal: Deal) -> Chance[Action]:
    """What is left of the shuffle."""  # R3
    left = [ON_TRACK[colour] - deal.discs.count(colour) for colour in COLOURS]
    return Chance(
        tuple(LAYS[colour] for colour in COLOURS if left[colour]),
        tuple(number for number in left if number),
    )


def _occupied(pawns: tuple[Bits, ...]) -> int:
    """The places where pawns stand."""
    blue, red, yellow, green, purple = pawns
    return blue | red | yellow | green | purple


def landing(state: State, pawn: Colour) -> int:
    """The nearest disc of the pawn's colour ahead of it; 0 where the staircase comes next."""  # R5, R8
    ahead = state.left & state.deal.colours[pawn] & -(state.pawns[pawn] << 1)
    return ahead & -ahead


def landing_behind(state: State, pawn: Colour) -> int:
    """The nearest disc of the pawn's colour behind it; 0 where there is none."""  # R11
    behind = state.left & state.deal.colours[pawn] & state.pawns[pawn] - 1
    return 1 << behind.bit_length() - 1 if behind else 0


def takeable(state: State, pawn: Colour, onto: int) -> tuple[int, int]:
    """The nearest discs ahead and behind on which no pawn stands once this one has moved there; 0 for none."""  # R6
    free = state.left & ~(_occupied(state.pawns) ^ state.pawns[pawn] | onto)
    ahead, behind = free & -onto, free & onto - 1
    return ahead & -ahead, 1 << behind.bit_length() - 1 if behind else 0


def apply(state: State, action: Action) -> State:
    if isinstance(action, Lay):
        return _laid(state, action.disc)
    if is_dealing(state):
        _refuse("R3", "refuse.dealing")
    if isinstance(action, Move):
        return _moved(state, action)
    if is_over(state):
        _refuse("R15", "refuse.over")
    if not state.extra:
        _refuse("R5", "refuse.pass")
    return State(state.deal, state.left, state.pawns, state.hands, _following(state), extra=False)


def _laid(state: State, disc: Colour) -> State:
    deal = state.deal
    if not is_dealing(state):
        _refuse("R3", "refuse.laid")
    if deal.discs.count(disc) == ON_TRACK[disc]:
        _refuse("R3", "refuse.gone", disc=say(f"disc.{LETTERS[disc]}"))
    bit = 1 << len(deal.discs) + 1
    colours = tuple(Bits(bits | bit) if colour == disc else bits for colour, bits in enumerate(deal.colours))
    return state._replace(
        deal=deal._replace(discs=deal.discs + bytes([disc]), colours=colours), left=Bits(state.left | bit)
    )


def _moved(state: State, move: Move) -> State:
    _check_turn(state, move)
    onto = landing_behind(state, move.pawn) if move.backward else landing(state, move.pawn)
    if not onto:
        return _climbed(state, move)
    gone = _taken(state, move, onto)
    gained = ONE[state.deal.discs[gone.bit_length() - 2]] if gone else EMPTY
    return _after(state, move, Bits(onto), Bits(state.left ^ gone), gained)


def _check_turn(state: State, move: Move) -> None:
    """Refuses a move that is not of the kind that is pending, or of a pawn that stays where it is."""
    if is_over(state):
        _refuse("R15", "refuse.over")
    if move.backward and not move.extra:
        _refuse("R5", "refuse.backward")
    if move.extra != state.extra:
        _refuse("R10", "refuse.extra_first" if move.extra else "refuse.moved")
    if state.pawns[move.pawn] >= STAIRS:
        _refuse("R17", "refuse.stairs", pawn=say(f"pawn.{LETTERS[move.pawn]}"))


def _climbed(state: State, move: Move) -> State:
    """The pawn on the highest free step."""  # R8
    if move.backward:
        _refuse("R11", "refuse.no_disc_behind")
    if move.take is not Take.BESIDE:
        _refuse("R8", "refuse.must_climb")
    taken = sum(place >= STAIRS for place in state.pawns)
    return _after(state, move, Bits(STAIRS << taken), state.left, ONE[move.pawn])


def _taken(state: State, move: Move, onto: int) -> int:
    """The disc that goes with a move onto that disc, as a bit; 0 where there is nothing to take."""  # R6, R7
    if move.take is Take.BESIDE:
        _refuse("R5", "refuse.not_yet")
    ahead, behind = takeable(state, move.pawn, onto)
    if move.take is Take.AHEAD:
        return ahead or _refuse("R7", "refuse.none_ahead")
    if move.take is Take.BEHIND:
        return behind or _refuse("R7", "refuse.none_behind")
    if ahead or behind:
        _refuse("R6", "refuse.must_take")
    return 0


def _after(state: State, move: Move, place: Bits, left: Bits, gained: Hand) -> State:
    """The state once the pawn stands there and the player has got the disc."""
    seat, held = state.seat, state.hands[state.seat]
    hand = held + gained - ONE[BLACK] if move.extra else held + gained  # R10, R13
    pawns = (*state.pawns[: move.pawn], place, *state.pawns[move.pawn + 1 :])
    hands = (*state.hands[:seat], Hand(hand), *state.hands[seat + 1 :])
    asks = not move.extra and count(held, BLACK) > 0 and min(pawns) < STAIRS  # R10, R12, R14, R15
    return State(state.deal, left, pawns, hands, seat if asks else _following(state), asks)


def _following(state: State) -> Seat:
    return Seat((state.seat + 1) % state.deal.setup.players)  # R4


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
