"""The command line: `spieltisch play | serve | simulate | arena | stats | verify | show | solve | perft | rules | engine`."""

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
    "play": "Play a game in the terminal, with people and bots.",
    "serve": "Set up tables for the browser.",
    "rules": "Read the rules of a game.",
    "show": "Watch a recorded game.",
    "verify": "Check records against the rules.",
    "simulate": "Let bots play many games.",
    "arena": "Let bots compete, and tell who is better.",
    "stats": "Tell what a game is like: who begins well, how much is luck.",
    "solve": "Solve the end of a recorded game.",
    "perft": "Count decision sequences.",
    "engine": "Answer JSON lines: the rules for other programs.",
}


class Commands(click.Group):
    """The commands, each loaded only when it is used: `--help` must not wait for them."""

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
    epilog="Example: spieltisch play — then choose a game. Every command has --help with an example.",
)
@click.version_option(__version__, prog_name="spieltisch")
def cli() -> None:
    """Spieltisch, the games table: family board games for people, bots and programs.

    An unofficial adaptation.
    """


def main() -> None:
    """Runs the command line; whatever goes wrong ends in a sentence and an exit code."""
    _make_streams_safe()
    if "_SPIELTISCH_COMPLETE" in os.environ:
        cli.main(prog_name="spieltisch")  # the shell asks for completions
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
    """Closed streams lead nowhere, and no letter, typed or printed, is too strange for them."""
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - it lives as long as the program
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)


def _silence() -> None:
    """Points the output nowhere, so that the interpreter's last flush cannot fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
