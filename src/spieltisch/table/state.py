"""A table as its log tells it: who sits where, what was asked, and the games."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import Any, Final, NamedTuple

from spieltisch import players, registry
from spieltisch.core.game import AnyGame, Chance, Decision, Heard, Over, Seat, Viewer
from spieltisch.i18n.message import Message
from spieltisch.match.chance import KeyedSource, fair
from spieltisch.match.referee import Referee
from spieltisch.match.series import Series
from spieltisch.records import Record, entry_line, read, read_entry, write
from spieltisch.table import events
from spieltisch.table.events import Line, Row

AnyReferee = Referee[Any, Any, Any]
STAND_IN: Final = players.DEFAULT  # who plays for somebody who is away


class Status(Enum):
    """How far a table is."""

    GATHERING = "gathering"
    REVEALING = "revealing"  # everybody is there, nonces are waited for
    PLAYING = "playing"
    PAUSED = "paused"  # between two games of a match
    OVER = "over"


class Wait(Enum):
    """What a table waits for."""

    NOBODY = "nobody"
    NONCES = "nonces"
    PERSON = "person"
    BOT = "bot"
    FIRST = "first"  # the first choice there is, for somebody who took too long
    JUDGE = "judge"


class Waiting(NamedTuple):
    """What a table waits for: of which seat, which bot, and since which line of the log."""

    kind: Wait
    seat: int | None = None
    player: str | None = None
    since: int = 0


@dataclass
class Place:
    """A seat: open, a person's, a bot's, or a person's for whom a bot plays."""

    name: str = ""
    holder: str | None = None
    player: str | None = None  # the bot that plays
    commit: str | None = None
    nonce: str = ""
    revealed: bool = False
    kept: bool = False  # for somebody who has not come yet
    left: bool = False  # by a person: somebody else may sit down
    resigned: bool = False
    late: bool = False

    @property
    def empty(self) -> bool:
        """Whether the match cannot begin because nobody is there."""
        return self.kept or (self.holder is None and self.player is None)

    @property
    def person(self) -> bool:
        """Whether somebody sits there who has a say."""
        return self.holder is not None and not self.kept and not self.resigned


class Ask(NamedTuple):
    """What was asked, by whom, at which line, and who said yes."""

    seat: int
    what: str
    about: int
    number: int
    yes: tuple[int, ...]


class Sitting:
    """A table and its match, grown line by line."""

    def __init__(self, rows: Sequence[Row] = ()) -> None:
        self.version = 0  # the number of the last line
        self.digest = b""
        self.rows: list[Row] = []
        self.named: list[tuple[str, ...]] = []  # what everybody was called after each line
        self.opened: events.Opened
        self.game: AnyGame
        self.places: list[Place] = []
        self.watchers: set[str] = set()
        self.gathered = False
        self.ended = False
        self.next: str | None = None
        self.ask: Ask | None = None
        self.practised: set[int] = set()  # the games in which something was taken back against bots
        self.script: list[str] = []  # the record's lines
        self.numbers: list[list[int]] = []  # of every game, the numbers of its entries
        self.began: list[int] = []  # of every game, the number of its first line
        self.moved = 0  # the number of the last line that changed a game
        self.turned = 0  # the number of the line with which the turn passed last
        self.series: Series[Any, Any, Any] | None = None
        self.spoken: dict[tuple[int, Viewer], tuple[Heard, Message]] = {}  # sentences already made, by line and viewer
        self.follow(rows)

    def follow(self, rows: Sequence[Row]) -> None:
        """Goes on by lines that were written elsewhere, or before."""
        for row in rows:
            self.take(row)
        texts = [row.line for row in rows]
        if any(text.startswith("game ") or isinstance(events.parsed(text), events.Practised) for text in texts):
            self._resume()
        elif self.referee is not None:
            for text in filter(events.is_entry, texts):
                entry = read_entry(text)
                assert entry is not None
                self.referee.follow(entry)
            self.mark_turn()

    def take(self, row: Row) -> None:
        """Goes on by one line."""
        self.version += 1
        self.digest = events.sealed(self.digest, [row])
        self.rows.append(row)
        line = events.parsed(row.line)
        if line is not None:
            self._happen(line)
        else:
            self._write(row.line)
        names = tuple(place.name for place in self.places)
        self.named.append(self.named[-1] if self.named and self.named[-1] == names else names)

    def _write(self, text: str) -> None:
        """Goes on by a line of the record."""
        self.script.append(text)
        if text.startswith("game "):
            self.numbers.append([])
            self.began.append(self.version)
            for place in self.places:
                place.late = False
        if events.is_entry(text):
            self.numbers[-1].append(self.version)
            self.ask = None
            self._end_lateness(text.partition(" ")[0])
        self.moved = self.version

    def _end_lateness(self, actor: str) -> None:
        """Who took too long has the next turn again: it begins when another seat has acted."""
        if actor.isdigit():
            for seat, place in enumerate(self.places):
                place.late = place.late and seat == int(actor)

    def _happen(self, line: Line) -> None:
        if isinstance(line, events.Sat | events.Freed | events.Resigned):
            self.ask = None  # whoever was asked has changed
        match line:
            case events.Opened():
                self.opened = line
                self.game = registry.find(line.game).for_replay
                self.places = [Place() for _ in range(line.players)]
            case events.Sat(seat, name, holder, commit):
                before = self.places[seat]  # in the middle of a match its nonce stays the seat's
                nonce = (before.commit, before.nonce, before.revealed) if self.gathered else (commit, "", False)
                self.places[seat] = Place(name, holder, None, *nonce)
                self.ask = None  # whoever was asked has changed
            case events.Kept(seat, name, holder):
                self.places[seat] = Place(name, holder, kept=True)
            case events.Placed(seat, name, player):
                self.places[seat] = Place(name, player=player)
            case events.Freed(seat, player):
                before = self.places[seat]  # nobody else plays on for who has resigned
                gone = replace(before, holder=None, player=player, left=not before.resigned, late=False)
                self.places[seat] = Place() if player is None else gone
            case events.Lent(seat, player):
                self.places[seat] = replace(self.places[seat], player=player, late=False)
                if self.ask and self.ask.what == "bot" and self.ask.about == seat:
                    self.ask = None
            case events.Returned(seat):
                self.places[seat] = replace(self.places[seat], player=None, late=False)
            case events.Watched(holder):
                self.watchers.add(holder)
            case events.Gathered():
                self.gathered = True
                self.turned = self.version
            case events.Revealed(seat, nonce):
                self.places[seat] = replace(self.places[seat], nonce=nonce, revealed=True)
            case events.Asked(seat, what, about):
                self.ask = Ask(seat, what, about, self.version, ())
            case events.Answered(seat, yes):
                self.ask = self.ask._replace(yes=(*self.ask.yes, seat)) if self.ask and yes else None
            case events.Resigned(seat):
                self.places[seat] = replace(self.places[seat], resigned=True, player=STAND_IN)
            case events.Practised():
                self.practised.add(len(self.began) - 1)
            case events.Late(seat):
                self.places[seat].late = True
            case events.Failed(seat, player):
                self.places[seat].player = player
            case events.Ended():
                self.ended = True
            case events.Followed(table):
                self.next = table

    def _resume(self) -> None:
        record = read("\n".join(self.script))
        games = tuple(
            replace(one, practice=one.practice or number in self.practised) for number, one in enumerate(record.games)
        )
        self.series = Series.resume(self.game, replace(record, games=games), self.source)
        self.mark_turn()

    def mark_turn(self) -> None:
        """Notes with which line the turn passed last: with the last action that was not of the seat to move."""
        referee = self.referee
        assert referee is not None
        decision = referee.pending
        self.turned = self.moved
        if not isinstance(decision, Decision):
            return
        steps = [transition.step for transition in referee.transitions]
        for number, step in zip(reversed(self.numbers[-1]), reversed(steps), strict=True):
            if step is None or step.seat != decision.seat:
                self.turned = number
                return

    @property
    def referee(self) -> AnyReferee | None:
        """The game under way, or the last one; None before the first."""
        return self.series.referee if self.series else None

    @property
    def status(self) -> Status:
        """How far the table is."""
        if self.ended:
            return Status.OVER
        if self.series is None:
            return Status.REVEALING if self.gathered else Status.GATHERING
        if isinstance(self.series.referee.pending, Over):
            return Status.OVER if self.series.over else Status.PAUSED
        return Status.PLAYING

    @property
    def source(self) -> Callable[[int], KeyedSource]:
        """The chance of each game of the match; it does not refer to the table, which so ends with its last use."""
        return partial(_source, self.opened.secrets, self.places)

    def commits(self) -> list[str]:
        """What is shown of every game's secret before play."""
        return [hashlib.sha256(bytes.fromhex(secret)).hexdigest() for secret in self.opened.secrets]

    def names(self) -> list[str]:
        """What everybody is called."""
        return [place.name for place in self.places]

    def seats_of(self, holder: str | None) -> list[Seat]:
        """The seats that somebody has."""
        if holder is None:
            return []
        return [Seat(seat) for seat, place in enumerate(self.places) if place.holder == holder and not place.kept]

    def people(self) -> list[int]:
        """The seats of people who have a say."""
        return [seat for seat, place in enumerate(self.places) if place.person]

    def may_watch(self, holder: str | None) -> bool:
        """Whether somebody may see the table at all."""
        return self.opened.public or (
            holder is not None
            and (holder == self.opened.host or holder in self.watchers or holder in {p.holder for p in self.places})
        )

    def waiting(self) -> Waiting:
        """What the table waits for."""
        if self.status is Status.REVEALING:
            return Waiting(Wait.NONCES, since=self.turned)
        if self.status is not Status.PLAYING or self.referee is None:
            return Waiting(Wait.NOBODY)
        match self.referee.pending:
            case Chance():
                return Waiting(Wait.JUDGE, since=self.moved)
            case Decision(seat, _):
                place = self.places[seat]
                if place.player:
                    return Waiting(Wait.BOT, seat, place.player, self.moved)
                if place.late:
                    if self.opened.late == "first":
                        return Waiting(Wait.FIRST, seat, None, self.moved)
                    return Waiting(Wait.BOT, seat, STAND_IN, self.moved)
                return Waiting(Wait.PERSON, seat, None, self.turned)
        return Waiting(Wait.NOBODY)

    def begin(self, first: Seat | None) -> list[str]:
        """Begins the next game and answers the lines of the record with which it begins."""
        agreed, number = self.opened, len(self.series.referees) if self.series else 0
        if self.series is None:
            begins = self.source(0).first(agreed.players) if first is None else first
            setup = self.game.agree(agreed.players, agreed.edition, agreed.options, begins, agreed.rules)
            self.series = Series(self.game, setup, agreed.games, self.source, dict(enumerate(self.names())))
        else:
            self.series.begin()
        nonces = tuple((seat, place.nonce) for seat, place in enumerate(self.places) if place.nonce)
        names = tuple(enumerate(self.names()))
        blank = replace(self.series.referee.record(), commit=self.commits()[number], nonces=nonces, names=names)
        text = write(Record((blank,), None if agreed.games == 1 else agreed.games))
        return text[:-1].split("\n") if number == 0 else ["", *text[text.index("\ngame ") + 1 : -1].split("\n")]

    def ending(self) -> list[str]:
        """The lines of the record with which a game ends, and the match with its last game."""
        assert self.series is not None
        referee, number = self.series.referee, len(self.series.referees) - 1
        done = replace(referee.record(), entries=(), secret=self.opened.secrets[number])
        totals = self.series.totals() if self.opened.games > 1 and self.series.over else None
        text = write(Record((done,), self.opened.games if self.opened.games > 1 else None, totals))[:-1].split("\n")
        return text[next(at for at, line in enumerate(text) if line.split()[:1] in (["practice"], ["secret"])) :]

    def new_lines(self, since: int) -> Sequence[str]:
        """The lines of everything that has happened in the game since that entry."""
        assert self.referee is not None
        return [entry_line(entry) for entry in self.referee.entries[since:]]

    def record_text(self) -> str:
        """The record so far, as everybody may read it once the match is over."""
        return "\n".join(self.script) + "\n"


def _source(secrets: Sequence[str], places: Sequence[Place], number: int) -> KeyedSource:
    nonces = [bytes.fromhex(place.nonce) for place in places]
    return fair(bytes.fromhex(secrets[number]), nonces, number)
