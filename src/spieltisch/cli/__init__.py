"""The command line: `spieltisch play | serve | simulate | arena | dataset | stats | train | verify | check | show | picture | solve | perft | rules | engine | mcp`."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Final

import click

from spieltisch import __version__

COMMANDS: Final = {
    "play": "Play in the terminal, against people and bots.",
    "serve": "Run the server for play in the browser.",
    "rules": "Show the rules of a game.",
    "show": "Show a recorded game.",
    "picture": "Draw a recorded game as SVG, PNG or a film.",
    "verify": "Check records against the rules.",
    "check": "Check a server's database.",
    "simulate": "Play many games between bots.",
    "arena": "Run a tournament between bots and rate them.",
    "dataset": "Write many bot games into one compressed file.",
    "stats": "Measure a game's balance, length and luck.",
    "train": "Train a game's net by self-play.",
    "solve": "Solve the endgame of a recorded game.",
    "perft": "Count the sequences of decisions.",
    "engine": "Serve the rules to other programs as JSON lines.",
    "mcp": "Let language models play, as a Model Context Protocol server.",
}


class Commands(click.Group):
    """Command group that imports each command when it is used, so that `--help` stays fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"spieltisch.cli.commands.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: spieltisch play. The --help of every command has an example.",
)
@click.version_option(__version__, prog_name="spieltisch")
def cli() -> None:
    """Spieltisch, the games table: family board games for people, bots and programs.

    An unofficial adaptation.
    """


def main() -> None:
    """Entry point: every error ends in one sentence and an exit code."""
    _make_streams_safe()
    if "_SPIELTISCH_COMPLETE" in os.environ:
        cli.main(prog_name="spieltisch")  # called by the shell's completion
    code = 0
    try:
        with cli.make_context("spieltisch", sys.argv[1:]) as context:
            cli.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as end:
        code = end.exit_code
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("\nStopped.", err=True)
        code = 130
    except BrokenPipeError:
        _silence()
        code = 141
    except OSError as error:
        _silence()
        click.echo(f"Error: {error.filename or 'the output'}: {error.strerror or error}.", err=True)
        code = 1
    sys.exit(code)


def _make_streams_safe() -> None:
    """Replaces closed streams by the null device, and lets no character fail to be decoded or encoded."""
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - open until the program ends
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)


def _silence() -> None:
    """Redirects standard output to the null device, so that the interpreter's last flush cannot fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
