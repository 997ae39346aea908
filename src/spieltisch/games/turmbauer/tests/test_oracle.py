"""Compares Turmbauer with an independent, set-based implementation: the whole state at every step."""

from __future__ import annotations

import time
from collections import Counter
from random import Random

import pytest
from bench.turmbauer import forget, late_towers
from bench.turmbauer_sets import Table, places
from tests.support.playing import engine_client

from spieltisch.core.game import Chance, Over
from spieltisch.games.turmbauer import GAME, rules
from spieltisch.games.turmbauer.building.cells import TABLE, x_of, y_of, z_of
from spieltisch.games.turmbauer.building.choices import in_stock
from spieltisch.games.turmbauer.physics.judge import accept_any_verdict
from spieltisch.games.turmbauer.state import COLOURS, Phase, colour_of

FOR_REPLAY = GAME.for_replay
GAMES = 1  # of each number of players; `make prove-turmbauer` plays hundreds


def xyz(place):
    return x_of(place), y_of(place), z_of(place)


def standing(dice, table):
    """Mostly towers that stand; one stone may fall now and then, rarely all."""
    return dice.choices(["stands", "fall 1", f"fall {len(table.tower) + 1}"], [85, 14, 0.3])[0]


def choose_randomly(dice, texts):
    """Any choice; climbs and rings are liked, so that pawns get into the way."""
    liked = [text for text in texts if text[:2] in ("b>", "c>") or text.startswith(("a", "box"))]
    return dice.choice(liked if liked and dice.random() < 0.3 else texts)


def choose_climbing(dice, texts):
    """Goes as high as possible, so that pawns are built around."""
    heights = [text for text in texts if text[0] in ">bc" and text[-1].isdigit() and "@" not in text and ">" in text]
    if heights and dice.random() < 0.8:
        return max(heights, key=lambda text: (int(text.rpartition(",")[2]), dice.random()))
    return dice.choice(texts)


def compare_with_oracle(seed: int, players: int, choose=choose_randomly) -> Counter[str]:
    """Plays one game in both implementations; returns what happened in it."""
    dice, first, hand = Random(f"{seed} {players}"), seed % players, ["steady", "calm", "shaky"][seed % 3]
    setup = FOR_REPLAY.agree(players, options={"hand": hand}, first=first)
    state, table, seen = FOR_REPLAY.initial(setup), Table(players, first, hand), Counter[str]()
    while not isinstance(pending := FOR_REPLAY.pending(state), Over):
        check_same(state, table)
        written = [FOR_REPLAY.write(state, action) for action in pending.actions]
        seen["steps"] += 1
        if isinstance(pending, Chance) and pending.judged:
            assert table.pending == "judge"
            text = standing(dice, table)
            assert text in written
        elif isinstance(pending, Chance):
            assert table.pending == "chance"
            assert written == table.choices()
            assert list(pending.weights) == table.weights()
            text = dice.choices(written, pending.weights)[0]
        else:
            assert table.pending == "decision"
            assert pending.seat == table.seat
            assert sorted(written) == sorted(table.choices())
            seen["places"] += written[0].startswith("@") and len(written)
            text = choose(dice, sorted(written))
        seen[text.partition(" ")[0] if text.startswith(("fall", "box")) else text[0]] += 1
        state = FOR_REPLAY.apply(state, FOR_REPLAY.read(state, text))
        table.play(text)
    check_same(state, table)
    assert table.pending == "over"
    assert list(pending.outcome.scores) == table.scores()
    assert list(pending.outcome.ranks) == table.ranks()
    assert pending.outcome.ending == table.ending
    assert seen["steps"] <= FOR_REPLAY.bound(setup)
    seen[pending.outcome.ending] += 1
    return seen


def check_same(state, table) -> None:
    """Tower, pawns, stocks, boxes and rings are the same in both, and all cubes are there."""
    kinds = state.stones.kinds
    names = [kind.name for kind in kinds]
    tower = [(COLOURS[stone.colour], names[stone.kind], frozenset(map(xyz, stone.cells))) for stone in state.tower]
    assert tower == [(colour, kind, frozenset(cells)) for colour, kind, cells in table.tower]
    for number, colour in enumerate(COLOURS[: len(state.pawns)]):
        assert counted(names, state.stocks[number]) == sorted(table.stock[colour])
        assert counted(names, state.boxes[number]) == sorted(table.box[colour])
        assert state.rings[number] == table.rings[colour]
        pawn = state.pawns[number]
        assert (None if pawn == TABLE else xyz(pawn)) == table.pawns[colour]
    if state.phase.value != "over":
        assert COLOURS[colour_of(state)] == table.colour
    assert table.cubes() == (126 if state.setup.players == 3 else 168)


def counted(names, stones):
    return sorted(name for name, n in zip(names, stones, strict=True) for _ in range(n))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everything_agrees_at_every_step(players):
    seen = sum((compare_with_oracle(seed, players) for seed in range(GAMES)), Counter())
    assert seen["built"] + seen["collapse"] == GAMES


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everything_agrees_where_pawns_climb_among_the_stones(players):
    compare_with_oracle(players, players, choose_climbing)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_engine_plays_the_same_game(players):
    """The engine uses the real judge, so most games are short; the other implementation gets its verdicts."""
    ask, dice = engine_client(), Random(players)
    answer = ask(do="new", game="turmbauer", players=players, first=players - 1)
    table = Table(players, players - 1)
    while (kind := answer["pending"]["kind"]) != "over":
        actions = answer["pending"]["actions"]
        if table.pending == "judge":
            assert kind == "chance"
            assert len(actions) == 1
        else:
            assert kind == table.pending
            assert sorted(actions) == sorted(table.choices())
        if kind == "decision":
            assert answer["pending"]["seat"] == table.seat
            text = ask(do="play", state=answer["state"], player="careful", seed=dice.randrange(1000))["action"]
        else:
            text = dice.choices(actions, answer["pending"]["weights"])[0]
        table.play(text)
        answer = ask(do="apply", state=answer["state"], action=text)
    assert answer["pending"] == {
        "kind": "over",
        "scores": table.scores(),
        "ranks": table.ranks(),
        "ending": table.ending,
    }


def test_all_places_are_listed_at_least_thirty_times_as_fast_as_with_sets():
    """All stones of a late turn together; the best of three, since the machine may be busy with something else."""
    ratios = []
    for state, table in late_towers(3):
        spent = [0.0, 0.0]
        for kind in in_stock(state):
            forget()
            began = time.process_time()
            rules.pending(state._replace(chosen=kind, phase=Phase.PLACE), accept_any_verdict)
            half = time.process_time()
            places(table, state.stones.kinds[kind].name)
            spent[0] += half - began
            spent[1] += time.process_time() - half
        ratios.append(spent[1] / spent[0])
    assert max(ratios) >= 30
