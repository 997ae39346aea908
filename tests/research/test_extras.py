"""The libraries of the research environments are extras: a missing one is named, and nothing else imports them."""

from __future__ import annotations

import subprocess
import sys

import pytest

LIBRARIES = {"pettingzoo": "PettingZoo", "gymnasium": "Gymnasium", "openspiel": "OpenSpiel"}
MODULES = {"openspiel": "pyspiel"}
WITHOUT = """
import sys
sys.modules[sys.argv[1]] = None
from spieltisch.core.game import MissingExtra
try:
    __import__("spieltisch.research." + sys.argv[2])
except MissingExtra as missing:
    print(missing)
"""
LIGHT = """
import sys
from spieltisch import cli, players, registry, research
print(*sorted({"numpy", "gymnasium", "pettingzoo", "pyspiel"} & set(sys.modules)))
"""


def output_of(*arguments: str) -> str:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("bridge", LIBRARIES)
def test_a_missing_library_is_refused_with_the_extra(bridge):
    output = output_of("-c", WITHOUT, MODULES.get(bridge, bridge), bridge)
    assert output == f"{LIBRARIES[bridge]} is not installed here: install spieltisch-core[research]."


def test_importing_spieltisch_imports_none_of_them():
    assert output_of("-c", LIGHT) == ""
