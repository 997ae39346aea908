"""MCP server over a match host: tools, rules as resources, a prompt; every refusal becomes a sentence."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.prompts import Prompt
from mcp.server.mcpserver.resources import FunctionResource
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, CallToolResult, InputRequiredResult, TextContent, ToolAnnotations
from pydantic import ValidationError

from spieltisch import __version__, players, registry
from spieltisch.core.game import BadNotation, IllegalAction, Refusal
from spieltisch.gameplay.errors import NotPending, format_refusal
from spieltisch.i18n.format import LANGUAGES, format_message
from spieltisch.i18n.message import message_factory
from spieltisch.mcp_server.arguments import check_names, refusal_of
from spieltisch.mcp_server.host import MatchHost
from spieltisch.mcp_server.tools import Tools

_say = message_factory("")
_INSTRUCTIONS: Final = (
    "Board games with exact rules. list_games shows the games, read_rules explains one, open_match opens a match and "
    "gives you the secret seat_key of your seat. Then repeat: look at the table, list_moves, play a move in notation. "
    "Bots move by themselves; wait_for_turn waits for other agents. Hidden information of other seats stays hidden."
)
_LOOKING: Final = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_ACTING: Final = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)


class GameServer(MCPServer[Any]):
    """MCP server whose tools refuse in sentences, with a code for programs and the number of the rule."""

    def __init__(self, host: MatchHost) -> None:
        super().__init__(
            "spieltisch",
            title="Spieltisch",
            description="Family board games for language models and other agents",
            instructions=_INSTRUCTIONS,
            version=__version__,
            log_level="WARNING",
        )
        self._host = host
        self._parameters: dict[str, frozenset[str]] = {}  # the arguments of every tool
        tools = Tools(host)
        for looking in (
            tools.list_games,
            tools.read_rules,
            tools.look,
            tools.list_moves,
            tools.explain_move,
            tools.wait_for_turn,
            tools.ask_bot,
            tools.get_record,
        ):
            self._add(looking, _LOOKING)
        for acting in (tools.open_match, tools.join_match, tools.play, tools.undo):
            self._add(acting, _ACTING)
        self._add_rules()
        self.add_prompt(Prompt.from_function(play_a_game, title="Play a game"))

    def _add(self, tool: Callable[..., Any], annotations: ToolAnnotations) -> None:
        self.add_tool(tool, annotations=annotations, structured_output=True)
        self._parameters[tool.__name__] = frozenset(inspect.signature(tool).parameters) - {"context"}

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Calls a tool; a refusal, or arguments that do not fit, give a result that is an error with a sentence."""
        try:
            if name in self._parameters:
                check_names(name, arguments, self._parameters[name])
            return await super().call_tool(name, arguments, context)
        except Refusal as error:
            return self._refused(error, arguments)
        except ToolError as error:
            match error.__cause__:
                case Refusal() as refusal:
                    return self._refused(refusal, arguments)
                case ValidationError() as invalid:
                    return self._refused(refusal_of(invalid), arguments)
            raise

    def _refused(self, error: Refusal, arguments: dict[str, Any]) -> CallToolResult:
        language = self._host.language_of(arguments.get("seat_key"))
        sentence = format_refusal(error, language)
        if advice := _advice(error):
            sentence += " " + format_message(_say(advice), language)
        return CallToolResult(
            content=[TextContent(type="text", text=sentence)],
            structured_content={"error": {"code": error.code, "rule": error.rule, "message": sentence}},
            is_error=True,
        )

    def _add_rules(self) -> None:
        for game in registry.offered():
            for language in LANGUAGES:
                self._add_page(game.name, language, f"{game.title}: the rules ({language})")
            self._add_page(game.name, "numbered", f"{game.title}: the numbered rules and the notation of moves")

    def _add_page(self, game: str, page: str, title: str) -> None:
        def read() -> str:
            numbered = page == "numbered"
            return self._host.rules(game, "en" if numbered else page, numbered=numbered).text

        resource = FunctionResource.from_function(
            read, f"rules://{game}/{page}", name=f"{game}-{page}", title=title, mime_type="text/markdown"
        )
        self.add_resource(resource)


def _advice(error: Refusal) -> str | None:
    """The message that says what to do instead."""
    if isinstance(error, BadNotation | IllegalAction):
        return "mcp.try_moves"
    if isinstance(error, NotPending) and error.message.key == "turn.other":
        return "mcp.try_wait"
    return None


def play_a_game(game: str, opponent: str = players.DEFAULT, language: str = "en") -> str:
    """Play a whole game against a bot and comment on it."""
    try:
        title = registry.find(game).title
    except Refusal as error:
        raise MCPError(INVALID_PARAMS, format_refusal(error, "en")) from None
    return (
        f"Play a game of {title} against the bot {opponent}, in the language {language}. Read the rules with read_rules "
        f'(game "{game}"), then open a match with open_match (seats "you" and "{opponent}"). In every turn look at the '
        "table, list your moves, think about what the others may do, and play the best move. Say in one sentence why "
        "you chose it. When the game is over, tell me the result and what decided it."
    )
