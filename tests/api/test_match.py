"""The public API: `import spieltisch` and its matches."""

from __future__ import annotations

import copy
import pickle
from itertools import islice

import pytest

import spieltisch
from spieltisch.records import read

GAMES = spieltisch.games()


class First:
    """Takes the first choice."""

    def choose(self, seen, clock):
        return seen.choices[0]


class Curious:
    """Asks for everything that a bot's constructor may ask for."""

    def __init__(self, game, sampler):
        self.game, self.sampler = game, sampler

    def choose(self, seen, clock):
        return self.sampler.choice(seen.choices)


def started(name, plies=6, **given):
    match = spieltisch.match(quick(name), 2, seed=1, **given)
    match.play("random", plies=plies)
    return match


def quick(name):
    return spieltisch.game(name).for_simulation


@pytest.mark.parametrize("name", GAMES)
def test_a_match_is_pushed_popped_and_played_to_its_end(name):
    match = spieltisch.match(quick(name), players=2, seed=1)
    start = match.copy()
    assert (match.turn, match.ply, match.over, match.outcome, match.winners) == (0, 0, False, None, ())
    first = match.legal[0]
    match.push(str(first))
    assert match.ply == 1
    assert match != start
    assert (match.pop(), match) == (first, start)
    outcome = match.play("random", First)
    assert match.outcome == outcome
    assert (match.turn, match.legal, match.over) == (None, (), True)
    assert match.winners == tuple(seat for seat in range(2) if outcome.ranks[seat] == 1)
    assert sum(move.seat is not None for move in match) == match.ply
    with pytest.raises(spieltisch.NotPending, match="over"):
        match.push(first)
    while match.ply:
        match.pop()
    assert match == start
    with pytest.raises(spieltisch.NotPending, match="no decision to take back"):
        match.pop()


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_and_the_same_moves_give_the_same_match(name):
    match = started(name)
    again = spieltisch.match(quick(name), 2, seed=1)
    again.push(*(move for move in match if move.seat is not None))
    assert (again, again.state) == (match, match.state)
    match.pop()
    again.pop()
    match.push(match.legal[-1])
    again.push(again.legal[-1])
    assert again == match


@pytest.mark.parametrize("name", GAMES)
def test_moves_are_texts_that_know_their_action_and_their_seat(name):
    match = spieltisch.match(quick(name), players=2, seed=3, first=1)
    for move in match.legal:
        assert (str(move), move.seat, type(move.action)) == (move, 1, type(match.game.read(match.state, move)))
        assert match.explain(move).endswith((".", "!", "…")) or match.explain(move)
    match.push(match.legal[0].action)
    assert match.moves[-1 if match.moves[-1].seat is not None else -2] is not None
    assert pickle.loads(pickle.dumps(match.moves)) == match.moves


ILLEGAL = {"bigpoints": "b^", "rondo": "I4:B", "template": ".", "turmbauer": "@0,0,9"}


@pytest.mark.parametrize("name", GAMES)
def test_what_cannot_be_pushed_is_not_explained_but_refused_with_its_rule(name):
    match = spieltisch.match(quick(name), players=2, seed=1)
    for refuse in (match.push, match.explain):
        with pytest.raises(spieltisch.IllegalAction) as refused:
            refuse(ILLEGAL[name])
        assert refused.value.rule
    first = match.legal[0]
    match.play("random")
    with pytest.raises(spieltisch.NotPending):
        match.explain(first)


@pytest.mark.parametrize("name", GAMES)
def test_a_match_can_be_copied_pickled_saved_and_loaded(name, tmp_path):
    match = started(name)
    file = tmp_path / "evening.game"
    match.save(file)
    others = [
        match.copy(),
        copy.copy(match),
        copy.deepcopy(match),
        pickle.loads(pickle.dumps(match)),
        spieltisch.load(file),
        spieltisch.load(str(file)),
        spieltisch.load(file.read_text("utf-8")),
        spieltisch.load(match.record()),
        spieltisch.load(read(file.read_text("utf-8"))),
    ]
    for other in others:
        assert (other, other.state, other.record()) == (match, match.state, match.record())
        while other.ply > 2:
            other.pop()
        assert other == match.at(2)
    with file.open(encoding="utf-8") as opened:
        assert spieltisch.load(opened) == match
    assert match.ply == 6


@pytest.mark.parametrize("name", GAMES)
def test_values_and_errors_of_a_game_can_be_pickled_and_deeply_copied(name):
    match = started(name)
    for value in (match.game, match.setup, match.state, match.pending, match.view(0), match.record(), match._referee):
        for twin in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):
            assert type(twin) is type(value)
    with pytest.raises(spieltisch.Refusal) as refused:
        match.push("nonsense")
    for error in (
        refused.value,
        spieltisch.BadSetup(refused.value.message, "R1", "players"),
        spieltisch.BadRecord(7, refused.value.message, "R2"),
        spieltisch.IllegalAction("R3", refused.value.message),
    ):
        twin = pickle.loads(pickle.dumps(error))
        assert (type(twin), str(twin), vars(twin)) == (type(error), str(error), vars(error))


@pytest.mark.parametrize("name", GAMES)
def test_text_shows_the_table_and_repr_is_one_line(name):
    match = started(name)
    assert repr(match) == f"<Match {name}: 2 players, ply 6, seat {match.turn} to move>"
    assert str(match) == match.board(match.turn)
    assert len(str(match).splitlines()) > 2
    assert "\x1b" not in str(match)
    assert match.describe(language="de") != match.describe(language="en")
    assert len(match.story()) >= match.ply
    match.play("random")
    assert repr(match).endswith(f"over, scores {' '.join(map(str, match.outcome.scores))}>")


def test_a_seat_sees_only_what_it_may_know():
    match = spieltisch.match("template", players=2, seed=1)
    own, other, spectator = match.view(0), match.view(1), match.view()
    assert own.hands[0].pebbles is not None
    assert other.hands[0].pebbles is None is spectator.hands[0].pebbles
    assert match.board(0) != match.board(1)
    for seat in (2, -1, "0"):
        with pytest.raises(spieltisch.Refusal, match="from 0 to 1"):
            match.view(seat)


def test_without_automatic_draws_a_match_stops_at_chance():
    match = spieltisch.match("template", players=2, seed=1, auto_draw=False)
    assert match.turn is None
    assert set(match.legal) == {"R", "B", "G"}
    assert repr(match) == "<Match template: 2 players, ply 0, chance to draw>"
    match.push("R")
    drawn = match.draw()
    assert [move.seat for move in match.moves] == [None, None]
    assert match.pop() == drawn
    assert match.moves == ("R",)
    while match.turn is None:
        match.draw()
    with pytest.raises(spieltisch.NotPending):
        match.draw()
    assert match.play("random") is not None
    assert pickle.loads(pickle.dumps(match)) == match


def test_players_are_names_classes_or_instances():
    match = spieltisch.match("template", players=4, seed=1)
    assert match.play("greedy", First, First(), Curious, plies=8) is None
    assert match.names == ("greedy", "First", "First", "Curious")
    match.play(First())
    assert match.over
    for wrong in (3, None, object()):
        with pytest.raises(TypeError, match="method choose"):
            spieltisch.match("template", players=2).play(wrong)
    with pytest.raises(spieltisch.UnknownPlayer, match="level:1"):
        spieltisch.match("template", players=2).play("bossy")
    with pytest.raises(spieltisch.Refusal, match="one for each of the 4"):
        spieltisch.match("template", players=4).play("random", "random")


def test_a_push_of_several_moves_is_played_whole_or_not_at_all():
    match = spieltisch.match("template", players=2, seed=1)
    before = match.copy()
    with pytest.raises(spieltisch.BadNotation):
        match.push(match.legal[0], "nonsense")
    assert match == before
    with pytest.raises(spieltisch.NotPending):
        match.pop()


def test_who_starts_is_given_or_drawn():
    assert spieltisch.match("template", players=3, first=2).turn == 2
    assert len({spieltisch.match("template", players=3, first=None, seed=seed).turn for seed in range(20)}) == 3
    assert spieltisch.match("template", names=["Ada", "Ibo"]).names == ("Ada", "Ibo")


def test_one_game_of_a_record_of_several_is_chosen():
    game = started("template").record()
    several = spieltisch.records.Record((game, game), 2)
    with pytest.raises(spieltisch.Refusal, match="game=1"):
        spieltisch.load(several)
    assert spieltisch.load(several, game=2) == spieltisch.load(game)
    for number in (0, 3):
        with pytest.raises(spieltisch.Refusal, match="holds 2 games"):
            spieltisch.load(several, game=number)
    with pytest.raises(spieltisch.BadRecord):
        spieltisch.load("format nothing\n")
    with pytest.raises(spieltisch.Refusal, match="0 to 6"):
        started("template").at(7)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    ("slip", "advice"),
    [("b+", 'match.push("b+")'), (None, "match.legal"), ([1], r"match.push(*actions)"), (7, "match.legal")],
)
def test_a_value_that_is_no_action_is_answered_with_what_to_write_instead(name, slip, advice):
    game = spieltisch.game(name)
    match = started(name)
    states = [match.state, game.initial(match.setup)]
    match.play("random")
    for state in (*states, match.state):
        with pytest.raises(spieltisch.NotAnAction) as refused:
            game.apply(state, slip)
        assert advice in str(refused.value)
        assert isinstance(refused.value, TypeError)


def test_other_slips_are_answered_with_what_to_write_instead():
    match = started("template")
    with pytest.raises(spieltisch.NotAnAction, match=r"\[game.read"):
        match._referee.play(spieltisch.Seat(match.turn), "R")
    for wrong in (spieltisch.game, spieltisch.match):
        with pytest.raises(spieltisch.UnknownGame, match=r"spieltisch.load\(record\)"):
            wrong(match.record())
        with pytest.raises(spieltisch.UnknownGame, match="bigpoints"):
            wrong(7)
    with pytest.raises(spieltisch.UnknownGame, match="template"):
        spieltisch.match("tempalte")
    with pytest.raises(spieltisch.BadSetup, match="whole number, not a value of type str") as refused:
        spieltisch.match("template", players="3")
    assert refused.value.field == "players"
    with pytest.raises(spieltisch.BadSetup, match="such as a dict"):
        spieltisch.match("template", options="open")
    with pytest.raises(spieltisch.Refusal, match="from 0"):
        spieltisch.match("template", seed=-1)


def test_what_happened_can_be_iterated():
    match = started("template")
    assert list(islice(match, 3)) == list(match.moves[:3])
    assert all(str(move) for move in match)


@pytest.mark.parametrize("name", GAMES)
def test_a_player_says_what_it_thinks_of_every_choice(name):
    match = started(name)
    evaluation = spieltisch.evaluate(match, "level:1")
    assert (evaluation.game, evaluation.seat) == (name, match.turn)
    assert {choice.notation for choice in evaluation.choices} <= set(match.legal)
    assert evaluation.notation in str(evaluation)
    with pytest.raises(spieltisch.CannotEvaluate, match="level:1"):
        spieltisch.evaluate(match, First)
