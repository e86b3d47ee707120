"""A small catalogue for tests, and lists made from it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from decks.catalogue.models import CatalogueState
from decks.catalogue.services.catalogue import import_catalogue
from tests.scenarios.event_cache import memory

FILLERS = {
    f"ZZ1-{number:03d}": {
        "name": name,
        "type": "foundation",
        "split": [],
        "dots": 0,
        "set": "ZZ1",
        "number": number,
        "number_as_printed": f"{number}/120",
    }
    for number, name in enumerate(
        (
            "Anvil Stance", "Brass Knuckle", "Cinder Step", "Dockside Rumour", "Ember Vow", "Falcon Feint",
            "Granite Guard", "Harbour Fog", "Iron Lung", "Jade Focus", "Kettle Drum", "Lantern Oath",
            "Mirror Pace", "Night Market", "Oaken Will", "Paper Tiger",
        ),
        start=1,
    )
}  # fmt: skip
CHARACTERS = {
    "ZZ1-101": {"name": "Mara", "type": "character", "dots": 1, "set": "ZZ1", "number": 101},
    "ZZ1-102": {"name": "Mara", "type": "character", "dots": 2, "set": "ZZ1", "number": 102},
    "ZZ1-103": {"name": "Oto", "type": "character", "dots": 3, "set": "ZZ1", "number": 103},
}
BANNED = {"SF05-046": {"name": "Kubi Ori", "dots": 0, "set": "SF05", "number": 46}}


def write(cards: dict[str, dict[str, Any]], game: str = "ufs", **more: Any) -> str:
    """Return a catalogue file."""
    return json.dumps({"game": game, "cards": cards, **more})


SMALL_CATALOGUE = write({**FILLERS, **CHARACTERS, **BANNED}, sets={"ZZ1": {"name": "First Bell"}})


def small_catalogue() -> None:
    """Import sixteen foundations, two Maras, one Oto and one banned card."""
    import_once(SMALL_CATALOGUE)


def import_once(text: str, game: str | None = None) -> None:
    """Import a catalogue.

    Each process reads and compares it once, see `event_cache`.
    """

    def build() -> CatalogueState:
        import_catalogue(text, game=game)
        return CatalogueState.objects.latest("pk")

    memory.build_once(("catalogue", text, game), build)


def list_of(*lines: str, fillers: int = 59) -> str:
    """Return the lines, followed by foundations, four of each."""
    names = [card["name"] for card in FILLERS.values()]
    rest = [f"{min(4, fillers - start)} {names[start // 4]}" for start in range(0, fillers, 4)]
    return "\n".join([*lines, *rest])


LEGAL = list_of("1 Mara ●")


def import_files(files: Iterable[Path], game: str | None = None) -> None:
    """Import whole catalogues, which takes seconds; each process does it once."""
    names = tuple(files)

    def build() -> CatalogueState:
        for file in names:
            import_catalogue(file.read_bytes(), game=game)
        return CatalogueState.objects.latest("pk")

    memory.build_once(("catalogues", names, game), build)
