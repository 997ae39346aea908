"""Allowed hosts: the names under which a server may be addressed."""

from __future__ import annotations

import re
import socket
from ipaddress import ip_address
from typing import Final

ANY: Final = "*"
_HOST: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?::\d{1,5})?")


class AllowedHosts:
    """The names in a `Host` header that are accepted: addresses, this machine's own names, and those of the host."""

    def __init__(self, names: str = "") -> None:
        given = {name.strip().lower().rstrip(".") for name in names.split(",")} - {""}
        self.any = ANY in given
        self.names = frozenset(given | own_names())

    def __contains__(self, header: object) -> bool:
        if self.any or header == "":  # HTTP/1.0, which no browser speaks
            return True
        found = _HOST.fullmatch(str(header))
        if found is None:
            return False
        name = (found[1] or found[2]).lower().rstrip(".")
        return _is_address(name) or name in self.names or name.endswith(".localhost")


def own_names() -> frozenset[str]:
    """The names of this machine, as itself and as others in the local network call it."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return frozenset({"localhost", name, short, f"{short}.local"})


def _is_address(name: str) -> bool:
    """Whether it is an IP address, which nobody can point elsewhere."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
