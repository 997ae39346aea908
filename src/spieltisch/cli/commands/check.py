"""The command `spieltisch check`."""

from __future__ import annotations

import asyncio

import click

from spieltisch.cli.commands.serve import data_option, server_extra, store_errors
from spieltisch.cli.terminal import language_option, progress_bar, say
from spieltisch.i18n.format import format_message


@click.command(epilog="Example: spieltisch check --data tables.sqlite")
@data_option
@click.option("--quiet", "-q", is_flag=True, help="Print errors only.")
@language_option
@click.pass_context
def command(ctx: click.Context, data: str, quiet: bool, language: str) -> None:
    """Check a server's database, also while the server runs.

    Looks for missing and changed events in the log of every table, and replays it through the rules. The exit code is 0
    if everything is in order, else 1.
    """
    with server_extra(language):
        from spieltisch.server.storage.check import check

    async def run() -> tuple[int, int, int]:
        tables = events = damaged = 0
        with progress_bar("check") as advance:
            async for one in check(data):
                tables, events = tables + 1, events + one.events
                advance(tables, one.tables)
                if one.problem is not None:
                    damaged += 1
                    click.echo(f"{one.table}: {format_message(one.problem, language)}", err=True)
        return tables, events, damaged

    with store_errors(data, language, unusable="check.unusable"):
        tables, events, damaged = asyncio.run(run())
    if damaged:
        click.echo(format_message(say("check.damaged", tables=tables, damaged=damaged), language), err=True)
        ctx.exit(1)
    if not quiet:
        click.echo(format_message(say("check.in_order", tables=tables, events=events), language))
