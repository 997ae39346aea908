"""Records: round trips, errors with their lines, and replay by the rules."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from spieltisch import registry
from spieltisch.core.game import Seat, canonical_json
from spieltisch.gameplay.verify import verify
from spieltisch.records import BadRecord, GameRecord, Move, Record, Undo, begin, decode, digest, read, setup_of, write
from tests.support.command import FUZZ, random_record

GAME = registry.find("template")

# Strategies for arbitrary records

WORD = st.from_regex(r"[a-z][a-z0-9_-]{0,9}", fullmatch=True)
NAME = st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters=";"), min_size=1, max_size=40)
NOTATION = st.from_regex(r"[!-:<-~][!-~]{0,5}( [!-:<-~][!-~]{0,5}){0,2}", fullmatch=True)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=4), inside, max_size=3),
    max_leaves=6,
)
DOCUMENT = st.dictionaries(st.text(max_size=4), ANYTHING, max_size=3).map(canonical_json)
SCORES = st.lists(st.integers(-(10**9) + 1, 10**9 - 1), min_size=1, max_size=5).map(tuple)


def hexadecimal(length: int) -> st.SearchStrategy[str]:
    return st.text("0123456789abcdef", min_size=length, max_size=length)


def table(keys: st.SearchStrategy[Any], values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.dictionaries(keys, values, max_size=3).map(lambda entries: tuple(sorted(entries.items())))


MOVE = st.builds(Move, st.none() | st.integers(0, 99).map(Seat), NOTATION)
BLOCK = st.builds(
    GameRecord,
    game=WORD,
    rules=st.integers(0, 10**9),
    edition=WORD,
    players=st.integers(0, 10**9),
    first=st.integers(0, 10**9),
    options=table(WORD, NOTATION),
    data=st.lists(DOCUMENT, max_size=2, unique=True).map(lambda texts: tuple((digest(text), text) for text in texts)),
    names=table(st.integers(0, 99), NAME.map(str.strip).filter(bool)),
    commit=st.none() | hexadecimal(64),
    nonces=table(st.integers(0, 99), st.just("") | hexadecimal(32)),
    viewer=st.none() | st.integers(0, 10**9),
    entries=st.lists(MOVE | st.builds(Undo, st.integers(0, 99)), max_size=6).map(tuple),
    practice=st.booleans(),
    secret=st.none() | hexadecimal(64),
    drawn=st.booleans(),
)
GAMES = BLOCK | st.builds(
    lambda block, result, ending: replace(block, result=result, ending=ending), BLOCK, SCORES, st.none() | WORD
)
RECORDS = st.builds(lambda game: Record((game,)), GAMES) | st.builds(
    lambda games, more, total: Record(tuple(games), len(games) + more, total),
    st.lists(GAMES, min_size=1, max_size=3),
    st.integers(0, 900),
    st.none() | SCORES,
)


@settings(FUZZ, max_examples=150)
@given(RECORDS)
def test_records_round_trip(record):
    text = write(record)
    assert read(text) == record
    assert write(read(text)) == text
    assert read(decode(text.encode())) == record


@settings(FUZZ, max_examples=100)
@given(RECORDS, st.integers())
def test_comments_and_odd_white_space_change_nothing(record, seed):
    pick = Random(seed).choice
    lines = []
    for line in write(record).split("\n"):
        lines += pick([[], [""], ["; a note"], ["\t ; another"], ["  "]])
        spaced = line.replace(" ", pick([" ", "\t", "   "]), 1)
        lines.append(spaced + pick(["", " ", "\t", " ; and so on", "\t;", " ;;; 0 R"]) + pick(["", "\r"]))
    assert read("\n".join(lines)) == record


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("games", [1, 3])
def test_records_of_real_games_round_trip_to_the_byte(games, seed):
    text = write(random_record(seed, games))
    assert write(read(text)) == text


def test_a_byte_order_mark_is_ignored():
    record = random_record(1)
    assert read(decode(b"\xef\xbb\xbf" + write(record).encode())) == record


def test_the_last_end_of_line_may_be_missing():
    record = random_record(1)
    assert read(write(record).rstrip("\n")) == record


HOSTILE = {
    "a comment's beginning": " ; no comment",
    "after a tab": "\t;",
    "after an unbreakable space": "\u00a0;",
    "after an ideographic space": "\u3000;",
    "after a line separator": "\u2028;",
    "a deleted letter": "\x7f",
    "a control character": "\x85",
    "a zero": "\0",
    "an end of line": "a\r\nb",
    "a backslash": "\\ ;",
    "many languages": "äß漢字🎲",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_document_may_hold(text):
    document = canonical_json({"a": text, text: 1})
    record = Record((replace(random_record(1).games[0], data=((digest(document), document),)),))
    assert read(write(record)) == record
    assert json.loads(dict(read(write(record)).games[0].data)[digest(document)]) == {"a": text, text: 1}


def test_a_document_is_found_by_its_digest():
    setup = GAME.agree(2, options={"bag": {"G": 4, "R": 4, "B": 4}})
    record = begin(GAME, setup)
    assert record.options == (("bag", digest('{"B":4,"G":4,"R":4}')),)
    assert setup_of(GAME, read(write(Record((record,)))).games[0]) == setup


# Lines that are refused

HEAD = ["format spieltisch 1", "game template", "rules 2", "edition standard", "players 2", "first 0"]


def refusal(text: str) -> BadRecord:
    with pytest.raises(BadRecord) as caught:
        read(text)
    assert str(caught.value)
    return caught.value


MALFORMED = {
    "an unknown key": ("colour red", "record.unknown"),
    "an indented line": (" first 0", "record.unknown"),
    "a seat without an action": ("0", "record.unknown"),
    "chance without an action": ("*", "record.unknown"),
    "a seat below zero": ("-1 R", "record.unknown"),
    "a total without a match": ("total 1 2", "record.unknown"),
    "a match in the middle": ("match 2", "record.unknown"),
    "another format line": ("format spieltisch 1", "record.unknown"),
    "a control character": ("seat 0 A\x1bda", "record.control"),
    "a carriage return inside": ("seat 0 A\rda", "record.control"),
    "a seat of three digits": ("100 R", "record.whole"),
    "a seat in Arabic digits": ("٣ R", "record.whole"),
    "a viewer that is no number": ("viewer me", "record.whole"),
    "a viewer below zero": ("viewer -1", "record.whole"),
    "an undo of nothing": ("undo", "record.whole"),
    "an undo of a word": ("undo all", "record.whole"),
    "an undo without end": ("undo 99999999999", "record.whole"),
    "a named seat that is no number": ("seat A Ada", "record.whole"),
    "a nonce of nobody": ("nonce x 00", "record.whole"),
    "an option without a name": ("option", "record.empty"),
    "data without a digest": ("data", "record.empty"),
    "a seat without a number": ("seat", "record.empty"),
    "an ending that is none": ("ending", "record.empty"),
    "a seat without a name": ("seat 0", "record.name"),
    "a name with a semicolon": ("seat 0 A;B", "record.name"),
    "a name without end": ("seat 0 " + "x" * 41, "record.name"),
    "a word that is drawn for": ("drawn second", "record.drawn"),
    "a short commit": ("commit 00ff", "record.hex"),
    "a commit in capitals": ("commit " + "A" * 64, "record.hex"),
    "a secret that is no number": ("secret " + "x" * 64, "record.hex"),
    "a short nonce": ("nonce 0 00ff", "record.hex"),
    "practice with a word": ("practice makes perfect", "record.practice"),
    "a result of words": ("result many", "record.numbers"),
    "a result of nothing": ("result", "record.numbers"),
    "a result of fractions": ("result 1.5 2", "record.numbers"),
    "a result without end": ("result " + "1 " * 101, "record.numbers"),
    "a result of giants": ("result 9999999999", "record.numbers"),
    "data that is no JSON": ("data 00 {", "record.data"),
    "data that is not a number": ("data 00 NaN", "record.data"),
    "data with a surrogate": (r'data 00 {"a":"\ud800"}', "record.data"),
    "data with an endless integer": ("data 00 " + "9" * 10_000, "record.data"),
    "deep data": ("data 00 " + "[" * 100_000, "record.data"),
    "data of another digest": ("data 00 {}", "record.sha"),
    "second rules": ("rules 2", "record.twice"),
    "a second first seat": ("first 0", "record.twice"),
}


@pytest.mark.parametrize(("line", "key"), MALFORMED.values(), ids=MALFORMED.keys())
def test_a_record_is_refused_at_the_line_with(line, key):
    text = "\n".join([*HEAD, "* R", "", line, "* B", ""])
    error = refusal(text)
    assert (error.line, error.message.key) == (9, key)


TWICE = [
    "drawn first",
    "viewer 0",
    "practice",
    "seat 0 Ada",
    "option piles open",
    "nonce 0",
    "commit " + "0" * 64,
    "result 1 2",
]


@pytest.mark.parametrize("line", [*TWICE, f"data {digest('{}')} {{}}", *HEAD[2:]])
def test_a_duplicate_header_is_refused(line):
    once = [] if line in HEAD else [line]
    text = "\n".join([*HEAD, *once, line])
    error = refusal(text)
    assert (error.line, error.message.key) == (len(text.split("\n")), "record.twice")


@pytest.mark.parametrize("key", ["rules", "players", "first"])
@pytest.mark.parametrize("value", ["", "x", "-1", "1.0", "２", "1 2", "9" * 11])
def test_a_header_with_a_bad_integer_is_refused(key, value):
    place = next(place for place, line in enumerate(HEAD) if line.startswith(key))
    error = refusal("\n".join([*HEAD[:place], f"{key} {value}", *HEAD[place + 1 :]]))
    assert (error.line, error.message.key) == (place + 1, "record.whole")
    assert dict(error.message.arguments)["field"] == key


@pytest.mark.parametrize("key", ["rules", "edition", "players", "first"])
def test_a_missing_header_is_refused(key):
    error = refusal("\n".join(line for line in HEAD if not line.startswith(key)))
    assert (error.line, error.message.key) == (2, "record.missing")
    assert dict(error.message.arguments)["field"] == key


@pytest.mark.parametrize(
    "text", ["", "\n\n", "; nothing", "game template", "format spieltisch 2", "format", "\ufeffformat spieltisch 1"]
)
def test_a_text_with_another_first_line_is_refused(text):
    assert refusal(text).message.key == "record.format"


def test_a_record_without_a_game_is_refused():
    assert refusal("format spieltisch 1\n").message.key == "record.no_game"
    assert refusal("format spieltisch 1\nmatch 2\n").message.key == "record.no_game"


def test_an_action_after_the_result_is_refused():
    error = refusal("\n".join([*HEAD, "result 1 2", "0 R"]))
    assert (error.line, error.message.key) == (8, "record.after_result")


def test_an_ending_without_a_result_is_refused():
    assert refusal("\n".join([*HEAD, "ending empty"])).message.key == "record.ending"


def test_a_second_game_without_a_match_is_refused():
    error = refusal("\n".join([*HEAD, *HEAD[1:]]))
    assert (error.line, error.message.key) == (7, "record.one_game")


def test_a_second_game_without_a_match_is_refused_at_its_first_line():
    text = "\n".join([*HEAD, "", "", *HEAD[1:]])
    assert refusal(text).line == 9


@pytest.mark.parametrize("agreed", [0, 1])
def test_a_match_with_too_many_games_is_refused(agreed):
    text = "\n".join([HEAD[0], f"match {agreed}", *HEAD[1:], *HEAD[1:]])
    assert refusal(text).message.key == "record.many_games"


@pytest.mark.parametrize("line", ["match", "match -1", "match 1001", "match two"])
def test_a_match_with_a_bad_number_of_games_is_refused(line):
    error = refusal("\n".join([HEAD[0], line, *HEAD[1:]]))
    assert (error.line, error.message.key) == (2, "record.whole")


@pytest.mark.parametrize(("content", "line"), [(b"\xff", 1), (b"format\n\n\xc3", 3), (b"\0\n\xed\xa0\x80", 2)])
def test_bytes_that_are_not_utf_8_are_refused_at_their_line(content, line):
    with pytest.raises(BadRecord) as caught:
        decode(content)
    assert (caught.value.line, caught.value.message.key) == (line, "record.utf8")


# Arbitrary and mangled texts


def wrong_with(text: str) -> BadRecord | None:
    """The error in the record, if any."""
    try:
        record = read(text)
        assert read(write(record)) == record
        verify(record)
    except BadRecord as error:
        return error
    return None


def assert_read_or_refused(text: str) -> None:
    error = wrong_with(text)
    assert error is None or 1 <= error.line <= len(text.split("\n"))
    assert error is None or str(error)


FRAGMENT = st.sampled_from(
    [*"*?;.0189 \t\n", "game ", "rules ", "players ", "option ", "data ", "seat 0 ", "undo ", "result ", "total ", "{}"]
)


@settings(FUZZ, max_examples=200)
@given(st.text(st.characters()) | st.lists(FRAGMENT | st.text(max_size=3)).map("".join))
@example("format spieltisch 1\n" + "game x\n" * 3)
def test_any_text_is_parsed_or_refused(text):
    assert_read_or_refused(text)
    assert_read_or_refused("\n".join(HEAD) + "\n" + text)


def mutated(lines: list[str], data: st.DataObject) -> list[str]:
    """The lines with one of them deleted, duplicated, moved, cut or extended."""
    place = data.draw(st.integers(0, len(lines) - 1))
    line, rest = lines[place], lines[:place] + lines[place + 1 :]
    elsewhere = data.draw(st.integers(0, len(rest)))
    ways: list[Callable[[], list[str]]] = [
        lambda: rest,
        lambda: [*lines[:elsewhere], line, *lines[elsewhere:]],
        lambda: [*rest[:elsewhere], line, *rest[elsewhere:]],
        lambda: [*lines[:place], line[: data.draw(st.integers(0, len(line)))], *lines[place + 1 :]],
        lambda: [*lines[:place], line + data.draw(FRAGMENT | st.text(max_size=3)), *lines[place + 1 :]],
        lambda: [*lines[:place], line.swapcase(), *lines[place + 1 :]],
        lambda: [*lines[:place], line.replace("0", "1", 1), *lines[place + 1 :]],
        lambda: [*lines[:place], data.draw(st.sampled_from(["undo 1", "* R", "0 .", "1 g"])), *lines[place:]],
    ]
    return data.draw(st.sampled_from(ways))()


@settings(FUZZ, max_examples=300)
@given(st.sampled_from([1, 2]), st.integers(1, 3), st.data())
def test_a_mangled_record_is_verified_or_refused(games, mistakes, data):
    lines = write(random_record(1, games)).split("\n")
    for _ in range(mistakes):
        lines = mutated(lines, data)
    assert_read_or_refused("\n".join(lines))
