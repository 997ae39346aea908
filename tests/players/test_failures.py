"""Failures of bots: the guard, and what people are told."""

from __future__ import annotations

import pickle
import subprocess
import sys
from random import Random

import pytest

from spieltisch.core.player import Clock
from spieltisch.i18n.message import message_factory
from spieltisch.players.external import PlayerFailed, guard
from spieltisch.players.random import RandomPlayer
from tests.players.external_bots import (
    first_seen,
)

pytestmark = pytest.mark.usefixtures("bots_folder")


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
    with pytest.raises(PlayerFailed, match="“Ibo” answered with something that is not one of its choices: 99."):
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
    assert "a person takes over" in resumed.stderr


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
    lost = ran.stderr.count("seat 0: The bot “late:Late” answered with something that is not one of its choices")
    assert 0 < lost < 8
    assert "8 games" in ran.stderr
