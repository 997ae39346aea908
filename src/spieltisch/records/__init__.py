"""Records: games as text that people can read and compare, complete without any seed."""

from spieltisch.records.model import BadRecord, Entry, GameRecord, Move, Record, Undo, begin, digest, setup_of
from spieltisch.records.reading import decode, read, read_entry
from spieltisch.records.writing import entry_line, write

__all__ = [
    "BadRecord",
    "Entry",
    "GameRecord",
    "Move",
    "Record",
    "Undo",
    "begin",
    "decode",
    "digest",
    "entry_line",
    "read",
    "read_entry",
    "setup_of",
    "write",
]
