"""Submitted lists as they are read: which version counts, what was in it, what stands about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from decks.catalogue.selectors.catalogue import catalogue
from decks.checking.deck import deck_of, with_cards
from decks.checking.result import CheckedLine, CheckedList, unread, verdict_from_json
from decks.submissions.models import DeckList, DeckVersion, Ruling
from decks.submissions.selectors.standing import standing, with_standing
from rules import Deck, Entry
from rules.deck import CardFacts


def current_version(deck_list: DeckList) -> DeckVersion | None:
    """The version that counts; None while nothing was submitted."""
    return deck_list.current


def versions(deck_list: DeckList) -> QuerySet[DeckVersion]:
    """Every version, the newest first, with all that `standing` asks for fetched along."""
    return deck_list.versions.order_by("-number").prefetch_related(*with_standing())


def ruling(version: DeckVersion) -> Ruling | None:
    """The organizer's ruling that counts for the version, the latest of them, if there is one."""
    rulings = list(version.rulings.all())
    return max(rulings, key=lambda each: each.pk, default=None)


def standing_outcome(version: DeckVersion) -> str:
    """What stands about a version: the newest verdict or a ruling, as `standing` says."""
    return standing(version).outcome


def as_deck(version: DeckVersion) -> Deck:
    """The submitted cards with the facts that the catalogue holds today, for judging them again."""
    return deck_from(version, version.entries)


def deck_from(version: DeckVersion, entries: Sequence[Mapping[str, Any]]) -> Deck:
    """A deck of other entries than were submitted, with all else that was registered."""
    index = catalogue(version.deck_list.game)
    zones: dict[str, list[Entry]] = {}
    for entry in entries:
        facts = index.card_facts(entry["card"], entry["printing"]) if entry["card"] else None
        card = facts or CardFacts.missing(entry["name"])
        zones.setdefault(entry["zone"], []).append(Entry(card, entry["qty"], entry["line"]))
    lines = [CheckedLine.from_json(line) for line in version.lines]
    problems = version.judged_under["problems"]
    options = with_cards(version.options, index)
    return deck_of(version.deck_list.game, zones, options, unread(lines, problems))


def as_checked(version: DeckVersion) -> CheckedList:
    """The check as it came out when the list was submitted, for showing it again."""
    return CheckedList(
        game=version.deck_list.game,
        format_key=version.deck_list.format_key,
        format_name=version.judged_under["format_name"],
        source_format=version.source_format,
        lines=tuple(CheckedLine.from_json(line) for line in version.lines),
        verdict=verdict_from_json(version.verdict),
        problems=tuple(version.judged_under["problems"]),
        notices=tuple(version.judged_under["notices"]),
        local_rules=tuple(version.judged_under["local_rules"]),
    )
