"""Check decklists: as typed text, and as stored entries.

Nothing is stored and nothing is guessed: a line that fits no card, or several, stays in the deck as a card of
which only the written name is known, and the list cannot be called legal.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple

from django.utils import timezone

import rules
from decks.catalogue.selectors import LoadedCatalogue, get_catalogue
from decks.checking.questions import is_open_in_pool, list_questions, pool_offset
from decks.checking.result import CheckedLine, CheckedList, LineSuggestion, unread_lines
from decks.editions.selectors import editions
from decks.importers.model import DeckLine, ParsedDeck, ParseProblem
from decks.importers.parsing import parse
from decks.importers.readings import Reading, possible_readings
from decks.matching.model import MAX_SEARCHES, CardSuggestion, LineMatch, SearchBudget
from rules import CardFacts, Deck, Edition, Entry, Format, Verdict


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
    parsed = append_pool(parse(text), parse(pool)) if pool.strip() else parse(text)
    checked = _check_parsed(parsed, loaded, get_catalogue(game), options or {}, day)
    return replace(checked, questions=list_questions(game, text, pool)) if parsed.questions else checked


def _check_parsed(
    parsed: ParsedDeck, loaded: rules.Format, known: LoadedCatalogue, options: Mapping[str, Any], day: date
) -> CheckedList:
    """A parsed list under a format: what became of its lines, and the verdict on their cards."""
    budget = SearchBudget()
    lines = tuple(_checked_line(line, known, budget) for line in parsed.lines)
    problems = _file_messages(parsed.problems, parsed)
    unread = unread_lines(lines, problems)
    declared = resolve_bonus_cards(options, known)
    entries = [_to_entry(*pair, known) for pair in zip(lines, parsed.lines, strict=True)]
    as_read, *others = (
        build_deck(known.game, _entries_by_zone(entries, reading), declared, unread)
        for reading in possible_readings(parsed)
    )
    return CheckedList(
        game=known.game,
        format_key=loaded.key,
        format_name=loaded.name,
        source_format=parsed.format,
        lines=lines,
        verdict=rules.check_readings(as_read, others, loaded),
        problems=problems,
        notices=(*_file_messages(parsed.notices, parsed), *_unsearched_notice(budget)),
        title=parsed.title or "",
        local_rules=loaded.overlay_in_words(),
        lists=editions.used_lists(loaded),
        on=day,
    )


def _entries_by_zone(entries: Sequence[Entry | None], reading: Reading) -> dict[str, list[Entry]]:
    """The cards by the part of the deck they lie in, in one reading; what is set aside is in none."""
    zones: dict[str, list[Entry]] = {}
    for entry, zone in zip(entries, reading.zones, strict=True):
        if entry is not None and zone != "aside":
            zones.setdefault(zone, []).append(entry)
    for zone, count in reading.missing.items():
        zones.setdefault(zone, []).append(Entry(CardFacts.missing("?"), count))
    return zones


def _file_messages(messages: Iterable[ParseProblem], parsed: ParsedDeck) -> tuple[str, ...]:
    """What there is to say of the file rather than of one of its lines."""
    at_lines = {notice for line in parsed.lines for notice in (line.problem, *line.notices)}
    return tuple(_with_line(message) for message in messages if message not in at_lines)


def _with_line(message: ParseProblem) -> str:
    return f"Line {message.line}: {message.sentence}" if message.line else message.sentence


def _unsearched_notice(budget: SearchBudget) -> tuple[str, ...]:
    """What to say of a list with more unknown names than are searched; their lines are `not-searched`."""
    if not budget.refused:
        return ()
    names = f"{budget.refused} more unknown name{'s were' if budget.refused > 1 else ' was'}"
    return (
        f"Similar names were searched for the first {MAX_SEARCHES} unknown names; {names} not searched. "
        "Fix some lines, then check again.",
    )


def _to_entry(checked: CheckedLine, line: DeckLine, known: LoadedCatalogue) -> Entry | None:
    if checked.kind != "card":
        return None
    if checked.card_key:
        facts = known.card_facts(checked.card_key, checked.printing_key)
    elif checked.status == "ambiguous":
        # The catalogue holds such a card; which one is left open, so nothing but its name is sure.
        facts = CardFacts(line.name, line.name)
    else:
        facts = CardFacts.missing(line.name)
    return Entry(facts or CardFacts.missing(line.name), checked.qty or 0, line.number)


def _checked_line(line: DeckLine, known: LoadedCatalogue, budget: SearchBudget) -> CheckedLine:
    if line.kind == "card":
        return _card_line(line, known.index.resolve(line, budget), known)
    if line.kind == "problem" and line.problem is not None:
        return CheckedLine(
            number=line.number,
            text=line.text,
            kind="problem",
            is_resolved=False,
            status=line.problem.code,
            name=line.name,
            zone=line.zone,
            notes=(line.problem.sentence, *(notice.sentence for notice in line.notices)),
        )
    if line.kind == "section" or (line.kind == "comment" and line.name):
        return _section_line(line, known.index.resolve(line, budget))
    return CheckedLine(
        number=line.number,
        text=line.text,
        kind=line.kind,
        is_resolved=not line.question,
        status=line.question.code if line.question else "",
        notes=tuple(notice.sentence for notice in line.notices),
    )


def _section_line(line: DeckLine, match: LineMatch) -> CheckedLine:
    """A heading or title; one that is also the name of a card leaves open which of the two is meant."""
    is_heading = match.status == "not-a-card"
    question = line.question.code if line.question else ""
    return CheckedLine(
        number=line.number,
        text=line.text,
        kind=line.kind if is_heading else "problem",
        is_resolved=is_heading and not question,
        status=question if is_heading else match.status,
        name=line.name,
        zone=line.zone,
        notes=_notes(line, match),
        suggestions=tuple(_to_line_suggestion(each) for each in match.suggestions),
    )


def _card_line(line: DeckLine, match: LineMatch, known: LoadedCatalogue) -> CheckedLine:
    card = known.cards.get(match.card_key) if match.card_key else None
    is_aside = line.zone == "aside"
    return CheckedLine(
        number=line.number,
        text=line.text,
        kind="card",
        is_resolved=(card is not None or is_aside) and not line.question,
        status=line.question.code if line.question and (card or is_aside) else match.status,
        qty=line.qty,
        name=card.label if card else _name_as_written(line),
        zone=line.zone,
        card_key=card.key if card else None,
        printing_key=match.printing_key if card else None,
        place=card.place(match.printing_key) if card else "",
        how=match.how,
        is_certain=match.sure == "certain",
        notes=_notes(line, match),
        suggestions=tuple(_to_line_suggestion(each) for each in match.suggestions),
    )


def _name_as_written(line: DeckLine) -> str:
    return f"{line.name} {'●' * (line.dots or 0)}".strip()


def _notes(line: DeckLine, match: LineMatch) -> tuple[str, ...]:
    sentences = [match.note, *(notice.sentence for notice in line.notices)]
    return tuple(note for note in sentences if note)


def _to_line_suggestion(suggestion: CardSuggestion) -> LineSuggestion:
    return LineSuggestion(suggestion.label, suggestion.card_key, suggestion.printing_key)


MAX_BONUS_CARDS = 20
"""No format knows as many kinds of bonus cards; further ones stay as they are written."""


def resolve_bonus_cards(options: Mapping[str, Any], known: LoadedCatalogue) -> Mapping[str, Any]:
    """The declarations with the bonus cards they name, where the catalogue knows exactly one such card."""
    bonus = options.get("bonus")
    if not isinstance(bonus, Mapping):
        return options
    found = {kind: _find_bonus_card(name, known) for kind, name in islice(bonus.items(), MAX_BONUS_CARDS)}
    return {**options, "bonus": {**bonus, **found}}


def _find_bonus_card(name: Any, known: LoadedCatalogue) -> Any:
    lines = parse(name).cards if isinstance(name, str) else ()
    resolution = known.index.resolve(lines[0], SearchBudget(0)) if len(lines) == 1 else None
    facts = (
        known.card_facts(resolution.card_key, resolution.printing_key)
        if resolution and resolution.card_key
        else None
    )
    return facts or name


def build_deck(
    game: str,
    zones: Mapping[str, list[Entry]],
    options: Mapping[str, Any],
    not_read: Sequence[Mapping[str, Any]] = (),
) -> Deck:
    """A deck for the rules from the entries of each zone; without a pool, none was recorded."""
    return Deck(
        game=game,
        main=tuple(zones.get("main", ())),
        sideboard=tuple(zones.get("sideboard", ())),
        pregame=tuple(zones.get("pregame", ())),
        pool=tuple(zones["pool"]) if "pool" in zones else None,
        options={**options, "unread": list(not_read)} if not_read else dict(options),
    )


POOL_HEADING = "Pool"


def append_pool(deck: ParsedDeck, pool: ParsedDeck) -> ParsedDeck:
    """Both as one: every card of the pool lies in the pool, whatever heading it stood under there.

    Line numbers go on after the last line of the list, with one for a heading; so each number means one line.
    """
    offset = pool_offset(deck)
    heading = DeckLine(offset, POOL_HEADING, "section", name=POOL_HEADING, zone="pool", section=POOL_HEADING)
    return replace(
        deck,
        lines=(*deck.lines, heading, *(_shift_line(line, offset) for line in pool.lines)),
        problems=(*deck.problems, *(_shift_problem(problem, offset) for problem in pool.problems)),
        notices=(
            *deck.notices,
            *(_shift_problem(each, offset) for each in pool.notices if is_open_in_pool(each.code)),
        ),
    )


def _shift_line(line: DeckLine, offset: int) -> DeckLine:
    return replace(
        line,
        number=line.number + offset,
        zone="aside" if line.zone == "aside" else "pool",
        problem=line.problem and _shift_problem(line.problem, offset),
        notices=tuple(_shift_problem(each, offset) for each in line.notices if is_open_in_pool(each.code)),
    )


def _shift_problem(problem: ParseProblem, offset: int) -> ParseProblem:
    if problem.line is None:
        return replace(problem, sentence=f"{POOL_HEADING}: {problem.sentence}")
    return replace(problem, line=problem.line + offset)


@dataclass(frozen=True, slots=True)
class CheckTerms:
    """What a list is judged under: format, version of the rules (empty: the day's), day and local rules."""

    format_key: str
    rules_version: str
    on: date | None
    overlay: Mapping[str, Any] | None = None


class StoredList(NamedTuple):
    """A submitted list as values. `open_lines` are those that were not understood, by their number.

    `open_rules` are those that were left open when a question of the list had no answer.
    """

    entries: Sequence[Mapping[str, Any]]
    options: Mapping[str, Any]
    not_read: Sequence[Mapping[str, Any]] = ()
    open_lines: Mapping[int, CheckedLine] = MappingProxyType({})
    is_read: bool = True
    open_rules: frozenset[str] = frozenset()


class CheckOutcome(NamedTuple):
    """What a check comes to: a list with a line that was not understood is never legal."""

    outcome: str
    verdict: Verdict


class StoredListChecker:
    """Judges many lists of one game: facts and formats are worked out once and kept as long as the judge.

    `editions` are the lists made at run time, beside those that are shipped.
    """

    def __init__(self, known: LoadedCatalogue, editions: Iterable[Edition]) -> None:
        self.game = known.game
        self._known = known
        self._editions = tuple(editions)
        self._facts: dict[tuple[str, str | None], CardFacts] = {}
        self._formats: dict[tuple[Any, ...], Format] = {}
        self._by_content: dict[tuple[Any, ...], Format] = {}

    def format(self, terms: CheckTerms) -> Format:
        """The format of these terms. Raises `rules.UnknownFormat` and `rules.BadOverlay`."""
        overlay_json = json.dumps(terms.overlay, sort_keys=True, default=str) if terms.overlay else ""
        place = (terms.format_key, terms.rules_version, terms.on, overlay_json)
        cached_format = self._formats.get(place)
        if cached_format is None:
            cached_format = self._formats[place] = self._shared(self._load(terms), overlay_json)
        return cached_format

    def _load(self, terms: CheckTerms) -> Format:
        return rules.load_format(
            self.game,
            terms.format_key,
            rules=terms.rules_version or None,
            on=terms.on,
            overlay=terms.overlay or None,
            editions=self._editions,
        )

    def _shared(self, loaded: Format, overlay_json: str) -> Format:
        """One format for all days on which the same lists are in force, so that cards are named but once."""
        numbers = tuple((kind, edition.number) for kind, edition in loaded.editions.items())
        return self._by_content.setdefault((loaded.key, loaded.version, overlay_json, numbers), loaded)

    def check(self, stored: StoredList, terms: CheckTerms) -> CheckOutcome:
        """The verdict on a stored list. Raises `rules.UnknownFormat` and `rules.BadOverlay`."""
        verdict = rules.check_deck(self._deck(stored), self.format(terms))
        if stored.open_rules:
            broken = {finding.rule for finding in verdict.errors} - stored.open_rules
            verdict = rules.keep_certain(verdict, broken)
        is_open = verdict.outcome == "legal" and not stored.is_read
        return CheckOutcome("unknown" if is_open else verdict.outcome, verdict)

    def _deck(self, stored: StoredList) -> Deck:
        zones: dict[str, list[Entry]] = {}
        facts = self._facts
        for entry in stored.entries:
            place = (entry["card"], entry["printing"])
            card = facts.get(place) or self._card(place, entry, stored)
            zones.setdefault(entry["zone"], []).append(Entry(card, entry["qty"], entry["line"]))
        return build_deck(self.game, zones, resolve_bonus_cards(stored.options, self._known), stored.not_read)

    def _card(self, place: tuple[str, str | None], entry: Mapping[str, Any], stored: StoredList) -> CardFacts:
        card_facts = self._known.card_facts(*place) if place[0] else None
        if card_facts is not None:
            self._facts[place] = card_facts
            return card_facts
        line = stored.open_lines.get(entry["line"])
        is_ambiguous = line is not None and line.status == "ambiguous"
        return CardFacts(entry["name"], entry["name"]) if is_ambiguous else CardFacts.missing(entry["name"])
