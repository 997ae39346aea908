"""The file format of datasets: reading, damage, and files that belong to something else."""

from __future__ import annotations

import gzip
import json

import pytest

from spieltisch.records.dataset import (
    BadDataset,
    DatasetHeader,
    DatasetWriter,
    PlayedGame,
    read_dataset,
    read_header,
)

HEADER = DatasetHeader("template", 2, "standard", 2, {"piles": "concealed"}, ("greedy", "random"), 1, "0")
RECORD = "format spieltisch 1\ngame template\nrules 2\nedition standard\nplayers 2\nfirst 0\n* R\n"


def game(deal: int, number: int = 0) -> PlayedGame:
    return PlayedGame(deal, number, ("greedy", "random"), f"{RECORD}* {'RBG'[deal % 3]}\n")


def refusal(function, *arguments) -> str:
    with pytest.raises(BadDataset) as caught:
        list(function(*arguments))
    return caught.value.message.key


@pytest.fixture(params=[".gz", ".xz"])
def path(request, tmp_path):
    """A dataset of three deals, the second of two games."""
    path = tmp_path / f"games.jsonl{request.param}"
    with DatasetWriter(path, HEADER) as writer:
        for deal in (2, 0, 1):
            writer.add([game(deal, number) for number in range(2 if deal == 1 else 1)])
        writer.finish(range(3))
    return path


def test_games_come_in_the_order_of_their_deals(path):
    assert [record.entries[-1].text for record in read_dataset(path)] == ["R", "B", "B", "G"]
    header = read_header(path)
    assert (header.games, header.bots, header.seed) == (4, ("greedy", "random"), 1)
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_file_that_was_cut_off_or_changed_is_refused(path):
    content = path.read_bytes()
    for length in (0, 10, len(content) // 2, len(content) - 3):
        path.write_bytes(content[:length])
        assert refusal(read_dataset, path) in {"dataset.unreadable", "dataset.format"}
    path.write_bytes(b"no compressed file")
    assert refusal(read_dataset, path) == "dataset.unreadable"


def test_games_that_were_changed_do_not_have_the_checksum(tmp_path):
    path = tmp_path / "games.jsonl.gz"
    with DatasetWriter(path, HEADER) as writer:
        writer.add([game(0)])
        writer.finish([0])
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    path.write_bytes(gzip.compress(lines[0] + lines[1].replace(b"* R", b"* B")))
    assert refusal(read_dataset, path) == "dataset.damaged"
    path.write_bytes(gzip.compress(lines[0]))
    assert refusal(read_dataset, path) == "dataset.damaged"
    path.write_bytes(gzip.compress(lines[0] + b"{}\n"))
    assert refusal(read_dataset, path) == "dataset.line"
    for first in (
        b"[]\n",
        b"hello\n",
        lines[0].replace(b"dataset 1", b"dataset 9"),
        b'{"format": "spieltisch dataset 1"}\n',
    ):
        path.write_bytes(gzip.compress(first + lines[1]))
        assert refusal(read_dataset, path) == "dataset.format"
    assert refusal(read_dataset, tmp_path / "games.zip") == "dataset.suffix"


def test_a_missing_file_is_the_systems_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_header(tmp_path / "games.jsonl.gz")


def test_what_was_added_survives_and_a_torn_end_does_not(tmp_path):
    path = tmp_path / "games.jsonl.gz"
    sizes = []
    with DatasetWriter(path, HEADER) as writer:
        for deal in range(3):
            writer.add([game(deal)])
            sizes.append(writer.part.stat().st_size)
    content = writer.part.read_bytes()
    for length in range(sizes[0], len(content) + 1):
        writer.part.write_bytes(content[:length])
        with DatasetWriter(path, HEADER) as resumed:
            assert resumed.deals == {deal for deal in range(3) if sizes[deal] <= length}
    for length in range(sizes[0]):
        writer.part.write_bytes(content[:length])
        with DatasetWriter(path, HEADER) as resumed:
            assert resumed.deals == set()


def test_a_collection_of_another_dataset_is_refused(tmp_path):
    path = tmp_path / "games.jsonl.gz"
    with DatasetWriter(path, HEADER) as writer:
        writer.add([game(0)])
    other = DatasetHeader("template", 2, "standard", 3, {"piles": "concealed"}, ("greedy",), 1, "0")
    with pytest.raises(BadDataset) as caught, DatasetWriter(path, other):
        pass
    assert caught.value.message.key == "dataset.other"
    assert "players is 2 there and 3 here" in str(caught.value)
    writer.part.write_text("my notes")
    with pytest.raises(BadDataset), DatasetWriter(path, HEADER):
        pass
    assert writer.part.read_text() == "my notes"


def test_two_commands_do_not_write_into_the_same_file(tmp_path):
    path = tmp_path / "games.jsonl.gz"
    with DatasetWriter(path, HEADER), pytest.raises(BadDataset) as caught, DatasetWriter(path, HEADER):
        pass
    assert caught.value.message.key == "dataset.busy"


def test_a_line_holds_a_game_with_its_bots(path):
    if path.suffix == ".gz":
        line = json.loads(gzip.decompress(path.read_bytes()).splitlines()[1])
        assert line == {"deal": 0, "game": 0, "seats": ["greedy", "random"], "record": game(0).record}
