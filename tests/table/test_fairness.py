"""Fair chance at a table: commitments before nonces, nonces before draws, and each secret at the end of its game."""

from __future__ import annotations

import hashlib

import pytest

from spieltisch import registry
from spieltisch.gameplay.verify import verify
from spieltisch.records import BadRecord, GameRecord, read
from spieltisch.records.replay import replay
from spieltisch.table import projection
from spieltisch.table.errors import BadRequest, NotNow, NotYours
from spieltisch.table.responses import FairnessView, serialize
from spieltisch.table.state import Status
from tests.gameplay.test_fair_chance import by_the_text
from tests.table.tables import (
    ADA,
    BEN,
    OPEN,
    PEOPLE,
    CheckedTable,
    join,
    leave,
    next_game,
    person,
    resign,
    reveal,
    start,
)

NONCES = ["07" * 16, "a5" * 16]
COMMITS = [hashlib.sha256(bytes.fromhex(nonce)).hexdigest() for nonce in NONCES]


def sha(text: str) -> str:
    return hashlib.sha256(bytes.fromhex(text)).hexdigest()


def fairness(table: CheckedTable) -> FairnessView:
    return table.look(ADA).table.fair


def check_draws(game: GameRecord, number: int = 0) -> None:
    """Every draw follows from the secret and the nonces, by a second implementation of the description."""
    assert game.secret is not None
    assert game.commit == sha(game.secret)
    nonces = [bytes.fromhex(dict(game.nonces).get(seat, "")) for seat in range(game.players)]
    draws = replay(registry.find(game.game), game).draws
    assert len(draws) > 5
    for count, draw in enumerate(draws):
        place = by_the_text(bytes.fromhex(game.secret), number, nonces, count, list(draw.chance.weights))
        assert draw.chance.actions[place] == draw.action


def test_chance_is_committed_to_before_any_nonce_is_revealed():
    table = CheckedTable(person("Ada", COMMITS[0]), OPEN, games=1)
    gathering = fairness(table)
    assert [len(commit) for commit in gathering.commits] == [64]
    assert gathering.commitments == [COMMITS[0], None]
    assert (gathering.nonces, gathering.secrets) == ([None, None], [None])
    table.do(BEN, join(None, "Ben", "code", COMMITS[1]))
    table.refused(ADA, reveal(0, NONCES[0]), NotNow)  # the others may not have announced theirs yet
    table.do(ADA, start())
    assert (table.look(ADA).table.status, table.look(ADA).table.waiting) == ("revealing", "nonces")
    assert fairness(table).commitments == COMMITS
    assert fairness(table).commits == gathering.commits
    assert fairness(table).nonces == [None, None]
    table.do(ADA, reveal(0, NONCES[0]))
    assert (table.live.status, fairness(table).nonces) == (Status.REVEALING, [NONCES[0], None])
    assert table.look(ADA).position is None
    table.do(BEN, reveal(1, NONCES[1]))
    assert (table.live.status, fairness(table).nonces) == (Status.PLAYING, NONCES)
    assert fairness(table).secrets == [None]
    table.play_on(lambda state: state.status is Status.OVER)
    (secret,) = fairness(table).secrets
    assert secret is not None
    assert sha(secret) == gathering.commits[0]
    record = read(projection.project_record(table.live, None)).games[0]
    assert (record.commit, record.secret, record.nonces) == (sha(secret), secret, tuple(enumerate(NONCES)))
    check_draws(record)


def test_a_nonce_that_was_not_announced_is_refused():
    table = CheckedTable(person("Ada", COMMITS[0]), OPEN, games=1)
    table.do(BEN, join(None, "Ben", "code", None))
    table.do(ADA, start())
    refusal = table.refused(ADA, reveal(0, NONCES[1]), BadRequest)
    assert str(refusal) == "The nonce does not fit what was announced for the seat."
    table.refused(BEN, reveal(0, NONCES[0]), NotYours)
    table.refused(BEN, reveal(1, NONCES[0]), BadRequest)  # a seat that has announced none reveals none
    assert (table.live.status, fairness(table).nonces) == (Status.REVEALING, [None, None])
    table.do(ADA, reveal(0, NONCES[0]))
    assert table.live.status is Status.PLAYING
    table.do(ADA, reveal(0, NONCES[0]))  # once more is no harm
    table.refused(ADA, reveal(0, NONCES[1]), NotNow)
    assert fairness(table).nonces == [NONCES[0], None]
    assert f"nonce 0   {NONCES[0]}" in table.record()


def test_a_commitment_cannot_be_replaced():
    """Neither by joining again, nor by coming later."""
    table = CheckedTable(person("Ada", COMMITS[0]), person("Same device"), OPEN, games=1)
    table.do(BEN, join(None, "Ben", "code", COMMITS[0]))
    table.do(BEN, join(None, "Ben", "code", COMMITS[1]))
    table.do(ADA, join(0, "Ada", "code", COMMITS[1]))
    assert fairness(table).commitments == [COMMITS[0], None, COMMITS[0]]
    table.do(ADA, start())
    table.do(BEN, leave(2))
    assert table.live.status is Status.REVEALING
    table.do(BEN, join(None, "Ben again", "code", COMMITS[1]))
    assert fairness(table).commitments == [COMMITS[0], None, COMMITS[0]]
    table.do(ADA, reveal(0, NONCES[0]))
    with pytest.raises((BadRequest, NotNow)):
        table.do(BEN, reveal(2, NONCES[1]))


@pytest.mark.parametrize("commit", [COMMITS[0], None])
def test_seats_without_a_nonce_are_not_waited_for(commit):
    table = CheckedTable(person("Ada", commit), person("Bea"), games=1)
    assert table.live.status is (Status.REVEALING if commit else Status.PLAYING)
    if commit:
        table.do(ADA, reveal(0, NONCES[0]))
    table.play_on(lambda state: state.status is Status.OVER)
    record = read(table.record()).games[0]
    assert record.nonces == (((0, NONCES[0]),) if commit else ())
    check_draws(record)


def test_every_game_of_a_series_has_its_own_secret_which_is_published_at_its_end():
    table = CheckedTable(person("Ada", COMMITS[0]), person("Bea"), games=3)
    opened = table.live.opened.secrets
    assert fairness(table).commits == [sha(secret) for secret in opened]
    assert len(set(opened)) == 3
    table.do(ADA, reveal(0, NONCES[0]))
    for game in range(3):
        while table.live.status is Status.PLAYING:
            assert published(table) == opened[:game]
            assert [one.secret for one in read(projection.project_record(table.live, None)).games] == [
                *opened[:game], None
            ]  # fmt: skip
            table.play()
        assert published(table) == opened[: game + 1]
        if game < 2:
            table.do(ADA, next_game())
    record = table.record()
    for number, one in enumerate(read(record).games):
        check_draws(one, number)
    assert verify(read(record)).proven
    with pytest.raises(BadRecord, match="not the one that was committed to"):
        verify(read(record.replace(opened[1], opened[0])))


def published(table: CheckedTable) -> list[str]:
    """The secrets of chance that anybody can find in anything that they are sent."""
    looks = [table.look(by) for by in (*PEOPLE, None)]
    sent = b"".join(serialize(look) for look in looks) + projection.project_record(table.live, None).encode()
    assert all(look.table.fair == looks[0].table.fair for look in looks)
    return [secret for secret in table.live.opened.secrets if secret.encode() in sent]


def test_a_match_that_is_given_up_publishes_only_the_secrets_of_games_that_were_started():
    table = CheckedTable(person("Ada"), OPEN, games=3)
    table.do(BEN, join(None, "Ben", "code", None))
    table.do(ADA, start())
    table.do(BEN, resign(1))
    assert fairness(table).secrets == [table.live.opened.secrets[0], None, None]
    assert read(table.record()).games[0].secret == table.live.opened.secrets[0]
