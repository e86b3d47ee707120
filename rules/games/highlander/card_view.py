"""Normalized view of a card with errata applied; None means unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.deck import CardFacts
from rules.games.highlander.errata import ErrataIndex, Erratum, apply_errata
from rules.games.highlander.names import (
    is_master_title,
    is_none_value,
    normalize_title,
    parse_edition,
    parse_gems,
    parse_kinds,
    parse_mark,
)
from rules.lists import Lists
from rules.names import normalize_name
from rules.zone_types import ZoneTypes

_NO_TYPES = ZoneTypes()


BASICS: Mapping[str, str] = {
    "upper left attack": "A-UL",
    "upper center attack": "A-UC",
    "upper right attack": "A-UR",
    "middle left attack": "A-ML",
    "thrust": "A-MC",
    "middle right attack": "A-MR",
    "lower left attack": "A-LL",
    "lower center attack": "A-LC",
    "lower right attack": "A-LR",
    "upper left block": "B-UL",
    "upper center block": "B-UC",
    "upper right block": "B-UR",
    "lower left block": "B-LL",
    "lower center block": "B-LC",
    "lower right block": "B-LR",
}

_BONDS = ("forbids_titles", "needs_weapon", "persona_only")

SLOT_WORDS = {slot: title.title() for title, slot in BASICS.items()}


@dataclass(frozen=True, slots=True, eq=False)
class CardView:
    """The known facts of a card.

    Names are in the form in which they are compared; None means not known. `owner` is "" for a generic card.
    `titles` has two parts for a Dual Type card. `allowance` holds the kinds of cards that it lets in
    ("persona", "weapon", "watcher", …). A plain card shows no gem, belongs to no one and nothing, and is in
    no way special; all that is known of it. `home` is the only zone in which cards of its type belong, "" if
    that is not known. Of a card that no catalogue holds nothing `is_known`: its written name may be
    misspelled, so it tells neither a slot nor a group.
    """

    title: str
    titles: tuple[str, ...] | None
    kinds: frozenset[str] | None
    edition: int | None
    basic: str
    owner: str | None
    owner_kind: str | None
    mark: str | None
    restriction: int | None
    gems: Mapping[str, int] | None
    text: str | None
    grid: str | None
    groups: frozenset[str] | None
    allowance: frozenset[str] | None
    allowance_amount: int | None
    admits: frozenset[str] | None
    raises: Mapping[str, int] | None
    lowers_minimum: int | None
    forbids_titles: frozenset[str]
    needs_weapon: str
    persona_only: str
    home: str
    is_master: bool
    is_plain: bool
    is_known: bool
    errata: tuple[Erratum, ...]
    facts: Mapping[str, object]

    def is_a(self, kind: str) -> bool | None:
        """Return whether the card is of a type; None while its type is not known."""
        return None if self.kinds is None else kind in self.kinds

    @property
    def is_bound(self) -> bool:
        """Whether the errata bind the card to another card, or forbid it next to one."""
        return bool(self.forbids_titles or self.needs_weapon or self.persona_only)

    def flag(self, fact: str) -> bool | None:
        """Return a yes-or-no fact, None if it is not known."""
        value = self.facts.get(fact)
        return value if isinstance(value, bool) else None

    @property
    def is_off_hand(self) -> bool | None:
        """Whether a weapon or hilt is off-hand, by its fact or by its type line."""
        stated_value = self.flag("off_hand")
        if stated_value is None and self.kinds is not None:
            by_type = ("off hand" in self.kinds or "off-hand" in self.kinds, "primary" in self.kinds)
            return by_type[0] if any(by_type) else None
        return stated_value

    def whole(self, fact: str) -> int | None:
        """Return a whole number, None if it is not known."""
        value = self.facts.get(fact)
        return value if type(value) is int else None


class CardReader:
    """Makes the views of cards under the lists in force, each card once.

    `cache` is for what is worked out from several views, such as the gems of persona and weapon.
    """

    MOST = 20_000

    def __init__(self, lists: Lists, zone_types: ZoneTypes = _NO_TYPES) -> None:
        self._zone_types = zone_types
        self._errata = ErrataIndex.of(lists)
        self._groups = _values_by_name(lists, "groups", "group")
        self.allowances = frozenset(_values_by_name(lists, "allowances", "kind"))
        self.factions = _factions(lists)
        self.weapons = frozenset(normalize_name(str(entry.get("name"))) for entry in lists.entries("weapons"))
        self.cache: dict[tuple[CardView, ...], object] = {}
        self._views: dict[int, tuple[CardFacts, CardView]] = {}

    def view(self, card: CardFacts) -> CardView:
        """Return the view of a card."""
        cached_view = self._views.get(id(card))
        if cached_view is not None and cached_view[0] is card:
            return cached_view[1]
        if len(self._views) >= self.MOST:
            self._views.clear()
            self.cache.clear()
        view = self._make(card)
        self._views[id(card)] = (card, view)
        return view

    def _make(self, card: CardFacts) -> CardView:
        entries = self._errata.about(card)
        facts = apply_errata(card.attributes, entries)
        title = normalize_title(card.name)
        owner = _owner(facts)
        gems, titles = parse_gems(facts.get("gems")), _titles(title, facts.get("titles"))
        groups = self._groups_of(title, facts) if card.in_catalogue else None
        allowance = self._allowance_of(title, facts.get("allowance")) if card.in_catalogue else None
        nothing = all(value is not None and not value for value in (gems, groups, allowance, owner))
        is_master = is_master_title(title)
        has_bond = any(facts.get(fact) for fact in _BONDS)
        return CardView(
            title,
            titles,
            parse_kinds(facts.get("type"), facts.get("subtypes")),
            parse_edition(facts.get("edition")),
            _basic(title, facts.get("basic")),
            owner,
            self._owner_kind(owner, facts.get("owner_kind")),
            parse_mark(facts.get("mark")),
            _count(facts.get("restriction")),
            gems,
            _name(facts.get("text", facts.get("text_key"))),
            _name(facts.get("grid")),
            groups,
            allowance,
            _count(facts.get("allowance_amount")),
            _set_of_names(facts.get("admits")),
            _raises(facts.get("raises")),
            _count(facts.get("lowers_minimum")),
            _set_of_names(facts.get("forbids_titles")) or frozenset(),
            _name(facts.get("needs_weapon")) or "",
            _name(facts.get("persona_only")) or "",
            self._home(facts.get("type")),
            is_master,
            nothing and titles is not None and not (is_master or entries or has_bond),
            card.in_catalogue,
            entries,
            facts,
        )

    def _home(self, type_line: object) -> str:
        zones = self._zone_types.find_zones(type_line) or ()
        return next(iter(zones)) if len(zones) == 1 else ""

    def _owner_kind(self, owner: str | None, written_value: object) -> str | None:
        """Return the owner: as the card says, else by the tables of factions and weapons."""
        if owner == "":
            return "generic"
        if isinstance(written_value, str) and written_value and written_value != "generic":
            return written_value
        if owner in self.factions:
            return "faction"
        return "weapon" if owner in self.weapons else None

    def _groups_of(self, title: str, facts: Mapping[str, object]) -> frozenset[str] | None:
        """Return the groups of a card.

        They come from a fact, the listing of its title, or the word in title or sub-title.
        """
        stated_value = _set_of_names(facts.get("groups"))
        if stated_value is not None:
            return stated_value
        known_groups = frozenset(self._groups.get(title, ()))
        sub_title = _name(facts.get("sub_title", facts.get("subtitle")))
        words = set(f"{title} {sub_title or ''}".replace(":", " ").replace("(", " ").split())
        groups = known_groups | (words & {"watcher", "hunter"})
        return groups if groups or sub_title is not None else None

    def _allowance_of(self, title: str, written_value: object) -> frozenset[str] | None:
        """Return the kinds that a card admits.

        A card that the document calls an allowance card must state its kind.
        """
        stated_value = _set_of_names(written_value)
        return None if stated_value is None and title in self.allowances else stated_value or frozenset()


def _values_by_name(lists: Lists, kind: str, field: str) -> dict[str, set[str]]:
    """Group the values of a list of named values by normalized name.

    The normalized name is the form in which names are compared.
    """
    values: dict[str, set[str]] = {}
    for entry in lists.entries(kind):
        values.setdefault(normalize_title(str(entry.get("name"))), set()).add(
            normalize_name(str(entry.get(field)))
        )
    return values


def _factions(lists: Lists) -> Mapping[str, frozenset[str]]:
    """Return the members of each faction."""
    factions = {}
    for entry in lists.entries("factions"):
        members = entry.get("members")
        names = members if isinstance(members, list | tuple) else ()
        factions[normalize_name(str(entry.get("name")))] = frozenset(
            normalize_name(str(name)) for name in names
        )
    return factions


def _name(value: object) -> str | None:
    if is_none_value(value):
        return ""
    return normalize_name(value) if isinstance(value, str) else None


def _owner(facts: Mapping[str, object]) -> str | None:
    """Return the persona that owns a card.

    Empty for a generic card, None while the owner is unknown.
    """
    owner = _name(facts.get("owner"))
    is_generic = owner == "generic" or (owner is None and facts.get("owner_kind") == "generic")
    return "" if is_generic else owner


def _count(value: object) -> int | None:
    if is_none_value(value):
        return 0
    return value if type(value) is int and value >= 0 else None


def _set_of_names(value: object) -> frozenset[str] | None:
    if is_none_value(value):
        return frozenset()
    if isinstance(value, str):
        return frozenset({normalize_title(value)})
    if isinstance(value, list | tuple):
        return frozenset(normalize_title(str(part)) for part in value)
    return None


def _titles(title: str, value: object) -> tuple[str, ...] | None:
    """Return the titles that a card counts for.

    Only data can split a title at a stroke; without it that is open.
    """
    parts = value if isinstance(value, list | tuple) else ()
    titles = tuple(normalize_title(str(part)) for part in parts if not is_none_value(part))
    return titles or (None if value is None and "/" in title else (title,))


def _basic(title: str, value: object) -> str:
    """Return the slot that a basic attack or block fills.

    It is determined by its fact or its title. For any other card it is "".
    """
    if isinstance(value, str):
        return value.strip().upper()
    plain = title.removeprefix("basic attack - ").removeprefix("basic block - ")
    return BASICS.get(plain, "")


def _raises(value: object) -> Mapping[str, int] | None:
    if is_none_value(value):
        return {}
    if not isinstance(value, Mapping):
        return None
    return {normalize_title(str(title)): most for title, most in value.items() if type(most) is int}
