"""Playing: drafts, bots, verdicts, undo, giving up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from spieltisch.core.game import Chance, Decision, Seat
from spieltisch.i18n.message import message_factory
from spieltisch.match.referee import NotPending
from spieltisch.table import events
from spieltisch.table.commands.context import Desk
from spieltisch.table.errors import BadRequest, NotNow, Stale
from spieltisch.table.state import STAND_IN, AnyReferee, Sitting, Status, Wait

PATIENCE: Final = 60  # seconds that a table of two waits for somebody before a bot may play
_say = message_factory("")


class Continue(NamedTuple):
    """Begins the next game of the match."""

    def perform(self, desk: Desk) -> Mapping[str, Any]:
        desk.speak_for_table()
        desk.at(Status.PAUSED)
        desk.begin_game()
        return {}


class Play(NamedTuple):
    """Plays a whole draft or nothing of it."""

    seat: int
    version: int
    draft: Sequence[str]

    def perform(self, desk: Desk) -> Mapping[str, Any]:
        seat = desk.seat(self.seat)
        referee = desk.playing(self.version)
        desk.at(Status.PLAYING)
        place = desk.sitting.places[seat]
        if place.player or place.late:
            raise NotNow(_say("table.played_for", seat=int(seat)))
        if not self.draft:
            raise BadRequest(_say("table.empty_draft"))
        entries = len(referee.entries)
        referee.play(seat, read_draft(referee, seat, self.draft))
        desk.go_on(entries)
        return {}


def read_draft(referee: AnyReferee, seat: Seat, texts: Sequence[str]) -> list[Any]:
    """The actions of a draft; NotPending, BadNotation or IllegalAction says why not."""
    referee.seen(seat)  # NotPending where it is not this seat's turn
    game, state = referee.game, referee.state
    actions = []
    for text in texts:
        pending = game.pending(state)
        if not (isinstance(pending, Decision) and pending.seat == seat):
            raise NotPending(_say("turn.draft_over"))
        action = game.read(state, text)
        state = game.apply(state, action)
        actions.append(action)
    return actions


def _expect(desk: Desk, seat: int | None, since: int, *kinds: Wait) -> AnyReferee:
    """The referee, if the table still waits for one of these of that seat: meanwhile anything may have happened."""
    waiting, referee = desk.sitting.waiting(), desk.sitting.referee
    if referee is None or waiting.kind not in kinds or (waiting.seat, waiting.since) != (seat, since):
        raise Stale(_say("table.stale", version=since, now=desk.sitting.version))
    return referee


class Decide(NamedTuple):
    """The server decides for a seat: a bot has chosen, or nobody in time."""

    seat: int
    since: int
    choice: int

    def perform(self, desk: Desk) -> Mapping[str, Any]:
        referee = _expect(desk, self.seat, self.since, Wait.BOT, Wait.FIRST)
        seat, entries = Seat(self.seat), len(referee.entries)
        referee.play(seat, [referee.seen(seat).choices[self.choice]])
        desk.go_on(entries)
        return {}


class Judge(NamedTuple):
    """A verdict from outside the rules."""

    since: int
    verdict: str

    def perform(self, desk: Desk) -> Mapping[str, Any]:
        referee = _expect(desk, None, self.since, Wait.JUDGE)
        entries = len(referee.entries)
        referee.judge(referee.game.read(referee.state, self.verdict))
        desk.go_on(entries)
        return {}


class Fail(NamedTuple):
    """A bot has failed: another one takes its place."""

    seat: int
    since: int

    def perform(self, desk: Desk) -> Mapping[str, Any]:
        _expect(desk, self.seat, self.since, Wait.BOT)
        instead = STAND_IN if desk.sitting.places[self.seat].player != STAND_IN else "level:1"
        desk.add(events.Failed(self.seat, instead))
        return {}


class Overdue(NamedTuple):
    """A person's time for a turn is up."""

    seat: int
    since: int

    def perform(self, desk: Desk) -> Mapping[str, Any]:
        _expect(desk, self.seat, self.since, Wait.PERSON)
        desk.add(events.Late(self.seat))
        return {}


class Resign(NamedTuple):
    """Gives up; the match ends where nobody is left to play it."""

    seat: int

    def perform(self, desk: Desk) -> Mapping[str, Any]:
        seat = desk.seat(self.seat)
        if desk.sitting.places[seat].resigned:
            return {}
        desk.at(Status.PLAYING, Status.PAUSED)
        running = desk.sitting.status is Status.PLAYING
        desk.add(events.Resigned(seat))
        unbeaten = [place for place in desk.sitting.places if not place.resigned]
        if len(unbeaten) < 2 or not desk.sitting.people():
            if running:
                desk.end_game()
            desk.add(events.Ended())
        return {}


class AskUndo(NamedTuple):
    """Asks to take one's last turn back: granted at once against bots alone, by everybody's yes among people."""

    seat: int
    version: int

    def perform(self, desk: Desk) -> Mapping[str, Any]:
        seat = desk.say_of(self.seat)
        referee = desk.playing(self.version)
        desk.at(Status.PLAYING)
        since = referee.since_last_turn(seat)
        if not since:
            raise NotPending(_say("undo.nothing"))
        if desk.sitting.people() == [seat]:
            _undo(desk, referee, seat, practice=True)
            return {"asked": False}
        if any(_was_drawn(referee, place) for place in range(1, since + 1)):
            raise NotNow(_say("table.undo_draw"))
        return _ask(desk, events.Asked(seat, "undo", seat))


def _was_drawn(referee: AnyReferee, back: int) -> bool:
    """Whether the step so far back was a draw: also where only one thing could come up, which not all may know."""
    before, seat, _ = referee.steps[-back]
    if seat is not None:
        return False
    chance = referee.game.pending(before)
    return isinstance(chance, Chance) and not chance.judged


def _undo(desk: Desk, referee: AnyReferee, seat: Seat, *, practice: bool) -> None:
    if practice and not referee.practice:
        desk.add(events.Practised())
    entries = len(referee.entries)
    referee.undo(referee.since_last_turn(seat), practice=practice)
    for line in desk.sitting.new_lines(entries):
        desk.add(line)
    desk.sitting.mark_turn()


class AskBot(NamedTuple):
    """Asks the others to let a bot play for somebody who is away."""

    seat: int
    about: int

    def perform(self, desk: Desk) -> Mapping[str, Any]:
        seat, places = desk.say_of(self.seat), desk.sitting.places
        desk.at(Status.PLAYING, Status.PAUSED)
        if not 0 <= self.about < len(places) or not places[self.about].person or places[self.about].player:
            raise NotNow(_say("table.not_away", seat=self.about))
        asked = events.Asked(seat, "bot", self.about)
        if not _have_a_say(desk.sitting, asked) and not self._keeps_waiting(desk):
            raise NotNow(_say("table.wait_first", seconds=PATIENCE))
        return _ask(desk, asked)

    def _keeps_waiting(self, desk: Desk) -> bool:
        """Whether the table has waited for the seat for long: where nobody else can agree, that must be so."""
        waiting, rows = desk.sitting.waiting(), desk.sitting.rows
        return waiting.seat == self.about and desk.now - rows[waiting.since - 1].at >= 1000 * PATIENCE


def _ask(desk: Desk, asked: events.Asked) -> Mapping[str, Any]:
    ask = desk.sitting.ask
    if ask and (ask.seat, ask.what, ask.about) == asked:
        return {"asked": True}
    if ask:
        raise NotNow(_say("table.one_question"))
    desk.add(asked)
    _grant(desk)
    return {"asked": desk.sitting.ask is not None}


def _have_a_say(sitting: Sitting, asked: events.Asked) -> set[int]:
    """The seats whose yes is needed."""
    asker = sitting.places[asked.seat].holder
    seats = {seat for seat in sitting.people() if sitting.places[seat].holder != asker}
    if asked.what == "bot":  # who is away cannot be asked, nor can others for whom a bot plays
        seats -= {seat for seat, place in enumerate(sitting.places) if seat == asked.about or place.player}
    return seats


def _grant(desk: Desk) -> None:
    """Does what was asked as soon as everybody who has a say said yes."""
    sitting, ask = desk.sitting, desk.sitting.ask
    assert ask is not None
    if not _have_a_say(sitting, events.Asked(ask.seat, ask.what, ask.about)) <= set(ask.yes):
        return
    if ask.what == "bot":
        desk.add(events.Lent(ask.about, STAND_IN))
    elif sitting.referee is not None:
        _undo(desk, sitting.referee, Seat(ask.seat), practice=False)


class Answer(NamedTuple):
    """Says yes or no to what was asked."""

    seat: int
    version: int
    yes: bool

    def perform(self, desk: Desk) -> Mapping[str, Any]:
        seat, ask = desk.say_of(self.seat), desk.sitting.ask
        if ask is None:
            raise NotNow(_say("table.nothing_asked"))
        if self.version < ask.number:
            raise Stale(_say("table.stale", version=self.version, now=ask.number))
        agreed = seat in ask.yes or desk.sitting.places[ask.seat].holder == desk.by
        if agreed and self.yes:
            return {}
        desk.add(events.Answered(seat, self.yes))
        if self.yes:
            _grant(desk)
        return {}
