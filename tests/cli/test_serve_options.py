"""The options of `spieltisch serve`: how many workers, under the names of today and of older scripts."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from spieltisch.cli.commands.serve import command
from spieltisch.server import run


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        (["--rules-workers", "3", "--bot-workers", "5"], {}),
        (["--clerks", "3", "--thinkers=5"], {}),
        ([], {"SPIELTISCH_SERVE_RULES_WORKERS": "3", "SPIELTISCH_SERVE_BOT_WORKERS": "5"}),
        ([], {"SPIELTISCH_SERVE_CLERKS": "3", "SPIELTISCH_SERVE_THINKERS": "5"}),
        (["--rules-workers", "3"], {"SPIELTISCH_SERVE_CLERKS": "9", "SPIELTISCH_SERVE_THINKERS": "5"}),
    ],
    ids=["options", "old options", "variables", "old variables", "an option wins"],
)
def test_the_numbers_of_workers_are_accepted_under_new_and_old_names(arguments, environment, monkeypatch, tmp_path):
    served = []
    monkeypatch.setattr(run, "serve", lambda how, ready: served.append(how) or True)
    monkeypatch.setattr("spieltisch.server.ops.logging.configure", lambda level: None)
    ran = CliRunner().invoke(command, ["--data", str(tmp_path / "tables.sqlite"), *arguments], env=environment)
    assert ran.exit_code == 0, ran.output
    assert [(how.rules_workers, how.bot_workers) for how in served] == [(3, 5)]


def test_the_help_text_shows_the_new_names_only():
    text = CliRunner().invoke(command, ["--help"]).output
    assert "--rules-workers" in text
    assert "--bot-workers" in text
    assert "clerks" not in text
    assert "thinkers" not in text
