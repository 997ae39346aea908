"""Hosting: backups made during play are complete, and the example files name options that exist."""

from __future__ import annotations

import configparser
import contextlib
import re
import shlex
import shutil
import sqlite3
import subprocess
import threading
import tomllib
from pathlib import Path

import pytest
import yaml

from spieltisch.cli.commands.serve import command
from tests.support.command import CommandResult, run
from tests.support.server import Person, Server
from tests.support.storage.postgres import PostgresServer, postgres

ROOT = Path(__file__).parents[2]
HOSTING = ROOT / "examples" / "hosting"
TUTORIAL = (ROOT / "docs" / "tutorials" / "host-for-many.md").read_text(encoding="utf-8")
FILES = sorted(path for path in HOSTING.iterdir() if path.is_file())


# backup and restore


def copy_file(server: Server, folder: Path) -> Server:
    """A server on a backup of a file, made by SQLite in both possible ways."""
    whole, packed = folder / "backup.sqlite", folder / "copy" / "tables.sqlite"
    packed.parent.mkdir()
    with contextlib.closing(sqlite3.connect(server.file)) as source:
        with contextlib.closing(sqlite3.connect(whole)) as copy:
            source.backup(copy)
        source.execute("VACUUM INTO ?", [str(packed)])
    with contextlib.closing(sqlite3.connect(whole)) as earlier, contextlib.closing(sqlite3.connect(packed)) as later:
        assert earlier.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        lines = 'SELECT "table", number, line FROM log'
        assert set(earlier.execute(lines)) <= set(later.execute(lines))
    return Server(packed.parent)


def copy_database(server: Server, folder: Path) -> Server:
    """A server on a backup of a database, made and restored with the tutorial's commands."""
    commands = [line for line in TUTORIAL.splitlines() if line.startswith(("pg_dump ", "pg_restore "))]
    assert [line.split()[0] for line in commands] == ["pg_dump", "pg_restore"]
    where = {"SPIELTISCH_SERVE_DATA": str(server.file), "RESTORED": postgres().create_database()}
    for line in commands:
        postgres().shell(line, folder, where)
    return PostgresServer(where["RESTORED"])


@pytest.mark.parametrize("kind", ["file", "postgres"])
def test_a_backup_made_during_play_has_every_acknowledged_move_and_can_be_played_on(kind, tmp_path):
    servers = [Server(tmp_path) if kind == "file" else PostgresServer(postgres().create_database())]
    try:
        table = Person(servers[0]).open_table("bigpoints", "Ada", "level:1", games=1)
        table.play(0, steps=2)
        before = table.events()["events"]
        ending = threading.Event()
        playing = threading.Thread(target=keep_writing, args=(servers[0], ending))
        playing.start()
        try:
            servers.append((copy_file if kind == "file" else copy_database)(servers[0], tmp_path))
        finally:
            ending.set()
            playing.join()
        assert servers[0].stop() == 0
        there = Person(servers[1], table.person.secret).at(table.table)
        assert there.events()["events"][: len(before)] == before
        assert there.play(0)["table"]["status"] == "over"
        (tmp_path / "copy.game").write_text(there.record(), encoding="utf-8")
        assert run("verify", "--quiet", tmp_path / "copy.game") == CommandResult(0, "", "")
    finally:
        for server in servers:
            if server.process.poll() is None:
                assert server.stop() == 0


def keep_writing(server: Server, ending: threading.Event) -> None:
    """Plays one game after another, so that there is always something to write."""
    while not ending.is_set():
        Person(server).open_table("template", "Ada", "level:1", games=1).play(0)


# the example files


def options() -> set[str]:
    return {name for option in command.params for name in option.opts if name.startswith("--")}


def variables() -> set[str]:
    return {f"SPIELTISCH_SERVE_{str(option.name).upper()}" for option in command.params} | {"SPIELTISCH_LANGUAGE"}


@pytest.mark.parametrize("path", [*FILES, ROOT / "docs" / "tutorials" / "host-for-many.md"], ids=lambda path: path.name)
def test_every_option_and_variable_of_the_server_in_the_examples_exists(path):
    text = path.read_text(encoding="utf-8")
    flags = [flag for line in re.findall(r"\bserve (.*)", text) for flag in re.findall(r"(?<!\S)--[a-z-]+", line)]
    assert set(flags) <= options()
    assert set(re.findall(r"\bSPIELTISCH_[A-Z_]+", text)) <= variables()


def test_the_tutorials_name_every_example_and_every_option():
    for path in FILES:
        assert path.name == "Dockerfile" or f"(../../examples/hosting/{path.name})" in TUTORIAL
    evening = (ROOT / "docs" / "tutorials" / "host-an-evening.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `(--[a-z-]+)", evening, re.MULTILINE))
    assert listed == options()
    assert set(re.findall(r"`(SPIELTISCH_[A-Z_]+)`", evening)) == variables() - {"SPIELTISCH_SERVE_LANGUAGE"}


@pytest.mark.parametrize("name", ["spieltisch.service", "spieltisch@.service"])
def test_the_systemd_units_are_valid(name, tmp_path):
    unit = configparser.ConfigParser(strict=True, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment]
    unit.read(HOSTING / name)
    assert unit.sections() == ["Unit", "Service", "Install"]
    service = unit["Service"]
    program, *words = shlex.split(service["ExecStart"])
    assert (program, words[0]) == ("/opt/spieltisch/bin/spieltisch", "serve")
    parsed = command.make_context("serve", [word.replace("%i", "8651") for word in words[1:]]).params
    assert parsed["proxies"] == "127.0.0.1"
    assert parsed["host"] == "127.0.0.1"
    assert (service["User"], service["KillMode"], service["Restart"]) == ("spieltisch", "mixed", "on-failure")
    if shutil.which("systemd-analyze"):
        text = (HOSTING / name).read_text(encoding="utf-8").replace(program, "/bin/true")
        (tmp_path / name).write_text(text, encoding="utf-8")
        verified = subprocess.run(["systemd-analyze", "verify", tmp_path / name], capture_output=True, check=False)
        assert verified.stderr == b""


def test_compose_has_a_database_two_servers_and_a_trusted_proxy():
    compose = yaml.safe_load((HOSTING / "compose.yaml").read_text(encoding="utf-8"))
    services = compose["services"]
    assert sorted(services) == ["database", "one", "proxy", "two"]
    assert services["one"] == services["two"]
    one = services["one"]
    words = shlex.split(one["command"])
    parsed = command.make_context("serve", words[1:]).params
    assert parsed["proxies"] == compose["networks"]["default"]["ipam"]["config"][0]["subnet"]
    assert services["proxy"]["environment"]["SERVERS"] == " ".join(
        f"{name}:{parsed['port']}" for name in ("one", "two")
    )
    assert f"http://127.0.0.1:{parsed['port']}/readyz" in one["healthcheck"]["test"][-1]
    assert re.fullmatch(r"postgresql://spieltisch:\S+@database/spieltisch", one["environment"]["SPIELTISCH_SERVE_DATA"])
    assert {services["database"]["environment"][f"POSTGRES_{what}"] for what in ("USER", "DB")} == {"spieltisch"}
    assert (ROOT / one["build"]["dockerfile"]).is_file()
    images = [one["build"]["args"]["BASE"], *(services[name]["image"] for name in ("database", "proxy"))]
    assert all(re.fullmatch(r"\$\{[A-Z]+_IMAGE:\?\}", image) for image in images)  # given by digest, or refused
    assert (HOSTING / one["build"]["context"]).resolve() == ROOT
    named = {volume.partition(":")[0] for service in services.values() for volume in service.get("volumes", [])}
    assert named - set(compose["volumes"]) == {"./Caddyfile"}


def test_the_image_installs_what_its_extras_need_by_hash():
    lines = (HOSTING / "Dockerfile").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    locked = (ROOT / "requirements" / "host.txt").read_text(encoding="utf-8")
    for extra in ("serve", "physics", "postgres"):
        for needed in project["optional-dependencies"][extra]:
            name = re.match(r"[a-z0-9-]+", needed)[0]
            assert f"\n{name}==" in f"\n{locked}" or name == "spieltisch-core"
    assert "--require-hashes -r requirements/host.txt" in lines
    copied = [word for line in re.findall(r"^COPY (?!--from)(.*)", lines, re.MULTILINE) for word in line.split()[:-1]]
    assert all((ROOT / word).exists() for word in copied)
    built_from = {
        "README.md",
        *project["license-files"],
        "pyproject.toml",
        "hatch_build.py",
        "hatch_metadata.py",
        "src",
    }
    assert built_from <= set(copied)
    assert '["spieltisch"]' in lines


def blocks(text: str) -> None:
    """Checks that braces are balanced."""
    depth = 0
    for line in text.splitlines():
        bare = re.sub(r"\{\$[^}]*\}", "", line.partition("#")[0])
        depth += bare.count("{") - bare.count("}")
        assert depth >= 0
    assert depth == 0


def test_proxy_examples_forward_headers_and_do_not_buffer_streams():
    caddy, nginx = ((HOSTING / name).read_text(encoding="utf-8") for name in ("Caddyfile", "nginx.conf"))
    blocks(caddy)
    blocks(nginx)
    for said in ("flush_interval -1", "health_uri /readyz", "path /metrics", "max_size 64KiB"):
        assert said in caddy
    assert "header_up" not in caddy  # Caddy forwards Host and the client's address by default
    for said in ("proxy_buffering off;", "proxy_set_header Host $http_host;", "X-Forwarded-For $remote_addr;",
                 "X-Forwarded-Proto $scheme;", "location = /metrics", "client_max_body_size 64k;"):  # fmt: skip
        assert said in nginx
    statements = [line.partition("#")[0].strip() for line in nginx.splitlines()]
    assert all(line == "" or line[-1] in "{};" for line in statements)
    servers = set(re.findall(r"127\.0\.0\.1:\d+", caddy))
    assert servers == set(re.findall(r"127\.0\.0\.1:\d+", nginx)) == {"127.0.0.1:8651", "127.0.0.1:8652"}
