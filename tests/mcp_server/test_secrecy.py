"""A seat never learns more than it may: by any tool, any argument and any refusal."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from mcp import Client

from spieltisch import registry
from spieltisch.core.game import AnyGame, Chance, Decision, Seat
from spieltisch.gameplay.progress import AnyProgress, Progress
from spieltisch.mcp_server.host import MatchHost
from spieltisch.mcp_server.server import GameServer
from spieltisch.records import read
from tests.mcp_server.agents import Agent, Refused, hosted, with_agent

HIDING = [game.name for game in registry.all() if game.hides]
VIEWER = Seat(1)


def some_game(game: AnyGame, dice: Random, moves: int) -> AnyProgress:
    """A game after at least so many random moves, when the viewer has to decide."""
    progress = Progress.start(game, game.agree(3))
    while not (isinstance(pending := progress.pending, Decision) and pending.seat == VIEWER and moves <= 0):
        if isinstance(pending, Chance):
            progress = progress.apply(None, dice.choices(pending.actions, pending.weights)[0])
        else:
            assert isinstance(pending, Decision)
            progress = progress.apply(pending.seat, dice.choice(pending.actions))
            moves -= 1
    return progress


def two_games_that_look_the_same(game: AnyGame, dice: Random, moves: int) -> tuple[AnyProgress, AnyProgress]:
    """Two games of which the viewer has witnessed the same, when the viewer has to decide; hidden things differ."""
    one = two = Progress.start(game, game.agree(3))
    while not (isinstance(one.pending, Decision) and one.pending.seat == VIEWER and moves <= 0):
        seat = one.pending.seat if isinstance(one.pending, Decision) else None
        pairs = [
            (mine, yours)
            for mine in one.pending.actions
            for yours in two.pending.actions
            if (mine == yours if seat == VIEWER else True)
            and game.witness(one.state, mine, VIEWER) == game.witness(two.state, yours, VIEWER)
        ]
        different = [pair for pair in pairs if pair[0] != pair[1]]
        mine, yours = dice.choice(different or pairs)
        one, two = one.apply(seat, mine), two.apply(seat, yours)
        moves -= seat is not None
    assert one.state != two.state
    return one, two


async def everything_told(host: MatchHost, agent: Agent, progress: AnyProgress, tried: set[str]) -> list[object]:
    """What all tools answer at the viewer's seat in this game, refusals included."""
    match, _ = host._seats[agent.key]
    match.referee.progress = progress
    match.notices.clear()  # of the hint that was asked for in the other game
    told: list[object] = []
    calls: list[tuple[str, dict[str, Any]]] = [
        ("look", {}),
        ("look", {"draw": False}),
        ("list_moves", {}),
        ("ask_bot", {"bot": "level:1"}),
        ("get_record", {}),
        ("wait_for_turn", {"seconds": 0}),
        *(("explain_move", {"move": move}) for move in sorted(tried)),
    ]
    explained = []
    for tool, arguments in calls:
        answer = await agent.call(tool, **arguments)
        told += [answer, agent.text]
        explained += [arguments["move"]] if tool == "explain_move" and not answer["possible"] else []
    for move in explained:
        with pytest.raises(Refused) as refused:
            await agent.call("play", moves=move)
        told.append(refused.value.sentence)
    return told


def notations(*games: AnyProgress) -> set[str]:
    """The notation of everything that was ever possible in these games, for anybody."""
    found = {"?", "zz"}
    for progress in games:
        for step in progress.steps:
            pending = progress.game.pending(step.before)
            if isinstance(pending, Decision):
                found |= {progress.game.write(step.before, action) for action in pending.actions}
    return set(sorted(found)[::3]) | {progress.path[-1].entry.text for progress in games}


@pytest.mark.parametrize("name", HIDING)
def test_what_a_seat_cannot_see_changes_nothing_that_it_is_told(name):
    async def scenario() -> None:
        game = registry.find(name)
        async with hosted() as (host, client):
            agent = Agent(client)
            match = (await agent.open(name, "open", "you", "open"))["match"]
            await Agent(client).join(match)
            await Agent(client).join(match)
            for number in range(2):
                real = some_game(game, Random(number), 9 + 4 * number)
                other = game.imagine(game.observe(real.state, VIEWER), Random(number))
                assert other != real.state
                imagined = replace(real, state=other, pending=game.pending(other))
                tried = notations(real)
                told = await everything_told(host, agent, real, tried)
                assert told == await everything_told(host, agent, imagined, tried)

    asyncio.run(scenario())


@pytest.mark.parametrize("name", ["rondo", "template"])
def test_what_a_seat_could_not_witness_changes_nothing_that_it_is_told(name):
    async def scenario() -> None:
        async with hosted() as (host, client):
            agent = Agent(client)
            match = (await agent.open(name, "open", "you", "open"))["match"]
            await Agent(client).join(match)
            await Agent(client).join(match)
            one, two = two_games_that_look_the_same(registry.find(name), Random(1), 6)
            tried = notations(one, two)
            told = await everything_told(host, agent, one, tried)
            assert told == await everything_told(host, agent, two, tried)
            assert "?" in json.dumps(told)

    asyncio.run(scenario())


def test_a_key_opens_its_own_seat_only():
    async def scenario() -> None:
        async with hosted() as (host, client), Client(GameServer(host)) as other:
            ada, ibo = Agent(client), Agent(other)
            opened = await ada.open("rondo", "you", "open", "you", "level:1", first=0)
            await ibo.join(opened["match"])
            keys = [key["seat_key"] for key in opened["keys"]]
            assert [key["seat"] for key in opened["keys"]] == [0, 2]
            assert len({*keys, ibo.key}) == 3
            said = ada.text
            for tool in ("look", "get_record"):
                said += json.dumps(await ibo.call(tool)) + ibo.text
            assert not any(key in said.split("Keep it")[-1] for key in keys)
            for guess in (opened["match"], keys[0][:-1], keys[0] + "x", "0", ""):
                with pytest.raises(Refused, match="No seat has this seat_key"):
                    await ibo.call("look", seat_key=guess)
            with pytest.raises(Refused, match="“viewer”"):
                await ibo.call("look", viewer=0)

    asyncio.run(scenario())


def test_the_record_is_redacted_until_the_game_is_over():
    async def scenario(agent: Agent) -> None:
        await agent.open("rondo", "you", "level:1", practice=True, seed=3, first=0)
        before = read((await agent.call("get_record"))["text"]).games[0]
        assert before.viewer == 0
        assert [entry.text for entry in before.entries].count("?") == 2
        await agent.play_to_the_end(Random(3))
        after = read((await agent.call("get_record"))["text"]).games[0]
        assert after.viewer is None
        assert "?" not in [entry.text for entry in after.entries]

    with_agent(scenario)


def test_in_a_fair_match_chance_cannot_be_foretold_and_nothing_is_undone():
    async def scenario(agent: Agent) -> None:
        with pytest.raises(Refused, match="A seed makes chance predictable") as refused:
            await agent.open("bigpoints", "you", "level:1", seed=1)
        assert refused.value.code == "not-allowed"
        positions = set()
        for _ in range(3):
            opened = await agent.open("bigpoints", "you", "you")
            assert not opened["look"]["practice"]
            positions.add(tuple(opened["look"]["position"]))
        assert len(positions) == 3
        with pytest.raises(Refused, match="practice matches only"):
            await agent.call("undo")

    with_agent(scenario)


def test_a_practice_match_says_so_everywhere_and_nobody_else_can_be_drawn_into_it():
    async def scenario(agent: Agent) -> None:
        with pytest.raises(Refused, match="has no open seats"):
            await agent.open("bigpoints", "you", "open", practice=True)
        first = await agent.open("bigpoints", "you", "you", practice=True, seed=4)
        second = await agent.open("bigpoints", "you", "you", practice=True, seed=4)
        assert first["look"]["position"] == second["look"]["position"]
        look = await agent.call("look")
        assert look["practice"]
        assert "This is a practice match" in look["text"]
        assert re.search(r"^practice$", (await agent.call("get_record"))["text"], re.MULTILINE)

    with_agent(scenario)
