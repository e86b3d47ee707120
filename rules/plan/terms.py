"""Terms of plans in the data of a game.

They are cards that let others in, and alternative declarations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rules.tables import Table, get_tables, to_record

if TYPE_CHECKING:
    from rules.deck import CardFacts

Wanted = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Opening:
    """A card that may resolve the `findings` (codes) by its presence.

    It is in `zone`, with the facts of `card`. `by` gives it further facts, each with the value of a fact of a
    card that the finding is about, or of any card of the list where it is about none.
    """

    findings: tuple[str, ...]
    zone: str
    card: Wanted | None = None
    by: Mapping[str, str] | None = None

    def choose_facts(self, concerned_card: CardFacts) -> Wanted | None:
        """Return the facts of the card that a concerned card asks for.

        None if it asks for none.
        """
        values = {fact: concerned_card.attributes.get(source) for fact, source in (self.by or {}).items()}
        if not all(isinstance(value, str) and value for value in values.values()):
            return None
        return {**(self.card or {}), **values}


@dataclass(frozen=True, slots=True)
class OptionChoice:
    """An option that may be declared otherwise to resolve the `findings` (codes).

    Its values are those of the fact `value` of the list's cards that have the facts of `card`; `label` is
    what people call it.
    """

    option: str
    label: str
    findings: tuple[str, ...]
    value: str
    card: Wanted | None = None


@dataclass(frozen=True, slots=True)
class PlanTerms:
    """The plan terms of a game.

    `counted_codes` are the codes of findings in which each card too many counts one.
    """

    openings: tuple[Opening, ...] = ()
    choices: tuple[OptionChoice, ...] = ()
    counted_codes: frozenset[str] = frozenset()

    @classmethod
    def of(cls, data: Table, where: str) -> PlanTerms:
        """Return the terms of a game's table `plan`.

        Raises ValueError naming what is missing.
        """
        counted_terms = data.get("counted", ())
        return cls(
            tuple(to_record(Opening, table, where) for table in get_tables(data, "openings")),
            tuple(to_record(OptionChoice, table, where) for table in get_tables(data, "choices")),
            frozenset(map(str, counted_terms if isinstance(counted_terms, list) else ())),
        )
