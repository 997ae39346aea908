"""Test vectors of fair chance, which other implementations share, and properties of sources."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spieltisch import registry
from spieltisch.core.game import Chance, Decision, Over, Refusal, Seat
from spieltisch.gameplay.chance import KeyedSource, ReplaySource, fair, seeded, unforeseen
from spieltisch.gameplay.referee import Referee
from spieltisch.gameplay.verify import verify
from spieltisch.records import BadRecord, Record, read, write
from tests.gameplay import fair_records

VECTORS = json.loads((Path(__file__).parent / "vectors" / "fair_chance.json").read_text())


def by_the_text(secret: bytes, game: int, nonces: list[bytes], draw: int, weights: list[int]) -> int:
    """A second implementation of the pick, from the specification."""
    message = bytes([0, 0, 0, game])
    for nonce in nonces:
        message += bytes([len(nonce)]) + nonce
    key = hmac.new(secret, message, hashlib.sha256).digest()
    tickets = [place for place, weight in enumerate(weights) for _ in range(weight)]
    for attempt in range(1000):
        message = b"draw" + draw.to_bytes(8, "big") + attempt.to_bytes(4, "big")
        value = int(hmac.new(key, message, hashlib.sha256).hexdigest(), 16)
        if value < 2**256 - 2**256 % len(tickets):
            return tickets[value % len(tickets)]
    raise AssertionError


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["about"])
def test_vectors_give_their_picks(vector):
    secret, nonces = bytes.fromhex(vector["secret"]), [bytes.fromhex(nonce) for nonce in vector["nonces"]]
    assert hashlib.sha256(secret).hexdigest() == vector["commit"]
    source = fair(secret, nonces, vector["game"])
    picks = [source.pick(draw, vector["weights"]) for draw in range(len(vector["picks"]))]
    assert picks == vector["picks"]
    assert source.first(len(nonces)) == vector["first"]
    assert picks == [by_the_text(secret, vector["game"], nonces, d, vector["weights"]) for d in range(len(picks))]


@settings(max_examples=100, derandomize=True, deadline=None)
@given(
    st.binary(min_size=32, max_size=32),
    st.integers(0, 200),
    st.lists(st.one_of(st.just(b""), st.binary(min_size=16, max_size=16)), min_size=1, max_size=5),
    st.integers(0, 1000),
    st.lists(st.integers(1, 30), min_size=1, max_size=12),
)
def test_two_implementations_of_the_specification_agree(secret, game, nonces, draw, weights):
    assert fair(secret, nonces, game).pick(draw, weights) == by_the_text(secret, game, nonces, draw, weights)


def test_a_value_of_the_incomplete_last_range_is_rejected():
    limit = 2**255 + 1  # nearly half of all values are beyond the first range
    numbers = [KeyedSource(b"k").uniform(b"draw", number, limit) for number in range(50)]
    assert all(number < limit for number in numbers)
    first = [
        int.from_bytes(hmac.digest(b"k", b"draw" + n.to_bytes(8, "big") + bytes(4), "sha256"), "big") for n in range(50)
    ]
    again = [number for number, value in zip(numbers, first, strict=True) if value >= limit]
    assert again
    assert all(number not in first for number in again)


def test_picks_follow_the_weights():
    seen = Counter(seeded(1).pick(number, (1, 2, 5)) for number in range(8000))
    assert [round(seen[place] / 1000) for place in range(3)] == [1, 2, 5]


def test_the_same_draw_number_always_gives_the_same_pick():
    source = unforeseen()
    assert [source.pick(n, (1,) * 99) for n in (5, 3, 5)][::2] == [source.pick(5, (1,) * 99)] * 2


def test_the_starting_seat_uses_no_draw_number():
    assert {seeded(seed).first(3) for seed in range(40)} == {0, 1, 2}


def test_a_negative_seed_is_refused():
    with pytest.raises(Refusal, match="whole number from 0"):
        seeded(-1)


def test_a_replay_source_that_runs_out_is_refused():
    with pytest.raises(Refusal, match="one draw is given"):
        ReplaySource((0,), Seat(0)).pick(1, (1, 1))


def test_a_replayed_pick_out_of_range_is_refused():
    with pytest.raises(Refusal, match="Draw 0"):
        ReplaySource((4,), Seat(0)).pick(0, (1, 1))


def test_the_vectors_of_whole_games_are_what_the_rules_draw():
    assert fair_records.FILE.read_text() == fair_records.text()
    assert {vector["game"] for vector in json.loads(fair_records.FILE.read_text())} == set(registry.names())


@pytest.mark.parametrize("vector", json.loads(fair_records.FILE.read_text()), ids=lambda vector: vector["game"])
def test_who_was_drawn_to_start_is_verified(vector):
    record = read(vector["record"])
    assert verify(record).starter
    agreed = vector["record"].replace("drawn     first\n", "")
    assert not verify(read(agreed)).starter


def fairly_played(undo: bool = False, first: int = 0) -> Record:
    """A record of the teaching game with its proof."""
    game = registry.find("template")
    secret, nonces = bytes(range(32)), [bytes(range(16)), b""]
    referee = Referee(game, game.agree(2, first=first), fair(secret, nonces))
    while not isinstance(pending := referee.settle(), Over):
        referee.play(pending.seat, [pending.actions[0]])
        if undo and len(referee.steps) > 20:
            referee.settle()
            referee.undo(7)
            undo = False
    proof = {
        "commit": hashlib.sha256(secret).hexdigest(),
        "secret": secret.hex(),
        "nonces": ((0, nonces[0].hex()), (1, "")),
    }
    return read(write(Record((replace(referee.record(), **proof),))))


def test_a_record_proves_every_draw():
    assert verify(fairly_played()).proven


def test_an_undo_never_reuses_a_draw_number_and_the_proof_still_holds():
    record = fairly_played(undo=True)
    assert "undo      7" in write(record)
    assert verify(record).proven
    assert verify(record).practice


def test_a_manipulated_draw_is_reported_with_its_number_and_line():
    text = write(fairly_played())
    lines = text.splitlines()
    place = lines.index("* " + next(line[2:] for line in lines if line.startswith("* ")))
    wrong = next(letter for letter in "RBG" if f"* {letter}" != lines[place])
    with pytest.raises(BadRecord, match="Draw 0|not hold|no such") as caught:
        verify(read("\n".join([*lines[:place], f"* {wrong}", *lines[place + 1 :]])))
    assert caught.value.line >= place + 1


def test_a_secret_that_does_not_match_the_commitment_is_refused():
    with pytest.raises(BadRecord, match="committed"):
        verify(read(write(fairly_played()).replace("secret    00", "secret    ff")))


def test_a_starting_seat_that_was_not_the_one_drawn_is_refused():
    """The whole game of a seat that was not drawn: every draw in it follows from the secret."""
    record = fairly_played()
    drawn = fair(bytes(range(32)), [bytes(range(16)), b""]).first(2)
    text = write(record).replace("commit", "drawn     first\ncommit")
    if record.games[0].first == drawn:
        assert verify(read(text)).starter
        text = write(fairly_played(first=1 - drawn)).replace("commit", "drawn     first\ncommit")
    with pytest.raises(BadRecord, match=f"Seat {drawn} was drawn to start") as caught:
        verify(read(text))
    assert text.splitlines()[caught.value.line - 1].startswith("first")


def test_only_the_first_game_of_a_match_has_a_drawn_starting_seat():
    record = fairly_played()
    first = replace(record.games[0], drawn=False)
    later = replace(first, first=1 - first.first, drawn=True)
    with pytest.raises(BadRecord, match="only for the first game"):
        verify(Record((first, later), match=2))


def test_a_chance_with_a_single_action_uses_no_draw_number():
    game = registry.find("template")
    setup = game.agree(2, options={"bag": {"R": 6, "B": 0, "G": 0}})
    referee = Referee(game, setup, ReplaySource((), Seat(0)))
    pending = referee.settle()
    assert isinstance(pending, Decision)
    assert [step.seat for step in referee.steps] == [None] * 6
    assert isinstance(game.pending(game.initial(setup)), Chance)
