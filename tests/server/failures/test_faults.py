"""A disk that fails in the middle of anything loses, doubles and damages nothing, and whoever asks is told.

This is the short version; `make prove-faults` lets every single system call fail.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.campaigns.campaign import ROOT
from tests.campaigns.faults import planted
from tests.campaigns.faults.fault import KINDS, Error, Fault
from tests.campaigns.faults.prove_faults import list_cases, run_case
from tests.campaigns.faults.runner import FaultRunner
from tests.campaigns.faults.zygote import SETTINGS
from tests.support.preload.build import is_supported, preloaded

pytestmark = pytest.mark.skipif(not is_supported(), reason="needs Linux and a C compiler")
WRITES, OTHERS = 7, 1  # faults per kind of call; a write can fail in seven ways


def choose(cases: list[tuple[str, Fault]]) -> list[Fault]:
    """Some faults of every kind of call, from the beginning of the workload to its end."""
    chosen = []
    for kind in KINDS:
        faults = [fault for name, fault in cases if name == kind]
        wanted = min(len(faults), WRITES if kind == "w" else OTHERS)
        places = [len(faults) * number // wanted for number in range(wanted)]
        chosen += [faults[place - place % wanted + number] for number, place in enumerate(places)]  # one of each error
    return chosen


@pytest.fixture(scope="module")
def runner() -> Iterator[FaultRunner]:
    with FaultRunner() as runner:
        yield runner


@pytest.mark.parametrize("setting", SETTINGS)
def test_no_failing_call_loses_doubles_or_damages_anything(runner, setting):
    faults = choose(list_cases(runner, setting, 0))
    results = [run_case(runner, 0, setting, fault) for fault in faults]
    assert {fault.error for fault in faults} == set(Error)
    assert {fault.persistent for fault in faults} == {False, True}
    assert sum(result["injected"] for result in results) >= len(faults) * 0.9
    assert sum(result["unavailable"] for result in results) > 0


@pytest.mark.parametrize(
    ("bug", "faults"),
    [
        (planted.SWALLOWED, [Fault(number, Error.NO_SPACE, persistent=True) for number in (420, 470, 520)]),
        (planted.TOO_EARLY, [Fault(330, Error.IO_ERROR, persistent=True)]),
        (planted.FORGETFUL, [Fault(600, Error.IO_ERROR, persistent=True)]),
    ],
)
def test_a_planted_bug_is_found(runner, bug, faults):
    problems = [runner.run("after a kill", 0, fault, bug)["problem"] for fault in faults]
    assert any(problems)


def test_on_a_full_disk_the_reason_is_named_and_tables_can_be_deleted(runner):
    for number in (400, 430, 460):  # at about the time when the table is deleted
        told = runner.run("new file", 0, Fault(number, Error.NO_SPACE, persistent=True))
        assert told["problem"] is None
        assert told["full"] > 0
        if told["deletion"] == 204:
            return
    pytest.fail("the table could not be deleted")


@pytest.mark.parametrize("number", [60, 140], ids=["migrating", "opening"])
def test_a_server_whose_disk_fails_while_it_starts_says_so(tmp_path, number):
    module, data = "tests.campaigns.faults.serve", str(tmp_path / "tables.sqlite")
    command = [sys.executable, "-m", module, data, str(number), Error.IO_ERROR.name]
    ran = subprocess.run(command, cwd=ROOT, env=preloaded("faults"), capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-1] == f"Tables cannot be saved in {data}."
