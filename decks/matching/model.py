"""Input and results of matching: printings, matches, suggestions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from rules.reason import Reason
from rules.rendering import register_messages, render

register_messages(Path(__file__).parent)

MatchStatus = Literal[
    "exact",
    "normalised",
    "fuzzy-suggestions",
    "ambiguous",
    "unknown",
    "not-searched",
    "conflict",
    "not-a-card",
]
"""`exact` and `normalised` name one card; all others leave the line open and say why."""


NOT_KNOWN = frozenset({"unknown", "fuzzy-suggestions", "not-searched"})
"""Statuses of lines whose card the catalogue does not know."""


FoundBy = Literal[
    "",
    "name",
    "name_dots",
    "name_set",
    "name_number",
    "name_dots_set",
    "name_dots_number",
    "name_set_number",
    "name_dots_set_number",
    "set_number",
    "number",
    "identifier",
]
"""The facts of a line by which its card was found."""

# Prefix of the keys of cards that an organizer added, so that they match no key of a catalogue.
ADDED_CARD_PREFIX = "organizer:"


def is_added_card(key: str | None) -> bool:
    """Return whether the key is that of a card that an organizer added."""
    return bool(key) and str(key).startswith(ADDED_CARD_PREFIX)


@dataclass(frozen=True, slots=True)
class CardDescription:
    """Facts that distinguish cards of one title.

    They are the owner (empty: unknown) and the other facts of each.
    """

    title: str
    owner: str
    distinguishing_facts: Mapping[str, str] = field(hash=False)


@dataclass(frozen=True, slots=True)
class IndexedPrinting:
    """One printing of one card, as the catalogue knows it.

    `name` is the printed name; `aliases` are other names of the same card. `dots` is None if the rank is not
    recorded apart from the name. `number` is the collector number as an int, `number_text` as printed
    (`38/143`, `001PP`). `set_size` is the size that its set states, `other_set_codes` are further codes and
    names of that set. `owner` is whom the card belongs to, which is open if no fact tells. `description` is
    all that tells it from others of its name (None: its number does). `ids` are identifiers of other
    programs. Only deck cards are matched.
    """

    key: str
    card_key: str
    name: str
    set_code: str = ""
    number: int | None = None
    number_text: str = ""
    dots: int | None = None
    variant: str | None = None
    aliases: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    is_deck_card: bool = True
    set_size: int | None = None
    other_set_codes: tuple[str, ...] = ()
    owner: str = ""
    is_owner_open: bool = False
    description: CardDescription | None = None


@dataclass(frozen=True, slots=True)
class CardSuggestion:
    """A card that may be meant.

    `label` is what to write to get exactly this; `score` runs from 0 to 100.
    """

    card_key: str
    printing_key: str | None
    name: str
    label: str
    score: int


@dataclass(frozen=True, slots=True)
class LineMatch:
    """The card, or cards, that a line was resolved to.

    `card_key` is set for `exact` and `normalised` alone; `printing_key` only where the line tells which
    printing. `found_by` says by what the card was found, `reasons` what a person should know or do about
    it. `may_be` are the cards that an ambiguous or contradictory line may mean, all of them; `other_qty` is
    set where its number of copies is open too.
    """

    status: MatchStatus
    card_key: str | None = None
    printing_key: str | None = None
    name: str = ""
    found_by: FoundBy = ""
    sure: Literal["certain", "likely", "no"] = "no"
    reasons: tuple[Reason, ...] = ()
    suggestions: tuple[CardSuggestion, ...] = ()
    may_be: tuple[str, ...] = ()
    other_qty: int | None = None

    @property
    def note(self) -> str:
        """The reasons in words."""
        return render("reason", *self.reasons)

    @property
    def is_found(self) -> bool:
        """Whether the line names one card."""
        return self.card_key is not None

    @property
    def meant_keys(self) -> tuple[str, ...]:
        """The card that was found, or all those that may be meant."""
        return (self.card_key,) if self.card_key else self.may_be


MAX_SEARCHES = 60
"""A list that people wrote has fewer unknown names; each search goes through all names of the catalogue."""


class SearchBudget:
    """How many names of one list may still be searched for similar ones."""

    def __init__(self, count: int = MAX_SEARCHES) -> None:
        self._searches_left = count
        self.refused_count = 0

    def spend(self) -> bool:
        """Return whether one more name may be searched; count it."""
        if self._searches_left > 0:
            self._searches_left -= 1
            return True
        self.refused_count += 1
        return False
