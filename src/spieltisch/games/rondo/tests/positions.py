"""Test positions of Rondo in readable notation."""

from __future__ import annotations

from random import Random

from tests.support.playing import NotationGame

from spieltisch.core.game import Chance, Decision, Outcome, Over, Seat
from spieltisch.games.rondo import GAME
from spieltisch.games.rondo.board import LETTERS, board_of
from spieltisch.games.rondo.state import FULL, NOWHERE, ONE, Bridge, FieldId, State, counts, total

BOARD = board_of("", "blue")


def position(
    laid: str = "",
    racks: tuple[str, ...] = ("", ""),
    *,
    seat: int = 0,
    first: int = 0,
    last: str = "",
    bag: str | None = None,
    scores: tuple[int, ...] = (),
    cause: str = "",
    drawing: int = 0,
    edition: str = "blue",
) -> State:
    """Laid such as 'AE:PP K13:r', a bridge of seat 1 'K13:r@1'; last is the field the chain ends on; bag what is left."""
    setup = GAME.agree(len(racks), edition, first=first)
    board = board_of("", edition)
    piles, bridges, used = bytearray(len(board.names)), [], 0
    for entry in laid.split():
        name, stones = entry.split(":")
        field = FieldId(board.names.index(name))
        letters, _, owner = stones.partition("@")
        used += stones_of(letters)
        if letters.islower():
            bridges.append(Bridge(field, LETTERS.index(letters.upper()), Seat(int(owner or 0))))
        else:
            assert set(letters) == {LETTERS[board.colours[field]]}, entry
            piles[field] = len(letters)
    held = tuple(stones_of(rack) for rack in racks)
    left = [n - m for n, m in zip(counts(FULL), map(sum, zip(*map(counts, (used, *held)), strict=True)), strict=True)]
    assert min(left) >= 0
    covered = [number for number, n in enumerate(piles) if n] + [bridge.field for bridge in bridges]
    adjacent = board.centre
    for field in covered:
        adjacent |= board.links[field]
    return GAME.initial(setup)._replace(
        seat=Seat(seat),
        dealing=False,
        drawing=drawing,
        last=FieldId(board.names.index(last)) if last else NOWHERE,
        covered=sum(1 << field for field in covered),
        adjacent=adjacent,
        piles=bytes(piles),
        bridges=tuple(sorted(bridges)),
        racks=held,
        bag=sum(n * one for n, one in zip(left, ONE, strict=True)) if bag is None else stones_of(bag),
        scores=scores or (0,) * len(racks),
        cause=cause,
    )


def stones_of(letters: str) -> int:
    """Letters as the game counts them."""
    return sum(ONE[LETTERS.index(letter)] for letter in letters.upper())


def letters_of(stones: int) -> str:
    """What the game counts, as letters."""
    return "".join(letter * n for letter, n in zip(LETTERS, counts(stones), strict=True))


def covered(*free: str) -> str:
    """One stone of its own colour on every field of the blue side but these."""
    pairs = zip(BOARD.names, BOARD.colours, strict=True)
    return " ".join(f"{name}:{LETTERS[colour]}" for name, colour in pairs if name not in free)


_playing = NotationGame(GAME)
choices, play, refused, hint = _playing.choices, _playing.play, _playing.refused, _playing.hint


def held(state: State, seat: int = 0) -> str:
    """A rack, as letters in their order."""
    return letters_of(state.racks[seat])


def stones(state: State) -> int:
    """All the stones there are, as a spectator can count them."""
    view = GAME.observe(state, None)
    on_board = sum(field.face_up + (field.bridge is not None) for field in view.fields)
    return on_board + view.bag.size + sum(rack.size for rack in view.racks)


def outcome(state: State) -> Outcome:
    """How the game has ended."""
    pending = GAME.pending(state)
    assert isinstance(pending, Over)
    return pending.outcome


def dealt(seed: int, players: int = 2, edition: str = "blue", first: int = 0) -> State:
    """A game after the deal."""
    dice, state = Random(seed), GAME.initial(GAME.agree(players, edition, first=first))
    while isinstance(pending := GAME.pending(state), Chance):
        state = GAME.apply(state, dice.choices(pending.actions, pending.weights)[0])
    assert isinstance(pending, Decision)
    assert all(total(rack) == 2 for rack in state.racks)
    return state
