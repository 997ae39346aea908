"""The description of the API that the web is built from."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_the_description_that_the_web_is_built_from_is_up_to_date():
    made = subprocess.run(
        [sys.executable, "-m", "spieltisch.server.http.openapi"], capture_output=True, text=True, check=True
    )
    kept = (ROOT / "web" / "api" / "openapi.json").read_text(encoding="utf-8")
    assert made.stdout == kept, "The server's answers have changed: run `make api`."
    assert kept == json.dumps(json.loads(kept), sort_keys=True, indent=1, ensure_ascii=False) + "\n"
