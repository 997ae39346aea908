"""Verification of records: every move against the rules, every total, and every draw if the record has its proof."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from spieltisch import registry
from spieltisch.core.game import AnyGame, Over
from spieltisch.gameplay.chance import fair
from spieltisch.i18n.message import Message, message_factory
from spieltisch.records import BadRecord, GameRecord, Record
from spieltisch.records.replay import Replay, replay

_say = message_factory("")


class Verified(NamedTuple):
    """Summary of a record that passed verification."""

    games: int
    actions: int
    finished: bool
    proven: bool  # every draw follows from the committed secret
    starter: bool  # so does the seat that starts, which was drawn
    practice: bool

    def sentences(self) -> list[Message]:
        """The summary as messages."""
        parts = [_say("verified", games=self.games, actions=self.actions)]
        if not self.finished:
            parts.append(_say("verified.unfinished"))
        if self.practice:
            parts.append(_say("verified.practice"))
        if self.proven:
            parts.append(_say("verified.proven"))
            parts.append(_say("verified.starter" if self.starter else "verified.agreed"))
        return parts


def verify(record: Record, *, judge: bool = False) -> Verified:
    """Verifies the record, with `judge` also its verdicts; BadRecord names the first wrong line."""
    actions, proven = 0, True
    points: list[tuple[int, ...]] = []
    _verify_match(record)
    for number, one in enumerate(record.games):
        try:
            game = registry.find(one.game)
        except registry.UnknownGame as error:
            raise BadRecord(one.places.of_field("game"), error.message) from None
        past = _verify_game(game, one, number, judge=judge)
        if isinstance(pending := game.for_replay.pending(past.state), Over):
            points.append(game.match_points(pending.outcome))
        actions += len(past.steps)
        proven = proven and one.secret is not None
    _verify_total(record, points)
    finished = all(one.result is not None for one in record.games) and len(record.games) == (record.match or 1)
    practice = any(one.practice for one in record.games)
    return Verified(len(record.games), actions, finished, proven, proven and record.games[0].drawn, practice)


def _verify_game(game: AnyGame, record: GameRecord, number: int, *, judge: bool) -> Replay[Any, Any]:
    past = replay(game, record, judge=judge)
    if record.secret is not None:
        secret = bytes.fromhex(record.secret)
        if record.commit != hashlib.sha256(secret).hexdigest():
            raise BadRecord(record.places.of_field("secret"), _say("proof.commit"))
        nonces = dict(record.nonces)
        source = fair(secret, [bytes.fromhex(nonces.get(seat, "")) for seat in range(record.players)], number)
        if record.drawn and record.first != (right := source.first(record.players)):
            raise BadRecord(record.places.of_field("first"), _say("proof.first", right=int(right)))
        for count, (line, _, chance, action) in enumerate(past.draws):
            if chance.actions[source.pick(count, chance.weights)] != action:
                raise BadRecord(line, _say("proof.draw", number=count))
    return past


def _verify_match(record: Record) -> None:
    first = record.games[0]
    for number, one in enumerate(record.games):
        last = number == len(record.games) - 1
        if one.result is None and not last:
            raise BadRecord(one.places.last, _say("record.unfinished_game"))
        if one.game != first.game:
            raise BadRecord(one.places.of_field("game"), _say("record.other_game"))
        if one.players != first.players:
            raise BadRecord(one.places.of_field("players"), _say("record.other_game"))
        if number and one.drawn:
            raise BadRecord(one.places.of_field("drawn"), _say("record.drawn_later"))
        if number and one.first != (starter := (first.first + number) % first.players):
            raise BadRecord(one.places.of_field("first"), _say("record.beginner", right=starter))
    if record.total is not None and len([one for one in record.games if one.result is not None]) != record.match:
        raise BadRecord(record.total_line, _say("record.early_total"))


def _verify_total(record: Record, points: Sequence[tuple[int, ...]]) -> None:
    """Compares the total with the games' match points; older records add up the results as they are."""
    results = [one.result for one in record.games if one.result is not None]
    right, older = (tuple(map(sum, zip(*games, strict=True))) for games in (points, results))
    if record.total not in {None, right, older}:
        raise BadRecord(record.total_line, _say("record.total", right=" ".join(map(str, right))))
