"""Terminal input and output that the commands share: errors, text style, language, progress bars, files."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click

from spieltisch.core.game import Refusal
from spieltisch.core.render import TextStyle
from spieltisch.gameplay.errors import format_refusal
from spieltisch.i18n.format import LANGUAGES, preferred_language
from spieltisch.i18n.message import message_factory
from spieltisch.records import BadRecord, Record, decode, read

T = TypeVar("T")
say = message_factory("")


def parent_option(name: str) -> Any:
    """The value of an option that was given before the game's name; None if it was not given."""
    parent = click.get_current_context().parent
    return parent and parent.params.get(name)


def _language() -> str:
    """The language given before the game's name, else the environment's."""
    language: str = parent_option("language") or preferred_language()
    return language


language_option = click.option(
    "--language",
    "-l",
    type=click.Choice(LANGUAGES),
    default=_language,
    show_default="from the environment",
    help="Language of all output.",
)


class CommandRefused(click.ClickException):
    """Ends the command with a refusal, printed as a sentence; the exit code is 1."""

    def __init__(self, error: Refusal, language: str, place: str = "") -> None:
        super().__init__(f"{place}: {format_refusal(error, language)}" if place else format_refusal(error, language))

    def show(self, file: object = None) -> None:
        click.echo(self.message, err=True)


@contextlib.contextmanager
def exit_on_refusal(language: str, place: str = "") -> Iterator[None]:
    """Context manager that turns a refusal into the end of the command."""
    try:
        yield
    except Refusal as error:
        raise CommandRefused(error, language, place) from None


def detect_style(language: str) -> TextStyle:
    """The text style of this terminal: with colours if it is a terminal, not a dumb one, and NO_COLOR is not set."""
    colourless = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not sys.stdout.isatty()
    return TextStyle(not colourless, shutil.get_terminal_size().columns, language)


def read_record(path: str, language: str) -> Record:
    """The record in a file, or on standard input if the path is '-'; errors name the file and the line."""
    try:
        content = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        return read(decode(content))
    except BadRecord as error:
        raise CommandRefused(error, language, f"{path}:{error.line}") from None
    except OSError as error:
        raise click.ClickException(f"{path}: {error.strerror}.") from None


@contextlib.contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar if standard error is a terminal; the function it yields sets what is done, and of how much."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def progress(items: Iterable[T], label: str, total: int) -> Iterator[T]:
    """The items one by one, with a progress bar if standard error is a terminal."""
    if not sys.stderr.isatty() or total < 2:
        yield from items
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield from bar.track(items, total=total, description=label)
