"""Builds and runs the container recipe without a container engine: `make prove-container`, as root on Debian.

Carries out the instructions of `examples/hosting/Dockerfile` in fresh roots made by mmdebstrap, each in a chroot of its
own, then starts the entry point as the recipe's user and plays a move over HTTP. Base images of registries are not used:
what is tried is the recipe. `MOUNT=/path:/path` makes folders of this machine visible inside, such as a mirror of
packages; settings of pip and npm in the environment are passed on.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.error import URLError
from urllib.request import Request, urlopen

ROOT: Final = Path(__file__).parents[2]
RECIPE: Final = ROOT / "examples" / "hosting" / "Dockerfile"
PAGE: Final = ROOT / "docs" / "reference" / "container.md"
SUITE: Final = "bookworm"
PACKAGES: Final = "python3,python3-venv,ca-certificates"
BASE: Final = f"debian-{SUITE}@sha256:{'0' * 64}"  # stands for the digest that a host fills in
PASSED_ON: Final = ("PIP_", "npm_config_", "NODE_EXTRA", "SSL_", "REQUESTS_", "CURL_CA", "HTTP_PROXY", "HTTPS_PROXY")
SETTINGS: Final = (
    "/etc/resolv.conf",
    "/etc/pip.conf",
    "/etc/npmrc",
    f"{Path.home()}/.npmrc",
    f"{Path.home()}/.config/pip/pip.conf",
)
PORT: Final = "8650"


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """The instructions of a recipe, each with its arguments."""
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, rest = line.partition(" ")
            yield name, rest


class Stage:
    """A root in which instructions are carried out."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = "/"
        self.user = "root"
        self.environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}

    def command(self, words: list[str], more: Mapping[str, str] = {}) -> list[str]:
        """A command inside the root, in namespaces of its own."""
        mounts = [f"mount --rbind /proc {self.root}/proc", f"mount --rbind /dev {self.root}/dev"]
        mounts += [
            f"mkdir -p {self.root}{folder} && mount --bind {folder} {self.root}{folder}"
            for folder in filter(None, os.environ.get("MOUNT", "").split(":"))
        ]
        variables = [f"{name}={value}" for name, value in {**self.environment, **more}.items()]
        inside = ["chroot", f"--userspec={self.user}", str(self.root), "/usr/bin/env", "-i", *variables]
        inside += ["sh", "-c", f"cd {self.folder} && exec {shlex.join(words)}"]
        return ["unshare", "--mount", "sh", "-ec", "; ".join([*mounts, f"exec {shlex.join(inside)}"])]

    def home(self) -> str:
        """The home folder of the user."""
        lines = (self.root / "etc" / "passwd").read_text("utf-8").splitlines()
        return next(line.split(":")[5] for line in lines if line.startswith(f"{self.user}:"))

    def run(self, script: str, arguments: Mapping[str, str]) -> None:
        """Runs a shell command as RUN does."""
        passed = {name: value for name, value in os.environ.items() if name.startswith(PASSED_ON)}
        subprocess.run(self.command(["sh", "-c", script], {**passed, **arguments}), check=True)

    def copy(self, source: Path, names: list[str], target: str, *ignored: str) -> None:
        """Copies files as COPY does: the content of a folder, and a file under its own name."""
        place = self.root / os.path.normpath(f"{self.folder}/{target}").lstrip("/")
        ignore = shutil.ignore_patterns(*ignored)
        for name in names:
            one = source / name.lstrip("/")
            if one.is_dir():
                shutil.copytree(one, place, dirs_exist_ok=True, symlinks=True, ignore=ignore)
            else:
                into = place / one.name if target.endswith("/") else place
                into.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(one, into)


def build(folder: Path, base: Path) -> tuple[Stage, list[str]]:
    """Carries out the recipe; returns the last stage and the command that it starts."""
    stages: dict[str, Stage] = {}
    stage, entry, command = Stage(folder), list[str](), list[str]()
    arguments: dict[str, str] = {}
    for name, rest in instructions(RECIPE.read_text("utf-8")):
        print(f"{name} {rest}", flush=True)
        words = shlex.split(rest)
        match name:
            case "FROM":
                root = folder / f"stage-{len(stages)}"
                root.mkdir()
                subprocess.run(
                    ["tar", "--extract", "--file", base, "--directory", root, "--exclude=./dev/*"], check=True
                )
                for setting in filter(os.path.exists, SETTINGS):
                    (root / setting[1:]).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(setting, root / setting[1:])
                stage = stages[words[2] if len(words) > 2 else "last"] = Stage(root)
                arguments = {}
            case "ARG":
                arguments[rest] = BASE
            case "RUN":
                stage.run(rest, arguments)
            case "COPY" if words[0].startswith("--from="):
                stage.copy(stages[words[0].partition("=")[2]].root, words[1:-1], words[-1])
            case "COPY":
                stage.copy(ROOT, words[:-1], words[-1], "__pycache__", "static")  # as .dockerignore says
            case "ENV":
                stage.environment.update(word.split("=", 1) for word in words)
            case "WORKDIR":
                stage.folder = rest
                (stage.root / rest[1:]).mkdir(parents=True, exist_ok=True)
            case "USER":
                stage.user = rest
            case "ENTRYPOINT":
                entry = json.loads(rest)
            case "CMD":
                command = json.loads(rest)
            case "EXPOSE":
                assert rest == PORT
            case _:
                raise NotImplementedError(name)
    return stage, [*entry, *command]


def ask(path: str, body: object = None) -> object:
    """A response of the server."""
    headers = {"Authorization": f"Bearer {'container-' * 3}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"http://127.0.0.1:{PORT}{path}", data, headers)) as response:
        text = response.read().decode()
        return json.loads(text) if "json" in response.headers["content-type"] else text


def play() -> list[str]:
    """Waits for the server, and plays a move; returns what was seen."""
    for _ in range(600):
        try:
            ask("/readyz")
            break
        except (URLError, ConnectionError):
            time.sleep(0.1)
    page = ask("/")
    assert isinstance(page, str)
    assert "<script" in page
    seats = [{"kind": "person", "name": "Ada"}, {"kind": "bot", "player": "level:1"}]
    table = ask("/api/tables", {"key": "container-1", "game": "bigpoints", "seats": seats, "first": 0, "games": 1})
    assert isinstance(table, dict)
    at = f"/api/tables/{table['table']}"
    told = ask(at)
    assert isinstance(told, dict)
    move = told["position"]["choices"][0]["text"]
    ask(f"{at}/actions", {"key": "container-2", "seat": 0, "version": told["version"], "draft": [move]})
    return ["`/readyz` answers", "the home page is the built web", "a table is opened and a move is played"]


def main() -> None:
    """Builds, serves, plays, and writes the page."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        base = Path(os.environ.get("BASE_ROOT", folder / "base.tar"))
        if not base.exists():
            subprocess.run(["mmdebstrap", "--variant=minbase", f"--include={PACKAGES}", SUITE, base], check=True)
        stage, command = build(folder, base)
        size = subprocess.run(
            ["du", "-sm", stage.root / "opt"], capture_output=True, text=True, check=True
        ).stdout.split()[0]
        python = subprocess.run(
            stage.command(["python", "--version"]), capture_output=True, text=True, check=True
        ).stdout
        with subprocess.Popen(stage.command(command, {"HOME": stage.home()})) as server:
            try:
                seen = play()
            finally:
                server.terminate()
        assert server.returncode == 0, server.returncode
        write_page([*seen, "SIGTERM ends it with exit code 0"], python.strip(), size)


def write_page(seen: list[str], python: str, size: str) -> None:
    """Writes the dated result."""
    lines = "\n".join(f"- {one}" for one in seen)
    PAGE.write_text(
        f"""# The container recipe

{datetime.now(UTC).date()}, `make prove-container`: [the recipe](../../examples/hosting/Dockerfile) builds and serves.

Neither a container engine nor a registry was used: the instructions were carried out one by one in fresh Debian root file systems ({SUITE}, {python}), made by mmdebstrap from Debian's packages. So this tests the recipe, but not the base image that a host chooses. Python packages were installed with `--require-hashes` from `requirements/host.txt`, npm packages by `npm ci` from `package-lock.json`. The final stage adds {size} MB to the base. It was started as the recipe's user with the recipe's command:

{lines}
""",
        "utf-8",
    )
    print(PAGE.read_text("utf-8"))


if __name__ == "__main__":
    sys.exit(main())
