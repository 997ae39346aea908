"""The log of deals: resuming, damaged files, other configs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from spieltisch import registry
from spieltisch.arena.config import make_config
from spieltisch.arena.deal_log import BadDealLog
from spieltisch.arena.standings import TournamentResult
from spieltisch.arena.tournament import compete
from spieltisch.arena.tournament_log import TournamentLog
from tests.arena.cases import BOTH, GAME, timeless


def stored(folder: Path, deals: int = 6, **changes: Any) -> TournamentResult:
    given = {"setup": {"players": 3}, "entrants": BOTH, "seed": 1, "game": GAME, **changes}
    with TournamentLog(folder) as log:
        return compete(given["game"], given["setup"], given["entrants"], deals=deals, seed=given["seed"], log=log)


def test_logged_deals_are_not_played_again_and_a_run_can_be_extended(tmp_path, monkeypatch):
    short = stored(tmp_path, 6)
    lines = (tmp_path / "deals.jsonl").read_text().splitlines()
    assert [json.loads(line)["deal"] for line in lines[1:]] == list(range(6))
    assert timeless(stored(tmp_path, 9)) == timeless(compete(GAME, {"players": 3}, BOTH, deals=9, seed=1))
    monkeypatch.setattr("spieltisch.arena.tournament.play_deal", None)
    assert timeless(stored(tmp_path, 6)) == timeless(short)


def test_failures_are_logged_with_their_reasons(tmp_path, bots):
    result = stored(tmp_path, entrants=["crashing", "first"])
    assert result.failures
    assert timeless(stored(tmp_path, entrants=["crashing", "first"])) == timeless(result)


def test_a_log_cut_anywhere_is_resumed_to_the_same_result(tmp_path):
    whole = stored(tmp_path)
    file = tmp_path / "deals.jsonl"
    content = file.read_bytes()
    ends = [place + 1 for place, byte in enumerate(content) if byte == 10]
    for length in {0, 1, *ends, *(end - 1 for end in ends), *(end + 40 for end in ends[:-1])}:
        file.write_bytes(content[:length])
        assert timeless(stored(tmp_path)) == timeless(whole)
        resumed = file.read_bytes()
        assert resumed.count(b"\n") == 7
        assert (
            resumed[: max((end for end in ends if end <= length), default=0)]
            == content[: max((end for end in ends if end <= length), default=0)]
        )


def test_an_invalid_last_line_is_dropped_and_any_other_is_reported(tmp_path):
    whole = stored(tmp_path)
    file = tmp_path / "deals.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:-1]) + b'{"deal": 5, "games": [{"se\n')
    assert timeless(stored(tmp_path)) == timeless(whole)
    for bad in (
        b"\0\0\n",
        b"[]\n",
        b"{}\n",
        lines[2].replace(b"greedy", b"nobody"),
        lines[2].replace(b'"deal": 1', b'"deal": 4'),
    ):
        file.write_bytes(lines[0] + lines[1] + bad + b"".join(lines[3:]))
        with pytest.raises(BadDealLog, match="deals.jsonl, line 3"):
            stored(tmp_path)
    file.write_bytes(b"something else\n")
    with pytest.raises(BadDealLog, match="deals.jsonl, line 1"):
        stored(tmp_path)
    assert file.read_bytes() == b"something else\n"


OTHERS = {
    "seed is 1 there and 2 here": {"seed": 2},
    "size is 3 there and 4 here": {"setup": {"players": 4}},
    'players is ["greedy", "random"] there and ["random", "greedy"] here': {"entrants": BOTH[::-1]},
    "first is null there and 2 here": {"setup": {"players": 3, "first": 2}},
    "rules is 2 there and 1 here": {"setup": {"players": 3, "rules": 1}},
    "game is template there": {"game": registry.find("bigpoints")},
    "open": {"setup": {"players": 3, "options": {"piles": "open"}}},
}


@pytest.mark.parametrize(("words", "changes"), OTHERS.items(), ids=OTHERS.keys())
def test_a_log_of_another_config_is_refused_with_the_differences(tmp_path, words, changes):
    stored(tmp_path, 1)
    before = (tmp_path / "deals.jsonl").read_bytes()
    with pytest.raises(BadDealLog) as refused:
        stored(tmp_path, 1, **changes)
    assert words in str(refused.value)
    assert (tmp_path / "deals.jsonl").read_bytes() == before


def test_a_log_of_a_bot_that_has_changed_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bot = tmp_path / "edited.py"
    bot.write_text("class Edited:\n    def choose(self, seen, clock):\n        return seen.choices[0]\n")
    stored(tmp_path / "run", 1, entrants=["edited:Edited", "random"])
    bot.write_text("class Edited:\n    def choose(self, seen, clock):\n        return seen.choices[-1]\n")
    with pytest.raises(BadDealLog, match="code is "):
        stored(tmp_path / "run", 1, entrants=["edited:Edited", "random"])


def test_a_log_of_another_version_is_refused(tmp_path):
    stored(tmp_path, 1)
    file = tmp_path / "deals.jsonl"
    header, _, rest = file.read_text().partition("\n")
    file.write_text(json.dumps({**json.loads(header), "version": "0.0.1"}) + "\n" + rest)
    with pytest.raises(BadDealLog, match="version is 0.0.1 there and"):
        stored(tmp_path, 1)


def test_a_log_in_use_is_refused(tmp_path):
    with TournamentLog(tmp_path) as first:
        first.open(make_config(GAME, {"players": 3}, BOTH, 1))
        with pytest.raises(BadDealLog, match="Another tournament"):
            stored(tmp_path)
    stored(tmp_path)
