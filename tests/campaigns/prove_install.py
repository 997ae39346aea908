"""`make prove-install`: pip installs both distributions into empty environments, without Node; every server serves its page.

The results replace the section “Measured” of docs/reference/install.md.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import httpx

from spieltisch import __version__
from tests.campaigns.campaign import format_table

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "install.md"
HEADING = "## Measured"
HIDDEN = {"node", "nodejs", "npm", "npx"}
CUTS = (
    "spieltisch-core",
    "spieltisch-core[statics]",
    "spieltisch-core[research]",
    "spieltisch-core[batch]",
    "spieltisch",
    "spieltisch[physics]",
)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = {**os.environ, "PATH": str(without_node(folder / "bin"))}
        environment.pop("PYTHONPATH", None)
        source = copy(folder / "source")
        editable = copy(folder / "editable-source")
        from_source = [
            ("pip install '.[serve,statics]'", *install_and_serve([f"{source}[serve,statics]"], folder, environment)),
            (
                "pip install --editable '.[serve,statics]'",
                *install_and_serve(["--editable", f"{editable}[serve,statics]"], folder, environment),
            ),
        ]
        pack(source)
        (packed,) = (source / "dist").glob("*.tar.gz")
        from_source.append(
            (
                f"pip install '{packed.name}[serve,statics]'",
                *install_and_serve([f"{packed}[serve,statics]"], folder, environment),
            )
        )
        wheels = ["--find-links", str(source / "dist")]
        rows = [(f"pip install '{cut}'", *weigh([*wheels, pin(cut)], folder, environment)) for cut in CUTS]
        served = install_and_serve([*wheels, pin("spieltisch")], folder, environment)
    from_source.append(("pip install spieltisch", *served))
    write(rows, from_source)


def write(rows: list[tuple[object, ...]], from_source: list[tuple[object, ...]]) -> None:
    """Replaces the measured section of the page."""
    kept = PAGE.read_text(encoding="utf-8").split(HEADING)[0]
    python = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    text = [
        HEADING,
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, {python} on two shared cores, into empty environments, with pip's cache filled.",
        "Node was not on PATH. Packages include Spieltisch itself, megabytes include bytecode.",
        "",
        *format_table(("command", "packages", "MB", "seconds"), rows),
        "",
        "Then `spieltisch serve` was started, and it served the page and its script:",
        "",
        *format_table(("command", "seconds", "bytes of script"), from_source),
    ]
    PAGE.write_text(kept + "\n".join(text) + "\n", encoding="utf-8")


def pin(cut: str) -> str:
    """The requirement for exactly this version."""
    return f"{cut}=={__version__}"


def pack(source: Path) -> None:
    """Builds the sdist and the wheels of both distributions in dist/."""
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(source / "dist")]
    subprocess.run(build, cwd=source, check=True)
    subprocess.run([*build, "-t", "wheel"], cwd=source / "distributions" / "spieltisch", check=True)


def without_node(folder: Path) -> Path:
    """A folder with everything that is on PATH, Node and npm excepted."""
    folder.mkdir()
    for directory in os.environ["PATH"].split(os.pathsep):
        for program in Path(directory).iterdir() if Path(directory).is_dir() else ():
            link = folder / program.name
            if program.name not in HIDDEN and not link.exists():
                link.symlink_to(program)
    return folder


def copy(folder: Path) -> Path:
    """The project as it would be cloned."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def install(what: list[str], venv: Path, environment: dict[str, str]) -> float:
    """Installs into a new environment; the seconds it took."""
    shutil.rmtree(venv, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    started = time.monotonic()
    pip = [str(venv / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, *what], env=environment, cwd=venv, check=True)
    return time.monotonic() - started


def weigh(what: list[str], folder: Path, environment: dict[str, str]) -> tuple[int, int, str]:
    """How many packages are installed with it, their megabytes, and the seconds that a second installation takes."""
    venv = folder / "weighed"
    install(what, venv, environment)
    seconds = install(what, venv, environment)
    (library,) = (venv / "lib").glob("python*/site-packages")
    tools = {"pip", "setuptools", "wheel"}
    packages = [one for one in library.glob("*.dist-info") if one.name.split("-")[0] not in tools]
    own = [one for one in library.iterdir() if one.name.split("-")[0] not in {*tools, "pkg_resources"}]
    files = [file for one in own for file in (one.rglob("*") if one.is_dir() else [one]) if file.is_file()]
    return len(packages), round(sum(file.stat().st_size for file in files) / 1e6), f"{seconds:.0f}"


def install_and_serve(what: list[str], folder: Path, environment: dict[str, str]) -> tuple[str, int]:
    """Installs, starts the server and asks it for its page; the seconds it took, and the size of the page's script."""
    venv = folder / "served"
    seconds = install(what, venv, environment)
    serve = [str(venv / "bin" / "spieltisch"), "serve", "--port", "0", "--data", str(venv / "tables.sqlite")]
    environment = {**environment, "SPIELTISCH_LANGUAGE": "en"}
    with subprocess.Popen(serve, env=environment, cwd=venv, stdout=subprocess.PIPE, text=True) as server:
        try:
            return f"{seconds:.0f}", fetch_script(server.stdout.readline() if server.stdout else "")
        finally:
            server.terminate()


def fetch_script(line: str) -> int:
    """The size of the script of the page at the address in the line."""
    (address,) = re.findall(r"http://[\d.:]+/", line)
    page = httpx.get(address, timeout=60).raise_for_status()
    script = re.findall(r'<script type="module"[^>]* src="([^"]+)"', page.text)[0]
    return len(httpx.get(page.url.join(script), timeout=60).raise_for_status().content)


if __name__ == "__main__":
    main()
