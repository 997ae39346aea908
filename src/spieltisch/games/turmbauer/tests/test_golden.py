"""What the golden games of Turmbauer show, so that nothing rare goes without one."""

from __future__ import annotations

import re
from pathlib import Path

GAMES = [path.read_text(encoding="utf-8") for path in (Path(__file__).parent / "golden").glob("*.game")]


def test_one_ends_in_a_collapse_and_one_with_all_stones_built():
    endings = {ending for game in GAMES for ending in re.findall(r"^ending +(\w+)", game, re.MULTILINE)}
    assert endings == {"built", "collapse"}


def test_in_one_fallen_stones_are_put_back_and_the_turn_goes_on():
    assert any(re.search(r"^\* fall [12]\n\d (?:\w+|box \w+)\n", game, re.MULTILINE) for game in GAMES)


def test_all_three_rings_are_used():
    used = {ring for game in GAMES for ring in re.findall(r"^\d ([abc])[>1-6]", game, re.MULTILINE)}
    assert used == {"a", "b", "c"}
