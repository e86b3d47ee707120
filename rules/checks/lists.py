"""Checks against dated lists: bans, errata, lists not attached."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rules.checks import check, demand
from rules.deck import UNKNOWN, Deck, Entry
from rules.finding import DeferredFix, Finding, Fix
from rules.fixes import remove_cards
from rules.reason import Reason, reason
from rules.rule import Rule, missing_fact
from rules.text import card_names, display_names, zone_reasons


def _banned_says(*, zones: tuple[str, ...] = ("main",), unused: tuple[str, ...] = ()) -> Reason:
    places, rest = zone_reasons(zones), zone_reasons(unused)
    if not zones:
        return demand("banned.allowed")
    return demand("banned.unused", zones=places, unused=rest) if unused else demand("banned", zones=places)


@check("banned", says=_banned_says)
def banned_cards(
    deck: Deck, rule: Rule, *, zones: tuple[str, ...] = ("main",), unused: tuple[str, ...] = ()
) -> Iterator[Finding]:
    """Refuse cards of the ban list in force in `zones`.

    In `unused` zones, such cards are only pointed out.
    """
    hits: list[tuple[str, Entry, Mapping[str, object]]] = []
    open_cards: list[Entry] = []
    for zone, entry, identity in rule.lists.list_named(deck, zones):
        if "bans" in identity.named_in:
            for ban, answer in _bans(rule, entry, zone):
                if answer == "yes":
                    hits.append((zone, entry, ban))
                else:
                    open_cards.append(entry)
    if hits:
        yield _report_banned(deck, rule, hits)
    if open_cards:
        yield _report_undecided(rule, open_cards)
    if unused:
        yield from _idle(deck, rule, unused)


def _bans(rule: Rule, entry: Entry, zone: str) -> list[tuple[Mapping[str, object], str]]:
    """Return the bans that may concern an entry.

    A ban may apply to some formats or zones only.
    """
    bans: list[tuple[Mapping[str, object], str]] = []
    for ban, answer in rule.lists.entries_of("bans", entry.card):
        formats, zones = ban.get("formats"), ban.get("zones")
        here = not isinstance(formats, list) or rule.setting.format_key in formats
        if here and (not isinstance(zones, list) or zone in zones):
            bans.append((ban, answer))
            if answer == "yes":
                break
    return bans


def _report_banned(deck: Deck, rule: Rule, hits: list[tuple[str, Entry, Mapping[str, object]]]) -> Finding:
    _, entries, bans = zip(*hits, strict=True)
    local_cards = [entry for _, entry, ban in hits if "overlay" in ban]
    listed_cards = [entry for _, entry, ban in hits if "overlay" not in ban] if local_cards else entries
    local = next(str(ban["overlay"]) for ban in bans if "overlay" in ban) if local_cards else None
    list_name = (
        rule.lists.describe_edition("bans") if "bans" in rule.lists.editions else reason("the-ban-list")
    )
    finding = rule.fault(
        "banned-card",
        entries=entries,
        limit=0,
        found=sum([entry.qty for entry in entries]),
        fix=DeferredFix(_remove_banned, rule, deck, hits),
        overlay=local,
        source=rule.lists.cite("bans", bans),
        cards=display_names(listed_cards or local_cards),
        list=list_name if listed_cards else local,
    )
    if listed_cards and local_cards:
        also = rule.fault("banned-card", cards=display_names(local_cards), list=local)
        return finding._replace(reasons=(*finding.reasons, *also.reasons))
    return finding


def _remove_banned(rule: Rule, deck: Deck, hits: list[tuple[str, Entry, Mapping[str, object]]]) -> Fix:
    return remove_cards(rule, deck, [(zone, entry, entry.qty) for zone, entry, _ in hits])


def _report_undecided(rule: Rule, entries: list[Entry]) -> Finding:
    facts = [missing_fact(entry, fact) for entry in entries for fact in _missing_ban_facts(rule, entry)]
    bans = [ban for entry in entries for ban, _ in rule.lists.entries_of("bans", entry.card)]
    source = rule.lists.cite("bans", bans)
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
        source = rule.lists.cite("bans", [ban for _, ban in hits])
        yield rule.warning("banned-card-in-pool", entries=banned_entries, source=source, cards=names)


@check("errata_notes")
def errata_notes(
    deck: Deck, rule: Rule, *, zones: tuple[str, ...] = ("main", "sideboard")
) -> Iterator[Finding]:
    """Note each correction that makes a listed card play differently from its print."""
    entries_by_erratum: dict[str, tuple[Mapping[str, object], list[Entry]]] = {}
    for _, entry, identity in rule.lists.list_named(deck, zones):
        corrections = rule.lists.entries_of("errata", entry.card) if "errata" in identity.named_in else ()
        for erratum, answer in corrections:
            if answer == "yes" and erratum.get("plays_differently") is True:
                entries_by_erratum.setdefault(str(erratum.get("id")), (erratum, []))[1].append(entry)
    for row, (erratum, entries) in entries_by_erratum.items():
        source = rule.lists.cite("errata", (erratum,))
        names, says = display_names(entries), str(erratum.get("says"))
        yield rule.note("plays-as-corrected", entries=entries, row=row, source=source, cards=names, says=says)


def _say_lists_attached(*, kinds: tuple[str, ...]) -> Reason:
    return demand("lists_attached", kinds=_name_kinds(kinds))


def _name_kinds(kinds: Iterable[str]) -> tuple[Reason, ...]:
    return tuple(reason("kind-of-list", kind=kind) for kind in kinds)


@check("lists_attached", says=_say_lists_attached)
def lists_attached(deck: Deck, rule: Rule, *, kinds: tuple[str, ...]) -> Iterator[Finding]:
    """Warn if a list that the rules refer to is not attached.

    This concerns lists that are kept outside the rules.
    """
    attached_kinds = rule.lists.attached_kinds
    if not attached_kinds.issuperset(kinds):
        lacking = [kind for kind in kinds if kind not in attached_kinds]
        yield rule.warning("no-list-attached", kinds=_name_kinds(lacking), version=rule.version)
