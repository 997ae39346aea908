"""Commands that open a table, start a match and its games, and open the rematch."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final, Literal

from spieltisch import registry
from spieltisch.core.fields import Field
from spieltisch.core.game import BadSetup, Refusal
from spieltisch.i18n.message import message_factory
from spieltisch.table.commands.base import ClientCommand, Command, Context, Deciding, SeatCommand
from spieltisch.table.commands.seating import SeatPlan, seat_by_plan
from spieltisch.table.errors import BadRequest, NotNow, Taken
from spieltisch.table.events import (
    AllSeated,
    BotSeated,
    Event,
    MatchShared,
    NonceRevealed,
    RematchOpened,
    SeatReserved,
    SeatsChanged,
    TableOpened,
)
from spieltisch.table.state import STAND_IN, Status, TableState

MAX_GAMES: Final = 20  # in a match
MAX_ACTIONS: Final = 20_000  # that a match may take at most, by the game's own bound
MAX_DEPTH: Final = 20  # levels of a document in an option; the games' own have four
_say = message_factory("")


def _check_depth(options: dict[str, Any]) -> dict[str, Any]:
    """The options, if none is nested so deeply that passing it to another process would fail."""
    level: list[Any] = [options]
    for _ in range(MAX_DEPTH + 1):
        level = [
            inner
            for value in level
            if isinstance(value, dict | list)
            for inner in (value.values() if isinstance(value, dict) else value)
        ]
        if not level:
            return options
    raise ValueError(f"At most {MAX_DEPTH} levels are read")


@dataclass(frozen=True, slots=True)
class Open(ClientCommand):
    """Opens a table."""

    game: Annotated[str, Field(max_length=100)]
    seats: Annotated[list[SeatPlan], Field(min_length=1, max_length=20)]
    edition: Annotated[str, Field(max_length=100)] | None = None
    options: Annotated[dict[str, Any], Field(max_length=50, check=_check_depth)] = field(default_factory=dict)
    first: Annotated[
        Annotated[int, Field(ge=0, le=99, strict=True)] | None,
        Field("The seat that starts; drawn at random by default."),
    ] = None
    games: Annotated[
        Annotated[int, Field(ge=1, le=MAX_GAMES, strict=True)] | None,
        Field("The number of games; by default as the game recommends."),
    ] = None
    public: Annotated[bool, Field("Whether the table is listed for everybody.", strict=True)] = False
    seconds: Annotated[
        Annotated[int, Field(ge=5, le=86_400, strict=True)] | None, Field("The time limit of a turn, in seconds.")
    ] = None
    late: Annotated[
        Literal["bot", "first"], Field("How a turn that takes longer is finished: by a bot, or by the first choice.")
    ] = "bot"

    def decide(self, table: Deciding) -> None:
        game = registry.find(self.game)
        setup = game.agree(len(self.seats), self.edition, self.options, self.first or 0)
        game.initial(setup)
        games = game.recommended_games(setup.players) if self.games is None else self.games
        if not 1 <= games <= MAX_GAMES:
            raise BadSetup(_say("table.games", most=MAX_GAMES, given=games), field="games")
        if games * game.bound(setup) > MAX_ACTIONS:
            raise BadSetup(_say("table.large", most=MAX_ACTIONS, given=games * game.bound(setup)), field="games")
        table.emit(
            TableOpened(
                game=game.name,
                edition=setup.edition,
                options=dict(setup.options),
                players=setup.players,
                first=self.first,
                rules=setup.rules,
                games=games,
                public=self.public,
                seconds=self.seconds,
                late=self.late,
                code=_new_code(table.context),
                host=table.person,
                secrets=_new_secrets(table.context, games),
            )
        )
        for seat, plan in enumerate(self.seats):
            seat_by_plan(table, seat, plan)
        if not any(seat.empty for seat in table.state.seats):
            table.emit(AllSeated())
            table.start_when_ready()


def _new_code(context: Context) -> str:
    """A new invitation."""
    return base64.urlsafe_b64encode(context.derive("code", 9)).decode()


def _new_secrets(context: Context, games: int) -> list[str]:
    """The secrets of fair chance, one per game."""
    return [context.derive(f"secret {number}", 32).hex() for number in range(games)]


@dataclass(frozen=True, slots=True)
class Resize(ClientCommand):
    """The host adds open seats before the match, or removes the last ones if nobody sits there."""

    players: Annotated[int, Field("How many seats there shall be.", examples=(3,), ge=1, le=20, strict=True)]

    def decide(self, table: Deciding) -> None:
        table.require_host()
        table.require_status(Status.GATHERING)
        opened, game = table.state.opened, table.state.rules
        for number, seat in enumerate(table.state.seats[self.players :], self.players):
            if seat.holder is not None:
                raise Taken(_say("table.seat_taken", seat=number + 1))
        if opened.first is not None and opened.first >= self.players:
            raise Taken(_say("table.seat_taken", seat=opened.first + 1))
        setup = game.agree(self.players, opened.edition, opened.options, opened.first or 0, opened.rules)
        game.initial(setup)
        if opened.games * game.bound(setup) > MAX_ACTIONS:
            raise BadSetup(
                _say("table.large", most=MAX_ACTIONS, given=opened.games * game.bound(setup)), field="players"
            )
        if self.players != len(table.state.seats):
            table.emit(SeatsChanged(self.players))


@dataclass(frozen=True, slots=True)
class Start(ClientCommand):
    """Starts the match if every seat is taken."""

    def decide(self, table: Deciding) -> None:
        table.require_member()
        table.require_status(Status.GATHERING)
        missing = [number for number, seat in enumerate(table.state.seats) if seat.empty]
        if missing:
            raise NotNow(_say("table.missing", seats=tuple(str(seat + 1) for seat in missing)))
        table.emit(AllSeated())
        table.start_when_ready()


@dataclass(frozen=True, slots=True)
class Reveal(SeatCommand):
    """Reveals the nonce of the seat."""

    nonce: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$", examples=("000102030405060708090a0b0c0d0e0f",))]

    def decide(self, table: Deciding) -> None:
        number = table.require_seat(self.seat)
        seat = table.state.seats[number]
        if seat.revealed and seat.nonce == self.nonce:
            return
        table.require_status(Status.REVEALING)
        if seat.commit is None or hashlib.sha256(bytes.fromhex(self.nonce)).hexdigest() != seat.commit:
            raise BadRequest(_say("table.nonce"))
        table.emit(NonceRevealed(number, self.nonce))
        table.start_when_ready()


@dataclass(frozen=True, slots=True)
class StartWithoutNonces(Command):
    """The server starts the match without the nonces of seats that stay silent."""

    def decide(self, table: Deciding) -> None:
        table.require_status(Status.REVEALING)
        table.start_game()


@dataclass(frozen=True, slots=True)
class Continue(ClientCommand):
    """Starts the next game of the match."""

    def decide(self, table: Deciding) -> None:
        table.require_member()
        table.require_status(Status.PAUSED)
        table.start_game()


@dataclass(frozen=True, slots=True)
class Rematch(ClientCommand):
    """Opens a table for a rematch with the same people, or for another game; further requests get the same table."""

    game: Annotated[Annotated[str, Field(max_length=100)] | None, Field("By default the game of this table.")] = None

    def decide(self, table: Deciding) -> None:
        table.require_member()
        table.require_status(Status.OVER)
        if table.state.next is not None:
            return
        game = None if self.game == table.state.opened.game else self.game
        if game is not None:
            _open_other(table.state, game)  # a Refusal if that game is not for so many people
        table.emit(RematchOpened(table.context.derive("table", 8).hex(), game))

    def reply(self, state: TableState, events: Sequence[Event], by: str | None) -> Mapping[str, Any]:
        return {"table": state.next}


@dataclass(frozen=True, slots=True)
class Share(SeatCommand):
    """Lets everybody who knows the table's name see the finished match, or ends that."""

    shown: Annotated[bool, Field(strict=True)] = True

    def decide(self, table: Deciding) -> None:
        seat = table.require_seat(self.seat)
        table.require_status(Status.OVER)
        if table.state.shared != self.shown:
            table.emit(MatchShared(seat, self.shown))


def decide_rematch(before: TableState, context: Context) -> list[Event]:
    """The first events of the table of a rematch: the seats are reserved for their people, the next seat starts."""
    assert context.by is not None
    assert before.game is not None
    table = Deciding(None, context)
    opened = before.opened if before.next_game is None else _open_other(before, before.next_game)
    table.emit(
        replace(
            opened,
            first=(before.game.setup.first + 1) % opened.players,
            code=_new_code(context),
            host=context.by,
            secrets=_new_secrets(context, opened.games),
        )
    )
    for number, seat in enumerate(before.seats):
        if seat.holder is not None:
            table.emit(SeatReserved(number, seat.name, seat.holder, seat.avatar))
        elif seat.player is not None and not (seat.left or seat.resigned):
            table.emit(BotSeated(number, seat.name, _bot_for(table, seat.player), seat.avatar))
    return table.events


def _open_other(before: TableState, name: str) -> TableOpened:
    """The table for another game with as many seats, as the game recommends it; a match is followed by a match."""
    game, players = registry.find(name), len(before.seats)
    edition = next((one.name for one in game.editions if players in one.players), None)
    setup = game.agree(players, edition)
    recommended = game.recommended_games(players)
    games = 1 if before.opened.games == 1 else recommended if recommended > 1 else players
    return replace(
        before.opened,
        game=game.name,
        edition=setup.edition,
        options=dict(setup.options),
        rules=setup.rules,
        games=games if games * game.bound(setup) <= MAX_ACTIONS else 1,
    )


def _bot_for(table: Deciding, player: str) -> str:
    """The bot itself, or the usual one if it does not play this game."""
    try:
        table.context.check_bot(player, table.state.rules)
    except Refusal:
        return STAND_IN
    return player
