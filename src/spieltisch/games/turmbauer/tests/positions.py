"""Test positions of Turmbauer in readable notation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

import pytest
from tests.support.playing import NotationGame

from spieltisch.core.game import Chance, IllegalAction, Outcome, Over
from spieltisch.games.turmbauer import GAME
from spieltisch.games.turmbauer.building.cells import TABLE, above, cell, is_coloured, x_of, y_of, z_of
from spieltisch.games.turmbauer.building.climbing import cubes_of
from spieltisch.games.turmbauer.building.stones import normalized
from spieltisch.games.turmbauer.state import COLOURS, Action, Phase, PlacedStone, State, colours
from spieltisch.games.turmbauer.view import Side, View

FOR_REPLAY = GAME.for_replay
for_replay = NotationGame(FOR_REPLAY)  # verdicts as they are typed
choices, play, hint = for_replay.choices, for_replay.play, for_replay.hint
judged = NotationGame(GAME.for_simulation)  # verdicts of the quick judge


COURTYARD = "R 4l@3,-1,0;3,0,0;2,1,0;3,1,0 | B 2d@1,-1,0;2,-1,0"  # around the square (2,0)
CORNER = f"{COURTYARD} | B 4i@1,1,1;1,1,2;1,1,3;1,1,4"  # from (1,0,1) red can go to (0,0,1) only
FLAT = "R 2d@0,0,1;1,0,1 | B 2d@0,1,1;1,1,1"  # height 2: natural, red; blue, natural
FOREIGN = "B 2d@0,0,1;1,0,1 | G 2d@0,1,1;1,1,1"  # height 2: natural, blue; green, natural
TURN = ("6+6", "*", "*", "stands", ".")  # a whole turn with a calm hand


def new(players: int = 3, first: int = 0, hand: str = "calm") -> State:
    """The start of a game."""
    return GAME.initial(GAME.agree(players, options={"hand": hand}, first=first))


def picks(state: State) -> list[str]:
    """The stones that may be built without a ring."""
    return [text for text in choices(state) if text[0].isdigit()]


def rings(state: State, colour: str = "R") -> int:
    """How many rings a colour has left."""
    return side(state, colour).rings


def position(
    stones: str = "",
    pawns: str = "",
    roll: str = "",
    *,
    colour: str = "R",
    players: int = 3,
    first: int = 0,
    in_round: int = 2,
    phase: str = "",
    rings: str = "",
    stocks: Mapping[str, str] | None = None,
    boxes: Mapping[str, str] | None = None,
    hand: str = "calm",
) -> State:
    """Stones such as 'R 2d@0,0,1;1,0,1 | B 1n@1,1,1', pawns 'R:1,0,1 B:table', rings 'R:0'; others have all they had.

    What is built or boxed has left the stock; if a stock is given, all the rest lies in the box. After a roll a
    stone is to be chosen, with phase='move' it is built.
    """
    start = GAME.initial(GAME.agree(players, options={"hand": hand}, first=first))
    names = [kind.name for kind in start.stones.kinds]
    tower = tuple(parse_stone(start, entry) for entry in stones.split(" | ") if entry)
    cubes = cubes_of(tower)
    assert len(cubes) == 4 + sum(len(stone.cells) for stone in tower), "two stones in one cell"
    stands = dict.fromkeys(COLOURS[: colours(start)], TABLE)
    for entry in pawns.split():
        name, _, place = entry.partition(":")
        stands[name] = GAME.read(start, f">{place}").field
        assert stands[name] == TABLE or (stands[name] in cubes and above(stands[name]) not in cubes), entry
    left = dict.fromkeys(stands, 2) | {name: int(n) for name, n in (entry.split(":") for entry in rings.split())}
    own = {name: list(start.stones.stock) for name in stands}
    boxed = {name: [0] * len(names) for name in stands}
    for stone in tower:
        own[COLOURS[stone.colour]][stone.kind] -= 1
    for name, kinds in (boxes or {}).items():
        for kind in kinds.split():
            own[name][names.index(kind)] -= 1
            boxed[name][names.index(kind)] += 1
    for name, kinds in (stocks or {}).items():
        kept = [kinds.split().count(kind) for kind in names]
        boxed[name] = [there + n - m for there, n, m in zip(boxed[name], own[name], kept, strict=True)]
        own[name] = kept
    assert min(n for row in (*own.values(), *boxed.values()) for n in row) >= 0, "a stone that is not there"
    low, high = GAME.read(start, roll or "1+2")
    return start._replace(
        turn=(in_round - 1) * len(stands) + (COLOURS.index(colour) - first) % len(stands),
        phase=Phase(phase or ("stone" if roll else "roll")),
        roll=(low, high) if roll or phase == "move" else (0, 0),
        tower=tower,
        stocks=tuple(map(tuple, own.values())),
        boxes=tuple(map(tuple, boxed.values())),
        rings=tuple(left.values()),
        pawns=tuple(stands.values()),
    )


def parse_stone(state: State, entry: str) -> PlacedStone:
    """A stone such as 'R 2d@0,0,1;1,0,1'."""
    colour, _, place = entry.partition(" ")
    name, _, cells = place.partition("@")
    kind, found = state.stones.number(name), GAME.read(state, f"@{cells}").cells
    assert kind is not None, entry
    corner = cell(min(map(x_of, found)), min(map(y_of, found)), min(map(z_of, found)))
    orientations = state.stones.kinds[kind].orientations
    assert any(each.steps == normalized(found) and each.odd != is_coloured(corner) for each in orientations), entry
    return PlacedStone(COLOURS.index(colour), kind, found)


def moving(stones: str = "", pawns: str = "", **more: object) -> State:
    """The same after the building."""
    return position(stones, pawns, phase="move", **more)


def placing(kind: str, stones: str = "", pawns: str = "", **more: object) -> State:
    """The same with a stone in hand."""
    state = position(stones, pawns, "6+6", **more)
    return state._replace(chosen=state.stones.number(kind), phase=Phase.PLACE)


def refused(state: State, text: str, *words: str, playing: NotationGame[State, Action, View] = for_replay) -> str:
    """The rule that refuses the action, in a sentence with these words."""
    rule = playing.refused(state, text)
    with pytest.raises(IllegalAction) as caught:
        playing.play(state, text)
    sentence = str(caught.value).replace(",", "")
    assert [each for each in words if each not in sentence] == [], sentence
    return rule


def verdict(stones: str, last: str, tremor: str = "", hand: str = "calm") -> str:
    """The verdict of the quick judge on these stones with the last one added."""
    kind, _, place = last.partition("@")
    state = judged.play(placing(kind, stones, hand=hand), f"@{place}", *tremor.split())
    (text,) = judged.choices(state)
    return text


def pawn(state: State, colour: str) -> str:
    """Where a pawn stands, as pawns are written."""
    own = side(state, colour)
    return "table" if own.pawn is None else f"{own.pawn.x},{own.pawn.y},{own.height}"


def side(state: State, colour: str) -> Side:
    """The side of a colour in the view."""
    return GAME.observe(state, None).sides[COLOURS.index(colour)]


def cubes(state: State) -> int:
    """All cubes of the colours, as a spectator can count them: in stock, tower and box."""
    view = GAME.observe(state, None)
    named = [kind for each in view.sides for kind in (*each.stock, *each.box)]
    return sum(int(kind[0]) for kind in named) + sum(len(stone.cells) for stone in view.tower)


def outcome(state: State) -> Outcome:
    """The outcome of a game that is over."""
    pending = FOR_REPLAY.pending(state)
    assert isinstance(pending, Over)
    return pending.outcome


def random_states(state: State, seed: object) -> Iterator[State]:
    """Every state of a random game in which most stones stand."""
    dice = Random(str(seed))
    while not isinstance(pending := FOR_REPLAY.pending(state), Over):
        yield state
        if isinstance(pending, Chance) and pending.judged:
            state = play(state, "fall 1" if dice.random() < 0.1 else "stands")
        else:
            state = FOR_REPLAY.apply(state, dice.choice(pending.actions))
    yield state
