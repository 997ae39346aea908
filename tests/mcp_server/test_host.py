"""The match host: limits, failing and slow bots, cancelled requests."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from spieltisch import registry
from spieltisch.core.game import Refusal
from spieltisch.core.player import Seen
from spieltisch.i18n.format import format_message
from spieltisch.i18n.message import message_factory
from spieltisch.mcp_server import host as hosting
from spieltisch.mcp_server.bots import BotPool
from spieltisch.mcp_server.errors import LimitExceeded, UnknownMatch
from spieltisch.mcp_server.host import MatchHost
from spieltisch.mcp_server.match import MatchSettings
from spieltisch.players.failures import PlayerFailed
from tests.mcp_server.agents import Agent, hosted

PEBBLES = registry.find("template")
TRACK = registry.find("bigpoints")  # where a first turn is one move
ALONE = MatchSettings(PEBBLES, ("you", "you"))
AGAINST_A_BOT = MatchSettings(TRACK, ("you", "level:1"), first=0, practice=True, seed=1)


class PausedBots(BotPool):
    """Bots that think for as long as a test wants."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = asyncio.Event()
        self.released = asyncio.Event()

    async def choose(self, game: str, player: str, seed: str, seen: Seen[Any, Any]) -> int:
        self.asked.set()
        await self.released.wait()
        return await super().choose(game, player, seed, seen)


def test_matches_are_limited_and_those_that_nobody_uses_make_room(monkeypatch):
    monkeypatch.setattr(hosting, "MAX_MATCHES", 2)
    now = [0.0]

    async def scenario() -> None:
        async with MatchHost(clock=lambda: now[0]) as host:
            first, second = [(await host.open(ALONE)).keys[0].seat_key for _ in range(2)]
            with pytest.raises(LimitExceeded):
                await host.open(ALONE)
            now[0] = 3000.0
            await host.look(second)
            now[0] = 4000.0
            await host.open(ALONE)
            await host.look(second)
            with pytest.raises(UnknownMatch):
                await host.look(first)

    asyncio.run(scenario())


def test_a_bot_that_fails_is_replaced_and_the_agent_is_told():
    async def scenario() -> None:
        async with MatchHost() as host:
            key = (await host.open(AGAINST_A_BOT)).keys[0].seat_key
            match, _ = host._seats[key]
            match.seats[1].bot = "level:99"
            move = (await host.moves(key)).moves[0].move
            look = await host.play(key, [move])
            assert format_message(message_factory("")("table.failed", name="level:1"), "en") in look.happened
            assert look.seats[1].player == "level:1"
            assert look.status == "your_turn"

    asyncio.run(scenario())


def test_a_bot_that_is_too_slow_is_killed_and_the_match_waits_for_it():
    async def scenario() -> None:
        async with MatchHost(BotPool(seconds=0.0, grace=0.0)) as host:
            with pytest.raises(PlayerFailed, match="level:1"):
                await host.open(MatchSettings(PEBBLES, ("you", "level:1"), first=1))
            key = (await host.open(AGAINST_A_BOT)).keys[0].seat_key
            move = (await host.moves(key)).moves[0].move
            with pytest.raises(PlayerFailed):
                await host.play(key, [move])
            await host._bots.close()
            host._bots = BotPool()
            assert (await host.look(key)).status == "your_turn"

    asyncio.run(scenario())


def test_a_cancelled_request_loses_no_move_and_the_bots_go_on_with_the_next_one():
    async def scenario() -> None:
        bots = PausedBots()
        async with MatchHost(bots) as host:
            key = (await host.open(AGAINST_A_BOT)).keys[0].seat_key
            move = (await host.moves(key)).moves[0].move
            playing = asyncio.create_task(host.play(key, [move]))
            await bots.asked.wait()
            playing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await playing
            bots.released.set()
            look = await host.look(key)
            assert (look.status, len(look.happened)) == ("your_turn", 2)

    asyncio.run(scenario())


def test_a_request_that_is_cancelled_while_a_bot_thinks_does_not_keep_the_next_one_waiting():
    async def scenario() -> None:
        async with MatchHost(BotPool(size=1)) as host:
            tall = MatchSettings(registry.find("turmbauer"), ("you", "level:5"), first=1)
            opening = asyncio.create_task(host.open(tall))
            await asyncio.sleep(0)  # it has started
            opening.cancel()
            with pytest.raises(asyncio.CancelledError):
                await opening
            assert not host._matches
            assert (await host.open(AGAINST_A_BOT)).look.status == "your_turn"

    asyncio.run(scenario())


def test_progress_is_reported_while_bots_think():
    async def scenario() -> None:
        told: list[str | None] = []

        async def heard(done: float, total: float | None, message: str | None) -> None:
            told.append(message)

        async with hosted() as (_, client):
            arguments = {"game": "bigpoints", "seats": ["you", "level:1"], "first": 1}
            await client.call_tool("open_match", arguments, progress_callback=heard)
        assert told == ["level:1 is thinking."]

    asyncio.run(scenario())


def test_waiting_ends_with_the_turn_of_the_other_agent():
    async def scenario() -> None:
        async with hosted() as (_, client):
            ada, ibo = Agent(client), Agent(client)
            await ibo.join((await ada.open("bigpoints", "you", "open", first=0))["match"])
            waiting = asyncio.create_task(ibo.call("wait_for_turn", seconds=50))
            assert (await ada.call("look"))["status"] == "your_turn"
            assert not waiting.done()
            await ada.call("play", moves=(await ada.call("list_moves"))["moves"][0]["move"])
            assert (await waiting)["status"] == "your_turn"
            assert (await ada.call("wait_for_turn", seconds=0))["status"] == "waiting"

    asyncio.run(scenario())


def test_a_refused_opening_leaves_no_match():
    async def scenario() -> None:
        async with MatchHost() as host:
            with pytest.raises(Refusal):
                await host.open(MatchSettings(PEBBLES, ("you",) * 9))
            assert not host._matches
            assert not host._seats

    asyncio.run(scenario())
