"""The command `spieltisch serve`."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import webbrowser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import click
import platformdirs

from spieltisch.cli.terminal import CommandRefused, language_option, say
from spieltisch.core.game import MissingExtra, Refusal
from spieltisch.i18n.format import format_message
from spieltisch.i18n.message import Message

_OLD_NAMES: Final = {"clerks": "rules-workers", "thinkers": "bot-workers"}  # still accepted: hosts' scripts use them


def _default_file() -> Path:
    return Path(platformdirs.user_data_dir("spieltisch", appauthor=False)) / "tables.sqlite"


def _limit(name: str, default: int, about: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """An option that sets a rate limit per client address."""
    return click.option(
        f"--{name}",
        type=click.IntRange(0),
        default=default,
        show_default=True,
        help=f"Limit of {name} {about}, per client address; 0 for no limit.",
    )


def _retention(name: str, default: int, about: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """An option that says how long tables are kept, or how many."""
    return click.option(
        f"--{name}", type=click.IntRange(0), default=default, show_default=True, help=f"{about}; 0 for no limit."
    )


def hide_password(data: str) -> str:
    """The database's file or URL without its password."""
    return re.sub(r"(://[^/@:]*):[^@/]*@", r"\1:…@", data)


data_option: Final = click.option(
    "--data",
    metavar="FILE",
    default=lambda: str(_default_file()),
    show_default="in the user's data folder",
    help="Database: a file, or postgresql://… for several servers on one database.",
)


@contextlib.contextmanager
def server_extra(language: str) -> Iterator[None]:
    """Context manager that ends the command with a sentence if the server is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("spieltisch"):
            raise
        raise CommandRefused(MissingExtra(say("serve.extra", extra="spieltisch-core[serve]")), language) from None


@contextlib.contextmanager
def store_errors(data: str, language: str, unusable: str = "serve.unusable") -> Iterator[None]:
    """Context manager that ends the command with a sentence if the database cannot be used."""
    from spieltisch.server.storage import errors

    shown = hide_password(data)
    reasons: dict[type[Exception], Message] = {
        errors.StoreInUse: say("serve.in_use", file=shown),
        errors.StoreUnusable: say(unusable, file=shown),
        errors.UnknownStore: say("serve.unknown_store", given=shown),
        errors.StoreUnavailable: say("serve.away" if "://" in data else unusable, file=shown),
        errors.StoreFull: say("serve.full", file=shown),
        errors.SchemaTooNew: say("serve.newer", file=shown),
    }
    try:
        yield
    except tuple(reasons) as error:
        raise CommandRefused(Refusal(reasons[type(error)]), language) from None
    except ModuleNotFoundError as error:
        if error.name != "asyncpg":
            raise
        raise CommandRefused(Refusal(say("serve.postgres")), language) from None


@click.command(
    context_settings={
        "auto_envvar_prefix": "SPIELTISCH_SERVE",
        "token_normalize_func": lambda name: _OLD_NAMES.get(name, name),
    },
    epilog="Example: spieltisch serve --open. Every option can also be set by an environment variable, such as "
    "SPIELTISCH_SERVE_PORT=8000.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8650,
    show_default=True,
    help="Port to listen on; 0 for any free port.",
)
@click.option("--lan", is_flag=True, help="Listen on the local network, so that phones can join.")
@click.option("--open", "browser", is_flag=True, help="Open the home page in the browser.")
@data_option
@click.option(
    "--rules-workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    envvar=["SPIELTISCH_SERVE_RULES_WORKERS", "SPIELTISCH_SERVE_CLERKS"],
    help="Worker processes for the rules.",
)
@click.option(
    "--bot-workers",
    type=click.IntRange(1, 64),
    default=lambda: max(2, (os.cpu_count() or 2) - 1),
    show_default="one fewer than processors, but at least 2",
    envvar=["SPIELTISCH_SERVE_BOT_WORKERS", "SPIELTISCH_SERVE_THINKERS"],
    help="Worker processes for the bots; one address uses all but one of them at a time.",
)
@click.option(
    "--rules-memory",
    type=click.IntRange(256),
    default=2048,
    show_default=True,
    metavar="MIB",
    help="Memory of each worker process for the rules, in MiB.",
)
@click.option(
    "--proxies",
    default="",
    metavar="ADDRESSES",
    help="Addresses of reverse proxies whose X-Forwarded headers are trusted, separated by commas.",
)
@click.option(
    "--hosts",
    default="",
    metavar="NAMES",
    help="Names under which the server is addressed besides this machine's own, separated by commas; * for any name, "
    "which is the default behind --proxies.",
)
@_limit("requests", 50, "per second")
@_limit("tables", 60, "opened per hour")
@_limit("daily-tables", 300, "opened per day")
@_limit("replays", 30, "per minute")
@_limit("streams", 60, "open at once")
@_limit("hints", 2, "computed at once")
@_limit("pending", 24, "questions for worker processes")
@_retention("keep-ended", 0, "Days for which a table is kept after its match is over")
@_retention("keep-idle", 0, "Days for which any other table is kept after its last move")
@_retention("max-tables", 100_000, "Number of tables above which no new one is opened")
@_retention("max-size", 4_000, "Size of the database in megabytes above which no new table is opened")
@click.option(
    "--log",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="warning",
    show_default=True,
    help="Lowest level of the log, which is JSON on standard error.",
)
@language_option
def command(
    host: str,
    port: int,
    lan: bool,
    browser: bool,
    data: str,
    rules_workers: int,
    bot_workers: int,
    rules_memory: int,
    proxies: str,
    hosts: str,
    keep_ended: int,
    keep_idle: int,
    max_tables: int,
    max_size: int,
    log: str,
    language: str,
    **limits: int,
) -> None:
    """Run the server, for people in the browser and programs over HTTP.

    Everything is stored in one database: after a restart every game continues where it stopped.
    """
    with server_extra(language):
        from spieltisch.server.http.limits import RateLimits
        from spieltisch.server.ops import logging
        from spieltisch.server.run import ServerConfig, serve
        from spieltisch.server.runtime.retention import Retention

    logging.configure(log)
    shown = hide_password(data)
    near = _address() if lan else None

    def ready(listening: str) -> None:
        here = f"http://{'127.0.0.1' if lan or host == '0.0.0.0' else host}:{listening}/"  # noqa: S104
        click.echo(format_message(say("serve.here", address=here), language))
        if near:
            click.echo(format_message(say("serve.lan", address=f"http://{near}:{listening}/"), language))
        click.echo(format_message(say("serve.end", file=shown), language))
        if browser:
            webbrowser.open(here)

    address = "0.0.0.0" if lan else host  # noqa: S104 - asked for by --lan
    named = hosts or ("*" if proxies else host)  # a proxy forwards only the names that it was set up for
    retention = Retention(keep_ended, keep_idle, max_tables, max_size)
    config = ServerConfig(
        data,
        address,
        port,
        rules_workers,
        bot_workers,
        rules_memory,
        RateLimits(**limits),
        proxies,
        retention,
        named,
        near,
    )
    with store_errors(data, language):
        served = serve(config, ready)
    if not served:
        raise CommandRefused(Refusal(say("serve.port", host=config.host, port=port)), language)


def _address() -> str:
    """The machine's address on the local network: the source address of a packet, though none is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial:
        try:
            trial.connect(("192.0.2.1", 9))
        except OSError:
            return socket.gethostname()
        address: str = trial.getsockname()[0]
        return address
