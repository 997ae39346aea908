"""External bots in real processes: their requests and responses, and every way in which they fail."""

from __future__ import annotations

import gc
import json
import pickle
import shlex
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from spieltisch import registry
from spieltisch.core.game import AnyGame, Decision, Over, Seat, brief
from spieltisch.core.player import Clock, MakePlayer, Seen
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.i18n.message import message_factory
from spieltisch.players import external, program_player
from spieltisch.players.external import BadBot, PlayerFailed, guard
from spieltisch.players.random import RandomPlayer
from spieltisch.records import Record, write
from tests.support.playing import engine_client

BOTS = Path(__file__).parent / "bots"
EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = [game.for_simulation for game in registry.all()]
PEBBLES = registry.find("template")
NAMES = [game.name for game in GAMES]


@pytest.fixture(autouse=True)
def bots_folder(monkeypatch):
    """Changes to the folder of the test bots."""
    monkeypatch.chdir(BOTS)


def program_bot(manner: str, game: AnyGame = PEBBLES, *rest: object, timeout: float = 60) -> MakePlayer:
    words = [sys.executable, str(BOTS / "lines.py"), manner, *map(str, rest)]
    return external.program_maker(shlex.join(words), game, timeout)


def python_bot(bot: str, game: AnyGame = PEBBLES, timeout: float = 60) -> MakePlayer:
    return external.class_maker(f"odd:{bot}", game, timeout)


def new_referee(game: AnyGame, seed: int = 1, **setup) -> Referee:
    return Referee(game, game.agree(**setup), seeded(seed))


def play(game: AnyGame, *makers: MakePlayer, seed: int = 1, clock: Clock | None = None) -> Referee:
    """Plays a whole game between players with seeded samplers."""
    referee = new_referee(game, seed, players=len(makers))
    players = [make(Random(f"{seed}/{seat}")) for seat, make in enumerate(makers)]
    while not isinstance(pending := referee.settle(), Over):
        referee.ask(players[pending.seat], clock)
    return referee


def text(referee: Referee) -> str:
    return write(Record((referee.record(),)))


def failing(make: MakePlayer, game: AnyGame = PEBBLES, clock: Clock | None = None) -> str:
    """The message of a bot's failure, the same if the bot is asked again."""
    referee = new_referee(game)
    referee.settle()
    player = make(Random(1))
    sentences = set()
    for _ in range(2):
        with pytest.raises(PlayerFailed) as caught:
            referee.ask(player, clock)
        assert caught.value.code == "player-failed"
        assert brief(caught.value.player) in str(caught.value)
        assert str(caught.value).endswith(".")
        sentences.add(str(caught.value))
    assert len(sentences) == 1
    return sentences.pop()


def first_seen() -> Seen:
    referee = new_referee(PEBBLES)
    return referee.seen(referee.settle().seat)


# Both kinds of bots


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


# Bots in Python


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
        "Nonsense": "none of its choices: 'the best one'.",
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
        "odd": "“odd” names no bot",
        "odd:": "names no bot",
        ":First": "names no bot",
        "odd.py:First:Last": "names no bot",
        "../odd:First": "names no bot",
        "": "names no bot",
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


# Programs


@pytest.mark.parametrize(
    ("manner", "expected"),
    {
        "crash": "ended instead of answering; it last said: ZeroDivisionError: one too many.",
        "exit": "ended instead of answering (exit code 3).",
        "nonsense": 'none of its choices: "the best one".',
        "number": "none of its choices: 0.",
        "nothing": "none of its choices: null.",
        "rubbish": "no JSON object: let me think.",
        "list": "no JSON object: [1].",
        "nested": "no JSON object: [[[",
        "other id": 'another question than number 1: {"id": 77',
        "no id": "another question than number 1",
        "true id": "another question than number 1",
        "gives up": "I resign",
        "rude": "did not answer with “ok”",
        "endless": "a line of more than 1000000 bytes",
    }.items(),
)
def test_the_failure_of_a_program_names_the_bot_and_the_reason(manner, expected):
    sentence = failing(program_bot(manner))
    assert sentence.startswith("The bot “program:")
    assert expected in sentence


def test_a_program_that_hangs_times_out(monkeypatch):
    assert "did not answer within 0.5 seconds" in failing(program_bot("hang", timeout=0.5))
    monkeypatch.setattr(program_player, "START_TIMEOUT", 1.0)
    assert "did not answer within one second" in failing(external.program_maker("sleep 60", PEBBLES))


def test_a_repeated_response_is_not_taken_for_the_next_one():
    with pytest.raises(PlayerFailed, match="another question than number 2"):
        play(PEBBLES, program_bot("twice"), RandomPlayer)


@pytest.mark.parametrize("manner", ["blank", "aside"])
def test_blank_lines_and_standard_error_are_ignored(manner):
    play(PEBBLES, program_bot(manner), RandomPlayer)


@pytest.mark.parametrize(
    ("command", "expected"),
    {
        "": "“” is no command",
        "  ": "is no command",
        "sh 'unclosed": "is no command",
        "no-such-program --fast": "There is no program “no-such-program” that can be run.",
        "./lines.json": "There is no program",
    }.items(),
)
def test_a_command_that_cannot_be_run_is_refused(command, expected):
    with pytest.raises(BadBot) as caught:
        external.program_maker(command, PEBBLES)
    assert expected in str(caught.value)


def test_a_program_that_cannot_be_started_fails_with_the_reason(tmp_path):
    script = tmp_path / "bot"
    script.write_text("no program at all")
    script.chmod(0o755)
    assert "could not be started: Exec format error." in failing(external.program_maker(str(script), PEBBLES))


def requests_in(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_a_program_gets_hello_then_numbered_requests_then_bye(tmp_path, monkeypatch):
    monkeypatch.setattr(program_player, "_GRACE", 60.0)
    play(PEBBLES, program_bot("first", PEBBLES, tmp_path / "requests"), RandomPlayer)
    gc.collect()
    hello, *requests, bye = requests_in(tmp_path / "requests")
    seed = Random("1/0").getrandbits(32)
    assert hello == {"id": 0, "do": "hello", "game": "template", "rules": PEBBLES.rules[-1], "seed": seed}
    assert [request["id"] for request in requests] == list(range(1, len(requests) + 1))
    assert {tuple(request) for request in requests} == {("id", "do", "view", "choices", "heard", "seconds")}
    assert {(request["do"], request["seconds"]) for request in requests} == {("choose", None)}
    assert bye == {"do": "bye"}


@pytest.mark.parametrize("name", ["bigpoints", "rondo", "template"])
def test_a_program_gets_what_the_engine_shows_its_seat_and_no_more(name, tmp_path):
    game = registry.find(name)
    referee = play(game, RandomPlayer, program_bot("dice", game, tmp_path / "requests"))
    requests = [request for request in requests_in(tmp_path / "requests") if request["do"] == "choose"]
    setup, engine = referee.setup, engine_client()
    answer = engine(do="new", game=name, players=2, first=setup.first, options=dict(setup.options))
    heard: list[dict] = []
    for before, seat, action in referee.steps:
        pending = answer["pending"]
        if pending["kind"] == "decision" and pending["seat"] == 1:
            request = requests.pop(0)
            assert request["view"] == engine(do="view", state=answer["state"], viewer=1)["view"]
            assert request["choices"] == pending["actions"]
            assert request["heard"] == heard
        heard.append({"seat": seat, "text": game.witness(before, action, Seat(1))})
        answer = engine(do="apply", state=answer["state"], action=game.write(before, action))
    assert not requests
    assert any("?" in entry["text"] for entry in heard) == (name != "bigpoints")


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_the_notation_of_choices_does_not_depend_on_hidden_state(game):
    """A program's choices are written in an imagined state, so they must have the same notation in the real one."""
    for seed in range(3):
        dice, referee = Random(seed), new_referee(game, seed, players=game.players.stop - 1)
        while isinstance(pending := referee.settle(), Decision):
            true = [game.write(referee.state, action) for action in pending.actions]
            world = game.imagine(referee.view(pending.seat), dice)
            assert [game.write(world, action) for action in pending.actions] == true
            assert len(set(true)) == len(true)
            referee.play(pending.seat, [dice.choice(pending.actions)])


# Examples


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


# The guard


def test_a_guard_does_not_change_a_correct_player():
    seen = first_seen()
    assert guard(RandomPlayer(Random(1)), "random").choose(seen, Clock()) == RandomPlayer(Random(1)).choose(
        seen, Clock()
    )


def test_a_guard_names_the_player_that_fails():
    class Failing:
        def choose(self, seen, clock):
            return seen.choices[99]

    class Wrong:
        def choose(self, seen, clock):
            return 99

    with pytest.raises(PlayerFailed, match="The bot “Ada” crashed: IndexError: tuple index out of range.") as caught:
        guard(Failing(), "Ada").choose(first_seen(), Clock())
    assert isinstance(caught.value.__cause__, IndexError)
    with pytest.raises(PlayerFailed, match="“Ibo” answered with something that is none of its choices: 99."):
        guard(Wrong(), "Ibo").choose(first_seen(), Clock())


def test_a_guard_does_not_catch_an_interrupt():
    class Interrupted:
        def choose(self, seen, clock):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        guard(Interrupted(), "Ada").choose(first_seen(), Clock())


def test_a_failure_can_be_pickled():
    failed = PlayerFailed("Ada", message_factory("")("bot.crashed", bot="Ada", told="no reason"))
    again = pickle.loads(pickle.dumps(failed))
    assert (type(again), again.player, again.message, again.code) == (PlayerFailed, "Ada", failed.message, failed.code)
    assert str(again) == "The bot “Ada” crashed: no reason."


def test_a_bots_message_is_quoted_in_one_short_printable_line():
    class Loud:
        def choose(self, seen, clock):
            raise ValueError("a\nb\x1b[31m" + "ü" * 1000)

    with pytest.raises(PlayerFailed) as caught:
        guard(Loud(), "Loud").choose(first_seen(), Clock())
    sentence = str(caught.value)
    assert "a b·[31mü" in sentence
    assert len(sentence) < 300


def test_a_bot_that_fails_in_the_terminal_is_reported_and_the_game_is_saved(tmp_path):
    (tmp_path / "wrong.py").write_text("class Divides:\n    def choose(self, seen, clock):\n        return 1 // 0\n")
    file = tmp_path / "saved.game"
    command = ["play", "template", "--players", "wrong:Divides,random", "--first", "0", "--save", str(file)]
    ran = subprocess.run(
        [sys.executable, "-m", "spieltisch", *command, "--language", "en"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    assert "The bot “wrong:Divides” crashed: ZeroDivisionError" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert f"spieltisch play --resume {file}" in " ".join(ran.stdout.split())
    resumed = subprocess.run(
        [sys.executable, "-m", "spieltisch", "play", "--resume", str(file), "--language", "en"],
        cwd=tmp_path, capture_output=True, text=True, input="quit\n", check=False,
    )  # fmt: skip
    assert "a person plays on for it" in resumed.stderr


def test_a_bot_that_fails_in_a_simulation_loses_that_game_only(tmp_path):
    (tmp_path / "late.py").write_text(
        "class Late:\n    def __init__(self, sampler):\n        self.lucky = sampler.random() < 0.5\n"
        "    def choose(self, seen, clock):\n        return seen.choices[0] if self.lucky else None\n"
    )
    ran = subprocess.run(
        [sys.executable, "-m", "spieltisch", "simulate", "template", "--players", "late:Late,random", "--games", "8", "--language", "en"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0
    lost = ran.stderr.count("seat 0: The bot “late:Late” answered with something that is none of its choices")
    assert 0 < lost < 8
    assert "8 games" in ran.stderr
