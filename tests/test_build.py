"""The build hook: pinned packages, when the web is rebuilt, which Node is used, and what is packed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import hatch_build
import hatch_metadata
import pytest
from hatchling.bridge.app import Application

import spieltisch

ROOT = Path(__file__).parent.parent
STATIC = "src/spieltisch/server/static"
SINGLE_FILES = ("pyproject.toml", "hatch_build.py", "hatch_metadata.py", "README.md", "LICENSE", ".gitignore")


@pytest.fixture
def project(tmp_path):
    """A small project with a web and without npm packages."""
    for name, text in {
        "web/index.html": "<!doctype html>",
        "web/main.ts": "export {};",
        "web/main.test.ts": "",
        "src/spieltisch/games/dice/web/index.ts": "",
        "src/spieltisch/games/dice/web/tests/board.ts": "",
        "src/spieltisch/games/dice/locales/de.json": "{}",
        "package-lock.json": "{}",
    }.items():
        write(tmp_path / name, text)
    return tmp_path


@pytest.fixture
def no_node(monkeypatch):
    """A machine without Node."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(hatch_build.importlib.util, "find_spec", lambda name: None)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def finish(project: Path) -> None:
    """Writes what a build writes."""
    write(project / STATIC / "index.html", "<!doctype html>")
    write(project / STATIC / ".digest", hatch_build.digest(project))


def hook(project: Path) -> hatch_build.WebHook:
    return hatch_build.WebHook(str(project), {}, None, None, str(project), "wheel", Application())


def test_the_lock_file_pins_the_bundler_for_every_system():
    packages = json.loads((ROOT / "package-lock.json").read_bytes())["packages"]
    wanted = packages["node_modules/rolldown"]["optionalDependencies"]
    pinned = {
        name.removeprefix("node_modules/"): one["version"]
        for name, one in packages.items()
        if name.startswith("node_modules/@rolldown/binding-") and one["integrity"]
    }
    assert pinned == wanted
    assert len(pinned) == 15


def test_the_lock_file_has_digests_and_no_addresses():
    text = (ROOT / "package-lock.json").read_text(encoding="utf-8")
    packages = json.loads(text)["packages"]
    assert '"resolved"' not in text
    assert [name for name, one in packages.items() if name and not one["integrity"].startswith("sha512-")] == []


@pytest.mark.parametrize(
    "name",
    [
        "web/main.ts",
        "web/new.svelte",
        "package-lock.json",
        "src/spieltisch/games/dice/web/index.ts",
        "src/spieltisch/games/dice/locales/de.json",
    ],
)
def test_a_changed_source_makes_the_web_stale(project, name):
    finish(project)
    assert hatch_build.is_fresh(project)
    write(project / name, '{"changed": 1}')
    assert not hatch_build.is_fresh(project)


def test_a_removed_source_makes_the_web_stale(project):
    finish(project)
    (project / "web" / "main.ts").unlink()
    assert not hatch_build.is_fresh(project)


@pytest.mark.parametrize(
    "name", ["web/main.test.ts", "src/spieltisch/games/dice/web/tests/board.ts", "README.md", "src/spieltisch/game.py"]
)
def test_a_changed_test_changes_nothing(project, name):
    finish(project)
    write(project / name, "changed")
    assert hatch_build.is_fresh(project)


def test_an_interrupted_build_is_stale(project):
    finish(project)
    (project / STATIC / ".digest").unlink()
    assert not hatch_build.is_fresh(project)


def test_node_is_required_if_it_is_not_installed(project, no_node):
    assert hook(project).dependencies() == [hatch_build.NODE_WHEEL]


def test_node_is_not_required_if_nothing_must_be_built(project, no_node):
    finish(project)
    assert hook(project).dependencies() == []


def test_node_is_not_required_if_it_is_installed(project, monkeypatch):
    monkeypatch.setattr(hatch_build, "_npm_in_wheel", lambda: None)
    program(project / "bin" / "npm", "exit 0")
    program(project / "bin" / "node", "echo v20.20.0")
    monkeypatch.setenv("PATH", f"{project / 'bin'}")
    assert hook(project).dependencies() == []
    program(project / "bin" / "node", "echo v18.19.0")
    assert hook(project).dependencies() == [hatch_build.NODE_WHEEL]


def program(path: Path, text: str) -> None:
    write(path, f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.mark.parametrize(
    ("version", "answer"),
    [
        ("v18.20.8", False),
        ("v20.18.3", False),
        ("v20.19.0", True),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v24.1.0", True),
    ],
)
def test_only_versions_of_node_that_the_bundler_supports_are_used(version, answer):
    assert hatch_build.is_supported(version) is answer


def test_without_sources_a_built_web_is_used_as_it_is(project, no_node):
    finish(project)
    shutil.rmtree(project / "web")
    hook(project).initialize("standard", {})
    (project / STATIC / "index.html").unlink()
    with pytest.raises(hatch_build.NotBuilt, match="neither web/index.html nor a built web"):
        hatch_build.build(project)


def test_a_failed_build_shows_npms_output(project, monkeypatch, capsys):
    program(project / "bin" / "npm", "echo 'main.ts: no such board'; exit 3")
    monkeypatch.setattr(hatch_build, "find_npm", lambda: [str(project / "bin" / "npm")])
    with pytest.raises(SystemExit) as ended:
        hook(project).initialize("standard", {})
    assert ended.value.code == 1
    assert "`npm ci --ignore-scripts` failed and said\n\nmain.ts: no such board" in capsys.readouterr().err


def test_packages_are_installed_once_per_lock_file(project):
    program(project / "npm", 'mkdir -p node_modules; echo "$@" >> said')
    (project / "said").touch()
    for times, lock in enumerate(("{}", '{"other": 1}'), 1):
        write(project / "package-lock.json", lock)
        for _ in range(2):
            hatch_build._install([str(project / "npm")], project)
        assert (project / "said").read_text().splitlines() == ["ci --ignore-scripts"] * times


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """An sdist and a wheel of a copy of this project whose web is already built."""
    copy = tmp_path_factory.mktemp("project")
    ignore = shutil.ignore_patterns("__pycache__", "golden", "static")
    for name in ("src", "web", "examples", "distributions"):
        shutil.copytree(ROOT / name, copy / name, ignore=ignore)
    for name in (*SINGLE_FILES, *hatch_build.SOURCES[:5]):
        shutil.copy2(ROOT / name, copy / name)
    write(copy / "examples" / "trained.npz", "")
    write(copy / "web" / "index.html", "<!doctype html>")
    write(copy / "src/spieltisch/games/template/web/index.ts", "export {};")
    write(copy / STATIC / "assets" / "main.js", "here();")
    finish(copy)
    pack = "from hatchling.build import build_sdist, build_wheel; build_sdist('dist'); build_wheel('dist')"
    environment = {**os.environ, "PATH": ""}  # nothing must be built
    subprocess.run([sys.executable, "-c", pack], cwd=copy, env=environment, check=True, capture_output=True)
    pack = "from hatchling.build import build_wheel; build_wheel('../../dist')"
    second = copy / "distributions" / "spieltisch"
    subprocess.run([sys.executable, "-c", pack], cwd=second, env=environment, check=True, capture_output=True)
    return copy / "dist"


def metadata(wheel: Path) -> Message:
    """The metadata of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return message_from_bytes(archive.read(name))


def test_an_sdist_contains_the_built_web_and_its_sources(packed):
    with tarfile.open(next(packed.glob("*.tar.gz"))) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames()}
    assert {f"{STATIC}/index.html", f"{STATIC}/assets/main.js", f"{STATIC}/.digest"} <= names
    assert {"web/index.html", "hatch_build.py", "package-lock.json"} <= names


def test_a_wheel_contains_the_built_web_and_neither_its_sources_nor_tests(packed):
    with zipfile.ZipFile(next(packed.glob("spieltisch_core-*.whl"))) as archive:
        names = archive.namelist()
    assert "spieltisch/server/static/assets/main.js" in names
    assert "spieltisch/server/static/index.html" in names
    assert "spieltisch/i18n/locales/en.json" in names
    assert len([name for name in names if re.fullmatch(r"spieltisch/games/[a-z]+/net/weights\.npz", name)]) == 2
    assert [name for name in names if re.search(r"/(web|tests)/|\.digest|\.svelte|\.ts$", name)] == []


def test_a_wheel_contains_the_examples_but_nothing_they_have_written(packed):
    with zipfile.ZipFile(next(packed.glob("spieltisch_core-*.whl"))) as archive:
        names = {name.split("/share/doc/spieltisch/")[1] for name in archive.namelist() if "/share/doc/" in name}
    assert "examples/train_ppo.py" in names
    assert "examples/hosting/compose.yaml" in names
    assert "examples/trained.npz" not in names


def test_the_core_requires_no_web_framework_no_database_and_no_arrays(packed):
    core = metadata(next(packed.glob("spieltisch_core-*.whl")))
    always = {re.split(r"[<>=!~;\[ ]", one)[0] for one in core.get_all("Requires-Dist") if "extra ==" not in one}
    assert always == {"click", "openskill", "platformdirs", "rich"}


def test_spieltisch_is_the_core_with_the_extras_for_play_in_the_browser(packed):
    core, whole = (metadata(next(packed.glob(f"{name}-*.whl"))) for name in ("spieltisch_core", "spieltisch"))
    extras = core.get_all("Provides-Extra")
    assert set(hatch_metadata.DEFAULT_EXTRAS) <= set(extras)
    assert whole["Version"] == core["Version"] == spieltisch.__version__
    assert whole["Requires-Python"] == core["Requires-Python"]
    assert whole.get_all("Provides-Extra") == extras
    assert [one for one in whole.get_all("Requires-Dist") if "extra ==" not in one] == [
        f"spieltisch-core[serve,statics]=={core['Version']}"
    ]
    assert {f"spieltisch-core[{one}]=={core['Version']}; extra == '{one}'" for one in extras} < set(
        whole.get_all("Requires-Dist")
    )


@pytest.mark.parametrize("name", ["spieltisch_core", "spieltisch"])
def test_the_readme_of_a_wheel_has_no_relative_links(packed, name):
    text = metadata(next(packed.glob(f"{name}-*.whl"))).get_payload()
    assert text.startswith("# Spieltisch")
    assert re.findall(r"\]\((?!https?://)[^)]*\)", text) == []


def test_with_a_public_repository_links_and_project_urls_are_absolute():
    address = "https://example.org/tables"
    text = "![a tower](docs/tower.png), [rules](docs/rules.md#r1), [Pgx](https://example.org/pgx), [above](#top)"
    assert hatch_metadata.resolve_links(text, address, "1.2") == (
        f"![a tower]({address}/raw/v1.2/docs/tower.png), [rules]({address}/blob/v1.2/docs/rules.md#r1), "
        "[Pgx](https://example.org/pgx), [above](#top)"
    )
    assert hatch_metadata.resolve_links(text, "", "1.2") == (
        "*a tower*, rules, [Pgx](https://example.org/pgx), [above](#top)"
    )
    assert all(url.startswith(address) for url in hatch_metadata.urls(address, "1.2").values())


def test_every_supported_python_is_named_in_the_metadata(packed):
    core = metadata(next(packed.glob("spieltisch_core-*.whl")))
    named = re.findall(r":: (3\.\d+)$", "\n".join(core.get_all("Classifier")), re.MULTILINE)
    tried = re.search(r"for p in python3 ((?:python[\d.]+ ?)+)", (ROOT / "Makefile").read_text("utf-8"))
    assert tried
    assert named == sorted(tried[1].replace("python", "").split(), key=lambda text: int(text.split(".")[1]))


def test_the_image_of_the_hosting_example_gets_all_files_that_the_build_needs():
    lines = (ROOT / "examples/hosting/Dockerfile").read_text(encoding="utf-8").splitlines()
    copied = {name for line in lines if line.startswith("COPY ") for name in line.split()[1:-1]}
    built_from = {*SINGLE_FILES, *hatch_build.SOURCES[:5], "src", "web"} - {".gitignore"}
    assert copied == built_from | {"requirements/host.txt", "--from=build", "/opt/spieltisch"}
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    sent = {line[1:] for line in ignored if line.startswith("!")}
    assert {name.partition("/")[0] for name in built_from | {"requirements"}} <= sent


def test_an_image_that_is_not_named_by_its_digest_is_refused():
    recipe = (ROOT / "examples/hosting/Dockerfile").read_text(encoding="utf-8")
    (check,) = re.findall(r"^RUN (case .*)$", recipe, re.MULTILINE)
    for base, code in ((f"python@sha256:{'a' * 64}", 0), ("python:3.12-slim", 1), ("", 1)):
        ran = subprocess.run(["sh", "-c", check], env={"BASE": base}, capture_output=True, check=False)
        assert ran.returncode == code


def test_the_bill_of_materials_names_every_locked_package_with_its_hash(tmp_path):
    ran = subprocess.run(
        [sys.executable, ROOT / "distributions" / "sbom.py", tmp_path], capture_output=True, check=False
    )
    assert ran.returncode == 0, ran.stderr.decode()
    (place,) = tmp_path.iterdir()
    components = json.loads(place.read_text("utf-8"))["components"]
    named = {component["name"] for component in components}
    locked = re.findall(r"^([a-z0-9_.-]+)==", (ROOT / "requirements" / "host.txt").read_text("utf-8"), re.MULTILINE)
    assert len(locked) > 40
    assert set(locked) <= named
    assert {"svelte", "three", "@noble/hashes"} <= named
    assert all(one.get("hashes") or "hashes" in json.dumps(one["externalReferences"]) for one in components)
