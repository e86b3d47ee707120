"""Plan an import: compare records with what is stored; write nothing.

A file only ever adds facts: a value that contradicts what is stored is a conflict, kept as stored unless the
import is set to replace. So is another type of a known card, and another name at a known number. A new
printing whose other facts differ from its card's other printings is no conflict: it keeps them as its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Literal, TypeVar

from decks.catalogue.importing.records import CardRecord, make_key, make_slug
from decks.catalogue.importing.stored import (
    PrintingColumns,
    StoredCard,
    StoredCatalogue,
    StoredPrinting,
    StoredSet,
    number_mark,
)
from decks.matching.catalogue import card_identity
from decks.matching.namesakes import choose_identity_key
from rules.catalogue_files.records import CatalogueProblem
from rules.names import normalize_name
from rules.reason import Reason, reason

_V = TypeVar("_V")


@dataclass(frozen=True, slots=True)
class FactDifference:
    """A fact that differs; a stored None was unknown, an incoming one is removed."""

    place: Reason = field(hash=False)
    key: str
    name: str
    fact: str
    stored_value: object
    incoming_value: object
    is_of_set: bool = False

    @property
    def token(self) -> str:
        """Return a short name of the question, the same whenever the file is read."""
        question = "\n".join((json.dumps(self.place.to_json(), sort_keys=True), self.key, self.fact))
        return sha256(question.encode("utf-8", "replace")).hexdigest()[:16]

    @property
    def is_decidable(self) -> bool:
        """Return whether the file may win; another name of a card means another card."""
        return self.fact != "name" or self.is_of_set


@dataclass(slots=True)
class CatalogueImportPlan:
    """The preview of an import.

    Holds what is new, gains facts, contradicts, stays or cannot be read. `accepted_conflicts` are the
    conflicts in which the file's side was taken, `of_sets` those about sets. `emptied_cards` are cards from
    which a printing was moved to another card; they go when nothing is left of them. `notes` tell what else
    the file holds.
    """

    game: str
    state: StoredCatalogue
    new_cards: list[CardRecord] = field(default_factory=list)
    changed_facts: list[FactDifference] = field(default_factory=list)
    removed_facts: list[FactDifference] = field(default_factory=list)
    conflicts: list[FactDifference] = field(default_factory=list)
    accepted_conflicts: list[FactDifference] = field(default_factory=list)
    of_sets: set[FactDifference] = field(default_factory=set)
    unchanged_count: int = 0
    problems: list[CatalogueProblem] = field(default_factory=list)
    notes: list[Reason] = field(default_factory=list)
    kind: str = ""
    emptied_cards: list[StoredCard] = field(default_factory=list)

    @property
    def writes_something(self) -> bool:
        """Whether applying the plan would change a row."""
        state = self.state
        rows: tuple[StoredSet | StoredCard | StoredPrinting, ...] = (
            *state.sets.values(),
            *state.cards.values(),
            *state.printings.values(),
        )
        return any(row.pk is None or row.is_changed for row in rows)

    @property
    def new_sets(self) -> list[StoredSet]:
        """The sets that are not stored yet, in the order of the file."""
        return [each for each in self.state.sets.values() if each.pk is None]

    def summary(self) -> Reason:
        """Return the figures of the plan."""
        return reason(
            "import_plan",
            new=len(self.new_cards),
            changed=len(self.changed_facts),
            conflicts=len(self.conflicts),
            unchanged=self.unchanged_count,
            problems=len(self.problems),
        )


ConflictDecider = Callable[[FactDifference], bool]
OnConflict = Literal["keep", "replace"] | ConflictDecider


def conflict_decider(on_conflict: OnConflict) -> ConflictDecider:
    """Return the function that decides whether the file wins a conflict."""
    if callable(on_conflict):
        return on_conflict
    return lambda _difference: on_conflict == "replace"


def make_plan(
    game: str,
    described_cards: Iterable[CardRecord],
    state: StoredCatalogue,
    *,
    sets: Mapping[str, Mapping[str, object]] | None = None,
    on_conflict: OnConflict = "keep",
    tick: Callable[[int], None] = lambda _count: None,
) -> CatalogueImportPlan:
    """Carry records into `state`, comparing them with it; write nothing.

    `tick` is called now and then with the number of records done; what it raises is passed on.
    """
    plan, takes = CatalogueImportPlan(game, state), conflict_decider(on_conflict)
    for code, facts in (sets or {}).items():
        _merge_set(plan, code, facts, takes)
    for done_count, record in enumerate(described_cards):
        if done_count % 500 == 0:
            tick(done_count)
        _RecordMerger(plan, _in_known_set(record, state), takes).run()
    return plan


def _in_known_set(record: CardRecord, state: StoredCatalogue) -> CardRecord:
    """Return the record under the code of its set, as SF04 for `darkpath`."""
    code = state.find_set(record.set_code)
    if code == record.set_code:
        return record
    if record.key_is_given:
        return replace(record, set_code=code)
    key = make_key(code, record.number, record.name, record.card_facts, record.variant)
    return replace(record, set_code=code, key=key)


def _merge_set(
    plan: CatalogueImportPlan, code: str, facts: Mapping[str, object], takes: ConflictDecider
) -> None:
    set_row = plan.state.sets.setdefault(code, StoredSet(code))
    for name in ("name", "size", "is_hidden"):
        before, incoming = getattr(set_row, name), facts.get(name)
        if incoming in (None, "", before):
            continue
        place = reason("catalogue_place.set", set=code)
        difference = FactDifference(place, code, set_row.name or code, name, before, incoming, is_of_set=True)
        if before in (None, "", False) or _record_conflict(plan, difference, takes):
            setattr(set_row, name, incoming)
            set_row.is_changed = True
    _add_codes(plan, set_row, facts.get("other_codes"))


def _add_codes(plan: CatalogueImportPlan, set_row: StoredSet, codes: object) -> None:
    """Add the other codes that the file gives the set; they never conflict."""
    known_codes = {set_row.code, *set_row.other_codes}
    new = [code for code in codes if code not in known_codes] if isinstance(codes, list) else []
    if new:
        place, name = reason("catalogue_place.set", set=set_row.code), set_row.name or set_row.code
        if set_row.pk is not None:
            plan.changed_facts.append(FactDifference(place, set_row.code, name, "other_codes", None, new))
        set_row.other_codes += new
        set_row.is_changed = True


def _record_conflict(plan: CatalogueImportPlan, conflict: FactDifference, takes: ConflictDecider) -> bool:
    """Note a conflict, about a set only once; return whether the file wins it."""
    is_taken = conflict.is_decidable and takes(conflict)
    if conflict.is_of_set:
        if conflict in plan.of_sets:
            return is_taken
        plan.of_sets.add(conflict)
    plan.conflicts.append(conflict)
    if is_taken:
        plan.accepted_conflicts.append(conflict)
    return is_taken


class _RecordMerger:
    """Takes one record into the plan."""

    def __init__(self, plan: CatalogueImportPlan, record: CardRecord, takes: ConflictDecider) -> None:
        self.plan, self.record, self.takes = plan, record, takes
        self.found_differences = False

    def run(self) -> None:
        record = self.record
        if record.set_code:
            of_set = {"name": record.set_name or None, "size": record.set_size}
            _merge_set(self.plan, record.set_code, of_set, self.takes)
        known_printings = self._known_printings()
        if not known_printings:
            if self._may_stand_here():
                self._add()
            return
        if len(known_printings) == 1:
            self._meet_printing(known_printings[0])
        else:
            # Several variants are at this place and the record does not say which: only what it says of the
            # card is sure.
            self._meet(known_printings[0].card, known_printings[0].card.facts, record.card_facts)
        if not self.found_differences:
            self.plan.unchanged_count += 1

    def _known_printings(self) -> list[StoredPrinting]:
        """Return the stored printings, of one card, that the record may be about."""
        record, state = self.record, self.plan.state
        if record.key_is_given:
            return [state.printings[record.key]] if record.key in state.printings else []
        place = (record.set_code, record.number, normalize_name(record.name))
        fitting = [printing for printing in state.by_place.get(place, ()) if self._may_be(printing)]
        same = [printing for printing in fitting if self._identity_as(printing.key) == printing.card.identity]
        candidates = same or fitting
        return candidates if len({id(printing.card) for printing in candidates}) == 1 else []

    def _may_stand_here(self) -> bool:
        """Return whether the number is free, shared by given keys, or won by the file."""
        record = self.record
        if record.key_is_given or not record.set_code:
            return True
        place = (record.set_code, number_mark(record.number, record.number_as_printed))
        others = [each for each in self.plan.state.by_number.get(place, ()) if self._is_of_another(each)]
        if not others:
            return True
        stored_names = " / ".join(dict.fromkeys(each.card.name for each in others))
        difference = self._difference("name_at_number", stored_names, record.name)
        return _record_conflict(self.plan, difference, self.takes)

    def _is_of_another(self, printing: StoredPrinting) -> bool:
        """Return whether a printing has another name, but not another variant."""
        variants = {self.record.variant, printing.columns.variant} - {""}
        return normalize_name(self.record.name) not in printing.names and len(variants) < 2

    def _may_be(self, printing: StoredPrinting) -> bool:
        """Return whether neither rank dots nor variant distinguishes record and printing."""
        dots, own_dots = self.record.card_facts.get("dots"), printing.card.facts.get("dots")
        variant = self.record.variant
        return (None in (dots, own_dots) or dots == own_dots) and variant in ("", printing.columns.variant)

    def _identity_as(self, key: str) -> str:
        record = self.record
        facts = {**record.card_facts, **record.printing_facts}
        game, is_deck_card = self.plan.game, record.is_deck_card
        own_key = choose_identity_key(game, record.name, record.set_code, record.number, key)
        return card_identity(game, own_key, record.name, facts, is_deck_card=is_deck_card)

    def _add(self) -> None:
        record, state = self.record, self.plan.state
        key = record.key
        while key in state.printings:
            key = f"{record.key}~{make_slug(record.printed_name)}" if key == record.key else f"{key}+"
        identity = self._identity_as(key)
        card = state.cards.get(identity)
        if card is None:
            card = state.cards[identity] = StoredCard(identity, record.name, dict(record.card_facts))
            own = dict(record.printing_facts)
        else:
            own = self._facts_of_a_further_printing(card)
        state.add(StoredPrinting(key, card, _columns(record), dict(record.external_ids), own))
        self.plan.new_cards.append(record)

    def _facts_of_a_further_printing(self, card: StoredCard) -> dict[str, object]:
        own = dict(self.record.printing_facts)
        for name, incoming in self.record.card_facts.items():
            if name not in card.facts:
                card.facts[name] = incoming
                card.is_changed = True
            elif card.facts[name] == incoming:
                continue
            elif name != "type":
                own[name] = incoming
            elif self._is_accepted(name, card.facts[name], incoming):
                card.facts[name] = incoming
                card.is_changed = True
        return own

    def _meet_printing(self, printing: StoredPrinting) -> None:
        record = self.record
        if normalize_name(record.name) not in printing.names:
            # Another card under a known key: a person has to say which of the two is right.
            self.found_differences = True
            _record_conflict(self.plan, self._difference("name", printing.card.name, record.name), self.takes)
            return
        self._settle_identity(printing)
        self._remove_facts(printing)
        of_card = {n: v for n, v in record.card_facts.items() if n not in printing.facts}
        of_printing = {n: v for n, v in record.card_facts.items() if n in printing.facts}
        self._meet_columns(printing, _comparable(record, printing))
        self._meet(printing, printing.external_ids, record.external_ids)
        self._meet(printing, printing.facts, {**of_printing, **record.printing_facts})
        self._meet(printing.card, printing.card.facts, of_card)

    def _remove_facts(self, printing: StoredPrinting) -> None:
        """Remove what an editor cleared, from the printing and from its card."""
        for row in (printing, printing.card):
            for fact in self.record.removed_facts:
                if fact in row.facts:
                    self.found_differences = row.is_changed = True
                    self.plan.removed_facts.append(self._difference(fact, row.facts.pop(fact), None))

    def _settle_identity(self, printing: StoredPrinting) -> None:
        """Move the printing to its own card if new facts show that it is another card."""
        old, incoming_facts = printing.card, {**self.record.card_facts, **self.record.printing_facts}
        own_facts = {**old.facts, **printing.facts}
        own_facts = {key: value for key, value in own_facts.items() if key not in self.record.removed_facts}
        facts = self._merge_facts(own_facts, incoming_facts)
        game, columns = self.plan.game, printing.columns
        key = choose_identity_key(game, old.name, columns.card_set, columns.number, printing.key)
        identity = card_identity(game, key, old.name, facts, is_deck_card=columns.is_deck_card)
        if identity == old.identity:
            return
        self.found_differences = True
        self.plan.changed_facts.append(self._difference("card", old.identity, identity))
        cards = self.plan.state.cards
        printing.card = cards.setdefault(identity, StoredCard(identity, old.name, dict(old.facts)))
        printing.is_changed = True
        self.plan.emptied_cards.append(old)

    def _merge_facts(
        self, own_facts: Mapping[str, object], incoming_facts: Mapping[str, object]
    ) -> dict[str, object]:
        """Return the stored and the new facts, with conflicts resolved as decided."""
        facts = {**incoming_facts, **own_facts}
        for fact, incoming in incoming_facts.items():
            before = own_facts.get(fact)
            if before not in (None, "", incoming) and self.takes(self._difference(fact, before, incoming)):
                facts[fact] = incoming
        return facts

    def _difference(self, fact: str, stored_value: object, incoming: object) -> FactDifference:
        record = self.record
        return FactDifference(record.place, record.key, record.name, fact, stored_value, incoming)

    def _meet(
        self, row: StoredCard | StoredPrinting, stored_values: dict[str, _V], incoming: Mapping[str, _V]
    ) -> None:
        for fact, value in incoming.items():
            if self._is_accepted(fact, stored_values.get(fact), value):
                stored_values[fact] = value
                row.is_changed = True

    def _meet_columns(self, printing: StoredPrinting, incoming: Mapping[str, object]) -> None:
        for column, value in incoming.items():
            if self._is_accepted(column, getattr(printing.columns, column), value):
                setattr(printing.columns, column, value)
                printing.is_changed = True

    def _is_accepted(self, fact: str, before: object, value: object) -> bool:
        """Note a difference, and say whether the file's value is to be stored."""
        if before == value and type(before) is type(value):
            return False
        self.found_differences = True
        difference = self._difference(fact, before, value)
        if before not in (None, ""):
            return _record_conflict(self.plan, difference, self.takes)
        self.plan.changed_facts.append(difference)
        return True


def _columns(record: CardRecord) -> PrintingColumns:
    return PrintingColumns(
        record.set_code,
        record.number,
        record.number_as_printed,
        record.printed_name,
        record.variant,
        record.is_deck_card,
    )


def _comparable(record: CardRecord, stored_printing: StoredPrinting) -> dict[str, object]:
    """Return the columns to compare; a number stays as it was first printed."""
    number_as_printed = "" if stored_printing.columns.number_as_printed else record.number_as_printed
    values = {
        "card_set": record.set_code,
        "number": record.number,
        "number_as_printed": number_as_printed,
        "variant": record.variant,
        "is_deck_card": record.is_deck_card,
    }
    return {name: value for name, value in values.items() if value not in (None, "")}
