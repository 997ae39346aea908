"""Datasets of bot games: complete, the same for the same seed, resumable."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from spieltisch import registry
from spieltisch.arena.self_play_dataset import play_numbered_game, write_dataset
from spieltisch.arena.workers import ProcessWorkers
from spieltisch.core.game import Refusal
from spieltisch.players.failures import PlayerFailed
from spieltisch.records.dataset import read_dataset, read_header
from spieltisch.records.replay import replay
from tests.arena.cases import BOTH, GAME, wait_until
from tests.support.command import TIMEOUT, assert_refused, run, running


def dataset(*arguments: object) -> tuple[object, ...]:
    return ("dataset", "template", "--players", "greedy,random", "--seed", 3, "--workers", 1, *arguments)


@pytest.mark.parametrize("name", ["template", "bigpoints", "rondo"])
def test_every_game_can_be_replayed(tmp_path, name):
    game, path = registry.find(name), tmp_path / "games.jsonl.xz"
    header = write_dataset(path, game, {"players": 3}, ["greedy", "level:1"], games=4, seed=2)
    assert read_header(path) == header
    assert (header.game, header.rules, header.players, header.games) == (name, game.rules[-1], 3, 4)
    records = list(read_dataset(path))
    assert len(records) == 4
    for record in records:
        assert record.result == game.pending(replay(game, record).state).outcome.scores
        assert {bot for _, bot in record.names} <= {"greedy", "level:1"}
    assert len({record.entries for record in records}) == 4


def test_all_line_ups_and_first_seats_occur(tmp_path):
    path = tmp_path / "games.jsonl.gz"
    write_dataset(path, GAME, {"players": 2}, BOTH, games=40)
    records = list(read_dataset(path))
    assert len({record.names for record in records}) == 4
    assert {record.first for record in records} == {0, 1}


def test_one_bot_plays_all_seats(tmp_path):
    path = tmp_path / "games.jsonl.gz"
    write_dataset(path, GAME, {"players": 3, "first": 2}, ["random"], games=2)
    for record in read_dataset(path):
        assert dict(record.names) == {0: "random", 1: "random", 2: "random"}
        assert record.first == 2


def test_workers_and_interruptions_do_not_change_the_file(tmp_path, monkeypatch):
    whole, cut = tmp_path / "whole.jsonl.gz", tmp_path / "cut.jsonl.gz"
    with ProcessWorkers(2) as workers:
        write_dataset(whole, GAME, {"players": 2}, BOTH, games=12, executor=workers)
    played = []

    def play(config, number):
        if len(played) == 5:
            raise KeyboardInterrupt
        played.append(number)
        return play_numbered_game(config, number)

    monkeypatch.setattr("spieltisch.arena.self_play_dataset.play_numbered_game", play)
    with pytest.raises(KeyboardInterrupt):
        write_dataset(cut, GAME, {"players": 2}, BOTH, games=12)
    assert not cut.exists()
    monkeypatch.undo()
    write_dataset(cut, GAME, {"players": 2}, BOTH, games=12)
    assert cut.read_bytes() == whole.read_bytes()


def test_a_bot_that_fails_ends_the_run_and_what_was_played_is_kept(tmp_path, bots):
    path = tmp_path / "games.jsonl.gz"
    with pytest.raises(PlayerFailed):
        write_dataset(path, GAME, {"players": 2}, ["greedy", "crashing"], games=50)
    assert not path.exists()
    assert path.with_name("games.jsonl.gz.part").stat().st_size


def test_bad_arguments_are_refused(tmp_path):
    for bots, seed in ((["greedy", "greedy"], 0), (["nobody"], 0), (["greedy"], -1)):
        with pytest.raises(Refusal):
            write_dataset(tmp_path / "games.jsonl.gz", GAME, {"players": 2}, bots, games=1, seed=seed)
    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_a_dataset_and_is_resumed_after_it_was_stopped(tmp_path):
    file, part = tmp_path / "games.jsonl.gz", tmp_path / "games.jsonl.gz.part"
    with running(*dataset("--games", 10**6, "--out", file)) as process:
        wait_until(lambda: part.exists() and part.stat().st_size > 5_000)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 130
    assert f"saved in {part}; the same command continues from there.".encode() in err
    assert not file.exists()
    ran = run(*dataset("--games", 5, "--out", file))
    assert ran.code == 0, ran.err
    assert ran.out.startswith(f"{file}: 5 games, ")
    assert read_header(file).games == 5 == len(list(read_dataset(file)))
    assert not part.exists()
    fresh = tmp_path / "fresh.jsonl.gz"
    write_dataset(fresh, GAME, {"players": 2}, BOTH, games=5, seed=3)
    assert fresh.read_bytes() == file.read_bytes()
    assert_refused(run(*dataset("--games", 5, "--out", file)), str(file))


@pytest.mark.parametrize(
    ("arguments", "word"),
    [(("--out", "games.zip"), "games.zip"), (("--out", "games.gz", "--players", "nobody"), "nobody"), ((), "--out")],
)
def test_the_command_refuses_with_a_sentence(tmp_path, arguments, word):
    ran = run("dataset", "template", "--games", 1, *arguments, cwd=tmp_path)
    assert ran.code in (1, 2)
    assert word in ran.err
    assert "Traceback" not in ran.err
    assert list(Path(tmp_path).iterdir()) == []
