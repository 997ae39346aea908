"""Test positions of Big Points in readable notation."""

from __future__ import annotations

from random import Random

from tests.support.playing import NotationGame

from spieltisch.core.game import Chance, Decision, Seat
from spieltisch.games.bigpoints import GAME
from spieltisch.games.bigpoints.state import COLOURS, LETTERS, STAIRS, START, Deal, State, hand_of


def position(
    track: str,
    pawns: str = "",
    *,
    stairs: str = "",
    hands: tuple[str, ...] = ("", ""),
    seat: int = 0,
    extra: bool = False,
    humble: bool = False,
) -> State:
    """A track such as 'g w . y' (a dot is a gap); pawns as 'r3 b1' (disc numbers from 1), the others wait at the start."""
    letters = track.split()
    laid = bytes(LETTERS.index(letter) if letter != "." else 6 for letter in letters)
    bits = {colour: sum(1 << n for n, disc in enumerate(laid, 1) if disc == colour) for colour in COLOURS}
    places = dict.fromkeys("brygp", START)
    places |= {entry[0]: (1 << int(entry[1:])) for entry in pawns.split()}
    places |= {pawn: (STAIRS << step) for step, pawn in enumerate(stairs)}
    return State(
        deal=Deal(
            GAME.agree(len(hands), options={"stairs": "humble"} if humble else {}),
            len(laid),
            laid,
            tuple((bits[c]) for c in COLOURS),
        ),
        remaining=(sum(1 << n for n, letter in enumerate(letters, 1) if letter != ".")),
        pawns=tuple(places[pawn] for pawn in "brygp"),
        hands=tuple(hand_of(tuple(hand.count(letter) for letter in LETTERS)) for hand in hands),
        seat=Seat(seat),
        extra=extra,
    )


_playing = NotationGame(GAME)
choices, play, refused, hint = _playing.choices, _playing.play, _playing.refused, _playing.hint


def held(state: State, seat: int = 0) -> str:
    """A hand, as sorted letters."""
    view = GAME.observe(state, Seat(seat))
    return "".join(letter * n for letter, n in zip(LETTERS, view.hands[seat].discs or (), strict=True))


def dealt(seed: int, players: int = 2, **options: str) -> State:
    """A freshly laid track."""
    dice, state = Random(seed), GAME.initial(GAME.agree(players, options=options))
    while isinstance(pending := GAME.pending(state), Chance):
        state = GAME.apply(state, dice.choices(pending.actions, pending.weights)[0])
    assert isinstance(pending, Decision)
    return state
