"""Hidden information changes no response of a rules worker.

Everything that it can be asked is asked about both logs of a pair. Leaks are planted, and found.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from spieltisch import registry
from spieltisch.core.game import AnyGame, Heard, Seat, Viewer
from spieltisch.gameplay.progress import PlayedEntry, Progress
from spieltisch.i18n.message import Message
from spieltisch.records import write
from spieltisch.server.workers import rules as rules_worker
from spieltisch.server.workers.rules import CommandOutcome, LogPosition
from spieltisch.table import projection
from spieltisch.table.codec import Row, chain_digest
from spieltisch.table.commands import (
    Answer,
    Arrange,
    AskBot,
    AskUndo,
    Context,
    Continue,
    Join,
    Leave,
    Lend,
    Play,
    Rematch,
    Resign,
    Return,
    Reveal,
    Start,
    Watch,
    consent,
)  # fmt: skip
from spieltisch.table.errors import BadRequest
from tests.server.worlds import (
    BEGAN,
    CODE,
    GUEST,
    HIDING,
    KEY,
    PASSER_BY,
    SECRETS,
    Pair,
    drafts,
    holder,
    is_silent,
    pairs,
    sparing,
)
from tests.support.worlds import World


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.name)
def test_the_states_of_a_pair_look_alike_and_differ(game):
    found = list(pairs(game, 3, 1, sparing(game)))
    assert len(found) > 2
    for seat, (one, other) in found:
        rules = one.game
        for here, there in zip(one.steps, other.steps, strict=True):
            for viewer in (seat, None):
                assert rules.witness(*here[::2], viewer) == rules.witness(*there[::2], viewer)
                assert rules.observe(here.before, viewer) == rules.observe(there.before, viewer)
        assert any(rules.observe(one.state, Seat(who)) != rules.observe(other.state, Seat(who)) for who in range(3))


def commands(world: World, seat: Seat, version: int) -> Iterator[Any]:
    """Every command that draws nothing."""
    for draft in drafts(world, seat):
        try:
            silent = is_silent(world, seat, draft)
        except Exception:  # noqa: BLE001 - what cannot be read is refused
            silent = True
        if silent:
            yield Play(seat, version, draft, key=KEY)
    yield from (AskUndo(seat, version, key=KEY), AskBot(seat, (seat + 1) % world.setup.players, key=KEY))
    yield from (Answer(seat, version, True, key=KEY), Continue(key=KEY), Resign(seat, key=KEY))
    yield from (Start(key=KEY), Watch(CODE, key=KEY), Join("Dee", code=CODE, key=KEY), Leave(seat, key=KEY))
    yield from (Arrange(seat, None, key=KEY), Reveal(seat, "00" * 16, key=KEY), Lend(seat, None, key=KEY))
    yield from (Return(seat, key=KEY), Rematch(key=KEY))


def everything_told(rows: list[Row], world: World, seat: Seat, who: str | None) -> Iterator[tuple[str, Any]]:
    """Every response of a rules worker to somebody who asks for a seat."""
    version = len(rows)
    log = LogPosition("here", version, chain_digest(b"", rows), rows)
    for language in ("de", "en"):
        yield f"tell {language}", rules_worker.project(log, who, seat, language, 0)
    yield "stream", rules_worker.stream(log, who, seat, "en", version // 2)
    yield "record", rules_worker.record(log, who, seat)
    for draft in drafts(world, seat):
        yield f"preview {draft}", rules_worker.preview(log, who, seat, version, draft, "en")
        told = rules_worker.see_draft(log, who, seat, version, draft)
        yield f"advise {draft}", pickle.loads(told) if isinstance(told, bytes) else told
    for command in commands(world, seat, version):
        done = rules_worker.perform(log, command, Context(who, BEGAN, b"random"))
        yield f"{command}", done.result if isinstance(done, CommandOutcome) else done
        if isinstance(done, CommandOutcome):
            yield (
                f"after {command}",
                rules_worker.project(LogPosition("here", *done.status[:2]), who, seat, "en", version),
            )


def differences(pair: Pair, seat: Seat, who: str | None, **how: Any) -> list[str]:
    """The requests for a seat whose responses differ between the two logs."""
    one, other = (dict(everything_told(rows, pair.worlds[0], seat, who)) for rows in pair.logs(**how))
    return [what for what in {**one, **other} if what not in one or what not in other or one[what] != other[what]]


def is_told_otherwise(pair: Pair, seat: Seat) -> bool:
    """Whether the responses to a seat differ between the two logs."""
    one, other = (next(everything_told(rows, pair.worlds[0], seat, holder(SECRETS[seat]))) for rows in pair.logs())
    return one != other


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2)])
@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.name)
def test_a_rules_worker_responds_alike_to_a_seat_and_to_spectators(game, players, seed):
    for pair in pairs(game, players, seed, sparing(game) * (players - 1)):
        own = holder(SECRETS[pair.seat])
        assert differences(pair, pair.seat, own) == []
        assert differences(pair, pair.seat, holder(GUEST)) == []
        assert differences(pair, pair.seat, holder(PASSER_BY), public=True) == []
        assert any(is_told_otherwise(pair, Seat(seat)) for seat in range(players) if seat != pair.seat)


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.name)
def test_a_rules_worker_responds_alike_to_the_only_person_among_bots(game):
    for seat, worlds in pairs(game, 2, 3, sparing(game)):
        if seat == 0:
            assert differences(Pair(seat, worlds), seat, holder(SECRETS[0]), bots=True) == []


# leaks that are planted, and found


def leak_spoken(monkeypatch):
    """Everybody witnesses what another seat witnesses."""
    witness = PlayedEntry.witness

    def heard(self: Any, game: AnyGame, viewer: Viewer) -> Heard:
        return witness(self, game, Seat(1) if viewer == 0 else Seat(0))

    monkeypatch.setattr(PlayedEntry, "witness", heard)


def leak_view(monkeypatch):
    """Everybody gets the view of the seat to move."""
    monkeypatch.setattr(
        Progress, "view", lambda self, viewer: self.game.observe(self.state, getattr(self.pending, "seat", viewer))
    )


def leak_record(monkeypatch):
    """The record is complete before the end."""
    monkeypatch.setattr(projection, "project_record", lambda state, viewer: write(projection.whole_record(state)))


def leak_heard(monkeypatch):
    """A hint is given by somebody who has heard everything."""
    whole = Progress.heard

    def heard(self: Any, viewer: Viewer) -> Any:
        return [one for seat in range(self.setup.players) for one in whole(self, Seat(seat))]

    monkeypatch.setattr(Progress, "heard", heard)


def leak_refusal(monkeypatch):
    """A refusal says what is in the bag."""
    draft_steps = rules_worker.draft_steps

    def steps(game: Any, seat: Seat, texts: Any) -> Any:
        if texts == ["nonsense"]:
            raise BadRequest(Message("", "server.field", (("field", str(game.state)), ("reason", ""))))
        return draft_steps(game, seat, texts)

    monkeypatch.setattr(rules_worker, "draft_steps", steps)


def leak_undo(monkeypatch):
    """A draw counts as one only if several things were in the bag."""
    was_drawn = consent._was_drawn

    def drawn(game: Any, back: int) -> bool:
        pending = game.game.pending(game.path[-back].step.before)
        return was_drawn(game, back) and len(pending.actions) > 1

    monkeypatch.setattr(consent, "_was_drawn", drawn)


LEAKS: list[Callable[[pytest.MonkeyPatch], None]] = [
    leak_spoken, leak_view, leak_record, leak_heard, leak_refusal, leak_undo,
]  # fmt: skip


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_a_leak_is_found(leak, monkeypatch):
    found = list(pairs(registry.find("template"), 2, 1))
    leak(monkeypatch)
    assert any(differences(pair, pair.seat, holder(SECRETS[pair.seat])) for pair in found)
