"""The command `spieltisch verify`."""

from __future__ import annotations

import click

from spieltisch.cli.terminal import CommandRefused, language_option, progress, read_record
from spieltisch.gameplay.verify import Verified, verify
from spieltisch.i18n.format import format_messages
from spieltisch.records import BadRecord


@click.command(epilog="Example: spieltisch verify games/*.game")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option("--quiet", "-q", is_flag=True, help="Print errors only.")
@click.option("--physics", is_flag=True, help="Check recorded verdicts too, such as whether a tower stands.")
@language_option
@click.pass_context
def command(ctx: click.Context, files: tuple[str, ...], quiet: bool, physics: bool, language: str) -> None:
    """Check records against the rules.

    Replays every move, compares every result and total, and recomputes every draw if the record carries the proof of
    fair chance. Errors name the file, the line and the rule; the exit code is 0 if all records are correct, else 1.
    '-' is standard input.
    """
    wrong = 0
    for path in progress(files, "verify", len(files)):
        try:
            found = _verify(path, language, judge=physics)
        except click.ClickException as error:
            error.show()
            wrong += 1
            continue
        if not quiet:
            click.echo(f"{path}: {' '.join(format_messages(found.sentences(), language))}")
    if wrong:
        ctx.exit(1)


def _verify(path: str, language: str, *, judge: bool) -> Verified:
    record = read_record(path, language)
    try:
        return verify(record, judge=judge)
    except BadRecord as error:
        raise CommandRefused(error, language, f"{path}:{error.line}") from None
