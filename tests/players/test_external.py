"""External bots in real processes: classes, installed packages and the examples."""

from __future__ import annotations

import gc
from random import Random

import pytest

from spieltisch import registry
from spieltisch.core.player import Clock
from spieltisch.players import external
from spieltisch.players.external import BadBot
from spieltisch.players.random import RandomPlayer
from tests.players.external_bots import (
    EXAMPLES,
    GAMES,
    NAMES,
    PEBBLES,
    failing,
    first_seen,
    play,
    program_bot,
    python_bot,
    text,
)

pytestmark = pytest.mark.usefixtures("bots_folder")


# both kinds of bots


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_every_game_can_be_played_by_both_kinds_of_bots(game):
    def first(_):
        class First:
            def choose(self, seen, clock):
                return seen.choices[0]

        return First()

    seats = [RandomPlayer] * (game.players.start - 1)
    expected = text(play(game, first, *seats))
    assert text(play(game, python_bot("First", game), *seats)) == expected
    assert text(play(game, program_bot("first", game), *seats)) == expected


def test_the_same_seed_gives_the_same_game():
    for make in (python_bot("Dice"), python_bot("OwnDice"), program_bot("dice")):
        games = [text(play(PEBBLES, make, make, seed=seed)) for seed in (1, 1, 2)]
        assert games[0] == games[1] != games[2]


def test_a_bot_gets_the_sampler_that_its_player_was_made_with():
    assert text(play(PEBBLES, python_bot("Dice"), python_bot("Dice"))) == text(
        play(PEBBLES, RandomPlayer, RandomPlayer)
    )


def test_the_order_of_a_set_is_the_same_in_every_process():
    game, games = registry.find("rondo"), set()
    for _ in range(2):
        games.add(text(play(game, python_bot("Hashed", game), RandomPlayer)))
        external._host_pool.cache_clear()
    assert len(games) == 1


def test_a_game_does_not_depend_on_games_before_it():
    dice = python_bot("OwnDice")
    alone = text(play(PEBBLES, dice, RandomPlayer, seed=3))
    play(PEBBLES, dice, dice, seed=4)
    assert text(play(PEBBLES, dice, RandomPlayer, seed=3)) == alone


def test_every_seat_in_every_game_has_a_process_of_its_own(monkeypatch, tmp_path):
    """Otherwise a bot could remember a deal that is played again with other seats."""
    monkeypatch.setenv("COUNTED", str(tmp_path / "counted"))
    make = python_bot("Counted")
    for seed in range(3):
        play(PEBBLES, make, make, seed=seed)
        gc.collect()
    counted = (tmp_path / "counted").read_text().split()
    assert len(counted) == 6
    assert len(set(counted)) == 6


class InAMinute(Clock):
    def left(self) -> float:
        return 60.0


@pytest.mark.parametrize("make", [lambda: python_bot("Timed"), lambda: program_bot("hurry")], ids=["python", "lines"])
def test_a_bot_knows_its_time_limit(make):
    seen, player = first_seen(), make()(Random(1))
    assert seen.choices[0] != seen.choices[-1]
    assert player.choose(seen, Clock()) == seen.choices[0]
    assert player.choose(seen, InAMinute(0.0)) == seen.choices[-1]


# bots in Python


def test_a_constructor_gets_the_parameters_that_it_names():
    for game in GAMES:
        play(game, python_bot("Both", game), *[RandomPlayer] * (game.players.start - 1))


def test_a_nested_class_can_be_a_bot():
    play(PEBBLES, python_bot("Outer.Inner"), RandomPlayer)


def test_what_a_bot_prints_or_reads_is_no_part_of_the_protocol():
    assert text(play(PEBBLES, python_bot("Chatty"), RandomPlayer)) == text(
        play(PEBBLES, python_bot("First"), RandomPlayer)
    )


@pytest.mark.parametrize(
    ("bot", "expected"),
    {
        "Crashing": "crashed: ZeroDivisionError: one too many (odd.py:",
        "Deep": "crashed: ValueError: Sample larger than population or is negative (odd.py:",
        "Exiting": "crashed: SystemExit: good bye (odd.py:",
        "Leaving": "ended instead of answering; it last said: I have had enough.",
        "LeavingSilently": "ended instead of answering (exit code 3).",
        "Nonsense": "not one of its choices: 'the best one'.",
        "Unshowable": "crashed: TypeError: not to be shown (odd.py:",
        "NeverReady": "crashed: RuntimeError: not for Pebbles (odd.py:",
        "Demanding": "missing 1 required positional argument: 'throne'.",
    }.items(),
)
def test_the_failure_of_a_python_bot_names_the_bot_and_the_reason(bot, expected):
    sentence = failing(python_bot(bot))
    assert sentence.startswith("The bot “odd:")
    assert expected in sentence


def test_a_python_bot_that_hangs_times_out(monkeypatch):
    assert "did not answer within 0.5 seconds" in failing(python_bot("Hanging", timeout=0.5))
    dawdling = python_bot("Dawdling")
    monkeypatch.setattr(external, "START_TIMEOUT", 1.0)
    assert "did not answer within one second" in failing(dawdling)


def test_the_timeout_is_added_to_the_seconds_of_the_clock():
    sentence = failing(python_bot("Hanging", timeout=0.5), clock=Clock(0.0))
    assert "within 0.5 seconds" in sentence

    class Later(Clock):
        def left(self) -> float:
            return 0.5

    assert "within one second" in failing(python_bot("Hanging", timeout=0.5), clock=Later(0.0))
    assert "within one second" in failing(program_bot("hang", timeout=0.5), clock=Later(0.0))


def test_a_failed_bot_does_not_affect_others():
    make = python_bot("Crashing")
    failing(make)
    failing(make)
    play(PEBBLES, python_bot("First"), RandomPlayer)


@pytest.mark.parametrize(
    ("name", "expected"),
    {
        "nowhere:Bot": "There is no module “nowhere” for the bot “nowhere:Bot”.",
        "nowhere.deep:Bot": "There is no module “nowhere.deep”",
        "odd.deep:Bot": "There is no module “odd.deep”",
        "odd:Nobody": "The module odd has no class “Nobody”.",
        "odd:Outer.Nobody": "The module odd has no class “Outer.Nobody”.",
        "odd:function": "The module odd has no class “function”.",
        "odd:Chooseless": "The class of the bot “odd:Chooseless” has no method “choose”.",
        "broken:Bot": "The module broken cannot be loaded: KeyError: 'no such key'",
        "needy:Bot": "The module needy cannot be loaded: ModuleNotFoundError: No module named 'nowhere_to_be_found'.",
        "odd": "“odd” does not name a bot",
        "odd:": "does not name a bot",
        ":First": "does not name a bot",
        "odd.py:First:Last": "does not name a bot",
        "../odd:First": "does not name a bot",
        "": "does not name a bot",
    }.items(),
)
def test_a_name_that_leads_to_no_bot_is_refused_with_the_reason(name, expected):
    with pytest.raises(BadBot) as caught:
        external.class_maker(name, PEBBLES)
    assert expected in str(caught.value)
    assert caught.value.code == "bad-request"


def test_bots_are_searched_for_in_the_current_directory(monkeypatch, tmp_path):
    (tmp_path / "here.py").write_text("class Bot:\n def choose(self, seen, clock): return seen.choices[-1]\n")
    with pytest.raises(BadBot, match="no module"):
        external.class_maker("here:Bot", PEBBLES)
    monkeypatch.chdir(tmp_path)
    play(PEBBLES, external.class_maker("here:Bot", PEBBLES), RandomPlayer)


@pytest.fixture
def distribution(monkeypatch, tmp_path):
    """A folder with an installed package that provides bots."""
    (tmp_path / "guests.py").write_text(
        "class Last:\n    def choose(self, seen, clock): return seen.choices[-1]\nclass Lazy:\n    pass\n"
    )
    info = tmp_path / "guests-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: guests\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[spieltisch.players]\nlast = guests:Last\nlazy = guests:Lazy\ngone = guests_gone:Bot\n[console_scripts]\nx = guests:Last\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    external.installed_players.cache_clear()
    yield
    external.installed_players.cache_clear()


def test_installed_packages_can_provide_bots(distribution):
    assert {"last", "lazy", "gone"} <= set(external.installed_players())
    assert "x" not in external.installed_players()
    played = play(PEBBLES, external.installed_maker("last", PEBBLES), RandomPlayer)

    def last(_):
        class Last:
            def choose(self, seen, clock):
                return seen.choices[-1]

        return Last()

    assert text(played) == text(play(PEBBLES, last, RandomPlayer))


def test_an_entry_point_that_leads_to_no_bot_is_refused(distribution):
    for name, expected in {
        "lazy": "no method “choose”",
        "gone": "no module “guests_gone”",
        "who": "No bot “who”",
    }.items():
        with pytest.raises(BadBot, match=expected):
            external.installed_maker(name, PEBBLES)


def test_without_the_package_its_bots_are_not_installed():
    external.installed_players.cache_clear()
    assert "last" not in external.installed_players()


# examples


@pytest.mark.parametrize("name", ["template", "bigpoints"])
def test_the_shell_example_plays_any_game(name):
    game = registry.find(name)
    bot = external.program_maker(f"sh {EXAMPLES / 'first.sh'}", game, 60)
    assert text(play(game, bot, RandomPlayer)) == text(play(game, python_bot("First", game), RandomPlayer))


def test_the_python_example_beats_random_play(monkeypatch):
    monkeypatch.chdir(EXAMPLES)
    game = registry.find("rondo")
    highest = external.class_maker("highest:Highest", game, 60)
    games = [play(game, highest, RandomPlayer, seed=seed) for seed in range(10)]
    assert sum(referee.pending.outcome.ranks[0] == 1 for referee in games) >= 8
