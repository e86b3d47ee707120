"""What an import would do, worked out before anything is written.

Facts are only ever added: a value that contradicts what is stored is a conflict, kept as stored unless the
import is told to replace. A new printing whose facts differ from its card's other printings is no conflict:
it keeps them as its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from decks.cataloguing.describe import Described, Problem, identity, slug
from rules.names import normal


@dataclass(slots=True)
class StoredCard:
    """A card as it stands, or as it will stand. A `pk` of None is not stored yet."""

    identity: str
    name: str
    facts: dict[str, Any]
    pk: int | None = None
    is_changed: bool = False


@dataclass(slots=True)
class StoredPrinting:
    """A printing as it stands, or as it will stand; `columns` are set, number, variant and the like."""

    key: str
    card: StoredCard
    columns: dict[str, Any]
    external_ids: dict[str, str]
    facts: dict[str, Any]
    pk: int | None = None
    is_changed: bool = False


@dataclass(slots=True)
class StoredSet:
    """A set as it stands, or as it will stand."""

    code: str
    name: str = ""
    size: int | None = None
    is_hidden: bool = False
    pk: int | None = None
    is_changed: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """One fact of one printing: `stored` of None was unknown; a conflict has both."""

    place: str
    key: str
    name: str
    fact: str
    stored: Any
    incoming: Any


@dataclass(slots=True)
class State:
    """All that is stored of a game's catalogue, by the names under which it is looked up."""

    sets: dict[str, StoredSet] = field(default_factory=dict)
    cards: dict[str, StoredCard] = field(default_factory=dict)
    printings: dict[str, StoredPrinting] = field(default_factory=dict)
    by_place: dict[tuple[str, int | None, str], list[StoredPrinting]] = field(default_factory=dict)

    def add(self, printing: StoredPrinting) -> None:
        """Remember a printing under its key and its place."""
        self.printings[printing.key] = printing
        columns = printing.columns
        place = (columns["card_set"], columns["number"], normal(printing.card.name))
        self.by_place.setdefault(place, []).append(printing)


@dataclass(slots=True)
class Plan:
    """The preview of an import: what is new, gains facts, contradicts, stays or cannot be read.

    `left` are cards from which a printing was moved to another card; they go when nothing is left of them.
    """

    game: str
    state: State
    new: list[Described] = field(default_factory=list)
    changed: list[Difference] = field(default_factory=list)
    conflicts: list[Difference] = field(default_factory=list)
    unchanged: int = 0
    problems: list[Problem] = field(default_factory=list)
    left: list[StoredCard] = field(default_factory=list)

    @property
    def writes_something(self) -> bool:
        """Whether applying the plan would change a row."""
        rows = (*self.state.sets.values(), *self.state.cards.values(), *self.state.printings.values())
        return any(row.pk is None or row.is_changed for row in rows)

    def summary(self) -> str:
        """The plan in one sentence."""
        found = f"{len(self.new)} new printings, {len(self.changed)} facts added"
        kept = f"{len(self.conflicts)} in conflict, {self.unchanged} unchanged"
        return f"{found}, {kept}, {len(self.problems)} not readable."


OnConflict = Literal["keep", "replace"]


def make_plan(
    game: str,
    described: Iterable[Described],
    state: State,
    *,
    sets: Mapping[str, Mapping[str, Any]] | None = None,
    on_conflict: OnConflict = "keep",
) -> Plan:
    """Compare records with what is stored and carry them into `state`. Nothing is written to the database."""
    plan = Plan(game, state)
    for code, facts in (sets or {}).items():
        _meet_set(plan, code, facts)
    for record in described:
        _Step(plan, record, on_conflict).run()
    return plan


def _meet_set(plan: Plan, code: str, facts: Mapping[str, Any]) -> None:
    stored = plan.state.sets.setdefault(code, StoredSet(code))
    for name in ("name", "size", "is_hidden"):
        before, incoming = getattr(stored, name), facts.get(name)
        if incoming in (None, "", before):
            continue
        if before in (None, "", False):
            setattr(stored, name, incoming)
            stored.is_changed = True
        else:
            plan.conflicts.append(
                Difference(f"set {code}", code, stored.name or code, name, before, incoming)
            )


class _Step:
    """Takes one record into the plan."""

    def __init__(self, plan: Plan, record: Described, on_conflict: OnConflict) -> None:
        self.plan, self.record = plan, record
        self.replaces = on_conflict == "replace"
        self.found_differences = False

    def run(self) -> None:
        record = self.record
        if record.set_code:
            _meet_set(self.plan, record.set_code, {"name": record.set_name or None, "size": record.set_size})
        known = self._known_printings()
        if not known:
            self._add()
            return
        if len(known) == 1:
            self._meet_printing(known[0])
        else:
            # Several variants stand at this place and the record does not say which: only what it says of the
            # card is sure.
            self._meet(known[0].card, known[0].card.facts, record.card_facts)
        if not self.found_differences:
            self.plan.unchanged += 1

    def _known_printings(self) -> list[StoredPrinting]:
        """The stored printings that the record may speak of; several are always of one card."""
        record, state = self.record, self.plan.state
        if record.key_is_given:
            return [state.printings[record.key]] if record.key in state.printings else []
        place = (record.set_code, record.number, normal(record.name))
        fitting = [printing for printing in state.by_place.get(place, ()) if self._may_be(printing)]
        same = [printing for printing in fitting if self._identity_as(printing.key) == printing.card.identity]
        found = same or fitting
        return found if len({id(printing.card) for printing in found}) == 1 else []

    def _may_be(self, printing: StoredPrinting) -> bool:
        """Whether nothing that the record says tells it from the printing: rank dots or variant."""
        dots, stored = self.record.card_facts.get("dots"), printing.card.facts.get("dots")
        variant = self.record.variant
        return (None in (dots, stored) or dots == stored) and variant in ("", printing.columns["variant"])

    def _identity_as(self, key: str) -> str:
        record = self.record
        return identity(self.plan.game, key, record.name, {**record.card_facts, **record.printing_facts})

    def _add(self) -> None:
        record, state = self.record, self.plan.state
        key = record.key
        while key in state.printings:
            key = f"{record.key}~{slug(record.printed_name)}" if key == record.key else f"{key}+"
        shown = self._identity_as(key)
        card = state.cards.get(shown)
        if card is None:
            card = state.cards[shown] = StoredCard(shown, record.name, dict(record.card_facts))
            own = dict(record.printing_facts)
        else:
            own = self._facts_of_a_further_printing(card)
        state.add(StoredPrinting(key, card, _columns(record), dict(record.external_ids), own))
        self.plan.new.append(record)

    def _facts_of_a_further_printing(self, card: StoredCard) -> dict[str, Any]:
        own = dict(self.record.printing_facts)
        for name, incoming in self.record.card_facts.items():
            if name not in card.facts:
                card.facts[name] = incoming
                card.is_changed = True
            elif card.facts[name] != incoming:
                own[name] = incoming
        return own

    def _meet_printing(self, printing: StoredPrinting) -> None:
        record = self.record
        if normal(record.name) != normal(printing.card.name):
            # Another card under a known key: a person has to say which of the two is right.
            self._differ("name", printing.card.name, record.name, self.plan.conflicts)
            return
        self._settle_identity(printing)
        of_card = {n: v for n, v in record.card_facts.items() if n not in printing.facts}
        of_printing = {n: v for n, v in record.card_facts.items() if n in printing.facts}
        self._meet(printing, printing.columns, _comparable(record, printing))
        self._meet(printing, printing.external_ids, record.external_ids)
        self._meet(printing, printing.facts, {**of_printing, **record.printing_facts})
        self._meet(printing.card, printing.card.facts, of_card)

    def _settle_identity(self, printing: StoredPrinting) -> None:
        """Move the printing to a card of its own when new facts show that it is another card."""
        old, said = printing.card, {**self.record.card_facts, **self.record.printing_facts}
        stored = {**old.facts, **printing.facts}
        facts = {**stored, **said} if self.replaces else {**said, **stored}
        shown = identity(self.plan.game, printing.key, old.name, facts)
        if shown == old.identity:
            return
        self._differ("card", old.identity, shown, self.plan.changed)
        cards = self.plan.state.cards
        printing.card = cards.setdefault(shown, StoredCard(shown, old.name, dict(old.facts)))
        printing.is_changed = True
        self.plan.left.append(old)

    def _differ(self, fact: str, stored: Any, incoming: Any, into: list[Difference]) -> None:
        self.found_differences = True
        into.append(Difference(self.record.place, self.record.key, self.record.name, fact, stored, incoming))

    def _meet(
        self, row: StoredCard | StoredPrinting, stored: dict[str, Any], incoming: Mapping[str, Any]
    ) -> None:
        for fact, value in incoming.items():
            before = stored.get(fact)
            if before == value and type(before) is type(value):
                continue
            is_conflict = before not in (None, "")
            self._differ(fact, before, value, self.plan.conflicts if is_conflict else self.plan.changed)
            if not is_conflict or self.replaces:
                stored[fact] = value
                row.is_changed = True


def _columns(record: Described) -> dict[str, Any]:
    return {
        "card_set": record.set_code,
        "number": record.number,
        "number_as_printed": record.number_as_printed,
        "printed_name": record.printed_name,
        "variant": record.variant,
        "is_deck_card": record.is_deck_card,
    }


def _comparable(record: Described, stored: StoredPrinting) -> dict[str, Any]:
    """The columns that the record speaks of; how a name or number is typed is settled by who came first."""
    said = {name: value for name, value in _columns(record).items() if value not in (None, "")}
    del said["printed_name"]
    if stored.columns["number_as_printed"]:
        said.pop("number_as_printed", None)
    return said
