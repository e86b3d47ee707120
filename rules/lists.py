"""Dated editions of bans, errata and identities.

An edition is a whole list as it was from one day on, never a change to another. Several editions of one kind
may exist for a set of rules; the one with the highest number that is in force on the day counts.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from types import MappingProxyType

from rules.card_match import Match, match_card
from rules.deck import MAY_BE, MAY_BE_NAMED, UNKNOWN, CardFacts, Deck, Entry
from rules.names import normalize_name
from rules.reason import Reason
from rules.rendering import Problem, render

# The number of an edition that holds nothing but an event's own bans: no published list is attached.
LOCAL_ONLY = 0


class BadEdition(Problem, ValueError):
    """List data that is not an edition; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition of one list of a game.

    `kind` is "bans", "errata", "identities" or a kind of the game's own. `versions` are the versions of the
    rules it belongs to (empty: all). `entries` are records; a record's `card` holds the facts by which a card
    is recognized, everything else is for people. `in_force` None means always.
    """

    game: str
    kind: str
    number: int
    entries: tuple[Mapping[str, object], ...]
    in_force: date | None = None
    document: str = ""
    clause: str = ""
    versions: tuple[str, ...] = ()
    name: str = ""

    @classmethod
    def from_mapping(cls, game: str, data: Mapping[str, object]) -> "Edition":
        """Return an edition from list data (a file's or a database's). Raises BadEdition."""
        kind, number, in_force = data.get("kind"), data.get("number"), data.get("in_force")
        if not isinstance(kind, str) or type(number) is not int:
            raise BadEdition("edition-nameless")
        if in_force is not None and not isinstance(in_force, date):
            raise BadEdition("edition-part", kind=kind, number=number, part="in_force")
        entries = data.get("entries", ())
        if not isinstance(entries, list | tuple) or not all(isinstance(entry, Mapping) for entry in entries):
            raise BadEdition("edition-part", kind=kind, number=number, part="entries")
        versions = data.get("versions", ())
        if not isinstance(versions, list | tuple):
            raise BadEdition("edition-part", kind=kind, number=number, part="versions")
        return cls(
            game,
            kind,
            number,
            tuple(entries),
            in_force,
            str(data.get("document", "")),
            str(data.get("clause", "")),
            tuple(map(str, versions)),
            str(data.get("name", "")) or f"{kind} {number}",
        )

    def holds(self, version: str, on: date | None) -> bool:
        """Return whether it is valid for a version and in force on a day (None: any)."""
        in_time = on is None or self.in_force is None or self.in_force <= on
        return in_time and (not self.versions or version in self.versions)

    def cite(self, entry: Mapping[str, object]) -> "Citation":
        """Return an entry's own document and clause, else those of the edition.

        The edition's clause is not cited for an entry that has a document of its own.
        """
        document = str(entry.get("document") or entry.get("overlay") or "")
        is_own = document in ("", self.document)
        clause = str(entry.get("clause") or (self.clause if is_own else ""))
        return Citation(document or self.document, clause or NO_CLAUSE)

    def reason(self) -> Reason:
        """Return its name, document and first day as a part of a sentence."""
        since = self.in_force.isoformat() if self.in_force else None
        if self.document:
            return Reason("edition", {"name": self.name, "document": self.document, "since": since})
        return Reason("edition.nameless", {"name": self.name, "since": since})

    def in_words(self) -> str:
        """Return it as "bans 1 (UFS Tournament Rules v1.9, in force 2008-02-27)"."""
        return render("reason", self.reason())


# Shown where a clause would be; it is the same in every language.
NO_CLAUSE = "–"


@dataclass(frozen=True, slots=True)
class Citation:
    """A document and the place in it."""

    document: str
    clause: str

    def merged_with(self, others: Iterable["Citation"]) -> "Citation":
        """Return all as one "document, clause", where each clause is by its document."""
        others = tuple(others)
        if not others:
            return self
        by_document: dict[str, dict[str, None]] = {}
        for each in (self, *others):
            by_document.setdefault(each.document, {})[each.clause] = None
        (document, clauses), *rest = by_document.items()
        further = (f"; {', '.join(filter(None, (name, *places)))}" for name, places in rest)
        return Citation(document, ", ".join(clauses) + "".join(further))


NOWHERE = Citation("", "")


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity of a card, for counting copies.

    `family` is the compared name, shared by all versions of a name. `exact` tells the card from every other,
    by one text, so that copies are counted quickly; it is None while one of the facts in `missing_facts` is
    unknown, and for a card that no catalogue holds. `set_apart` marks one of several cards that share a name
    without being versions of each other. `named_in` are the kinds of other lists that may be about the card,
    and `matches` keeps what they say of it. `may_be` counts the different cards that one line of it may hold
    some of each of.
    """

    family: str
    exact: str | None
    missing_facts: tuple[str, ...] = ()
    set_apart: bool = False
    named_in: frozenset[str] = frozenset()
    may_be: int = 1
    matches: dict[str, list[tuple[Mapping[str, object], Match]]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def of_any_version(self) -> "Identity":
        """Return the identity where all versions of a name are one card."""
        return self if self.set_apart else replace(self, exact=_version(self.family, "any"), missing_facts=())


# An entry with its zone and which card it is.
IdentifiedEntry = tuple[str, Entry, Identity]


def _version(family: str, version: object) -> str:
    """Return a version of a name, as one text; no compared name has a line break."""
    return f"{family}\n{version}"


def _wanted_facts(entry: Mapping[str, object]) -> Mapping[str, object]:
    card = entry.get("card", {})
    return card if isinstance(card, Mapping) else {}


def _printed_facts(entry: Mapping[str, object]) -> Mapping[str, object]:
    """Return set and number of the card that a correction names, where it has them."""
    printing = entry.get("printed")
    parts = printing if isinstance(printing, Mapping) else {}
    return {fact: parts[fact] for fact in ("set", "number") if fact in parts}


class Lists:
    """The editions that are in force together, made ready for looking cards up.

    `ranked_types` are the types of which one name has several versions distinguished by `rank_attribute`.
    """

    def __init__(
        self,
        editions: Mapping[str, Edition] = MappingProxyType({}),
        rank_attribute: str | None = None,
        ranked_types: frozenset[str] = frozenset(),
    ) -> None:
        self.editions = editions
        self.rank_attribute = rank_attribute
        self.ranked_types = ranked_types
        self._aliases: dict[str, str] = {}
        self._printings: set[str] = set()
        self._twins: dict[str, tuple[Mapping[str, object], ...]] = {}
        self._entries_by_name: dict[str, dict[str, list[Mapping[str, object]]]] = {}
        self._reasons: dict[str, Reason] = {}
        self._citations: dict[int, Citation] = {}
        for entry in self.entries("identities"):
            self._take_identity(entry)

    def _take_identity(self, entry: Mapping[str, object]) -> None:
        same, distinct, name = entry.get("same"), entry.get("distinct"), entry.get("name")
        if entry.get("one_card_in_printings"):
            self._printings.add(normalize_name(str(name)))
        if isinstance(same, list | tuple) and same:
            self._join([normalize_name(str(part)) for part in same])
        if isinstance(distinct, list | tuple) and isinstance(name, str):
            self._twins[normalize_name(name)] = tuple(part for part in distinct if isinstance(part, Mapping))

    def _join(self, names: list[str]) -> None:
        """Make names one card, with all that were one card with any of them before."""
        merged_names = {self._aliases.get(name, name) for name in names}
        earlier = {name for name, family in self._aliases.items() if family in merged_names}
        self._aliases |= dict.fromkeys(earlier | merged_names | set(names), names[0])

    def entries(self, kind: str) -> tuple[Mapping[str, object], ...]:
        """Return the records of that kind in force; empty if no edition is attached."""
        edition = self.editions.get(kind)
        return edition.entries if edition else ()

    @cached_property
    def attached_kinds(self) -> frozenset[str]:
        """The kinds of which a published list is attached."""
        return frozenset(kind for kind, edition in self.editions.items() if edition.number > LOCAL_ONLY)

    def cite(self, kind: str, entries: Iterable[Mapping[str, object]]) -> Citation:
        """Return where entries of the edition in force are written; nowhere without one."""
        edition = self.editions.get(kind)
        if edition is None:
            return NOWHERE
        known_citations, citations = self._citations, []
        for entry in entries:
            # An edition keeps its entries, so that each has one place in memory.
            citation = known_citations.get(id(entry))
            if citation is None:
                citation = known_citations[id(entry)] = edition.cite(entry)
            citations.append(citation)
        if len(citations) < 2:
            return citations[0] if citations else NOWHERE
        return citations[0].merged_with(citations[1:])

    def describe_edition(self, kind: str) -> Reason:
        """Return the edition in force as a reason. Raises KeyError if there is none."""
        if kind not in self._reasons:
            self._reasons[kind] = self.editions[kind].reason()
        return self._reasons[kind]

    def family(self, name: str) -> str:
        """Return the name by which copies are compared, one for all names of a card."""
        plain = normalize_name(name)
        return self._aliases.get(plain, plain)

    def identity(self, card: CardFacts) -> Identity:
        """Return which card this is, as far as its facts tell."""
        lists, cached_identity = card.memo
        if lists is self:
            known_identity: Identity = cached_identity
            return known_identity
        identity = self._identify(card)
        named_in = frozenset(
            kind
            for kind in self.editions
            if kind != "identities" and self._index(kind).keys() & {identity.family, ""}
        )
        different = card.get(MAY_BE)
        if isinstance(different, int) and different > 1:
            is_apart = identity.set_apart or card.get(MAY_BE_NAMED) is not UNKNOWN
            named_identity = replace(
                identity, exact=None, may_be=different, set_apart=is_apart, named_in=named_in
            )
        else:
            named_identity = replace(identity, named_in=named_in)
        object.__setattr__(card, "memo", (self, named_identity))
        return named_identity

    def identify_printing(self, card: CardFacts) -> tuple[str, object]:
        """Return the printed name and version of a card (its key while not known).

        Two names of one card are one card for counting copies, but two things to open, own or exchange. So
        are two printings that a list tells apart.
        """
        version, name = self.identity(card).exact or card.key, normalize_name(card.name)
        return name, (version, self._find_printing(card)) if name in self._printings else version

    def is_printing_known(self, card: CardFacts) -> bool:
        """Return whether the printing is known, or no list distinguishes printings."""
        return normalize_name(card.name) not in self._printings or self._find_printing(card) is not None

    def _find_printing(self, card: CardFacts) -> str | None:
        variant = card.get("variant")
        return normalize_name(variant) if isinstance(variant, str) and variant else None

    def identify_entries(self, deck: Deck, zones: tuple[str, ...]) -> list[IdentifiedEntry]:
        """Return the entries of zones with zone and identity, computed once per deck."""
        place = (self, zones)
        identified_entries: list[IdentifiedEntry] | None = deck.memo.get(place)
        if identified_entries is None:
            # Most cards were identified before; asking their memo here spares a call for each.
            identified_entries = deck.memo[place] = [
                (zone, entry, memo[1] if (memo := entry.card.memo)[0] is self else self.identity(entry.card))
                for zone in zones
                for entry in deck.zone(zone)
            ]
        return identified_entries

    def list_named(self, deck: Deck, zones: tuple[str, ...]) -> list[IdentifiedEntry]:
        """Return the entries of zones of whose cards any list may speak."""
        place = (self, zones, "named")
        named_entries: list[IdentifiedEntry] | None = deck.memo.get(place)
        if named_entries is None:
            named_entries = [each for each in self.identify_entries(deck, zones) if each[2].named_in]
            deck.memo[place] = named_entries
        return named_entries

    def _identify(self, card: CardFacts) -> Identity:
        family = self.family(card.name)
        if not card.in_catalogue:
            return Identity(family, None, set_apart=True)
        if family in self._twins:
            return self._set_apart(family, card)
        kind, rank = card.get("type"), self._rank(card)
        if self.rank_attribute is None or (
            isinstance(kind, str) and kind.casefold() not in self.ranked_types
        ):
            return Identity(family, _version(family, 0))
        if rank is not UNKNOWN:
            return Identity(family, _version(family, rank))
        unknown = ("type", self.rank_attribute) if kind is UNKNOWN else (self.rank_attribute,)
        return Identity(family, None, unknown)

    def _rank(self, card: CardFacts) -> object:
        """Return the version of a card; UNKNOWN if it is not written as a whole number."""
        rank = card.get(self.rank_attribute) if self.rank_attribute else 0
        if isinstance(rank, str) and rank.strip().isdecimal():
            return int(rank)
        return rank if type(rank) is int else UNKNOWN

    def _set_apart(self, family: str, card: CardFacts) -> Identity:
        """Return which card of a shared name it is, by the printings listed for each."""
        answers = [match_card(card, printing) for printing in self._twins[family]]
        if "yes" in answers:
            return Identity(family, _version(family, f"printing {answers.index('yes')}"), set_apart=True)
        if "unknown" in answers:
            asked_facts = dict.fromkeys(fact for printing in self._twins[family] for fact in printing)
            missing_facts = tuple(fact for fact in asked_facts if card.get(fact) is UNKNOWN)
            return Identity(family, None, missing_facts, set_apart=True, may_be=answers.count("unknown"))
        # A printing that the list does not name is one of them again, and nothing tells which.
        return Identity(family, None, set_apart=True)

    def entries_of(self, kind: str, card: CardFacts) -> list[tuple[Mapping[str, object], Match]]:
        """Return the records of a list about a card, each with "yes" or "unknown"."""
        identity = self.identity(card)
        matching_entries = identity.matches.get(kind)
        if matching_entries is None:
            matching_entries = identity.matches[kind] = self._match_entries(kind, identity.family, card)
        return matching_entries

    def _match_entries(
        self, kind: str, family: str, card: CardFacts
    ) -> list[tuple[Mapping[str, object], Match]]:
        named_entries = self._index(kind)
        matching_entries: list[tuple[Mapping[str, object], Match]] = []
        for entry in (*named_entries.get(family, ()), *named_entries.get("", ())):
            wanted_facts = {**_wanted_facts(entry), **(_printed_facts(entry) if kind == "errata" else {})}
            answer = match_card(card, wanted_facts, ignoring=("name",) if family in named_entries else ())
            if answer != "no":
                matching_entries.append((entry, answer))
        return matching_entries

    def _index(self, kind: str) -> dict[str, list[Mapping[str, object]]]:
        """Index the records of a list by card name; those without a name are under ""."""
        if kind not in self._entries_by_name:
            index = self._entries_by_name[kind] = {}
            for entry in self.entries(kind):
                name = _wanted_facts(entry).get("name")
                index.setdefault(self.family(name) if isinstance(name, str) else "", []).append(entry)
        return self._entries_by_name[kind]


def in_force(editions: Iterable[Edition], version: str, on: date | None) -> dict[str, Edition]:
    """Return the edition of each kind with the highest number in force on the day."""
    latest_editions: dict[str, Edition] = {}
    for edition in editions:
        best = latest_editions.get(edition.kind)
        if edition.holds(version, on) and (best is None or edition.number >= best.number):
            latest_editions[edition.kind] = edition
    return latest_editions


def join_in_force(
    editions: Mapping[str, Edition], others: Iterable[Edition], version: str, on: date | None
) -> dict[str, Edition]:
    """Join editions with the others in force whose number is at least as high."""
    holding_editions = (edition for edition in others if edition.holds(version, on))
    return in_force((*editions.values(), *holding_editions), version, None)
