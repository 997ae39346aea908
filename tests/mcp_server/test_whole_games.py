"""Whole games through the Model Context Protocol, played by the SDK's own client in memory."""

from __future__ import annotations

import asyncio
import re
from random import Random

import pytest
from mcp import Client

from spieltisch import registry
from spieltisch.core.game import Over
from spieltisch.mcp_server.server import GameServer
from spieltisch.records import read
from spieltisch.records.replay import replay
from tests.mcp_server.agents import Agent, Answer, Refused, hosted, with_agent

GAMES = [game.name for game in registry.offered()]


def check_record(text: str, look: Answer) -> None:
    """The record is whole, replays by the rules, and ends as the agent was told."""
    (record,) = read(text).games
    game = registry.find(record.game)
    over = game.for_replay.pending(replay(game, record).state)
    assert isinstance(over, Over)
    assert (list(over.outcome.scores), list(over.outcome.ranks)) == (look["result"]["scores"], look["result"]["ranks"])
    assert record.viewer is None


@pytest.mark.parametrize("game", GAMES)
def test_an_agent_plays_a_whole_game_against_a_bot(game):
    async def scenario(agent: Agent) -> None:
        opened = await agent.open(game, "you", "level:1", practice=True, seed=1, names=["Ada"])
        assert opened["look"]["board"]
        look = await agent.play_to_the_end(Random(2))
        assert look["turn"] is None
        assert look["result"]["explained"][-1] in agent.text
        for tool, arguments in (("list_moves", {}), ("play", {"moves": "?"}), ("ask_bot", {})):
            with pytest.raises(Refused) as refused:
                await agent.call(tool, **arguments)
            assert refused.value.code == "not-pending"
        record = await agent.call("get_record")
        check_record(record["text"], look)
        assert re.search(r"^seat 0 +Ada$", record["text"], re.MULTILINE)
        assert "\npractice\n" in record["text"]

    with_agent(scenario)


def test_two_agents_play_a_whole_game_with_each_other():
    async def scenario() -> None:
        async with hosted() as (host, client), Client(GameServer(host)) as other:
            ada, ibo = Agent(client), Agent(other)
            match = (await ada.open("bigpoints", "you", "open", names=["Ada"], first=1))["match"]
            assert "somebody has to join" in ada.text
            await ibo.join(match, name="Ibo")
            looks = await asyncio.gather(
                ada.play_to_the_end(Random(1), waits=True), ibo.play_to_the_end(Random(2), waits=True)
            )
            assert looks[0]["result"] != looks[1]["result"]  # one reads “you”, the other a name
            assert looks[0]["result"]["scores"] == looks[1]["result"]["scores"]
            assert [seat["player"] for seat in looks[1]["seats"]] == ["agent", "you"]
            check_record((await ibo.call("get_record"))["text"], looks[0])

    asyncio.run(scenario())


def test_one_client_plays_several_seats_with_a_key_for_each():
    async def scenario(agent: Agent) -> None:
        opened = await agent.open("template", "you", "you", first=1)
        first, second = opened["keys"]
        assert (await agent.call("look", seat_key=first["seat_key"]))["status"] == "waiting"
        assert (await agent.call("look", seat_key=second["seat_key"]))["status"] == "your_turn"
        with pytest.raises(Refused, match="wait_for_turn") as refused:
            await agent.call("play", seat_key=first["seat_key"], moves="1")
        assert refused.value.code == "not-pending"

    with_agent(scenario)


def test_what_bots_do_is_told_in_sentences():
    async def scenario(agent: Agent) -> None:
        await agent.open("bigpoints", "you", "level:1", "level:1", practice=True, seed=1, first=0)
        look = await agent.call("play", moves=await agent.some_move(Random(1)))
        assert [line.split()[0] for line in look["happened"]] == ["You", "level:1", "level:1"]
        assert {line.split(" moves")[0] for line in look["happened"][1:]} == {"level:1", "level:1 (2)"}
        assert "- You move" in agent.text

    with_agent(scenario)


def test_a_turn_of_several_actions_is_played_whole_or_not_at_all():
    async def scenario(agent: Agent) -> None:
        opened = await agent.open("turmbauer", "you", "level:1", practice=True, seed=5, first=0)
        stone = (await agent.call("list_moves"))["moves"][0]
        assert not stone["ends_turn"]
        with pytest.raises(Refused, match="list_moves"):
            await agent.call("play", moves=[stone["move"], "nowhere"])
        assert (await agent.call("look"))["version"] == opened["look"]["version"]
        look = await agent.call("play", moves=stone["move"])
        assert look["status"] == "your_turn"
        listed = await agent.call("list_moves")
        assert listed["total"] <= sum(heading["moves"] for heading in listed["headings"])  # some stand below two
        assert listed["moves"] == []
        assert "path=[1]" in agent.text
        place = await agent.some_move(Random(1))
        assert (await agent.call("list_moves", starts_with=place))["moves"][0]["move"] == place
        explained = await agent.call("explain_move", move=place)
        assert explained["possible"]
        assert explained["advice"]

    with_agent(scenario)


def test_in_practice_a_turn_is_undone():
    async def scenario(agent: Agent) -> None:
        opened = await agent.open("bigpoints", "you", "level:1", practice=True, seed=1, first=0)
        before = opened["look"]["position"]
        await agent.call("play", moves=await agent.some_move(Random(1)))
        look = await agent.call("undo")
        assert (look["position"], look["status"]) == (before, "your_turn")
        with pytest.raises(Refused) as refused:
            await agent.call("undo")
        assert refused.value.code == "not-pending"

    with_agent(scenario)


def test_a_bot_gives_a_hint_that_can_be_played():
    async def scenario(agent: Agent) -> None:
        await agent.open("rondo", "you", "level:1", practice=True, seed=1, first=0)
        hint = await agent.call("ask_bot", bot="level:1")
        assert hint["move"] in agent.text
        assert (await agent.call("explain_move", move=hint["move"]))["possible"]
        await agent.call("play", moves=hint["move"])

    with_agent(scenario)


def test_a_hint_says_why_and_other_agents_learn_who_asked():
    async def scenario(agent: Agent) -> None:
        opened = await agent.open("rondo", "you", "you", names=["Ada", "Ibo"], practice=True, seed=1, first=0)
        first, second = (key["seat_key"] for key in opened["keys"])
        for _ in range(2):
            hint = await agent.call("ask_bot", bot="level:4", seat_key=first)
        assert hint["reason"] in agent.text
        assert hint["meaning"] in agent.text
        looked = await agent.call("look", seat_key=second)
        assert looked["happened"].count("Ada asks for a hint.") == 1

    with_agent(scenario)


@pytest.mark.parametrize("language", ["de", "fr"])
def test_a_seat_is_told_everything_in_its_language(language):
    async def scenario(agent: Agent) -> None:
        await agent.open("template", "you", "you", language=language, first=0)
        spoken = agent.text
        with pytest.raises(Refused) as refused:
            await agent.call("play", moves="nonsense")
        words = {"de": ("Du bist dran", "list_moves zeigt"), "fr": ("C’est ton tour", "list_moves montre")}[language]
        assert words[0] in spoken
        assert words[1] in refused.value.sentence

    with_agent(scenario)


def test_rules_are_tools_and_resources_and_a_prompt_says_how_to_play():
    async def scenario(agent: Agent) -> None:
        client = agent.client
        listed = {game["game"]: game for game in (await agent.call("list_games"))["games"]}
        assert list(listed) == GAMES
        assert listed["rondo"]["max_players"] == 4
        page = (await agent.call("read_rules", game="rondo", language="nl"))["text"]
        assert page == registry.rules_page(registry.find("rondo"), "nl")
        assert "R1 " in (await agent.call("read_rules", game="rondo", numbered=True))["text"]
        uris = [str(resource.uri) for resource in (await client.list_resources()).resources]
        assert len(uris) == len(GAMES) * 7
        (content,) = (await client.read_resource("rules://rondo/nl")).contents
        assert content.text == page
        (content,) = (await client.read_resource("rules://turmbauer/numbered")).contents
        assert "## Notation" in content.text
        prompt = await client.get_prompt("play_a_game", {"game": "rondo"})
        assert "open_match" in prompt.messages[0].content.text

    with_agent(scenario)


def test_every_tool_describes_itself_and_its_arguments():
    async def scenario(agent: Agent) -> None:
        tools = (await agent.client.list_tools()).tools
        assert len(tools) == 12
        for tool in tools:
            assert tool.description
            assert tool.output_schema
            for name, schema in tool.input_schema["properties"].items():
                described = "description" in schema or any("description" in one for one in schema.get("anyOf", ()))
                assert described or name in {"draw", "numbered", "edition", "name"}, (tool.name, name)

    with_agent(scenario)
