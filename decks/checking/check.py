"""Checks a deck list as somebody wrote it: read the lines, find the cards, ask the rules.

Nothing is stored and nothing is guessed: a line that fits no card, or several, stays in the deck as a card of
which only the written name is known, and the list cannot be called legal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django.utils import timezone

import rules
from decks.catalogue.selectors.catalogue import Catalogue, catalogue
from decks.checking.deck import deck_of, with_cards
from decks.checking.pools import with_pool
from decks.checking.result import CheckedLine, CheckedList, Suggestion, unread
from decks.editions.selectors import editions
from decks.importers.model import Line, ParsedDeck
from decks.importers.parsing import parse
from decks.matching.model import Match
from decks.matching.model import Suggestion as Found
from rules import CardFacts, Entry


def check_text(
    game: str,
    format: str,
    text: str | bytes,
    *,
    rules_version: str | None = None,
    on: date | None = None,
    overlay: Mapping[str, Any] | rules.Overlay | None = None,
    options: Mapping[str, Any] | None = None,
    pool: str | bytes = "",
) -> CheckedList:
    """The verdict on a list as text or file, with what became of each of its lines.

    Without `rules_version` the newest rules in force on the day `on` are used, and always the lists in force
    on that day; without one, today's. `overlay` holds local rules,
    `options` the declarations that come with a list (`declared_character`, `diversity`, …), `pool` what a
    limited deck was built from, where it is not part of the text. Raises `rules.UnknownFormat` and
    `rules.BadOverlay`; never for anything in the text.
    """
    day = on or timezone.localdate()
    loaded = editions.load_format(game, format, rules_version=rules_version, on=day, overlay=overlay)
    parsed = with_pool(parse(text), parse(pool)) if pool.strip() else parse(text)
    return _judged(parsed, loaded, catalogue(game), options or {}, day)


def _judged(
    parsed: ParsedDeck, loaded: rules.Format, known: Catalogue, options: Mapping[str, Any], day: date
) -> CheckedList:
    """A parsed list under a format: what became of its lines, and the verdict on their cards."""
    lines = tuple(_checked_line(line, known) for line in parsed.lines)
    zones = _zones(lines, parsed, known)
    problems = _of_whole_file(parsed, "error")
    deck = deck_of(known.game, zones, with_cards(options, known), unread(lines, problems))
    return CheckedList(
        game=known.game,
        format_key=loaded.key,
        format_name=loaded.name,
        source_format=parsed.format,
        lines=lines,
        verdict=rules.check_deck(deck, loaded),
        problems=problems,
        notices=_of_whole_file(parsed, "notice"),
        title=parsed.title or "",
        local_rules=loaded.overlay_in_words(),
        lists=editions.used_lists(loaded),
        on=day,
    )


def _zones(lines: Sequence[CheckedLine], parsed: ParsedDeck, known: Catalogue) -> dict[str, list[Entry]]:
    """The cards of the lines by the part of the deck they lie in; what is set aside is in none."""
    zones: dict[str, list[Entry]] = {}
    for checked, line in zip(lines, parsed.lines, strict=True):
        if checked.kind == "card" and checked.zone != "aside":
            zones.setdefault(checked.zone, []).append(_entry(checked, line, known))
    return zones


def _of_whole_file(parsed: ParsedDeck, severity: str) -> tuple[str, ...]:
    """What there is to say of the file rather than of one of its lines."""
    said = parsed.problems if severity == "error" else parsed.notices
    return tuple(problem.sentence for problem in said if problem.line is None)


def _entry(checked: CheckedLine, line: Line, known: Catalogue) -> Entry:
    if checked.card_key:
        facts = known.card_facts(checked.card_key, checked.printing_key)
    elif checked.status == "ambiguous":
        # The catalogue holds such a card; which one is left open, so nothing but its name is sure.
        facts = CardFacts(line.name, line.name)
    else:
        facts = CardFacts.missing(line.name)
    return Entry(facts or CardFacts.missing(line.name), checked.qty or 0, line.number)


def _checked_line(line: Line, known: Catalogue) -> CheckedLine:
    if line.kind == "card":
        return _card_line(line, known.index.resolve(line), known)
    if line.kind == "problem" and line.problem is not None:
        return CheckedLine(
            number=line.number,
            text=line.text,
            kind="problem",
            is_resolved=False,
            status=line.problem.code,
            name=line.name,
            zone=line.zone,
            notes=(line.problem.sentence,),
        )
    if line.kind == "section":
        return _section_line(line, known.index.resolve(line))
    return CheckedLine(number=line.number, text=line.text, kind=line.kind)


def _section_line(line: Line, match: Match) -> CheckedLine:
    """A heading; one that is also the name of a card leaves open which of the two is meant."""
    is_heading = match.status == "not-a-card"
    return CheckedLine(
        number=line.number,
        text=line.text,
        kind="section" if is_heading else "problem",
        is_resolved=is_heading,
        status="" if is_heading else match.status,
        name=line.name,
        zone=line.zone,
        notes=_notes(line, match),
        suggestions=tuple(_suggestion(each) for each in match.suggestions),
    )


def _card_line(line: Line, match: Match, known: Catalogue) -> CheckedLine:
    card = known.cards.get(match.card_key) if match.card_key else None
    is_aside = line.zone == "aside"
    return CheckedLine(
        number=line.number,
        text=line.text,
        kind="card",
        is_resolved=card is not None or is_aside,
        status=match.status,
        qty=line.qty,
        name=card.label if card else _written(line),
        zone=line.zone,
        card_key=card.key if card else None,
        printing_key=match.printing_key if card else None,
        place=card.place(match.printing_key) if card else "",
        how=match.how,
        is_certain=match.sure == "certain",
        notes=_notes(line, match),
        suggestions=tuple(_suggestion(each) for each in match.suggestions),
    )


def _written(line: Line) -> str:
    return f"{line.name} {'●' * (line.dots or 0)}".strip()


def _notes(line: Line, match: Match) -> tuple[str, ...]:
    said = [match.note, *(notice.sentence for notice in line.notices)]
    return tuple(note for note in said if note)


def _suggestion(found: Found) -> Suggestion:
    return Suggestion(found.label, found.card_key, found.printing_key)
