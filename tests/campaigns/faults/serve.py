"""`spieltisch serve` on a database whose n-th system call fails, and those after it."""

from __future__ import annotations

import sys
from pathlib import Path

from spieltisch.cli import main
from tests.campaigns.faults.fault import Error, Fault, Injector

if __name__ == "__main__":
    data, number, error = sys.argv[1:]
    injector = Injector()
    injector.watch(Path(data).parent)
    injector.arm(Fault(int(number), Error[error], persistent=True))
    sys.argv[1:] = ["serve", "--language", "en", "--port", "0", "--data", data]
    main()
