"""Compares Rondo with an independent, list-based implementation: the whole state at every step."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from bench.rondo_lists import Table, all_chains, best_chain
from tests.support.playing import engine_client

from spieltisch.core.game import Chance, Decision, Over, Seat
from spieltisch.core.json import to_json
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.perft import perft
from spieltisch.games import rondo
from spieltisch.games.rondo import GAME
from spieltisch.games.rondo.state import counts
from spieltisch.games.rondo.tests.positions import choices, play, position, stones

BOARD = json.loads((Path(rondo.__file__).parent / "board.json").read_text(encoding="utf-8"))
GAMES = 25  # of each number of players and each side; `make prove-rondo` plays thousands


def choose_randomly(dice, texts):
    return dice.choice(texts)


def choose_hoarding(dice, texts):
    """Passes if possible, otherwise lays as many stones as possible on one field; sometimes chooses at random."""
    if dice.random() < 0.05:
        return dice.choice(texts)
    if texts[-1] in ("pass", "."):
        return texts[-1]
    return max(texts, key=lambda text: len(text.partition(":")[2]))


def compare_with_oracle(seed: int, players: int, edition: str = "blue", choose=choose_randomly) -> tuple[int, int, str]:
    """Plays one game in both implementations; returns its turns, its steps and its ending."""
    dice, first = Random(f"{seed} {players} {edition}"), seed % players
    setup = GAME.agree(players, edition, first=first)
    state, table, steps = GAME.initial(setup), Table(BOARD, edition, players, first), 0
    while not isinstance(pending := GAME.pending(state), Over):
        texts = table.choices()
        assert [GAME.write(state, action) for action in pending.actions] == texts
        check_same(state, table)
        if isinstance(pending, Chance):
            assert table.pending == "chance"
            assert state.seat == table.drawer
            assert list(pending.weights) == table.weights()
            text = dice.choices(texts, pending.weights)[0]
        else:
            assert table.pending == "decision"
            assert pending.seat == table.seat
            text = choose(dice, texts)
        state = GAME.apply(state, GAME.read(state, text))
        table.play(text)
        steps += 1
    assert table.pending == "over"
    check_same(state, table)
    assert stones(state) == 120
    assert list(pending.outcome.ranks) == table.ranks()
    assert pending.outcome.ending == table.ending
    assert len(set(table.turns)) == 1
    assert steps <= GAME.bound(setup)
    return sum(table.turns), steps, pending.outcome.ending


def check_same(state, table) -> None:
    """Racks, board, bag and points are the same in both, and all stones are there."""
    assert [counts(rack) for rack in state.racks] == [colour_counts(rack) for rack in table.racks]
    assert counts(state.bag) == colour_counts(table.bag)
    assert list(state.scores) == table.scores()
    assert state.cause == (table.ending or "")
    piles = {name: n for name, n in zip(state.board.names, state.piles, strict=True) if n}
    bridges = {state.board.names[bridge.field]: "pbygr"[bridge.colour] for bridge in state.bridges}
    assert piles == {name: len(laid) for name, laid in table.laid.items() if laid[0].isupper()}
    assert bridges == {name: laid[0] for name, laid in table.laid.items() if laid[0].islower()}
    assert table.stones() == 120
    assert all(len(rack) <= 5 for rack in table.racks)


def colour_counts(letters) -> tuple[int, ...]:
    return tuple(letters.count(letter) for letter in "PBYGR")


@pytest.mark.parametrize("edition", ["blue", "red"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_everything_agrees_at_every_step(players, edition):
    games = [compare_with_oracle(seed, players, edition) for seed in range(GAMES)]
    assert all(turns % players == 0 for turns, _, _ in games)
    assert {ending for _, _, ending in games} <= {"grey", "bag"}


@pytest.mark.parametrize("edition", ["blue", "red"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_everything_agrees_where_players_hoard_and_the_bag_runs_out(players, edition):
    endings = Counter(compare_with_oracle(seed, players, edition, choose_hoarding)[2] for seed in range(6))
    assert endings["bag"] > 0


def test_both_endings_are_reached():
    assert compare_with_oracle(1, 2)[2] == "grey"
    assert compare_with_oracle(1, 4, choose=choose_hoarding)[2] == "bag"


@pytest.mark.parametrize("edition", ["blue", "red"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_engine_plays_the_same_game(players, edition):
    ask, dice = engine_client(), Random(players)
    answer = ask(do="new", game="rondo", players=players, edition=edition, first=players - 1)
    table = Table(BOARD, edition, players, players - 1)
    while (kind := answer["pending"]["kind"]) != "over":
        assert kind == table.pending
        assert answer["pending"]["actions"] == table.choices()
        if kind == "decision":
            assert answer["pending"]["seat"] == table.seat
        else:
            assert answer["pending"]["weights"] == table.weights()
        text = dice.choice(table.choices())
        table.play(text)
        answer = ask(do="apply", state=answer["state"], action=text)
    assert answer["pending"] == {
        "kind": "over",
        "scores": table.scores(),
        "ranks": table.ranks(),
        "ending": table.ending,
    }


# What a seat cannot tell apart


def seen(state, viewer) -> bytes:
    return json.dumps(to_json(GAME.observe(state, viewer))).encode()


def heard(state, action, viewer) -> str:
    return GAME.witness(state, action, viewer)


def side_by_side(seed: int, players: int, viewer) -> int:
    """Two games in which the viewer hears the same, while the others draw and hide other stones.

    Returns how many times the views were compared while the states differed."""
    dice = Random(f"worlds {seed} {players} {viewer}")
    here = there = GAME.initial(GAME.agree(players, first=seed % players))
    differing = 0
    while not isinstance(pending := GAME.pending(here), Over):
        other = GAME.pending(there)
        assert not isinstance(other, Over)
        assert type(pending) is type(other)
        alike: dict[str, list[object]] = {}
        for action in other.actions:
            alike.setdefault(heard(there, action, viewer), []).append(action)
        if isinstance(pending, Decision) and pending.seat == viewer:
            assert pending.actions == other.actions
        possible = [action for action in pending.actions if heard(here, action, viewer) in alike]
        if not possible:
            break  # the last stones of a colour are where they are
        action = dice.choice(possible)
        match = dice.choice(alike[heard(here, action, viewer)])
        here, there = GAME.apply(here, action), GAME.apply(there, match)
        if not (here.over or there.over):
            differing += here != there
            assert seen(here, viewer) == seen(there, viewer)
    return differing


@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_states_that_a_seat_cannot_tell_apart_look_the_same_byte_for_byte(players):
    for viewer in (*map(Seat, range(players)), None):
        assert sum(side_by_side(seed, players, viewer) for seed in range(4 // players)) > 50


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_imagined_world_looks_the_same_byte_for_byte(players):
    dice, different = Random(players), 0
    for first in range(1, players, 2):
        state = GAME.initial(GAME.agree(players, first=first))
        while not isinstance(pending := GAME.pending(state), Over):
            for viewer in dice.sample((*map(Seat, range(players)), None), 2):
                view = GAME.observe(state, viewer)
                world = GAME.imagine(view, dice)
                assert seen(world, viewer) == seen(state, viewer)
                assert stones(world) == 120
                if isinstance(pending, Decision) and pending.seat == viewer:
                    assert GAME.pending(world) == pending
                different += world != state
            state = GAME.apply(state, dice.choice(pending.actions))
    assert different > 120


def test_exchanging_a_hidden_stone_with_the_bag_changes_no_other_view():
    state = position("AE:r@1 AW:g", racks=("PB", "YY", "R"), seat=0)
    swapped = position("AE:b@1 AW:g", racks=("PB", "RG", "Y"), seat=0)
    assert seen(state, Seat(0)) == seen(swapped, Seat(0))
    assert seen(state, None) == seen(swapped, None)
    assert seen(state, Seat(1)) != seen(swapped, Seat(1))
    assert seen(state, Seat(2)) != seen(swapped, Seat(2))


def test_exchanging_hidden_draws_changes_no_other_view():
    start = GAME.initial(GAME.agree(3))
    here = play(start, "P", "B", "Y", "Y", "R", "G", "pass", "P", "P", "AE:y", ".", "B")
    there = play(start, "P", "B", "R", "G", "Y", "Y", "pass", "P", "P", "AE:g", ".", "Y")
    for viewer in (Seat(0), None):
        assert seen(here, viewer) == seen(there, viewer)


# Counting


def by_the_oracle(players: int, seed: int, past: tuple[str, ...], depth: int) -> int:
    """Counts decision sequences by playing each from the beginning, the draws from the same source."""
    table, source, drawn, left = Table(BOARD, "blue", players), seeded(seed), 0, list(past)
    while True:
        while table.pending == "chance":
            place = 0
            if len(table.choices()) > 1:
                place = source.pick(drawn, table.weights())
                drawn += 1
            table.play(table.choices()[place])
        if not left:
            break
        table.play(left.pop(0))
    if depth == 0 or table.pending == "over":
        return 1
    return sum(by_the_oracle(players, seed, (*past, text), depth - 1) for text in table.choices())


PERFT = {(1, 2): [10, 31, 140], (2, 3): [10, 32, 144], (3, 4): [7, 23, 105]}


@pytest.mark.parametrize(("seed", "players"), PERFT)
def test_perft_is_what_an_independent_count_gives(seed, players):
    start = GAME.initial(GAME.agree(players))
    found = [perft(GAME, start, depth, seeded(seed)) for depth in (1, 2, 3)]
    assert found == [by_the_oracle(players, seed, (), depth) for depth in (1, 2, 3)]
    assert found == PERFT[seed, players]


# Chains


def test_all_chains_are_what_playing_them_gives():
    table = Table(BOARD, "blue", 2)
    for letter in "PBRR":
        table.play(letter)
    chains = all_chains(table)
    assert len(chains) == len(set(chains))
    assert ("AE:P", "I4:B") in chains
    assert ("AN:p", "I0:b") in chains
    assert best_chain(table) == (3, ("AE:P", "I4:B"))
    state = position(racks=("PB", "RR"))
    for chain in chains:
        assert "." in choices(play(state, *chain))


def test_the_best_chain_of_a_worked_example():
    table = Table(BOARD, "blue", 2)
    for letter in "PPRR":
        table.play(letter)
    table.racks[0] = list("PPBG")
    assert ("AE:PP", "I4:B", "I5:G") in all_chains(table)  # 8 points, as the sheet counts
    assert best_chain(table) == (11, ("AN:B", "I0:G", "I15:PP"))
