"""The data of the games, a folder each.

Importing a game's own checks binds this package to the name `rules.games`, which is also the function that
lists the games. So the package can be called too, and `rules.games()` answers alike before and after.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rules.game import Game


class _CallablePackage(ModuleType):
    def __call__(self) -> tuple[Game, ...]:
        from rules.library import get_shipped_library

        return get_shipped_library().games


sys.modules[__name__].__class__ = _CallablePackage
