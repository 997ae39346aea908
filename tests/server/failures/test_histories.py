"""Whole histories of clients are linearizable, while servers, workers, the database, connections and clocks fail.

This is the short version; `make prove-history` kills and pauses a thousand times.
"""

from __future__ import annotations

import pytest

from tests.campaigns.histories.run import Run
from tests.support.preload.build import is_supported

pytestmark = pytest.mark.skipif(not is_supported(), reason="needs Linux and a C compiler")


@pytest.mark.parametrize(
    ("shared", "disturbances"),
    [
        (False, ["cut answers", "pause server", "clock jumps", "kill server", "kill rules worker"]),
        (True, ["cut answers", "pause database", "kill database", "pause server", "cut database", "clock jumps"]),
    ],
    ids=["SQLite", "PostgreSQL"],
)
def test_nothing_is_lost_doubled_or_reordered_whatever_fails(tmp_path, shared, disturbances):
    run = Run(tmp_path, shared=shared, seed="short")
    run.play(disturbances, calm=0.1)
    assert run.check() == []
    assert run.counts["commands, ok"] > 30
