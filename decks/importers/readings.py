"""The ways in which a list with open questions may be meant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from decks.importers.audit import count_missing
from decks.importers.headings import find_zone, is_card_type, suggest_zone
from decks.importers.model import DeckLine, ParsedDeck

_MOST_QUESTIONS = 3

"""Questions about parts whose answers are combined; of more, all get the same answer at a time."""

_ZONES = ("main", "sideboard", "aside")


class Reading(NamedTuple):
    """One way to read a list: the zone of each line, and how many announced cards were not read by zone."""

    zones: tuple[str, ...]
    missing: Mapping[str, int]


def possible_readings(deck: ParsedDeck) -> list[Reading]:
    """Every way to read a list, as far as its questions leave it open; the first is how it was read."""
    as_read = tuple(line.zone for line in deck.lines)
    parts = _parts_in_question(deck.lines)
    missing = _announced_and_not_read(deck.lines)
    zones = dict.fromkeys([as_read, *_with_other_zones(as_read, parts)])
    counts: list[Mapping[str, int]] = [{}, missing] if missing else [{}]
    return [Reading(each, count) for count in counts for each in zones]


def _with_other_zones(as_read: Sequence[str], parts: Sequence[set[int]]) -> Iterable[tuple[str, ...]]:
    choices = (*_ZONES, *({"pregame"} & set(as_read)))
    parts = parts if len(parts) <= _MOST_QUESTIONS else [set().union(*parts)]
    for answer in product(("", *choices), repeat=len(parts)):
        moved = {place: zone for part, zone in zip(parts, answer, strict=True) if zone for place in part}
        yield tuple(moved.get(place, zone) for place, zone in enumerate(as_read))


def _parts_in_question(lines: Sequence[DeckLine]) -> list[set[int]]:
    """The places of the cards of which each question leaves open where they lie."""
    parts: list[set[int]] = []
    ends = _ends_of_parts(lines)
    cards = {place for place, line in enumerate(lines) if line.kind == "card"}
    by_words: dict[str, set[int]] = {}
    for place, line in enumerate(lines):
        question = line.question
        if question is None or question.code in {"heading_count_differs", "total_differs"}:
            continue
        if line.kind == "card" and question.code in {"heading_unknown", "zone_unread"}:
            by_words.setdefault(question.sentence, set()).add(place)
        elif line.kind != "card" or suggest_zone(line.name):
            parts.append(cards.intersection(range(place, ends[place])))
        else:
            parts.append({place})
    return [*parts, *by_words.values()]


def _ends_of_parts(lines: Sequence[DeckLine]) -> list[int]:
    """For each line, the place of the next heading below it that opens a zone."""
    ends, end = [], len(lines)
    for place in range(len(lines) - 1, -1, -1):
        ends.append(end)
        end = place if _opens_zone(lines[place]) else end
    return ends[::-1]


def _opens_zone(line: DeckLine) -> bool:
    is_known = line.kind == "section" and not line.question and find_zone(line.name) is not None
    return is_known and not is_card_type(line.name)


def _announced_and_not_read(lines: Sequence[DeckLine]) -> dict[str, int]:
    missing: dict[str, int] = {}
    for place, line in enumerate(lines):
        if line.question and line.announced is not None and (count := count_missing(lines, place)) > 0:
            missing[line.zone] = max(missing.get(line.zone, 0), count)
    return missing
