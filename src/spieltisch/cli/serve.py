"""spieltisch serve."""

from __future__ import annotations

import logging
import os
import socket
import webbrowser
from pathlib import Path

import click
import platformdirs

from spieltisch.cli.terminal import Refused, language_option, say
from spieltisch.game import Refusal
from spieltisch.sentences import render


def _usual_file() -> Path:
    return Path(platformdirs.user_data_dir("spieltisch", appauthor=False)) / "tables.sqlite"


@click.command(
    context_settings={"auto_envvar_prefix": "SPIELTISCH_SERVE"},
    epilog="Example: spieltisch serve --open. Every option can also be given as an environment variable, for instance "
    "SPIELTISCH_SERVE_PORT=8000.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=8650, show_default=True, help="The port; 0 is any.")
@click.option("--lan", is_flag=True, help="Open the table to the local network.")
@click.option("--open", "browser", is_flag=True, help="Open the browser.")
@click.option(
    "--data",
    type=click.Path(path_type=Path, dir_okay=False),
    default=_usual_file,
    show_default="in the user's data folder",
    help="The file that the tables are kept in.",
)
@click.option(
    "--clerks", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes that know the rules."
)
@click.option(
    "--thinkers",
    type=click.IntRange(1, 64),
    default=lambda: max(1, (os.cpu_count() or 2) - 1),
    show_default="one less than processors",
    help="Processes in which bots think.",
)
@language_option
def command(
    host: str, port: int, lan: bool, browser: bool, data: Path, clerks: int, thinkers: int, language: str
) -> None:
    """Set up tables that people play at in the browser, and programs over HTTP.

    Everything is kept in one file: after a restart every game goes on where it was.
    """
    from spieltisch.server.serving import Serving, serve
    from spieltisch.server.store import InUse, Unusable

    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s", level=logging.WARNING)

    def ready(listening: str) -> None:
        here = f"http://{'127.0.0.1' if lan or host == '0.0.0.0' else host}:{listening}/"  # noqa: S104
        click.echo(render(say("serve.here", address=here), language))
        if lan:
            click.echo(render(say("serve.lan", address=f"http://{_address()}:{listening}/"), language))
        click.echo(render(say("serve.end", file=str(data)), language))
        if browser:
            webbrowser.open(here)

    how = Serving(data, "0.0.0.0" if lan else host, port, clerks, thinkers)  # noqa: S104 - asked for by --lan
    try:
        served = serve(how, ready)
    except InUse:
        raise Refused(Refusal(say("serve.in_use", file=str(data))), language) from None
    except Unusable:
        raise Refused(Refusal(say("serve.unusable", file=str(data))), language) from None
    if not served:
        raise Refused(Refusal(say("serve.port", host=how.host, port=port)), language)


def _address() -> str:
    """The address in the local network: the one that would be sent from. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial:
        try:
            trial.connect(("192.0.2.1", 9))
        except OSError:
            return socket.gethostname()
        address: str = trial.getsockname()[0]
        return address
