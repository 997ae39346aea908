"""Match host: the matches in memory, found by the keys of their seats; bots move as soon as it is their turn."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Final, Self, TypeAlias

from spieltisch import players, registry
from spieltisch.core.game import AnyGame, Choice, Seat, brief
from spieltisch.i18n.format import format_message
from spieltisch.i18n.message import message_factory
from spieltisch.mcp_server import match as matches
from spieltisch.mcp_server.bots import BotPool
from spieltisch.mcp_server.errors import BadRequest, LimitExceeded, NotAllowed, Stale, UnknownMatch
from spieltisch.mcp_server.match import HostedMatch, MatchSettings
from spieltisch.mcp_server.responses import (
    Explanation,
    GameInfo,
    GameList,
    Hint,
    Look,
    MoveList,
    OptionInfo,
    Seated,
    SeatKey,
    Text,
)
from spieltisch.mcp_server.seat_view import SeatView
from spieltisch.players import Access
from spieltisch.players.failures import PlayerFailed

MAX_MATCHES: Final = 200
MAX_OPTIONS: Final = 200_000  # characters of all options together, as JSON
IDLE_SECONDS: Final = 3600.0  # after which an unfinished match may be dropped for a new one
ReportProgress: TypeAlias = Callable[[int, str], Awaitable[None]]
_say = message_factory("")


async def _report_nothing(_done: int, _message: str) -> None:
    """Reports no progress."""


class MatchHost:
    """All matches of one server process. A request that is refused changes nothing."""

    def __init__(
        self, bots: BotPool | None = None, language: str = "en", clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.language = matches.check_language(language)
        self._bots = bots or BotPool()
        self._clock = clock
        self._matches: dict[str, HostedMatch] = {}
        self._seats: dict[str, tuple[HostedMatch, Seat]] = {}  # by key

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._bots.close()

    # games

    def games(self) -> GameList:
        """The games that can be played."""
        return GameList([_game_info(game) for game in registry.offered()])

    def rules(self, game: str, language: str, *, numbered: bool = False) -> Text:
        """The rules of a game: the page for people in a language, or the numbered rules that refusals cite."""
        found = registry.find(game)
        matches.check_language(language)
        return Text(registry.numbered_rules(found) if numbered else registry.rules_page(found, language))

    # matches

    async def open(self, settings: MatchSettings, report: ReportProgress = _report_nothing) -> Seated:
        """Opens a match; returns the keys of the caller's seats."""
        if len(json.dumps(dict(settings.options), default=str)) > MAX_OPTIONS:
            raise BadRequest(_say("mcp.too_long", field="options", most=MAX_OPTIONS))
        match = await asyncio.to_thread(matches.open_match, settings)
        self._make_room()
        self._touch(match)
        self._matches[match.id] = match
        for number, seat in enumerate(match.seats):
            if seat.key is not None:
                self._seats[seat.key] = match, Seat(number)
        try:
            async with match.lock:
                await self._play_bots(match, report)
                own = [Seat(number) for number, seat in enumerate(match.seats) if seat.key is not None]
                return await self._seated(match, own)
        except BaseException:  # a bot has failed, or the request was cancelled: nobody knows the keys
            self._drop(match)
            raise

    async def join(self, match_id: str, name: str, language: str) -> Seated:
        """Takes the first open seat of a match; returns its key."""
        match = self._matches.get(match_id)
        if match is None:
            raise UnknownMatch(_say("mcp.no_match", given=brief(match_id)))
        seat = matches.join(match, name, language)
        key = match.seats[seat].key
        assert key is not None
        self._seats[key] = match, seat
        self._touch(match)
        async with match.lock:
            return await self._seated(match, [seat])

    async def _seated(self, match: HostedMatch, seats: Sequence[Seat]) -> Seated:
        view = SeatView(match, seats[0])
        look = await asyncio.to_thread(view.look, draw=True)
        keys = [SeatKey(int(seat), view.names[seat], match.seats[seat].key or "") for seat in seats]
        free = [number for number, seat in enumerate(match.seats) if seat.is_open]
        lines = [view.say("mcp.key", seat=key.seat, name=key.name, key=key.seat_key) for key in keys]
        if free:
            lines.append(view.say("mcp.open_seats", seats=tuple(map(str, free)), match=match.id))
        return Seated(match.id, keys, free, look, "\n".join([*lines, "", look.text]))

    def language_of(self, key: object) -> str:
        """The language of the seat with that key, else the host's."""
        match, seat = self._seats.get(key, (None, Seat(0))) if isinstance(key, str) else (None, Seat(0))
        return self.language if match is None else match.seats[seat].language

    # seats

    async def look(self, key: str, *, draw: bool = True) -> Look:
        """The match as the seat sees it, and what has happened since its last turn."""
        async with self._seat(key) as (match, seat):
            return await asyncio.to_thread(SeatView(match, seat).look, draw=draw)

    async def moves(self, key: str, starts_with: str = "", path: Sequence[int] = (), page: int = 1) -> MoveList:
        """The seat's possible moves."""
        async with self._seat(key) as (match, seat):
            return await asyncio.to_thread(SeatView(match, seat).moves, starts_with, path, page)

    async def explain(self, key: str, move: str) -> Explanation:
        """What a move of the seat would do, or why it is not possible."""
        async with self._seat(key) as (match, seat):
            return await asyncio.to_thread(SeatView(match, seat).explain, move)

    async def play(
        self, key: str, moves: Sequence[str], version: int | None = None, report: ReportProgress = _report_nothing
    ) -> Look:
        """Plays the moves, all of them or none; then bots move. Returns what has happened."""
        async with self._seat(key, report) as (match, seat):
            now, start = len(match.referee.progress.log), len(match.referee.steps)
            if version is not None and version != now:
                raise Stale(_say("table.stale", version=version, now=now))
            match.advance(await asyncio.to_thread(matches.play_moves, match.referee, seat, moves))
            await self._play_bots(match, report)
            return await asyncio.to_thread(SeatView(match, seat).look, start=start)

    async def wait(self, key: str, seconds: float, report: ReportProgress = _report_nothing) -> Look:
        """Waits until it is the seat's turn or the game is over, at most that many seconds."""
        deadline = self._clock() + seconds
        while True:
            async with self._seat(key, report) as (match, seat):
                left, changed = deadline - self._clock(), match.changed
                if match.over or match.turn == seat or left <= 0:
                    return await asyncio.to_thread(SeatView(match, seat).look)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await changed.wait()

    async def ask_bot(self, key: str, bot: str) -> Hint:
        """The move that a bot would choose at this seat, knowing what the seat knows; other agents are told of it."""
        async with self._seat(key) as (match, seat):
            view, game = SeatView(match, seat), match.referee.game
            players.maker(bot, game, Access.REMOTE)
            choice = await self._bots.choose(game.name, bot, match.bot_seed(), view.seen())
            hint = await asyncio.to_thread(view.hint, choice)
            match.note_hint(seat, view.names[seat])
            return hint

    async def undo(self, key: str) -> Look:
        """Undoes the seat's last turn and everything since; in practice matches only."""
        async with self._seat(key) as (match, seat):
            if not match.practice:
                raise NotAllowed(_say("mcp.undo"))
            match.advance(await asyncio.to_thread(matches.undo_turn, match.referee, seat))
            match.notices = [notice for notice in match.notices if notice[0] <= len(match.referee.steps)]
            return await asyncio.to_thread(SeatView(match, seat).look)

    async def record(self, key: str) -> Text:
        """The record: redacted for the seat until the game is over."""
        match, seat = self._find(key)
        async with match.lock:
            return Text(await asyncio.to_thread(SeatView(match, seat).record))

    # inside

    def _find(self, key: str) -> tuple[HostedMatch, Seat]:
        if key not in self._seats:
            raise UnknownMatch(_say("mcp.no_seat"))
        match, seat = self._seats[key]
        self._touch(match)
        return match, seat

    @contextlib.asynccontextmanager
    async def _seat(
        self, key: str, report: ReportProgress = _report_nothing
    ) -> AsyncIterator[tuple[HostedMatch, Seat]]:
        """The match and the seat of a key, while nobody else uses the match and no bot has to move.

        Bots may have to move if an earlier request was cancelled while they were thinking.
        """
        match, seat = self._find(key)
        async with match.lock:
            await self._play_bots(match, report)
            yield match, seat

    async def _play_bots(self, match: HostedMatch, report: ReportProgress) -> None:
        """Lets bots move until it is the turn of somebody else, or the game is over."""
        done = 0
        while (turn := match.turn) is not None and (bot := match.seats[turn].bot) is not None:
            await report(done, format_message(_say("mcp.thinking", name=match.seats[turn].name), self.language))
            seen = match.referee.seen(turn)
            try:
                choice = await self._bots.choose(match.referee.game.name, bot, match.bot_seed(), seen)
            except PlayerFailed:
                if bot == matches.WEAKEST:
                    raise
                match.seats[turn].bot = matches.WEAKEST
                notice = _say("table.failed", name=match.seats[turn].name)
                match.notices.append((len(match.referee.steps), notice))
                continue
            match.advance(await asyncio.to_thread(matches.play_choice, match.referee, choice))
            done += 1

    def _touch(self, match: HostedMatch) -> None:
        match.touched = self._clock()

    def _make_room(self) -> None:
        """Drops the match that has been idle longest, if there are too many; one under way only after an hour."""
        if len(self._matches) < MAX_MATCHES:
            return
        idle = self._clock() - IDLE_SECONDS
        droppable = [match for match in self._matches.values() if match.over or match.touched <= idle]
        if not droppable:
            raise LimitExceeded(_say("mcp.full", most=MAX_MATCHES))
        self._drop(min(droppable, key=lambda match: match.touched))

    def _drop(self, match: HostedMatch) -> None:
        del self._matches[match.id]
        for seat in match.seats:
            if seat.key is not None:
                del self._seats[seat.key]


def default_seats(game: AnyGame) -> list[str]:
    """The seats of a match if none are given: the caller against as few bots as the game allows."""
    return [matches.YOU, *[players.DEFAULT] * (game.players.start - 1)]


def _game_info(game: AnyGame) -> GameInfo:
    return GameInfo(
        game=game.name,
        title=game.title,
        min_players=game.players.start,
        max_players=game.players.stop - 1,
        minutes=game.minutes,
        has_hidden_information=game.hides,
        editions=[edition.name for edition in game.editions],
        options=[
            OptionInfo(option.name, list(option.values) if isinstance(option, Choice) else [], option.default)
            for option in game.options
        ],
        bots=list(players.names(game, Access.REMOTE)),
    )
