"""All kinds of tiebreaker by name. Systems are lists of them with parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from tournament.engine.standings.tiebreakers.parameters import DEFAULT_PARAMETERS, MODULES, Params

if TYPE_CHECKING:
    from tournament.engine.standings.tiebreakers.base import TiebreakerKind


class _Kinds(Mapping[str, "TiebreakerKind"]):
    """The kinds by name, each out of its module when it is requested."""

    def __init__(self) -> None:
        self._module_of = {kind: module for module, kinds in MODULES.items() for kind in kinds}
        self._kinds: dict[str, TiebreakerKind] = {}

    def __getitem__(self, name: str) -> TiebreakerKind:
        if name not in self._kinds:
            self._kinds.update(import_module(f"{__name__}.{self._module_of[name]}").KINDS)
        return self._kinds[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._module_of)

    def __len__(self) -> int:
        return len(self._module_of)


KINDS: Mapping[str, TiebreakerKind] = _Kinds()

__all__ = ["DEFAULT_PARAMETERS", "KINDS", "Params"]
