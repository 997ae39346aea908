"""Software bill of materials: writes a CycloneDX file of everything that is installed with the server or built into its page.

`python distributions/sbom.py FOLDER`. Python packages come from `requirements/host.txt`, npm packages from
`package-lock.json`, each with the hash by which it is installed.
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

ROOT: Final = Path(__file__).parents[1]
_ALGORITHMS: Final = {"sha512": "SHA-512", "sha256": "SHA-256", "sha1": "SHA-1"}


def bill() -> dict[str, Any]:
    """The bill of materials."""
    command = [sys.executable, "-W", "ignore", "-m", "cyclonedx_py", "requirements", ROOT / "requirements" / "host.txt"]
    options = ["--pyproject", ROOT / "pyproject.toml", "--mc-type", "library", "--output-reproducible", "--of", "JSON"]
    made = subprocess.run([*command, *options, "-o", "-"], capture_output=True, check=True)
    found: dict[str, Any] = json.loads(made.stdout)
    found["metadata"]["component"]["version"] = version()
    found["components"] += npm_components()
    return found


def version() -> str:
    """The version of the package."""
    text = (ROOT / "src" / "spieltisch" / "__init__.py").read_text("utf-8")
    named = re.search(r'^__version__(?:: Final)? = "(.+)"$', text, re.MULTILINE)
    assert named is not None
    return named[1]


def npm_components() -> list[dict[str, Any]]:
    """The npm packages that build the web, or become part of it."""
    packages: dict[str, Any] = json.loads((ROOT / "package-lock.json").read_text("utf-8"))["packages"]
    found: dict[str, dict[str, Any]] = {}
    for path, package in packages.items():
        name = path.rpartition("node_modules/")[2]
        if not name or "version" not in package:
            continue
        scope, _, short = name.rpartition("/")
        purl = PackageURL("npm", scope or None, short, package["version"]).to_string()
        algorithm, _, digest = package.get("integrity", "").partition("-")
        hashes = [{"alg": _ALGORITHMS[algorithm], "content": base64.b64decode(digest).hex()}] if digest else []
        found[purl] = {
            "type": "library",
            "bom-ref": purl,
            "name": name,
            "version": package["version"],
            "purl": purl,
            "hashes": hashes,
        }
    return [found[purl] for purl in sorted(found)]


def write(folder: Path) -> Path:
    """Writes the bill beside the wheel; ValueError if it does not follow the specification."""
    text = json.dumps(bill(), indent=1, ensure_ascii=False) + "\n"
    problem = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if problem is not None:
        raise ValueError(str(problem))
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / f"spieltisch-{version()}.cdx.json"
    place.write_text(text, "utf-8")
    return place


if __name__ == "__main__":
    print(write(Path(sys.argv[1])))
