"""Possible readings of a list with open questions.

They are the zones of its cards, and the unread ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from decks.importers.audit import count_missing
from decks.importers.headings import find_zone, is_card_type, suggest_zone
from decks.importers.model import DeckLine


@dataclass(frozen=True, slots=True)
class OpenReading:
    """What the questions of a list leave open.

    Each part holds the places of the lines whose cards have an open zone because of one question.
    `missing_counts` counts the announced cards that were not read, by zone.
    """

    parts: tuple[frozenset[int], ...] = ()
    missing_counts: Mapping[str, int] = field(default_factory=dict)


def open_reading(lines: Sequence[DeckLine]) -> OpenReading:
    """Return what the questions of a list leave open."""
    parts = tuple(frozenset(part) for part in _parts_in_question(lines))
    return OpenReading(parts, _announced_and_not_read(lines))


def _parts_in_question(lines: Sequence[DeckLine]) -> list[set[int]]:
    """Return the places of the cards whose zone each question leaves open."""
    parts: list[set[int]] = []
    ends = _ends_of_parts(lines)
    cards = {place for place, line in enumerate(lines) if line.kind == "card"}
    by_words: dict[object, set[int]] = {}
    for place, line in enumerate(lines):
        question = line.question
        if question is None or question.code in {"heading_count_differs", "total_differs"}:
            continue
        if line.kind == "card" and question.code in {"heading_unknown", "zone_unread"}:
            by_words.setdefault((question.reason.code, *question.params.values()), set()).add(place)
        elif line.kind != "card" or suggest_zone(line.name):
            parts.append(cards.intersection(range(place, ends[place])))
        else:
            parts.append({place})
    return [*parts, *by_words.values()]


def _ends_of_parts(lines: Sequence[DeckLine]) -> list[int]:
    """Return for each line the place of the next heading below it that opens a zone."""
    ends, end = [], len(lines)
    for place in range(len(lines) - 1, -1, -1):
        ends.append(end)
        end = place if _opens_zone(lines[place]) else end
    return ends[::-1]


def _opens_zone(line: DeckLine) -> bool:
    is_known = line.kind == "section" and not line.question and find_zone(line.name) is not None
    return is_known and not is_card_type(line.name)


def _announced_and_not_read(lines: Sequence[DeckLine]) -> dict[str, int]:
    missing_counts: dict[str, int] = {}
    for place, line in enumerate(lines):
        if line.question and line.announced_count is not None and (count := count_missing(lines, place)) > 0:
            missing_counts[line.zone] = max(missing_counts.get(line.zone, 0), count)
    return missing_counts
