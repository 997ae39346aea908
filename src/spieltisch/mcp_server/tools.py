"""The tools: what a language model can call, with descriptions that it reads."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias, cast

from mcp.server.mcpserver import Context
from mcp.types import CallToolResult, TextContent
from pydantic import StrictBool

from spieltisch import players, registry
from spieltisch.core.json import to_json
from spieltisch.mcp_server.arguments import (
    BotName,
    FirstSeat,
    GameName,
    Language,
    MatchId,
    MoveText,
    MoveTexts,
    Names,
    Options,
    Page,
    Path,
    Practice,
    Prefix,
    SeatKeyText,
    Seats,
    Seconds,
    Seed,
    ShortText,
    Version,
)
from spieltisch.mcp_server.host import MatchHost, ReportProgress, default_seats
from spieltisch.mcp_server.match import MatchSettings
from spieltisch.mcp_server.responses import (
    Explanation,
    GameList,
    Hint,
    Look,
    MoveList,
    Response,
    Seated,
    Text,
)

AnyContext: TypeAlias = Context[Any, Any]


def _result(response: Response) -> CallToolResult:
    """The response as text for the model and as structured content for programs."""
    return CallToolResult(
        content=[TextContent(type="text", text=response.as_text())],
        structured_content=cast("dict[str, Any]", to_json(response)),
    )


def _progress(context: AnyContext) -> ReportProgress:
    async def report(done: int, message: str) -> None:
        await context.report_progress(done, None, message)

    return report


class Tools:
    """The tools of one host."""

    def __init__(self, host: MatchHost) -> None:
        self._host = host

    async def list_games(self) -> Annotated[CallToolResult, GameList]:
        """List the games that can be played, with their numbers of players, editions, options and bots."""
        return _result(self._host.games())

    async def read_rules(
        self, game: GameName, language: Language = "en", numbered: StrictBool = False
    ) -> Annotated[CallToolResult, Text]:
        """Read the rules of a game; do this before you play it for the first time.

        numbered=true returns the numbered rules in English, which refusals cite (such as R7) and which explain the
        notation of moves.
        """
        return _result(self._host.rules(game, language, numbered=numbered))

    async def open_match(
        self,
        context: AnyContext,
        game: GameName,
        seats: Seats | None = None,
        names: Names | None = None,
        edition: ShortText | None = None,
        options: Options | None = None,
        first: FirstSeat = None,
        practice: Practice = False,
        seed: Seed = None,
        language: Language | None = None,
    ) -> Annotated[CallToolResult, Seated]:
        """Open a match and get the secret seat_key of every seat you play; all other tools need that key.

        Without seats you play against one bot (or as few as the game allows). Bots move by themselves. In a fair match
        nobody can predict chance and no turn is undone; set practice=true to try things out.
        """
        found = registry.find(game)
        settings = MatchSettings(
            game=found,
            seats=seats if seats is not None else default_seats(found),
            names=names or (),
            edition=edition,
            options=options or {},
            first=first,
            practice=practice,
            seed=seed,
            language=language or self._host.language,
        )
        return _result(await self._host.open(settings, _progress(context)))

    async def join_match(
        self, match: MatchId, name: ShortText = "", language: Language | None = None
    ) -> Annotated[CallToolResult, Seated]:
        """Take an open seat of a match that another agent has opened, and get its secret seat_key."""
        return _result(await self._host.join(match, name, language or self._host.language))

    async def look(self, seat_key: SeatKeyText, draw: StrictBool = True) -> Annotated[CallToolResult, Look]:
        """See the match as your seat sees it: what has happened since your last turn, the table, whose turn it is.

        The table comes in sentences, and with draw=true also as a drawing in plain text. Once the game is over, you see
        the result and everything that was hidden.
        """
        return _result(await self._host.look(seat_key, draw=draw))

    async def list_moves(
        self, seat_key: SeatKeyText, starts_with: Prefix = "", path: Path | None = None, page: Page = 1
    ) -> Annotated[CallToolResult, MoveList]:
        """List the moves that you can play now, each in notation and in words.

        If there are many, you get headings with numbers instead: call again with path=[number], then path=[number,
        number] and so on, until you see moves. Or filter by how the notation starts.
        """
        return _result(await self._host.moves(seat_key, starts_with, path or (), page))

    async def explain_move(self, seat_key: SeatKeyText, move: MoveText) -> Annotated[CallToolResult, Explanation]:
        """Find out what a move would do, or which rule forbids it, without playing it."""
        return _result(await self._host.explain(seat_key, move))

    async def play(
        self, context: AnyContext, seat_key: SeatKeyText, moves: MoveTexts, version: Version = None
    ) -> Annotated[CallToolResult, Look]:
        """Play a move. Then the bots move, and you see what has happened and whether it is your turn again.

        A turn can have several actions: if it is still your turn afterwards, list_moves shows how it can go on. A move
        that is refused changes nothing.
        """
        return _result(await self._host.play(seat_key, moves, version, _progress(context)))

    async def wait_for_turn(
        self, context: AnyContext, seat_key: SeatKeyText, seconds: Seconds = 30
    ) -> Annotated[CallToolResult, Look]:
        """Wait until it is your turn or the game is over. Use it if other agents play; bots need no waiting."""
        return _result(await self._host.wait(seat_key, seconds, _progress(context)))

    async def ask_bot(self, seat_key: SeatKeyText, bot: BotName = players.STRONGEST) -> Annotated[CallToolResult, Hint]:
        """Ask a bot which move it would choose in your place. It knows only what your seat knows; nothing is played."""
        return _result(await self._host.ask_bot(seat_key, bot))

    async def undo(self, seat_key: SeatKeyText) -> Annotated[CallToolResult, Look]:
        """Undo your last turn and everything since; in practice matches only."""
        return _result(await self._host.undo(seat_key))

    async def get_record(self, seat_key: SeatKeyText) -> Annotated[CallToolResult, Text]:
        """Get the record of the match as text: every move in notation, with ? for what your seat could not see.

        Once the game is over, the record is complete, and `spieltisch show`, `verify` and `play --resume` can read it.
        """
        return _result(await self._host.record(seat_key))
