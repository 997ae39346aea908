"""A hosted match: one game with its seats and their keys, and the pure functions that advance it."""

from __future__ import annotations

import asyncio
import copy
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from spieltisch import players
from spieltisch.core.game import AnyGame, Decision, Refusal, Seat, Setup, brief
from spieltisch.gameplay.chance import Source, seeded, unforeseen
from spieltisch.gameplay.errors import NotPending
from spieltisch.gameplay.referee import Referee
from spieltisch.gameplay.transcript import seat_names
from spieltisch.i18n.format import LANGUAGES
from spieltisch.i18n.message import Message, message_factory
from spieltisch.mcp_server.errors import BadRequest, NotAllowed
from spieltisch.players import Access
from spieltisch.records.model import LONGEST_NAME

AnyReferee: TypeAlias = Referee[Any, Any, Any]
YOU: Final = "you"  # a seat that the caller plays
OPEN: Final = "open"  # a seat that somebody else can join
WEAKEST: Final = "level:1"  # plays on for a bot that has failed
_say = message_factory("")


@dataclass(slots=True)
class SeatState:
    """Who plays a seat: a bot, the holder of a key, or nobody yet."""

    language: str
    name: str = ""
    bot: str | None = None
    key: str | None = None

    @property
    def is_open(self) -> bool:
        return self.bot is None and self.key is None


@dataclass(slots=True)
class HostedMatch:
    """A match in memory. The referee is replaced as a whole, so a cancelled request leaves no half-made change."""

    id: str
    referee: AnyReferee
    seats: list[SeatState]
    practice: bool
    seed: str  # of the bots
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    notices: list[tuple[int, Message]] = field(
        default_factory=list
    )  # events other than actions, each with the number of actions before it
    touched: float = 0.0

    @property
    def over(self) -> bool:
        return self.referee.progress.over

    @property
    def turn(self) -> Seat | None:
        """The seat that has to decide."""
        pending = self.referee.pending
        return pending.seat if isinstance(pending, Decision) else None

    def note_hint(self, seat: Seat, name: str) -> None:
        """Tells the other agents, if there are any, that the seat has been given a hint; once per decision."""
        notice = (len(self.referee.steps), _say("table.hinted.name", name=name))
        if any(state.key for other, state in enumerate(self.seats) if other != seat) and notice not in self.notices:
            self.notices.append(notice)

    def advance(self, referee: AnyReferee) -> None:
        """Replaces the referee, and wakes every request that waits for a change."""
        self.referee = referee
        self.changed.set()
        self.changed = asyncio.Event()

    def bot_seed(self) -> str:
        """The seed of the bot that decides now."""
        return f"{self.seed} {self.turn} {len(self.referee.progress.log)}"


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """What a match is opened with."""

    game: AnyGame
    seats: Sequence[str]
    names: Sequence[str] = ()
    edition: str | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    first: int | None = None
    practice: bool = False
    seed: int | None = None
    language: str = "en"


def check_language(language: str) -> str:
    """The language, if it is one of the six."""
    if language not in LANGUAGES:
        raise BadRequest(_say("language.unknown", known=LANGUAGES, given=brief(language)))
    return language


def check_name(name: str, taken: Sequence[str]) -> str:
    """The name, if a record can hold it and nobody else has it."""
    name = name.strip()
    if not 0 < len(name) <= LONGEST_NAME or ";" in name or not name.isprintable():
        raise BadRequest(_say("table.name", longest=LONGEST_NAME))
    if name in taken:
        raise BadRequest(_say("table.name_taken", name=name))
    return name


def open_match(settings: MatchSettings) -> HostedMatch:
    """A new match, up to the first decision. Chance is unforeseeable, unless it is a practice match with a seed."""
    game, seed = settings.game, settings.seed
    check_language(settings.language)
    if seed is not None and not settings.practice:
        raise NotAllowed(_say("mcp.seed"))
    if settings.practice and OPEN in settings.seats:
        raise NotAllowed(_say("mcp.practice_open"))
    source: Source = unforeseen() if seed is None else seeded(seed)
    setup = _agree(settings, source)
    seats = _seats(settings)
    names = {number: seat.name for number, seat in enumerate(seats) if seat.name}
    referee = Referee(game, setup, source, names)
    referee.progress = replace(referee.progress, practice=settings.practice)
    referee.settle()
    bot_seed = secrets.token_hex(16) if seed is None else str(seed)
    return HostedMatch(secrets.token_hex(6), referee, seats, settings.practice, bot_seed)


def _agree(settings: MatchSettings, source: Source) -> Setup:
    game, seats = settings.game, len(settings.seats)
    setup = game.agree(seats, settings.edition, settings.options, settings.first or 0)
    return setup if settings.first is not None else setup._replace(first=source.first(seats))


def _seats(settings: MatchSettings) -> list[SeatState]:
    """The seats, with a new key for each that the caller plays."""
    names = iter(settings.names)
    taken: list[str] = []
    seats: list[SeatState] = []
    if YOU not in settings.seats:
        raise BadRequest(_say("mcp.no_you"))
    if len(settings.names) > settings.seats.count(YOU):
        raise BadRequest(_say("mcp.names", names=len(settings.names), seats=settings.seats.count(YOU)))
    for kind in settings.seats:
        seat = SeatState(settings.language)
        if kind == YOU:
            seat.key = new_key()
            seat.name = check_name(given, taken) if (given := next(names, "")) else ""
        elif kind != OPEN:
            seat.bot = _check_bot(kind, settings.game)
            seat.name = next(name for name in _bot_names(kind) if name not in taken)
        taken.append(seat.name)
        seats.append(seat)
    return seats


def _check_bot(name: str, game: AnyGame) -> str:
    try:
        players.maker(name, game, Access.REMOTE)
    except Refusal:
        known = (YOU, OPEN, *players.names(game, Access.REMOTE))
        raise BadRequest(_say("mcp.seats", given=brief(name), known=known)) from None
    return name


def _bot_names(kind: str) -> Sequence[str]:
    """Names for bots of one kind: "level:2", "level:2 (2)" and so on."""
    short = brief(kind.replace(";", ","))[: LONGEST_NAME - 6]
    return [short, *(f"{short} ({number})" for number in range(2, 100))]


def new_key() -> str:
    """A secret key for a seat."""
    return secrets.token_urlsafe(16)


def join(match: HostedMatch, name: str, language: str) -> Seat:
    """Gives the first open seat a key; NotAllowed if none is open."""
    check_language(language)
    found = next((number for number, seat in enumerate(match.seats) if seat.is_open), None)
    if found is None:
        raise NotAllowed(_say("table.full"))
    seat = match.seats[found]
    names = seat_names(len(match.seats), language, {number: one.name for number, one in enumerate(match.seats)})
    seat.name = check_name(name, names) if name else ""
    seat.language = language
    seat.key = new_key()
    return Seat(found)


# pure: they return a new referee and leave the given one as it is


def play_moves(referee: AnyReferee, seat: Seat, moves: Sequence[str]) -> AnyReferee:
    """The game after the moves, all of them or none, up to the next decision."""
    played = copy.copy(referee)
    for number, text in enumerate(moves):
        if number and not (isinstance(played.pending, Decision) and played.pending.seat == seat):
            raise NotPending(_say("turn.draft_over"))
        played.progress = played.progress.advance(seat, text.strip())
    played.settle()
    return played


def play_choice(referee: AnyReferee, choice: int) -> AnyReferee:
    """The game after one of the choices of the seat that decides, up to the next decision."""
    played = copy.copy(referee)
    assert isinstance(played.pending, Decision)
    played.progress = played.progress.apply(played.pending.seat, played.pending.actions[choice])
    played.settle()
    return played


def undo_turn(referee: AnyReferee, seat: Seat) -> AnyReferee:
    """The game before the seat's last turn."""
    undone = copy.copy(referee)
    undone.undo(undone.since_last_turn(seat))
    return undone
