"""Agents that play through the Model Context Protocol, with the SDK's own client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from random import Random
from typing import Any, TypeAlias

from mcp import Client

from spieltisch.mcp_server.bots import BotPool
from spieltisch.mcp_server.host import MatchHost
from spieltisch.mcp_server.server import GameServer

Answer: TypeAlias = dict[str, Any]


class Refused(Exception):
    """A tool's result was an error: its sentence, its code and its rule."""

    def __init__(self, sentence: str, error: Answer) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.code = error.get("code")
        self.rule = error.get("rule")


class Agent:
    """A client with at most one seat."""

    def __init__(self, client: Client, key: str = "") -> None:
        self.client = client
        self.key = key
        self.text = ""  # of the last result

    async def call(self, tool: str, /, **arguments: object) -> Answer:
        """The structured content of a tool's result; Refused if it is an error."""
        given = {"seat_key": self.key, **arguments} if self.key and tool not in SEATLESS else arguments
        result = await self.client.call_tool(tool, given)
        (content,) = result.content
        self.text = content.text
        if result.is_error:
            raise Refused(content.text, (result.structured_content or {}).get("error", {}))
        assert result.structured_content is not None
        return result.structured_content

    async def open(self, game: str, *seats: str, **arguments: object) -> Answer:
        """Opens a match and takes the first seat that is `you`."""
        seated = await self.call("open_match", game=game, seats=list(seats), **arguments)
        self.key = seated["keys"][0]["seat_key"]
        return seated

    async def join(self, match: str, **arguments: object) -> Answer:
        """Joins a match."""
        seated = await self.call("join_match", match=match, **arguments)
        self.key = seated["keys"][0]["seat_key"]
        return seated

    async def some_move(self, dice: Random) -> str:
        """A random move, found as a model would find it: through headings, if there are any."""
        listed, path = await self.call("list_moves"), []
        while listed["headings"]:
            path.append(dice.choice(listed["headings"])["number"])
            listed = await self.call("list_moves", path=path)
        return str(dice.choice(listed["moves"])["move"])

    async def play_to_the_end(self, dice: Random, waits: bool = False) -> Answer:
        """Plays random moves until the game is over; returns the last look."""
        look = await self.call("look")
        while look["status"] != "over":
            if look["status"] == "waiting":
                assert waits
                look = await self.call("wait_for_turn", seconds=20)
            else:
                look = await self.call("play", moves=await self.some_move(dice), version=look["version"])
        return look


SEATLESS = {"list_games", "read_rules", "open_match", "join_match"}


@asynccontextmanager
async def hosted(bots: BotPool | None = None, language: str = "en") -> AsyncIterator[tuple[MatchHost, Client]]:
    """A host, and a client that is connected to its server in memory."""
    async with MatchHost(bots, language) as host, Client(GameServer(host)) as client:
        yield host, client


def with_agent(scenario: Callable[[Agent], Awaitable[None]]) -> None:
    """Runs a scenario with one agent at a new server."""

    async def run() -> None:
        async with hosted() as (_, client):
            await scenario(Agent(client))

    asyncio.run(run())
