"""A small made-up catalogue with every difficulty of real ones."""

from __future__ import annotations

from decks.matching.index import CardIndex
from decks.matching.model import IndexedPrinting

GOLEM_ID = "aaaaaaaa-0000-0000-0000-000000000001"
BUTTON_ID = "aaaaaaaa-0000-0000-0000-00000000ffff"


def printing(
    name: str,
    where: str,
    *,
    card: str = "",
    dots: int | None = None,
    variant: str | None = None,
    aliases: tuple[str, ...] = (),
    ids: tuple[str, ...] = (),
) -> IndexedPrinting:
    """Return a printing from its name and `SET number/size`.

    By default, its card has the same name.
    """
    code, _, number = where.partition(" ")
    bare = number.partition("/")[0]
    key = f"{code}-{bare}" + (f"~{variant}" if variant else "")
    whole = int(bare) if bare.isdecimal() else None
    card = card or (f"{name}|{dots}" if dots else name)
    return IndexedPrinting(key, card, name, code, whole, number, dots, variant, aliases, ids)


PRINTINGS = (
    printing("Ken", "SF01 37/143", dots=1),
    printing("Ken", "SF01 38/143", dots=2),
    printing("Ken", "SF05 55/90", dots=4),
    printing("Dhalsim", "SF3P 8/23", dots=3),
    printing("Guile", "SF02 55/126", dots=1),
    printing("Guile", "ZZ9 4/90"),
    printing("Dark Hado", "SF03 15/90", card="Dark Hado (SF03)"),
    printing("Dark Hado", "SF04 070/144", card="Dark Hado (SF04)"),
    printing("Quick Elbow", "SF01 126/143", card="Jab"),
    printing("Jab", "SF01 126/143", card="Jab"),
    printing("Taking the Bait", "SC03 090/144", variant="starter"),
    printing("Taking the Bait", "SC03 090/144", variant="booster"),
    printing("Taki", "SC01 073/143", dots=1),
    printing("7 Iron", "PA 11/45"),
    printing("Iron", "PA 12/45"),
    printing("M.I.A.", "SF04 34/144"),
    printing("...To Stand a Chance", "SF01 59/143"),
    printing("Kubi Ori", "SF05 46/90", aliases=("Neck Breaker",)),
    printing("Protégé", "HM3 007"),
    printing("Alertness", "HS4 024 DvK"),
    printing("Copper Golem", "RIM 12/60", ids=(GOLEM_ID, "31415")),
    printing("Copper Golem", "RIM 13/60", card="Copper Golem"),
    printing("Kaede (OM)", "CFC 3"),
    printing("Kaede", "CFC 4"),
    printing("Salt // Iron Will", "RIM 20/60"),
    printing("The Noble Golem", "RIM 21/60"),
    printing("Attack", "RIM 22/60"),
    printing("Lotus of the Sun", "RIM 23/60"),
    printing("Festival Float", "2006 1/2"),
    printing("Festival Float (Side)", "2006 2/2"),
    IndexedPrinting("UI-1", "Start Game", "Start Game", ids=(BUTTON_ID,), is_deck_card=False),
)
INDEX = CardIndex(PRINTINGS)
