"""Plants a bug into every process of a server that is started with this folder on its path."""

from __future__ import annotations

import os
import sys

if "PLANTED_BUG" in os.environ and "spieltisch" in sys.orig_argv:
    from tests.campaigns.faults import planted

    bug = planted.fault(os.environ["PLANTED_BUG"])  # named, so that it lasts
    bug.__enter__()
