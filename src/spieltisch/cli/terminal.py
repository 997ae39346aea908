"""What all commands share: refusals as sentences, the style, languages, progress, files."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from spieltisch.core.game import Refusal
from spieltisch.core.render import TextStyle
from spieltisch.i18n.format import LANGUAGES, format_message, preferred_language
from spieltisch.i18n.message import message_factory
from spieltisch.records import BadRecord, Record, decode, read

T = TypeVar("T")
say = message_factory("")


def said_before(name: str) -> Any:
    """What was given for a flag before the game's name; None where nothing was."""
    above = click.get_current_context().parent
    return above and above.params.get(name)


def _language() -> str:
    """The language said before the game's name, else the environment's."""
    language: str = said_before("language") or preferred_language()
    return language


def seat_names(players: int, language: str, names: Mapping[int, str] | None = None) -> list[str]:
    """What everybody is called: by name, or by the number of the seat."""
    given = names or {}
    return [given.get(seat) or format_message(say("seat.name", number=seat + 1), language) for seat in range(players)]


language_option = click.option(
    "--language",
    "-l",
    type=click.Choice(LANGUAGES),
    default=_language,
    help="The language of everything said; by default the environment's.",
)


class Refused(click.ClickException):
    """A refusal shown as a sentence; the exit code is 1."""

    def __init__(self, error: Refusal, language: str, place: str = "") -> None:
        super().__init__(f"{place}: {refusal_text(error, language)}" if place else refusal_text(error, language))

    def show(self, file: object = None) -> None:
        click.echo(self.message, err=True)


def refusal_text(error: Refusal, language: str) -> str:
    """The refusal as a sentence that names the rule, if there is one."""
    reason = format_message(error.message, language)
    if error.rule is None:
        return reason
    return format_message(say("refused", rule=error.rule, reason=reason), language)


@contextlib.contextmanager
def refusing(language: str, place: str = "") -> Iterator[None]:
    """Ends the command with a sentence where something inside is refused."""
    try:
        yield
    except Refusal as error:
        raise Refused(error, language, place) from None


def detect_style(language: str) -> TextStyle:
    """The style for this terminal: in colour only on a terminal that has it and where NO_COLOR is not set."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not sys.stdout.isatty()
    return TextStyle(not plain, shutil.get_terminal_size().columns, language)


def read_record(path: str, language: str) -> Record:
    """The record in a file, or on standard input for '-'; a sentence names the file and the line that is wrong."""
    try:
        content = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        return read(decode(content))
    except BadRecord as error:
        raise Refused(error, language, f"{path}:{error.line}") from None
    except OSError as error:
        raise click.ClickException(f"{path}: {error.strerror}.") from None


def write_whole(path: Path, text: str) -> None:
    """Writes a file whole or not at all: readers see the old content or the new, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def progress(things: Iterable[T], label: str, total: int) -> Iterator[T]:
    """The things one by one, with a bar and the time left where somebody watches."""
    if not sys.stderr.isatty() or total < 2:
        yield from things
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield from bar.track(things, total=total, description=label)
