"""`make prove-pythons`: runs the suite on every supported Python of this machine."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def main() -> None:
    failed = []
    for version in ("3.11", "3.12", "3.13", "3.14"):
        python = shutil.which(f"python{version}")
        works = python and subprocess.run([python, "--version"], check=False, capture_output=True).returncode == 0
        if not works:
            print(f"Python {version}: not installed")
            continue
        venv = ROOT / ".build" / f"venv-{version}"
        subprocess.run([str(python), "-m", "venv", str(venv)], check=True)
        pip = [str(venv / "bin" / "python"), "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, "--require-hashes", "-r", "requirements/dev.txt"], cwd=ROOT, check=True)
        subprocess.run([*pip, "--no-deps", "--no-build-isolation", "--editable", "."], cwd=ROOT, check=True)
        ran = subprocess.run([str(venv / "bin" / "python"), "-m", "pytest", "-q", "-n", "2"], cwd=ROOT, check=False)
        print(f"Python {version}: {'passed' if ran.returncode == 0 else 'failed'}")
        failed += [version] * (ran.returncode != 0)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
