"""The real `spieltisch mcp` in a process of its own, over standard input and output and over HTTP."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import httpx
import pytest
from mcp import Client, StdioServerParameters

from spieltisch.records import read
from tests.mcp_server.agents import Agent, Refused
from tests.support.command import COMMAND, TIMEOUT, environment, run


def test_a_whole_game_is_played_over_standard_input_and_output():
    command = StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], "mcp", "--language", "fr"], env=environment()
    )

    async def scenario() -> None:
        async with Client(command, mode="legacy") as client:  # with the handshake of older clients
            assert client.instructions
            agent = Agent(client)
            await agent.open("bigpoints", "you", "level:1")
            assert "C’est ton tour" in agent.text
            with pytest.raises(Refused, match="list_moves"):
                await agent.call("play", moves="?")
            look = await agent.play_to_the_end(Random(1))
            (record,) = read((await agent.call("get_record"))["text"]).games
            assert record.result == tuple(look["result"]["scores"])

    asyncio.run(scenario())


def test_input_that_is_no_request_does_not_end_the_server():
    deep = '{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": ' + "[" * 100_000
    lines = ["no json", "[]", "{}", deep, '{"jsonrpc": "2.0", "id": 1, "method": "ping"}']
    with subprocess.Popen(
        [*COMMAND, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write("\n".join([*lines, ""]).encode())
        process.stdin.flush()
        assert any(json.loads(line).get("id") == 1 for line in process.stdout)
        process.stdin.close()
        assert process.wait(TIMEOUT) == 0


@contextmanager
def serving() -> Iterator[str]:
    """The address of an HTTP server in a process of its own."""
    with subprocess.Popen(
        [*COMMAND, "mcp", "--http", "0"], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, env=environment()
    ) as process:
        try:
            assert process.stderr
            said = process.stderr.readline().decode()
            (address,) = re.findall(r"http://\S+", said)
            yield address
        finally:
            process.terminate()
            process.wait(TIMEOUT)


def test_agents_with_connections_of_their_own_share_a_match_over_http():
    async def scenario(address: str) -> None:
        async with Client(address) as one, Client(address) as other:
            ada, ibo = Agent(one), Agent(other)
            match = (await ada.open("rondo", "you", "open", names=["Ada"], first=0))["match"]
            await ibo.join(match, language="de")
            assert "wait_for_turn wartet" in ibo.text
            waiting = asyncio.create_task(ibo.call("wait_for_turn", seconds=50))
            await ada.call("play", moves="pass")
            assert (await waiting)["status"] == "your_turn"
            assert "Ada" in ibo.text

    with serving() as address:
        asyncio.run(scenario(address))
        host = address.removeprefix("http://").removesuffix("/mcp")
        for headers in ({"Host": "games.example"}, {"Host": host, "Origin": "http://games.example"}):
            answer = httpx.post(address, headers=headers, json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
            assert answer.status_code in {403, 421}


def test_a_port_that_is_taken_is_refused_with_a_sentence():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = run("mcp", "--http", port)
        assert ended.code == 1
        assert f"127.0.0.1:{port}" in ended.err
        assert ended.err.count("\n") == 1
