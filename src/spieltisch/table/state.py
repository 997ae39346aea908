"""The state of a table, and `evolve`, the only function that changes it: live, after a restart, and in every replay."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Final, Literal, NamedTuple

from spieltisch import registry
from spieltisch.core.game import AnyGame, Chance, Decision, Over, Seat, Setup
from spieltisch.core.log import Log
from spieltisch.gameplay.chance import Source, fair
from spieltisch.gameplay.progress import AnyProgress, PlayedEntry, Progress
from spieltisch.table import events
from spieltisch.table.avatars import Avatar, choose_identity
from spieltisch.table.events import Event, GameEvent, SeatEvent, TableOpened

STAND_IN: Final = "level:3"  # the bot that plays for somebody who is away


class Status(Enum):
    """The stage that a table has reached."""

    GATHERING = "gathering"
    REVEALING = "revealing"  # all seats are taken, nonces are waited for
    PLAYING = "playing"
    PAUSED = "paused"  # between two games of a match
    OVER = "over"


class Wait(Enum):
    """What a table waits for."""

    NOBODY = "nobody"
    NONCES = "nonces"
    PERSON = "person"
    BOT = "bot"
    FIRST = "first"  # the first choice there is, for a seat whose turn timed out
    JUDGE = "judge"


class Waiting(NamedTuple):
    """What a table waits for: of which seat, which bot, and since which event."""

    kind: Wait
    seat: int | None = None
    player: str | None = None
    since: int = 0


@dataclass(frozen=True, slots=True)
class SeatState:
    """A seat: open, a person's, a bot's, or a person's for whom a bot stands in."""

    name: str = ""
    holder: str | None = None  # the hash of a person's secret
    player: str | None = None  # the bot that plays
    commit: str | None = None
    nonce: str = ""
    revealed: bool = False
    reserved: bool = False  # for a holder who has not come yet
    left: bool = False  # by its holder: somebody else may sit down
    former: str | None = None  # who left it
    resigned: bool = False
    timed_out: bool = False
    avatar: Avatar | None = None  # of a person None is a plain coin; a bot that plays on for somebody keeps that avatar

    @property
    def empty(self) -> bool:
        """Whether nobody has the seat, so that the match cannot start."""
        return self.reserved or (self.holder is None and self.player is None)

    @property
    def person(self) -> bool:
        """Whether a person sits there who may vote."""
        return self.holder is not None and not self.reserved and not self.resigned

    def is_free_for(self, holder: str | None) -> bool:
        """Whether somebody may take the seat: a reserved seat is free for its holder only."""
        return self.left or (self.empty and (not self.reserved or (holder is not None and self.holder == holder)))


class Consent(NamedTuple):
    """What a seat has asked the others, with which event, and who agreed."""

    seat: int
    what: Literal["undo", "bot"]
    about: int
    number: int
    yes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An event of the log with what was derived from it."""

    event: Event
    at: int  # milliseconds since 1970
    names: tuple[str, ...]  # of the seats, after it
    game: int | None = None  # of an action or undo: which game of the match
    transition: PlayedEntry[Any, Any] | None = None


@dataclass(frozen=True, slots=True)
class TableGame:
    """A game of the match: its progress, with which event it started, and who sat where then."""

    progress: AnyProgress
    started: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableState:
    """A table after some events."""

    opened: TableOpened
    rules: AnyGame = field(compare=False)  # believes judged outcomes: every verdict is possible
    seats: tuple[SeatState, ...]
    version: int = 0  # the number of the last event
    log: Log[LogEntry] = field(default_factory=Log[LogEntry])
    watchers: frozenset[str] = frozenset()
    gathered: bool = False
    ended: bool = False
    next: str | None = None  # the table of the rematch
    next_game: str | None = None  # if it is for another game: which
    shared: bool = False  # whether everybody who knows its name may see the finished match
    consent: Consent | None = None
    games: tuple[TableGame, ...] = ()
    moved: int = 0  # the number of the last event that changed a game
    turned: int = 0  # the number of the event with which the turn passed
    hinted: int | None = None  # the seat that has been given a hint in the turn that goes on

    @property
    def game(self) -> AnyProgress | None:
        """The game in progress, or the last one; None before the first."""
        return self.games[-1].progress if self.games else None

    @property
    def match_over(self) -> bool:
        """Whether all games of the match are played."""
        return len(self.games) == self.opened.games and self.games[-1].progress.over

    @property
    def status(self) -> Status:
        """The stage that the table has reached."""
        if self.ended:
            return Status.OVER
        if self.game is None:
            return Status.REVEALING if self.gathered else Status.GATHERING
        if self.game.over:
            return Status.OVER if self.match_over else Status.PAUSED
        return Status.PLAYING

    def waiting(self) -> Waiting:
        """What the table waits for."""
        if self.status is Status.REVEALING:
            return Waiting(Wait.NONCES, since=self.turned)
        if self.status is not Status.PLAYING or self.game is None:
            return Waiting(Wait.NOBODY)
        match self.game.pending:
            case Chance():
                return Waiting(Wait.JUDGE, since=self.moved)
            case Decision(seat, _):
                return self._waiting_for(seat)
        return Waiting(Wait.NOBODY)

    def _waiting_for(self, number: Seat) -> Waiting:
        seat = self.seats[number]
        if seat.player:
            return Waiting(Wait.BOT, number, seat.player, self.moved)
        if seat.timed_out:
            if self.opened.late == "first":
                return Waiting(Wait.FIRST, number, None, self.moved)
            return Waiting(Wait.BOT, number, STAND_IN, self.moved)
        return Waiting(Wait.PERSON, number, None, self.turned)

    def names(self) -> tuple[str, ...]:
        """The names of all seats."""
        return tuple(seat.name for seat in self.seats)

    def seats_of(self, holder: str | None) -> list[Seat]:
        """The seats that somebody holds."""
        if holder is None:
            return []
        return [Seat(n) for n, seat in enumerate(self.seats) if seat.holder == holder and not seat.reserved]

    def people(self) -> list[int]:
        """The seats of people who may vote."""
        return [number for number, seat in enumerate(self.seats) if seat.person]

    def may_take(self, seat: int, holder: str | None) -> bool:
        """Whether somebody may sit down there.

        In the middle of a game with hidden information, only the person who left a seat may take it: anybody else would
        see what the seat hides, and could leave again.
        """
        taken = self.seats[seat]
        if taken.left and self.rules.hides and self.status is Status.PLAYING:
            return holder is not None and taken.former == holder
        return taken.is_free_for(holder)

    def may_watch(self, holder: str | None) -> bool:
        """Whether a client may see the table."""
        return (
            self.opened.public
            or (self.shared and self.status is Status.OVER)
            or (
                holder is not None
                and (
                    holder == self.opened.host or holder in self.watchers or any(s.holder == holder for s in self.seats)
                )
            )
        )

    def source(self, number: int) -> Source:
        """The source of chance of a game of the match."""
        nonces = [bytes.fromhex(seat.nonce) for seat in self.seats]
        return fair(bytes.fromhex(self.opened.secrets[number]), nonces, number)

    def commits(self) -> list[str]:
        """What is published of every game's secret before play."""
        return [hashlib.sha256(bytes.fromhex(secret)).hexdigest() for secret in self.opened.secrets]

    def is_closed(self, number: int) -> bool:
        """Whether a game has ended or was abandoned, so that its secret may be published."""
        return number < len(self.games) and (self.ended or self.games[number].progress.over)

    def totals(self) -> tuple[int, ...]:
        """The match points of all finished games, added up per seat."""
        points = self.match_points()
        return tuple(sum(one[seat] for one in points) for seat in range(self.opened.players))

    def match_points(self) -> list[tuple[int, ...]]:
        """What each finished game counts, per seat: its scores, and in a match of several what the rules count of it."""
        ends = [game.progress.pending for game in self.games]
        outcomes = [end.outcome for end in ends if isinstance(end, Over)]
        several = self.opened.games > 1
        return [self.rules.match_points(outcome) if several else outcome.scores for outcome in outcomes]

    def next_setup(self, first: int | None) -> Setup:
        """The setup of the next game; who starts is given, agreed on, drawn, or the next seat in turn."""
        opened = self.opened
        if first is None and self.games:
            first = (self.games[-1].progress.setup.first + 1) % opened.players
        elif first is None:
            first = self.source(0).first(opened.players) if opened.first is None else opened.first
        return self.rules.agree(opened.players, opened.edition, opened.options, first, opened.rules)


def evolve(state: TableState | None, event: Event, at: int) -> TableState:
    """The state after an event; None is a table before it is opened.

    A Refusal if the event is an action that the rules do not allow: such a log is damaged.
    """
    if isinstance(event, TableOpened):
        assert state is None  # a table is opened once
        rules = registry.find(event.game).for_replay
        changed = TableState(event, rules, tuple(SeatState() for _ in range(event.players)), version=1)
    else:
        assert state is not None
        changed = _change(replace(state, version=state.version + 1), event)
    entry = LogEntry(event, at, _names_after(changed), *_derived(changed, event))
    return replace(changed, log=changed.log.append(entry))


def fold(stamped: Iterable[tuple[Event, int]], state: TableState | None = None) -> TableState | None:
    """The state after several events, each with its time."""
    for event, at in stamped:
        state = evolve(state, event, at)
    return state


def _names_after(state: TableState) -> tuple[str, ...]:
    """The names of the seats, as one and the same tuple while they do not change."""
    names = state.names()
    before = state.log[-1].names if state.log else ()
    return before if before == names else names


def _derived(state: TableState, event: Event) -> tuple[int | None, PlayedEntry[Any, Any] | None]:
    if isinstance(event, events.ActionPlayed | events.ActionsUndone):
        return len(state.games) - 1, state.games[-1].progress.log[-1]
    return None, None


def _change(state: TableState, event: Event) -> TableState:
    match event:
        case events.ActionPlayed() | events.ActionsUndone() | events.PracticeMarked() | events.GameStarted():
            return _change_game(state, event)
        case events.SpectatorAdmitted(holder):
            return replace(state, watchers=state.watchers | {holder})
        case events.SeatsChanged(players):
            seats = tuple(state.seats[n] if n < len(state.seats) else SeatState() for n in range(players))
            return replace(state, opened=replace(state.opened, players=players), seats=seats)
        case events.AllSeated():
            return replace(state, gathered=True, turned=state.version)
        case events.ConsentAsked(seat, what, about):
            return replace(state, consent=Consent(seat, what, about, state.version, ()))
        case events.ConsentAnswered(seat, yes):
            consent = state.consent
            return replace(state, consent=consent._replace(yes=(*consent.yes, seat)) if consent and yes else None)
        case events.HintTaken(seat):
            return replace(state, hinted=seat)
        case events.MatchEnded():
            return replace(state, ended=True)
        case events.RematchOpened(table, game):
            return replace(state, next=table, next_game=game)
        case events.MatchShared(_, shown):
            return replace(state, shared=shown)
        case events.RecordLine() | TableOpened():
            return state
        case _:
            return _change_seat(state, event)


def _change_seat(state: TableState, event: SeatEvent) -> TableState:
    number, before = event.seat, state.seats[event.seat]
    consent = state.consent
    match event:
        case events.SeatTaken(_, name, holder, commit, avatar):
            # in the middle of a match the nonce stays the seat's
            nonce = (before.commit, before.nonce, before.revealed) if state.gathered else (commit, "", False)
            seat, consent = (
                SeatState(name, holder, None, *nonce, avatar=avatar),
                None,
            )  # the people who were asked have changed
        case events.SeatReserved(_, name, holder, avatar):
            seat = SeatState(name, holder, reserved=True, avatar=avatar)
        case events.BotSeated(_, name, player, avatar):
            others = [one.avatar for other, one in enumerate(state.seats) if other != number]
            seat = SeatState(name, player=player, avatar=avatar or choose_identity(player, number, others).face)
        case events.SeatFreed(_, None):
            seat, consent = SeatState(), None
        case events.SeatFreed(_, player):
            # nobody else may take the seat of a player who has resigned
            left = not before.resigned
            seat = replace(before, holder=None, player=player, left=left, former=before.holder, timed_out=False)
            consent = None
        case events.SeatLent(_, player):
            seat = replace(before, player=player, timed_out=False)
            consent = None if consent and (consent.what, consent.about) == ("bot", number) else consent
        case events.SeatReturned():
            seat = replace(before, player=None, timed_out=False)
        case events.NonceRevealed(_, nonce_):
            seat = replace(before, nonce=nonce_, revealed=True)
        case events.SeatResigned():
            seat, consent = replace(before, resigned=True, player=STAND_IN), None
        case events.TurnTimedOut():
            seat = replace(before, timed_out=True)
        case events.BotFailed(_, player):
            seat = replace(before, player=player)
    return replace(state, seats=_with(state.seats, number, seat), consent=consent)


def _change_game(state: TableState, event: GameEvent) -> TableState:
    match event:
        case events.GameStarted(first):
            progress: AnyProgress = Progress.start(state.rules, state.next_setup(first))
            started = TableGame(progress, state.version, state.names())
            seats = tuple(replace(seat, timed_out=False) if seat.timed_out else seat for seat in state.seats)
            games = (*state.games, started)
            return replace(state, games=games, seats=seats, moved=state.version, turned=state.version, hinted=None)
        case events.PracticeMarked():
            return _with_progress(state, replace(_progress(state), practice=True))
        case events.ActionsUndone(actions):
            state = _with_progress(state, _progress(state).undo(actions))
            return replace(state, consent=None, moved=state.version, turned=state.version, hinted=None)
        case events.ActionPlayed(seat, text):
            state = _with_progress(state, _progress(state).advance(None if seat is None else Seat(seat), text))
            pending = _progress(state).pending
            same_turn = isinstance(pending, Decision) and pending.seat == seat
            turned = state.turned if same_turn else state.version
            seats = state.seats if seat is None else _end_time_outs(state.seats, seat)
            hinted = state.hinted if seat in (None, state.hinted) else None
            return replace(state, consent=None, seats=seats, moved=state.version, turned=turned, hinted=hinted)


def _progress(state: TableState) -> AnyProgress:
    assert state.game is not None
    return state.game


def _with_progress(state: TableState, progress: AnyProgress) -> TableState:
    return replace(state, games=(*state.games[:-1], replace(state.games[-1], progress=progress)))


def _end_time_outs(seats: tuple[SeatState, ...], mover: int) -> tuple[SeatState, ...]:
    """A seat that timed out has its next turn again: as soon as another seat has acted."""
    if not any(seat.timed_out and number != mover for number, seat in enumerate(seats)):
        return seats
    return tuple(replace(seat, timed_out=seat.timed_out and number == mover) for number, seat in enumerate(seats))


def _with(seats: Sequence[SeatState], number: int, seat: SeatState) -> tuple[SeatState, ...]:
    return (*seats[:number], seat, *seats[number + 1 :])
