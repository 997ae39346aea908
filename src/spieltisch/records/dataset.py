"""Datasets: many recorded games in one compressed file of JSON lines, with a header and a checksum.

The first line is the header, every other line one game. While games are played they are collected in a second file, which
can be interrupted at any moment; the dataset itself is written at the end, at once, and depends on the games only.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import lzma
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from io import FileIO
from pathlib import Path
from typing import IO, Any, ClassVar, Final, NamedTuple, Self, TypeAlias

from spieltisch.core.files import lock_exclusively, write_durably
from spieltisch.core.game import Refusal, brief
from spieltisch.i18n.message import message_factory
from spieltisch.records.model import BadRecord, GameRecord
from spieltisch.records.reading import read

CompressedFile: TypeAlias = gzip.GzipFile | lzma.LZMAFile
FORMAT: Final = "spieltisch dataset 1"
SUFFIXES: Final = (".gz", ".xz")
_BLOCK: Final = 1 << 20  # bytes that are read at a time
_MAGIC: Final = b"\x1f\x8b"  # of a gzip member
_GZIP: Final = 31  # zlib's code for a gzip member
_say = message_factory("")


class BadDataset(Refusal):
    """A file that is not a dataset of this format, or not the expected one."""

    code: ClassVar[str] = "bad-dataset"


@dataclass(frozen=True, slots=True)
class DatasetHeader:
    """What a dataset holds: the setup, who played, and how it was made."""

    game: str
    rules: int
    edition: str
    players: int
    options: Mapping[str, str]  # with defaults
    bots: tuple[str, ...]
    seed: int
    package: str  # the version of this package
    games: int = 0
    sha256: str = ""  # of all lines after the header


class PlayedGame(NamedTuple):
    """One game of a deal, as a line holds it; the seats have the names of their bots."""

    deal: int
    game: int
    seats: tuple[str, ...]
    record: str

    def line(self) -> bytes:
        return json.dumps(self._asdict(), ensure_ascii=False).encode() + b"\n"


# Reading


def read_header(path: str | Path) -> DatasetHeader:
    """The header of a dataset; BadDataset if the file is none."""
    with _open(Path(path)) as file:
        return _header(Path(path), file)


def read_dataset(path: str | Path) -> Iterator[GameRecord]:
    """The games of a dataset, one by one.

    BadDataset if the file is not a dataset, is damaged, or ends before its last game; the checksum is compared at the end.
    """
    path = Path(path)
    with _open(path) as file:
        header, checksum, count = _header(path, file), hashlib.sha256(), 0
        for number, line in enumerate(_lines(path, file), 2):
            checksum.update(line)
            count += 1
            try:
                record: GameRecord = read(json.loads(line)["record"]).games[0]
            except (ValueError, KeyError, TypeError, BadRecord):
                raise BadDataset(_say("dataset.line", file=str(path), line=number)) from None
            yield record
    if (count, checksum.hexdigest()) != (header.games, header.sha256):
        raise BadDataset(_say("dataset.damaged", file=str(path), games=header.games, there=count))


def _open(path: Path) -> CompressedFile:
    if path.suffix not in SUFFIXES:
        raise BadDataset(_say("dataset.suffix", file=str(path), known=SUFFIXES))
    return gzip.open(path) if path.suffix == ".gz" else lzma.open(path)


def _lines(path: Path, file: CompressedFile) -> Iterator[bytes]:
    try:
        for line in file:  # noqa: UP028 - `yield from` would close the file with the generator
            yield line
    except (OSError, EOFError, lzma.LZMAError, zlib.error):
        raise BadDataset(_say("dataset.unreadable", file=str(path))) from None


def _header(path: Path, file: CompressedFile) -> DatasetHeader:
    try:
        fields = json.loads(next(_lines(path, file), b""))
        if fields.pop("format") != FORMAT:
            raise BadDataset(_say("dataset.format", file=str(path), format=FORMAT))
        return DatasetHeader(**{**fields, "bots": tuple(fields["bots"])})
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadDataset(_say("dataset.format", file=str(path), format=FORMAT)) from None


# Writing


class DatasetWriter:
    """Collects games in `PATH.part`, one gzip member per deal, and writes the dataset when all are there."""

    def __init__(self, path: Path, header: DatasetHeader) -> None:
        if path.suffix not in SUFFIXES:
            raise BadDataset(_say("dataset.suffix", file=str(path), known=SUFFIXES))
        if path.exists():
            raise BadDataset(_say("file.exists", file=str(path)))
        self.path = path
        self.part = path.with_name(f"{path.name}.part")
        self.header = header
        self._places: dict[int, tuple[int, int]] = {}  # of every deal: offset and length of its member
        self._file: FileIO | None = None

    def __enter__(self) -> Self:
        self.part.parent.mkdir(parents=True, exist_ok=True)
        self._file = self.part.open("a+b", buffering=0)
        try:
            self._resume(self._file)
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        assert self._file is not None
        self._file.close()

    @property
    def deals(self) -> set[int]:
        """The deals that are there."""
        return set(self._places)

    def add(self, games: Sequence[PlayedGame]) -> None:
        """Adds the games of one deal; they are on disk when this returns."""
        assert self._file is not None
        member = gzip.compress(b"".join(game.line() for game in games), mtime=0)
        offset = self._file.seek(0, io.SEEK_END)
        write_durably(self._file, member)
        self._places[games[0].deal] = (offset, len(member))

    def finish(self, deals: Iterable[int]) -> DatasetHeader:
        """Writes the dataset with these deals in their order, and deletes the collection."""
        ordered = sorted(deals)
        checksum, count = hashlib.sha256(), 0
        for deal in ordered:
            lines = self._games(deal)
            checksum.update(lines)
            count += lines.count(b"\n")
        fields = {**asdict(self.header), "games": count, "sha256": checksum.hexdigest()}
        temporary = self.path.with_name(f".{self.path.name}")
        with temporary.open("wb") as raw:
            with _compressor(self.path.suffix, raw) as out:
                out.write(json.dumps({"format": FORMAT, **fields}, ensure_ascii=False).encode() + b"\n")
                for deal in ordered:
                    out.write(self._games(deal))
            raw.flush()
            os.fsync(raw.fileno())
        temporary.replace(self.path)
        self.part.unlink()
        return DatasetHeader(**{**fields, "bots": self.header.bots})

    def _games(self, deal: int) -> bytes:
        """The lines of a deal's games."""
        assert self._file is not None
        offset, length = self._places[deal]
        self._file.seek(offset)
        return gzip.decompress(self._file.read(length))

    def _resume(self, file: FileIO) -> None:
        """Locks the file, finds the deals that are there, and cuts off a member that a crash has torn."""
        if not lock_exclusively(file):
            raise BadDataset(_say("dataset.busy", file=str(self.part)))
        file.seek(0)
        if file.read(2) not in {b"", _MAGIC[:1], _MAGIC}:
            raise BadDataset(_say("dataset.format", file=str(self.part), format=FORMAT))
        end = 0
        for offset, length, content in _members(file):
            first: dict[str, Any] = json.loads(content.partition(b"\n")[0])
            if not offset:
                self._check_header(first)
            else:
                self._places[first["deal"]] = (offset, length)
            end = offset + length
        file.truncate(end)
        if not end:
            header = {"format": FORMAT, **asdict(self.header)}
            write_durably(file, gzip.compress(json.dumps(header, ensure_ascii=False).encode() + b"\n", mtime=0))

    def _check_header(self, there: dict[str, Any]) -> None:
        here = json.loads(json.dumps({"format": FORMAT, **asdict(self.header)}))
        differing = tuple(
            _say("arena.differs", field=name, there=brief(there.get(name)), here=brief(value))
            for name, value in here.items()
            if there.get(name) != value
        )
        if differing:
            raise BadDataset(_say("dataset.other", file=str(self.part), differing=differing))


def _compressor(suffix: str, raw: IO[bytes]) -> CompressedFile:
    """A compressor whose output depends on its input only."""
    return gzip.GzipFile("", "wb", 9, raw, mtime=0) if suffix == ".gz" else lzma.LZMAFile(raw, "wb")


def _members(file: FileIO) -> Iterator[tuple[int, int, bytes]]:
    """Offset, length and content of every complete gzip member of a file."""
    file.seek(0)
    offset, buffer = 0, b""
    while True:
        unzip = zlib.decompressobj(_GZIP)
        content, length = b"", 0
        while not unzip.eof:
            buffer = buffer or file.read(_BLOCK) or b""
            if not buffer:
                return
            try:
                content += unzip.decompress(buffer)
            except zlib.error:
                return
            length += len(buffer) - len(unzip.unused_data)
            buffer = unzip.unused_data
        yield offset, length, content
        offset += length
