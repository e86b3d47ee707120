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
    if len(parts) <= _MOST_QUESTIONS:
        answers: Iterable[tuple[str, ...]] = product(("", *choices), repeat=len(parts))
    else:
        answers = [(zone,) * len(parts) for zone in choices]
    for answer in answers:
        moved = {place: zone for part, zone in zip(parts, answer, strict=True) if zone for place in part}
        yield tuple(moved.get(place, zone) for place, zone in enumerate(as_read))


def _parts_in_question(lines: Sequence[DeckLine]) -> list[set[int]]:
    """The places of the cards of which each question leaves open where they lie."""
    parts: list[set[int]] = []
    by_words: dict[str, set[int]] = {}
    for place, line in enumerate(lines):
        question = line.question
        if question is None or question.code in {"heading_count_differs", "total_differs"}:
            continue
        if line.kind == "card" and question.code in {"heading_unknown", "zone_unread"}:
            by_words.setdefault(question.sentence, set()).add(place)
        elif line.kind != "card" or suggest_zone(line.name):
            parts.append({*([place] if line.kind == "card" else []), *_below(lines, place)})
        else:
            parts.append({place})
    return [*parts, *by_words.values()]


def _below(lines: Sequence[DeckLine], place: int) -> Iterable[int]:
    """The places below a line, down to the next heading that opens a zone."""
    for below in range(place + 1, len(lines)):
        line = lines[below]
        if (
            line.kind == "section"
            and not line.question
            and find_zone(line.name)
            and not is_card_type(line.name)
        ):
            break
        if line.kind == "card":
            yield below


def _announced_and_not_read(lines: Sequence[DeckLine]) -> dict[str, int]:
    missing: dict[str, int] = {}
    for place, line in enumerate(lines):
        if line.question and line.announced is not None and (count := count_missing(lines, place)) > 0:
            missing[line.zone] = max(missing.get(line.zone, 0), count)
    return missing
