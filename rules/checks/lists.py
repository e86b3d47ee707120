"""Checks against dated lists: bans, errata, lists not attached."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from rules.checks import check, demand
from rules.deck import UNKNOWN, Deck, Entry
from rules.finding import DeferredFix, Finding
from rules.fixes import Removal, remove_cards
from rules.lists import LOCAL_ONLY, Citation
from rules.reason import Reason, reason
from rules.rule import Rule, missing_fact
from rules.text import card_names, display_names, zone_reasons


def _banned_says(*, zones: tuple[str, ...] = ("main",), unused: tuple[str, ...] = ()) -> Reason:
    places, rest = zone_reasons(zones), zone_reasons(unused)
    if not zones:
        return demand("banned.allowed")
    return demand("banned.unused", zones=places, unused=rest) if unused else demand("banned", zones=places)


@check("banned", says=_banned_says)
def banned(
    deck: Deck, rule: Rule, *, zones: tuple[str, ...] = ("main",), unused: tuple[str, ...] = ()
) -> Iterator[Finding]:
    """No card of the ban list in force lies in `zones`; in `unused` zones one is only pointed out."""
    lists = rule.lists
    hits: list[tuple[str, Entry, Mapping[str, object]]] = []
    open_cards: list[Entry] = []
    for zone in zones:
        for entry, identity in lists.identified(deck, zone):
            if "bans" in identity.named_in:
                for ban, answer in _bans(rule, entry, zone):
                    if answer == "yes":
                        hits.append((zone, entry, ban))
                    else:
                        open_cards.append(entry)
    if hits:
        yield _forbidden(deck, rule, hits)
    if open_cards:
        yield _undecided(rule, open_cards)
    if unused:
        yield from _idle(deck, rule, unused)


def _bans(rule: Rule, entry: Entry, zone: str) -> Iterator[tuple[Mapping[str, object], str]]:
    """The bans that may hit an entry; a ban may be written for some formats or zones only."""
    for ban, answer in rule.lists.entries_of("bans", entry.card):
        formats, zones = ban.get("formats"), ban.get("zones")
        here = not isinstance(formats, list) or rule.setting.format_key in formats
        if here and (not isinstance(zones, list) or zone in zones):
            yield ban, answer
            if answer == "yes":
                return


def _forbidden(deck: Deck, rule: Rule, hits: list[tuple[str, Entry, Mapping[str, object]]]) -> Finding:
    local = next((str(ban["overlay"]) for _, _, ban in hits if "overlay" in ban), None)
    listed_cards = [entry for _, entry, ban in hits if "overlay" not in ban]
    local_cards = [entry for _, entry, ban in hits if "overlay" in ban]
    takes: list[Removal] = [(zone, entry, entry.qty) for zone, entry, _ in hits]
    by = rule.lists.describe_edition("bans") if "bans" in rule.lists.editions else reason("the-ban-list")
    finding = rule.fault(
        "banned-card",
        entries=[entry for _, entry, _ in hits],
        limit=0,
        found=sum(entry.qty for _, entry, _ in hits),
        fix=DeferredFix(remove_cards, rule, deck, takes),
        overlay=local,
        source=_cite(rule, [ban for _, _, ban in hits]),
        cards=display_names(listed_cards or local_cards),
        list=by if listed_cards else local,
    )
    if listed_cards and local_cards:
        also = rule.fault("banned-card", cards=display_names(local_cards), list=local)
        return replace(finding, reasons=(*finding.reasons, *also.reasons))
    return finding


def _cite(rule: Rule, entries: Iterable[Mapping[str, object]]) -> Citation:
    """The places where entries of the ban list are written."""
    edition = rule.lists.editions.get("bans")
    first, *others = [edition.cite(entry) for entry in entries] if edition else [Citation("", "")]
    return first.joined(others)


def _undecided(rule: Rule, entries: list[Entry]) -> Finding:
    facts = [missing_fact(entry, fact) for entry in entries for fact in _missing_ban_facts(rule, entry)]
    bans = [ban for entry in entries for ban, _ in rule.lists.entries_of("bans", entry.card)]
    source = _cite(rule, bans)
    return rule.unknown("ban-unknown", facts, entries=entries, source=source, cards=card_names(entries))


def _missing_ban_facts(rule: Rule, entry: Entry) -> list[str]:
    asked_cards = [
        ban.get("card", {}) for ban, answer in rule.lists.entries_of("bans", entry.card) if answer != "yes"
    ]
    facts = (fact for card in asked_cards if isinstance(card, Mapping) for fact in card if fact != "name")
    return [fact for fact in dict.fromkeys(facts) if entry.card.get(fact) is UNKNOWN]


def _idle(deck: Deck, rule: Rule, zones: tuple[str, ...]) -> Iterator[Finding]:
    hits = [
        (entry, ban)
        for zone in zones
        for entry in deck.zone(zone)
        for ban, answer in _bans(rule, entry, zone)
        if answer == "yes"
    ]
    if hits:
        banned_entries = [entry for entry, _ in hits]
        names = display_names(banned_entries)
        source = _cite(rule, [ban for _, ban in hits])
        yield rule.warning("banned-card-in-pool", entries=banned_entries, source=source, cards=names)


@check("errata_notes")
def errata_notes(
    deck: Deck, rule: Rule, *, zones: tuple[str, ...] = ("main", "sideboard")
) -> Iterator[Finding]:
    """A note for each correction that makes a card of the list play differently from its print."""
    entries_by_erratum: dict[str, tuple[Mapping[str, object], list[Entry]]] = {}
    for zone in zones:
        named_entries = [
            entry for entry, identity in rule.lists.identified(deck, zone) if "errata" in identity.named_in
        ]
        for entry in named_entries:
            for erratum, answer in rule.lists.entries_of("errata", entry.card):
                if answer == "yes" and erratum.get("plays_differently") is True:
                    entries_by_erratum.setdefault(str(erratum.get("id")), (erratum, []))[1].append(entry)
    for row, (erratum, entries) in entries_by_erratum.items():
        source = rule.lists.editions["errata"].cite(erratum)
        names, says = display_names(entries), str(erratum.get("says"))
        yield rule.note("plays-as-corrected", entries=entries, row=row, source=source, cards=names, says=says)


def _say_lists_attached(*, kinds: tuple[str, ...]) -> Reason:
    return demand("lists_attached", kinds=_name_kinds(kinds))


def _name_kinds(kinds: Iterable[str]) -> tuple[Reason, ...]:
    return tuple(reason("kind-of-list", kind=kind) for kind in kinds)


@check("lists_attached", says=_say_lists_attached)
def lists_attached(deck: Deck, rule: Rule, *, kinds: tuple[str, ...]) -> Iterator[Finding]:
    """The rules point to lists that are kept elsewhere: a warning while none of them is attached."""
    attached = {kind for kind, edition in rule.lists.editions.items() if edition.number > LOCAL_ONLY}
    lacking = [kind for kind in kinds if kind not in attached]
    if lacking:
        yield rule.warning("no-list-attached", kinds=_name_kinds(lacking), version=rule.version)
