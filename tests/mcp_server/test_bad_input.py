"""Bad input is answered with a sentence, and nothing is lost."""

from __future__ import annotations

import pytest

from tests.mcp_server.agents import Agent, Refused, with_agent

BAD_CALLS = [
    ("open_match", {"game": "chess"}, "unknown-game", "There is no game “chess”"),
    ("open_match", {"game": "rondoo"}, "unknown-game", "Did you mean rondo?"),
    ("open_match", {}, "bad-request", "“game” is missing"),
    ("open_match", {"game": 7}, "bad-request", "“game” has a value of the wrong kind"),
    ("open_match", {"game": "rondo", "seats": ["level:1", "level:2"]}, "bad-request", "must be “you”"),
    ("open_match", {"game": "rondo", "seats": []}, "bad-request", "“seats” is out of range"),
    ("open_match", {"game": "rondo", "seats": "you"}, "bad-request", "“seats” has a value of the wrong kind"),
    ("open_match", {"game": "rondo", "seats": ["you"]}, "bad-setup", "for 2 to 4 players, not for 1"),
    ("open_match", {"game": "rondo", "seats": ["you"] * 21}, "bad-request", "“seats” is too long"),
    ("open_match", {"game": "rondo", "seats": ["you", "program:ls"]}, "bad-request", "“program:ls” cannot take a seat"),
    ("open_match", {"game": "rondo", "seats": ["you", "search:600s"]}, "bad-request", "cannot take a seat"),
    ("open_match", {"game": "rondo", "seats": ["you", "level:9"]}, "bad-request", "There are: you, open, level:1"),
    ("open_match", {"game": "rondo", "names": ["Ada", "Ibo"]}, "bad-request", "2 names for one seat"),
    ("open_match", {"game": "rondo", "names": ["A;B"]}, "bad-request", "without semicolons"),
    ("open_match", {"game": "rondo", "first": 2}, "bad-setup", "a seat from 0 to 1, not 2"),
    ("open_match", {"game": "rondo", "edition": "gold"}, "bad-setup", "no edition “gold”"),
    ("open_match", {"game": "bigpoints", "options": {"hands": "up"}}, "bad-setup", "It is not “up”"),
    ("open_match", {"game": "rondo", "options": {"board": "{}"}}, "bad-setup", None),
    ("open_match", {"game": "rondo", "options": {"board": "x" * 200_000}}, "bad-request", "“options” is too long"),
    ("open_match", {"game": "rondo", "practice": True, "seed": -1}, "bad-request", "“seed” is out of range"),
    ("open_match", {"game": "rondo", "language": "tlh"}, "bad-request", "“tlh” is not spoken here"),
    ("open_match", {"game": "rondo", "sead": 1}, "bad-request", "“open_match” knows no “sead”"),
    ("join_match", {"match": "nowhere"}, "unknown-match", "There is no match “nowhere”"),
    ("read_rules", {"game": "rondo", "language": "xx"}, "bad-request", "“xx” is not spoken here"),
    ("read_rules", {"game": "../rondo"}, "unknown-game", None),
    ("look", {}, "bad-request", "“seat_key” is missing"),
    ("look", {"seat_key": None}, "bad-request", "wrong kind"),
    ("look", {"seat_key": "x"}, "unknown-match", "No seat has this seat_key"),
    ("look", {"seat_key": "x" * 1_000_000}, "bad-request", "“seat_key” is too long"),
]
BAD_TURNS = [
    ("play", {"moves": "zz"}, "bad-notation", None, "“zz” is no move"),
    ("play", {"moves": "b^"}, "illegal-action", "R5", "Not possible, rule R5"),
    ("play", {"moves": []}, "bad-request", None, "“moves” is out of range"),
    ("play", {"moves": 3}, "bad-request", None, "wrong kind"),
    ("play", {"moves": ["b+", 3]}, "bad-request", None, "“moves.1” has a value of the wrong kind"),
    ("play", {"moves": "b" * 1_000}, "bad-request", None, "too long"),
    ("play", {"moves": "\x00\u202e"}, "bad-notation", None, "is no move"),
    ("play", {"moves": ["b+", "b+"]}, "not-pending", None, "The turn is over before the draft is"),
    ("play", {"moves": "b+", "version": 1}, "stale", None, "meant for version 1"),
    ("play", {"moves": "b+", "seat": 1}, "bad-request", None, "“play” knows no “seat”"),
    ("list_moves", {"starts_with": "zz"}, "bad-request", None, "starts with “zz”"),
    ("list_moves", {"path": [1]}, "bad-request", None, "no heading is left"),
    ("list_moves", {"page": 2}, "bad-request", None, "no page 2"),
    ("list_moves", {"page": 0}, "bad-request", None, "“page” is out of range"),
    ("ask_bot", {"bot": "level:9"}, "bad-request", None, "“level:9” is no level"),
    ("ask_bot", {"bot": "search:600s"}, "bad-request", None, "There is no player"),
    ("wait_for_turn", {"seconds": 1e9}, "bad-request", None, "“seconds” is out of range"),
    ("undo", {}, "not-pending", None, "nothing to take back"),
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
        for name, said in (("Ada", "somebody else"), ("x" * 41, "1 to 40 characters"), ("a\nb", "control")):
            with pytest.raises(Refused, match=said):
                await other.join(match, name=name)
        await other.join(match)
        with pytest.raises(Refused, match="No seat is free"):
            await Agent(agent.client).join(match)

    with_agent(scenario)


def test_an_unknown_tool_and_an_unknown_page_are_refused():
    async def scenario(agent: Agent) -> None:
        with pytest.raises(Refused, match="Unknown tool"):
            await agent.call("cheat")
        with pytest.raises(Exception, match="rules://chess/en"):
            await agent.client.read_resource("rules://chess/en")
        with pytest.raises(Exception, match="There is no game"):
            await agent.client.get_prompt("play_a_game", {"game": "chess"})

    with_agent(scenario)
