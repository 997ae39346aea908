"""What commands share: the context in which one is decided, and the checks that many of them make."""

from __future__ import annotations

import hashlib
import hmac
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Final, NamedTuple, TypeAlias

from spieltisch.core.fields import CLOSED, Field
from spieltisch.core.game import AnyGame, Chance, Decision, Seat
from spieltisch.gameplay.progress import AnyProgress
from spieltisch.i18n.message import message_factory
from spieltisch.records.model import LONGEST_NAME
from spieltisch.table import avatars
from spieltisch.table.errors import BadRequest, NotFound, NotNow, NotYours, Stale, Taken
from spieltisch.table.events import ActionPlayed, Event, GameStarted
from spieltisch.table.state import Status, TableState, evolve

_say = message_factory("")
_UNPRINTABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff;]")

Key: TypeAlias = Annotated[
    str,
    Field(
        "Idempotency key, made by the sender for this command: sent again with the same key, it gets the same response.",
        examples=("Zk3qX0b1-7",),
        pattern=r"^[A-Za-z0-9_-]{8,64}$",
    ),
]
Version: TypeAlias = Annotated[
    int, Field("The number of the last event that the sender has seen.", examples=(17,), ge=0, le=10**9, strict=True)
]
SeatNumber: TypeAlias = Annotated[int, Field("A seat, from 0.", examples=(0,), ge=0, le=99, strict=True)]
Name: TypeAlias = Annotated[str, Field("At most 40 characters.", examples=("Ada",), max_length=200)]
Avatar: TypeAlias = Annotated[
    avatars.Avatar, Field("The face or the colour of the coin that a person has chosen.", examples=("fox",))
]
Player: TypeAlias = Annotated[str, Field("A bot.", examples=("level:3",), max_length=100)]
Commit: TypeAlias = Annotated[
    str,
    Field(
        "SHA-256 of the seat's nonce, which is revealed once every seat is taken.",
        examples=("be45cb2605bf36bebde684841a28f0fd43c69850a3dce5fedba69928ee3a8991",),
        pattern=r"^[0-9a-f]{64}$",
    ),
]
Draft: TypeAlias = Annotated[
    list[Annotated[str, Field(max_length=200)]],
    Field("Actions in the game's notation.", examples=(("r+",),), max_length=200),
]


def _accept_any_bot(_player: str, _game: AnyGame) -> None:
    """Accepts every name: a table without a server does not know which bots exist."""


class Context(NamedTuple):
    """The sender, the time, and what else a command needs from outside, so that deciding it stays a pure function."""

    by: str | None  # the hash of a browser's secret; None is the server itself
    now: int  # milliseconds since 1970
    random: bytes = b""  # fresh random bytes, for commands that open a table
    check_bot: Callable[[str, AnyGame], None] = _accept_any_bot  # a Refusal if there is no bot of that name

    def derive(self, label: str, length: int) -> bytes:
        """Random bytes for one purpose."""
        return hmac.digest(self.random, label.encode(), hashlib.sha256)[:length]


class Deciding:
    """A command while it is decided: the events so far, and the state after them."""

    def __init__(self, state: TableState | None, context: Context) -> None:
        self._state = state
        self.context = context
        self.by = context.by
        self.events: list[Event] = []

    @property
    def state(self) -> TableState:
        """The table after the events so far."""
        assert self._state is not None
        return self._state

    def emit(self, event: Event) -> None:
        """Adds an event."""
        self._state = evolve(self._state, event, self.context.now)
        self.events.append(event)

    # who may

    @property
    def person(self) -> str:
        """The sender, who is a person and not the server itself."""
        assert self.by is not None
        return self.by

    def require_seat(self, seat: int) -> Seat:
        """The seat, if the sender holds it."""
        if seat not in self.state.seats_of(self.by):
            raise NotYours(_say("table.not_your_seat", seat=seat + 1))
        return Seat(seat)

    def require_say(self, seat: int) -> Seat:
        """The seat, if the sender holds it and has not resigned."""
        if self.state.seats[self.require_seat(seat)].resigned:
            raise NotNow(_say("table.gave_up"))
        return Seat(seat)

    def require_member(self) -> None:
        """Makes sure that the sender sits here, or is the host."""
        if self.by != self.state.opened.host and not self.state.seats_of(self.by):
            raise NotYours(_say("table.not_seated"))

    def require_host(self) -> None:
        """Makes sure that the sender is the host."""
        if self.by != self.state.opened.host:
            raise NotYours(_say("table.not_host"))

    def require_code(self, code: str) -> None:
        """Makes sure that the sender may see the table, or has its invitation."""
        if not self.state.may_watch(self.by) and not hmac.compare_digest(
            code.encode(), self.state.opened.code.encode()
        ):
            raise NotFound(_say("table.unknown"))

    # when

    def require_status(self, *status: Status) -> None:
        """Makes sure that the table is at one of these stages."""
        if self.state.status not in status:
            raise NotNow(_say("table.not_now", status=self.state.status.value))

    def require_game(self, version: int) -> AnyProgress:
        """The game in progress, if it has not changed since the version."""
        return game_at(self.state, version)

    # games

    def start_game(self) -> None:
        """Starts the next game of the match, and lets chance draw."""
        self.emit(GameStarted(int(self.state.next_setup(None).first)))
        self.settle()

    def start_when_ready(self) -> None:
        """Starts the match if every nonce that was announced is there, except those of people who left."""
        if all(seat.revealed or seat.left or seat.commit is None for seat in self.state.seats):
            self.start_game()

    def settle(self) -> None:
        """Draws from fair chance until somebody has to decide or to judge, or the game is over."""
        while True:
            game = self.state.game
            assert game is not None
            chance = game.pending
            if not isinstance(chance, Chance) or (chance.judged and len(chance.actions) > 1):
                return
            place = 0
            if chance.is_drawn:
                place = self.state.source(len(self.state.games) - 1).pick(game.draws, chance.weights)
            self.emit(ActionPlayed(None, game.game.write(game.state, chance.actions[place])))

    def play(self, seat: Seat, choice: int) -> None:
        """Plays the choice at that place among those of the seat."""
        game = self.state.game
        assert game is not None
        action = game.seen(seat).choices[choice]
        self.emit(ActionPlayed(int(seat), game.game.write(game.state, action)))
        self.settle()


def game_at(state: TableState, version: int) -> AnyProgress:
    """The game in progress, if it has not changed since the version that somebody has seen."""
    if state.game is None:
        raise NotNow(_say("table.not_now", status=state.status.value))
    if version < state.moved:
        raise Stale(_say("table.stale", version=version, now=state.moved))
    if version > state.version:
        raise Stale(_say("table.ahead", version=version, now=state.version))
    return state.game


class Command(ABC):
    """A command at a table."""

    __slots__ = ()

    @abstractmethod
    def decide(self, table: Deciding) -> None:
        """Emits the events that it leads to; a Refusal if it cannot be carried out."""

    def reply(self, state: TableState, events: Sequence[Event], by: str | None) -> Mapping[str, Any]:
        """What the sender is told besides the version, from the state after the command."""
        return {}


@dataclass(frozen=True, slots=True)
class ClientCommand(Command):
    """A command of somebody at the table. It is also the model of its request: what a client sends is the command."""

    key: Key = field(kw_only=True)

    __pydantic_config__: ClassVar[Mapping[str, str]] = CLOSED


@dataclass(frozen=True, slots=True)
class SeatCommand(ClientCommand):
    """A command of one seat."""

    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class VersionedCommand(SeatCommand):
    """A command of one seat that was made for one state of the game."""

    version: Version


def check_name(name: str, state: TableState | None = None, number: int | None = None) -> str:
    """The name, if a record can hold it and nobody else at the table has it."""
    name = name.strip()
    if not 0 < len(name) <= LONGEST_NAME or _UNPRINTABLE.search(name):
        raise BadRequest(_say("table.name", longest=LONGEST_NAME))
    if state and any(seat.name == name for other, seat in enumerate(state.seats) if other != number):
        raise Taken(_say("table.name_taken", name=name))
    return name


def is_turn_of(game: AnyProgress, seat: Seat) -> bool:
    """Whether the game waits for a decision of the seat."""
    return isinstance(game.pending, Decision) and game.pending.seat == seat
