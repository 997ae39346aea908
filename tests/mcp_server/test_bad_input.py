"""Bad input is answered with a sentence, and nothing is lost."""

from __future__ import annotations

from random import Random

import pytest

from tests.mcp_server.agents import Agent, Refused, with_agent

BAD_CALLS = [
    ("open_match", {"game": "chess"}, "unknown-game", "“chess”"),
    ("open_match", {"game": "rondoo"}, "unknown-game", "rondo"),
    ("open_match", {}, "bad-request", "“game”"),
    ("open_match", {"game": 7}, "bad-request", "“game”"),
    ("open_match", {"game": "rondo", "seats": ["level:1", "level:2"]}, "bad-request", "must be “you”"),
    ("open_match", {"game": "rondo", "seats": []}, "bad-request", "“seats” is out of range"),
    ("open_match", {"game": "rondo", "seats": "you"}, "bad-request", "“seats”"),
    ("open_match", {"game": "rondo", "seats": ["you"]}, "bad-setup", "2 to 4"),
    ("open_match", {"game": "rondo", "seats": ["you"] * 21}, "bad-request", "“seats” is too long"),
    ("open_match", {"game": "rondo", "seats": ["you", "program:ls"]}, "bad-request", "“program:ls” cannot take a seat"),
    ("open_match", {"game": "rondo", "seats": ["you", "search:600s"]}, "bad-request", "cannot take a seat"),
    ("open_match", {"game": "rondo", "seats": ["you", "level:9"]}, "bad-request", "There are: you, open, level:1"),
    ("open_match", {"game": "rondo", "names": ["Ada", "Ibo"]}, "bad-request", "2 names for the one seat"),
    ("open_match", {"game": "rondo", "names": ["A;B"]}, "bad-request", "semicolon"),
    ("open_match", {"game": "rondo", "first": 2}, "bad-setup", "0 to 1"),
    ("open_match", {"game": "rondo", "edition": "gold"}, "bad-setup", "“gold”"),
    ("open_match", {"game": "bigpoints", "options": {"hands": "up"}}, "bad-setup", "“up”"),
    ("open_match", {"game": "rondo", "options": {"board": "{}"}}, "bad-setup", None),
    ("open_match", {"game": "rondo", "options": {"board": "[" * 100_000}}, "bad-setup", "“board”"),
    ("open_match", {"game": "rondo", "options": {"board": "x" * 200_000}}, "bad-request", "“options” is too long"),
    ("open_match", {"game": "rondo", "practice": True, "seed": -1}, "bad-request", "“seed” is out of range"),
    ("open_match", {"game": "rondo", "language": "tlh"}, "bad-request", "“tlh”"),
    ("open_match", {"game": "rondo", "sead": 1}, "bad-request", "“sead”"),
    ("join_match", {"match": "nowhere"}, "unknown-match", "There is no match “nowhere”"),
    ("read_rules", {"game": "rondo", "language": "xx"}, "bad-request", "“xx”"),
    ("read_rules", {"game": "../rondo"}, "unknown-game", None),
    ("look", {}, "bad-request", "“seat_key”"),
    ("look", {"seat_key": None}, "bad-request", "“seat_key”"),
    ("look", {"seat_key": "x"}, "unknown-match", "No seat has this seat_key"),
    ("look", {"seat_key": "x" * 1_000_000}, "bad-request", "“seat_key” is too long"),
]
BAD_TURNS = [
    ("play", {"moves": "zz"}, "bad-notation", None, "“zz”"),
    ("play", {"moves": "b^"}, "illegal-action", "R5", "R5"),
    ("play", {"moves": []}, "bad-request", None, "“moves” is out of range"),
    ("play", {"moves": 3}, "bad-request", None, "“moves”"),
    ("play", {"moves": ["b+", 3]}, "bad-request", None, "“moves.1”"),
    ("play", {"moves": "b" * 1_000}, "bad-request", None, "too long"),
    ("play", {"moves": "\x00\u202e"}, "bad-notation", None, "list_moves"),
    ("play", {"moves": ["b+", "b+"]}, "not-pending", None, "turn"),
    ("play", {"moves": "b+", "version": 1}, "stale", None, "1"),
    ("play", {"moves": "b+", "seat": 1}, "bad-request", None, "“seat”"),
    ("list_moves", {"starts_with": "zz"}, "bad-request", None, "starts with “zz”"),
    ("list_moves", {"path": [1]}, "bad-request", None, "no heading is left"),
    ("list_moves", {"page": 2}, "bad-request", None, "no page 2"),
    ("list_moves", {"page": 0}, "bad-request", None, "“page” is out of range"),
    ("ask_bot", {"bot": "level:9"}, "bad-request", None, "“level:9”"),
    ("ask_bot", {"bot": "search:600s"}, "bad-request", None, "“search:600s”"),
    ("wait_for_turn", {"seconds": 1e9}, "bad-request", None, "“seconds” is out of range"),
    ("undo", {}, "not-pending", None, ""),
]


def test_a_bad_call_is_answered_with_a_sentence():
    async def scenario(agent: Agent) -> None:
        for tool, arguments, code, said in BAD_CALLS:
            with pytest.raises(Refused) as refused:
                await agent.call(tool, **arguments)
            assert refused.value.code == code, (tool, str(arguments)[:80], refused.value.sentence)
            assert said is None or said in refused.value.sentence
            assert refused.value.sentence.endswith((".", "?"))
            assert len(refused.value.sentence) < 400

    with_agent(scenario)


def test_a_bad_turn_is_refused_with_its_rule_and_changes_nothing():
    async def scenario(agent: Agent) -> None:
        opened = await agent.open("bigpoints", "you", "level:1", practice=True, seed=1, first=0)
        for tool, arguments, code, rule, said in BAD_TURNS:
            with pytest.raises(Refused) as refused:
                await agent.call(tool, **arguments)
            assert (refused.value.code, refused.value.rule) == (code, rule), refused.value.sentence
            assert said in refused.value.sentence
        explained = await agent.call("explain_move", move="b^")
        assert (explained["possible"], explained["rule"]) == (False, "R5")
        look = await agent.call("look")
        assert look == opened["look"] | {"text": look["text"], "happened": look["happened"]}

    with_agent(scenario)


def test_a_seat_is_taken_once():
    async def scenario(agent: Agent) -> None:
        match = (await agent.open("template", "you", "open", names=["Ada"]))["match"]
        other = Agent(agent.client)
        for name, said in (("Ada", "Ada"), ("x" * 41, "40"), ("a\nb", "40")):
            with pytest.raises(Refused, match=said):
                await other.join(match, name=name)
        await other.join(match)
        with pytest.raises(Refused, match="seat"):
            await Agent(agent.client).join(match)

    with_agent(scenario)


def test_an_unknown_tool_and_an_unknown_page_are_refused():
    async def scenario(agent: Agent) -> None:
        with pytest.raises(Refused, match="Unknown tool"):
            await agent.call("cheat")
        with pytest.raises(Exception, match="rules://chess/en"):
            await agent.client.read_resource("rules://chess/en")
        with pytest.raises(Exception, match="chess"):
            await agent.client.get_prompt("play_a_game", {"game": "chess"})

    with_agent(scenario)


def junk(dice: Random, depth: int = 0) -> object:
    """A random JSON value, some of them nearly right."""
    kinds = [
        lambda: None,
        lambda: dice.choice([True, False]),
        lambda: dice.choice([0, 1, -1, 2**70, 1.5, float("nan")]),
        lambda: dice.choice(["", "you", "rondo", "level:1", "b+", "en", "[1]", '{"board": {}}', "\ud800", "x" * 300]),
        lambda: [junk(dice, depth + 1) for _ in range(dice.randrange(3))] if depth < 3 else [],
        lambda: {dice.choice(["board", "hands", ""]): junk(dice, depth + 1)} if depth < 3 else {},
    ]
    return dice.choice(kinds)()


def test_whatever_the_arguments_are_no_tool_crashes():
    async def scenario(agent: Agent) -> None:
        dice = Random(1)
        tools = (await agent.client.list_tools()).tools
        await agent.open("bigpoints", "you", "you", practice=True, seed=1, first=0)
        for tool in tools:
            names = sorted(set(tool.input_schema["properties"]) - {"seat_key"})
            for _ in range(10 if names else 1):
                given = {name: junk(dice) for name in names if dice.random() < 0.7}
                result = await agent.client.call_tool(
                    tool.name,
                    {"seat_key": agent.key, **given} if "seat_key" in tool.input_schema["properties"] else given,
                )
                assert result.structured_content, (tool.name, given, result.content)
                assert not result.is_error or len(result.content[0].text) < 400

    with_agent(scenario)


def test_a_value_that_is_nested_too_deeply_is_refused():
    async def scenario(agent: Agent) -> None:
        deep: object = 1
        for _ in range(200):
            deep = [deep]
        with pytest.raises(Refused) as refused:
            await agent.call("open_match", game="rondo", options={"board": deep})
        assert refused.value.code in {"bad-request", "bad-setup"}

    with_agent(scenario)
