"""Judge a written list: what it may mean, and what every meaning of it breaks.

The one way from a list as people write it to a verdict. Pages, API, submissions, rechecks and the command
line hand over what they read and found; nothing is guessed here. What is open is never called broken: a rule
is broken only where every meaning breaks it, and a list of which something is open is never legal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from types import MappingProxyType

from rules.deck import MAY_BE, MAY_BE_NAMED, CardFacts, Deck, Entry
from rules.finding import ORDER, Finding, MissingFact, Verdict
from rules.formats import Format
from rules.legality import check_deck, outcome_of
from rules.lists import Lists
from rules.names import normalize_name

# Questions about parts whose answers are combined; of more, all get the same answer at a time.
MOST_QUESTIONS = 3
ASIDE = "aside"
_ANSWERS = ("main", "sideboard", ASIDE)


@dataclass(frozen=True, slots=True)
class ListEntry:
    """The cards of one line: `qty` copies in the part `zone` ("aside": in none).

    `cards` is the card that `name` means; several where it is open which, none if no catalogue holds it.
    `other_qty` is set where the number of copies is open as well.
    """

    name: str
    cards: tuple[CardFacts, ...]
    qty: int
    zone: str
    line: int | None = None
    other_qty: int | None = None


@dataclass(frozen=True, slots=True)
class WrittenList:
    """A list as it was read.

    `unread` are records with `why` and, if one is meant, `line`. Each of `open_parts` holds the places of the
    entries whose zone one question leaves open; `missing_counts` counts the announced cards that were not
    read, by zone.
    """

    game: str
    entries: tuple[ListEntry, ...]
    options: Mapping[str, object] = field(default_factory=dict)
    unread: tuple[Mapping[str, object], ...] = ()
    open_parts: tuple[frozenset[int], ...] = ()
    missing_counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_open(self) -> bool:
        """Whether anything of the list is not understood."""
        return bool(self.unread) or any(len(e.cards) != 1 and e.zone != ASIDE for e in self.entries)

    def deck(self, lists: Lists) -> Deck:
        """Return the deck as it was read, for checks that take one deck."""
        return _deck(self, [_entry(entry, lists) for entry in self.entries], self._zones)

    @property
    def _zones(self) -> tuple[str, ...]:
        return tuple(entry.zone for entry in self.entries)


def judge_list(written_list: WrittenList, format: Format) -> Verdict:
    """Return the verdict on a list. Raises ValueError for a list of another game."""
    entries = [_entry(entry, format.lists) for entry in written_list.entries]
    verdict = check_deck(_deck(written_list, entries, written_list._zones), format)
    broken_rules = {finding.rule for finding in verdict.errors}
    for deck in _other_decks(written_list, entries) if broken_rules else ():
        broken_rules &= {finding.rule for finding in check_deck(deck, format).errors}
        if not broken_rules:
            break
    verdict = keep_certain(verdict, broken_rules)
    if verdict.outcome == "legal" and written_list.is_open:
        return replace(verdict, outcome="unknown")
    return verdict


def keep_certain(verdict: Verdict, broken_rules: Collection[str]) -> Verdict:
    """Return the verdict with only `broken_rules` certainly broken.

    The other broken rules become unknown.
    """
    findings = [_open(each) if _is_open(each, broken_rules) else each for each in verdict.findings]
    if findings == list(verdict.findings):
        return verdict
    ordered_findings = tuple(sorted(findings, key=lambda finding: ORDER[finding.severity]))
    return replace(verdict, findings=ordered_findings, outcome=outcome_of(ordered_findings))


def _is_open(finding: Finding, broken_rules: Collection[str]) -> bool:
    return finding.severity == "error" and finding.rule not in broken_rules


def _open(finding: Finding) -> Finding:
    facts = (*finding.facts, MissingFact("how-meant"))
    return finding._replace(severity="unknown", repair=None, facts=facts, follows_from=None)


def _entry(list_entry: ListEntry, lists: Lists) -> Entry:
    cards = list_entry.cards
    card = cards[0] if len(cards) == 1 else _unclear_card(list_entry, lists)
    return Entry(card, list_entry.qty, list_entry.line)


def _unclear_card(list_entry: ListEntry, lists: Lists) -> CardFacts:
    """Return a card of which only what all possible cards share is known.

    The number of different possible cards is included.
    """
    cards = list_entry.cards
    if not cards:
        return CardFacts.of_missing(list_entry.name)
    shared_values: dict[str, object] = {
        fact: value
        for fact, value in cards[0].attributes.items()
        if all(card.attributes.get(fact) == value for card in cards[1:])
    }
    identities = [lists.identity(card).exact for card in cards]
    shared_values[MAY_BE] = len({each for each in identities if each is not None}) + identities.count(None)
    names = list({normalize_name(card.name): card.name for card in cards}.values())
    # A list that names one of several cards must not be about a line that may mean another.
    name = names[0] if len(names) == 1 else " / ".join(names)
    differing = {MAY_BE_NAMED: tuple(names)} if len(names) > 1 else {}
    return CardFacts(
        f"{list_entry.name}#{list_entry.line}", name, {**shared_values, "name": name, **differing}
    )


def _deck(
    written_list: WrittenList,
    entries: Sequence[Entry],
    zones: Sequence[str],
    missing_counts: Mapping[str, int] = MappingProxyType({}),
) -> Deck:
    parts: dict[str, list[Entry]] = {}
    for entry, zone in zip(entries, zones, strict=True):
        parts.setdefault(zone, []).append(entry)
    for zone, count in missing_counts.items():
        parts.setdefault(zone, []).append(Entry(CardFacts.of_missing("?"), count))
    main, sideboard, pregame = (tuple(parts.get(zone, ())) for zone in ("main", "sideboard", "pregame"))
    pool = tuple(parts["pool"]) if "pool" in parts else None
    unread = {"unread": list(written_list.unread)} if written_list.unread else {}
    return Deck(written_list.game, main, sideboard, pregame, pool, {**written_list.options, **unread})


def _other_decks(written_list: WrittenList, entries: Sequence[Entry]) -> Iterator[Deck]:
    """Yield the decks of every other meaning of the list.

    The meanings are those that the questions of the list leave open.
    """
    copies = [
        entry if each.other_qty is None else replace(entry, qty=each.other_qty)
        for entry, each in zip(entries, written_list.entries, strict=True)
    ]
    counts = [entries, *([copies] if copies != list(entries) else [])]
    missing_options = [
        MappingProxyType({}),
        *([written_list.missing_counts] if written_list.missing_counts else []),
    ]
    as_read = written_list._zones
    zones = dict.fromkeys([as_read, *_with_other_zones(as_read, written_list.open_parts)])
    for count, absent, place in product(counts, missing_options, zones):
        if count is not entries or absent or place != as_read:
            yield _deck(written_list, count, place, absent)


def _with_other_zones(
    as_read: Sequence[str], open_parts: Sequence[Collection[int]]
) -> Iterable[tuple[str, ...]]:
    choices = (*_ANSWERS, *({"pregame"} & set(as_read)))
    parts = open_parts if len(open_parts) <= MOST_QUESTIONS else [frozenset().union(*open_parts)]
    for answer in product(("", *choices), repeat=len(parts)):
        zones_by_place = {
            place: zone for part, zone in zip(parts, answer, strict=True) if zone for place in part
        }
        yield tuple(zones_by_place.get(place, zone) for place, zone in enumerate(as_read))
