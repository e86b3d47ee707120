"""Checks against dated lists: bans, errata, lists not attached."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rules.checks import check
from rules.deck import UNKNOWN, ZONE_WORDS, Deck, Entry
from rules.finding import Finding
from rules.fixes import Removal, remove_cards
from rules.lists import LOCAL_ONLY, Citation
from rules.rule import Rule, missing_fact
from rules.text import choose_plural, display_name, join_list


def _banned_in_words(*, zones: tuple[str, ...] = ("main",), unused: tuple[str, ...] = ()) -> str:
    if not zones:
        return "Banned cards may be played."
    rest = f"; in the {join_list(ZONE_WORDS[zone] for zone in unused)} it may stay unused" if unused else ""
    return f"No banned card in the {join_list(ZONE_WORDS[zone] for zone in zones)}{rest}."


@check("banned", says=_banned_in_words)
def banned(
    deck: Deck, rule: Rule, *, zones: tuple[str, ...] = ("main",), unused: tuple[str, ...] = ()
) -> Iterator[Finding]:
    """No card of the ban list in force lies in `zones`; in `unused` zones one is only pointed out."""
    lists = rule.lists
    hits: list[tuple[str, Entry, Mapping[str, object]]] = []
    open_cards: list[Entry] = []
    for zone in zones:
        for entry, known in lists.identified(deck, zone):
            if "bans" in known.named_in:
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
    edition = rule.lists.editions.get("bans")
    local = next((str(ban["overlay"]) for _, _, ban in hits if "overlay" in ban), None)
    listed_cards = [entry for _, entry, ban in hits if "overlay" not in ban]
    local_cards = [entry for _, entry, ban in hits if "overlay" in ban]
    takes: list[Removal] = [(zone, entry, entry.qty) for zone, entry, _ in hits]
    sentences = [
        _banned_message(listed_cards, edition.in_words() if edition else "the list"),
        _banned_message(local_cards, local or ""),
    ]
    finding = rule.fault(
        "banned-card",
        " ".join(filter(None, sentences)),
        entries=[entry for _, entry, _ in hits],
        limit=0,
        found=sum(entry.qty for _, entry, _ in hits),
        fix=remove_cards(rule, deck, takes),
        overlay=local,
    )
    return _cited(finding, rule, [ban for _, _, ban in hits])


def _cited(finding: Finding, rule: Rule, entries: Iterable[Mapping[str, object]]) -> Finding:
    """The finding with the places where the entries of the ban list are written, instead of the rule's."""
    edition = rule.lists.editions.get("bans")
    first, *others = [edition.cite(entry) for entry in entries] if edition else [Citation("", "")]
    citation = first.joined(others)
    return finding._replace(document=citation.document or finding.document, clause=citation.clause)


def _banned_message(entries: list[Entry], by: str) -> str:
    if not entries:
        return ""
    names = [display_name(entry.card) for entry in entries]
    return f"{join_list(names)} {choose_plural(names, 'is', 'are')} banned by {by}."


def _undecided(rule: Rule, entries: list[Entry]) -> Finding:
    names = [entry.card.name for entry in entries]
    banned_or_not = f"{join_list(names)} {choose_plural(names, 'is', 'are')} banned"
    message = f"It is not known whether {banned_or_not}: the ban is of one card of a name, not of all."
    facts = [missing_fact(entry, fact) for entry in entries for fact in _missing_ban_facts(rule, entry)]
    bans = [ban for entry in entries for ban, _ in rule.lists.entries_of("bans", entry.card)]
    return _cited(rule.unknown("ban-unknown", message, facts, entries=entries), rule, bans)


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
        names = [display_name(entry.card) for entry in banned_entries]
        may = f"{join_list(names)} may stay in the pool but {choose_plural(names, 'is', 'are')} banned"
        message = f"{may}: the deck cannot take {choose_plural(names, 'it', 'them')} in."
        warning = rule.warning("banned-card-in-pool", message, entries=banned_entries)
        yield _cited(warning, rule, [ban for _, ban in hits])


def _errata_in_words(*, zones: tuple[str, ...] = ("main", "sideboard")) -> str:
    return "A card whose text was corrected plays as corrected; the list says which those are."


@check("errata_notes", says=_errata_in_words)
def errata_notes(
    deck: Deck, rule: Rule, *, zones: tuple[str, ...] = ("main", "sideboard")
) -> Iterator[Finding]:
    """A note for each correction that makes a card of the list play differently from its print."""
    met: dict[str, tuple[Mapping[str, object], list[Entry]]] = {}
    for zone in zones:
        named = [entry for entry, known in rule.lists.identified(deck, zone) if "errata" in known.named_in]
        for entry in named:
            for erratum, answer in rule.lists.entries_of("errata", entry.card):
                if answer == "yes" and erratum.get("plays_differently") is True:
                    met.setdefault(str(erratum.get("id")), (erratum, []))[1].append(entry)
    for row, (erratum, entries) in met.items():
        message = f"{join_list(display_name(entry.card) for entry in entries)}: {erratum.get('says')}"
        document, clause = rule.lists.editions["errata"].cite(erratum)
        note = rule.note("plays-as-corrected", message, entries=entries, row=row, clause=clause)
        yield note._replace(document=document or note.document)


def _attached_in_words(*, kinds: tuple[str, ...]) -> str:
    return f"The lists of {join_list(kinds)} stand outside the rules; without them the verdict says so."


@check("lists_attached", says=_attached_in_words)
def lists_attached(deck: Deck, rule: Rule, *, kinds: tuple[str, ...]) -> Iterator[Finding]:
    """The rules point to lists that are kept elsewhere: a warning while none of them is attached."""
    attached = {kind for kind, edition in rule.lists.editions.items() if edition.number > LOCAL_ONLY}
    lacking = [kind for kind in kinds if kind not in attached]
    if lacking:
        known = " or ".join("ban" if kind == "bans" else kind for kind in lacking)
        message = f"No {known} list is attached to version {rule.version}: the organizer may attach one."
        yield rule.warning("no-list-attached", message)
