"""From decks.selectors.lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from decks.catalogue.selectors.catalogue import Catalogue
from decks.importers.parsing import parse
from rules import Deck, Entry


def with_cards(options: Mapping[str, Any], known: Catalogue) -> Mapping[str, Any]:
    """The declarations with the bonus cards they name, where the catalogue knows exactly one such card."""
    bonus = options.get("bonus")
    if not isinstance(bonus, Mapping):
        return options
    return {**options, "bonus": {kind: _card_named(name, known) for kind, name in bonus.items()}}


def _card_named(name: Any, known: Catalogue) -> Any:
    lines = parse(name).cards if isinstance(name, str) else ()
    found = known.index.resolve(lines[0]) if len(lines) == 1 else None
    facts = known.card_facts(found.card_key, found.printing_key) if found and found.card_key else None
    return facts or name


def deck_of(
    game: str,
    zones: Mapping[str, list[Entry]],
    options: Mapping[str, Any],
    not_read: Sequence[Mapping[str, Any]] = (),
) -> Deck:
    """A deck for the rules from the entries of each zone; without a pool, none was recorded."""
    return Deck(
        game=game,
        main=tuple(zones.get("main", ())),
        sideboard=tuple(zones.get("sideboard", ())),
        pregame=tuple(zones.get("pregame", ())),
        pool=tuple(zones["pool"]) if "pool" in zones else None,
        options={**options, "unread": list(not_read)} if not_read else dict(options),
    )
