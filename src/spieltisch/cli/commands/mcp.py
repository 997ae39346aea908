"""The command `spieltisch mcp`."""

from __future__ import annotations

from importlib.util import find_spec

import click

from spieltisch.cli.terminal import exit_on_refusal, language_option, say
from spieltisch.core.game import MissingExtra
from spieltisch.i18n.format import format_message


@click.command(epilog="Example: spieltisch mcp --http 8651")
@click.option("--http", "port", type=click.IntRange(0, 65535), help="Serve over HTTP on this port; 0 takes a free one.")
@language_option
def command(port: int | None, language: str) -> None:
    """Let language models play, as a Model Context Protocol server.

    Serves one client on standard input and output, or, with --http, clients on this computer. It has tools to read
    rules, open matches, look at the table, list and play moves, and ask bots; docs/tutorials/play-with-a-language-model.md
    shows how to connect a client.
    """
    with exit_on_refusal(language):
        if find_spec("mcp") is None:
            raise MissingExtra(say("research.extra", library="mcp", extra="spieltisch-core[mcp]"))
        from spieltisch.mcp_server.run import run_http, run_stdio

        if port is None:
            run_stdio(language)
        else:
            run_http(port, language, lambda address: _announce(address, language))


def _announce(address: str, language: str) -> None:
    click.echo(format_message(say("serve.here", address=address), language), err=True)
