"""The games, one package each. The package can be called, which lists their names: `spieltisch.games()`."""

from __future__ import annotations

import pkgutil
import sys
from types import ModuleType


class _Games(ModuleType):
    """A package that can be called: `spieltisch.games` is this package and also a function of the public API."""

    def __call__(self) -> tuple[str, ...]:
        return tuple(sorted(found.name for found in pkgutil.iter_modules(self.__path__) if found.ispkg))


sys.modules[__name__].__class__ = _Games
