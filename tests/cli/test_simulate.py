"""`spieltisch simulate`: reproducible games, and the records they are written to."""

from __future__ import annotations

from pathlib import Path

import pytest

from spieltisch import registry
from spieltisch.records import write
from tests.cli.records import write_file
from tests.support.command import (
    CommandResult,
    assert_refused,
    random_record,
    run,
    run_on_full_disk,
)


def simulated(folder: Path, *arguments: object) -> tuple[CommandResult, dict[str, bytes]]:
    ran = run("simulate", "template", "--out", folder, "--games", 3, *arguments)
    return ran, {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path):
    first, records = simulated(tmp_path / "first", "--seed", 7)
    second, again = simulated(tmp_path / "second", "--seed", 7)
    assert (first.code, first.out) == (0, second.out)
    assert records == again
    assert len(records) == 3
    _, others = simulated(tmp_path / "third", "--seed", 8)
    assert not set(others.values()) & set(records.values())
    assert len(set(others.values())) == 3


def test_simulating_into_the_same_folder_twice_is_fine(tmp_path):
    first, records = simulated(tmp_path)
    second, again = simulated(tmp_path)
    assert first.code == second.code == 0
    assert records == again


def test_a_different_record_is_never_overwritten(tmp_path):
    simulated(tmp_path)
    path = sorted(tmp_path.iterdir())[1]
    path.write_text("mine", encoding="utf-8")
    ran, records = simulated(tmp_path)
    assert_refused(ran, str(path))
    assert records[path.name] == b"mine"
    assert len(records) == 3


def test_a_folder_that_is_a_file_is_refused(record):
    ran = run("simulate", "template", "--games", 1, "--out", record)
    assert_refused(ran, str(record))
    assert record.read_text(encoding="utf-8") == write(random_record(1))


@pytest.mark.parametrize("name", registry.names())
def test_simulated_records_verify(tmp_path, name):
    assert run("simulate", name, "--games", 2, "--out", tmp_path).code == 0
    ran = run("verify", *tmp_path.iterdir())
    assert ran.code == 0
    assert ran.out.count("in order") == 2


def test_the_options_are_in_the_record(tmp_path):
    bag = write_file(tmp_path / "bag.json", '{"R": 4, "B": 4, "G": 4}')
    _, records = simulated(tmp_path / "out", "--piles", "open", "--bag", bag, "--first", 1, "--rules", 1)
    for text in records.values():
        for line in (b"rules     1\n", b"first     1\n", b"option    piles open\n", b'{"B":4,"G":4,"R":4}\n'):
            assert line in text


def test_a_bag_with_too_few_pebbles_is_refused_by_its_rule(tmp_path):
    bag = write_file(tmp_path / "bag.json", '{"R": 2, "B": 2, "G": 1}')
    assert_refused(run("simulate", "template", "--bag", bag), "R2", "6", "5")


def test_records_written_before_the_disk_was_full_are_complete(tmp_path):
    sizes = sorted(len(text) for text in simulated(tmp_path / "all")[1].values())
    ran = run_on_full_disk("simulate", "template", "--games", 3, "--out", tmp_path / "some", room=sizes[-1] - 1)
    assert_refused(ran, "large")
    for path in (tmp_path / "some").iterdir():
        assert path.read_bytes() == (tmp_path / "all" / path.name).read_bytes()
