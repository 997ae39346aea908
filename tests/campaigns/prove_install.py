"""`make prove-install`: pip installs the package on a machine without Node, and its table answers with the web."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx

from tests.campaigns.campaign import write_page

ROOT = Path(__file__).parents[2]
HIDDEN = {"node", "nodejs", "npm", "npx"}


def main() -> None:
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = {**os.environ, "PATH": str(without_node(folder / "bin"))}
        environment.pop("PYTHONPATH", None)
        source = copy(folder / "source")
        rows.append(("pip install .", *install([str(source)], folder / "plain", environment)))
        editable = copy(folder / "editable-source")
        rows.append(
            ("pip install --editable .", *install(["--editable", str(editable)], folder / "editable", environment))
        )
        subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "sdist"], cwd=source, check=True)
        (packed,) = (source / "dist").glob("*.tar.gz")
        rows.append((f"pip install {packed.name}", *install([str(packed)], folder / "packed", environment)))
    text = "in a fresh environment, without Node on PATH; the server that was started served the page and its script."
    write_page("install", "Installing without Node", text, ("command", "seconds", "bytes of script"), rows)


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


def install(what: list[str], venv: Path, environment: dict[str, str]) -> tuple[str, int]:
    """Installs, starts the table and asks it for its page; how long it took, and how large the page's script is."""
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    started = time.monotonic()
    pip = [str(venv / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, *what], env=environment, cwd=venv, check=True)
    seconds = time.monotonic() - started
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
