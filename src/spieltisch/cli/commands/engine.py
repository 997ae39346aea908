"""The command `spieltisch engine`."""

from __future__ import annotations

import sys

import click

from spieltisch.cli.engine import run


@click.command(epilog="""Example: echo '{"id": 1, "do": "games"}' | spieltisch engine""")
def command() -> None:
    """Serve the rules to other programs as JSON lines.

    Reads one JSON request per line from standard input and writes one JSON response per line to standard output,
    until the input ends. docs/reference/engine.md lists the requests.
    """
    run(sys.stdin.buffer, sys.stdout)
