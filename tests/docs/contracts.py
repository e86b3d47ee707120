"""The import contracts in pyproject.toml.

They concern packages, rooms and the layers inside a room.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CLONE = Path(__file__).resolve().parents[2]
Layers = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Contracts:
    """Layers from top to bottom; a layer holds the names that are side by side.

    `rooms` has the layers of each package that has rooms; `pure` names the modules without Django.
    """

    packages: tuple[str, ...]
    rooms: dict[str, Layers]
    inside_a_room: Layers
    pure: frozenset[str]


def read_contracts(pyproject: Path = CLONE / "pyproject.toml") -> Contracts:
    """Read the contracts by their content, whatever their names are."""
    contracts = tomllib.loads(pyproject.read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    layered = [contract for contract in contracts if contract["type"] == "layers"]
    packages = next(_read_layers(contract) for contract in layered if not contract.get("containers"))
    names = tuple(name for layer in packages for name in layer)
    of_rooms = [contract for contract in layered if set(contract.get("containers", ())) & set(names)]
    inside = [contract for contract in layered if any("." in name for name in contract.get("containers", ()))]
    return Contracts(
        packages=names,
        rooms={name: _read_layers(contract) for contract in of_rooms for name in contract["containers"]},
        inside_a_room=max(map(_read_layers, inside), key=len),
        pure=frozenset(_find_pure_modules(contracts)),
    )


def _read_layers(contract: dict[str, Any]) -> Layers:
    return tuple(tuple(re.findall(r"\w+", layer)) for layer in contract["layers"])


def _find_pure_modules(contracts: Iterable[dict[str, Any]]) -> Iterable[str]:
    for contract in contracts:
        if contract["type"] == "forbidden" and "django" in contract["forbidden_modules"]:
            yield from contract["source_modules"]
