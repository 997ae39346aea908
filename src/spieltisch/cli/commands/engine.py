"""spieltisch engine."""

from __future__ import annotations

import sys

import click

from spieltisch.cli.engine import run


@click.command(epilog="""Example: echo '{"id": 1, "do": "games"}' | spieltisch engine""")
def command() -> None:
    """Answer JSON lines: the rules for other programs.

    Reads one JSON object a line on standard input and answers one a line on standard output, until the input ends.
    docs/reference/engine.md lists the requests.
    """
    run(sys.stdin.buffer, sys.stdout)
