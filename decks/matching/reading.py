"""Results for each line of a list, and the list in the form that the rules judge.

Shared by everything that checks a list, typed, stored or in a file. A line that fits no card, or several,
stays in the list as what it may be, and the list cannot be called legal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace

import rules
from decks.importers.model import QUESTION_CODES, DeckLine, ParsedDeck, ParseProblem
from decks.importers.readings import OpenReading, open_reading
from decks.matching.catalogue import KnownCards
from decks.matching.declared_cards import resolve_declared_cards
from decks.matching.marks import find_unread_marks
from decks.matching.model import NOT_KNOWN, CardSuggestion, LineMatch, SearchBudget, is_added_card
from decks.matching.records import EntryRecord, LineKind, LineRecord
from decks.matching.twins import get_owner, is_told_by_number
from decks.shared.json_shapes import Published, to_json
from rules.deck import CardFacts
from rules.judge import ListEntry, WrittenList
from rules.names import normalize_name
from rules.reason import Reason, plain_reason, reason
from rules.rendering import render


@dataclass(frozen=True, slots=True)
class LineSuggestion(Published):
    """A card that a line may mean; `label` is what to write to get exactly this one."""

    label: str
    card_key: str = ""
    printing_key: str | None = None

    @property
    def is_added(self) -> bool:
        """Whether the card is one that the organizer added for the event."""
        return is_added_card(self.card_key)


# Lines that were stored before there were codes have the words.
_BY_NAME = frozenset({"name", "by name"})


def zone_label(zone: str) -> str:
    """Return the name of a zone for people."""
    return render("reason", Reason("zone.aside") if zone == "aside" else Reason("zone", {"zone": zone}))


@dataclass(frozen=True, slots=True)
class CheckedLine(Published):
    """One source line and what it became.

    `status` is how a card line was matched (a status of `decks.matching.model`) or, for a line that was not
    understood or asks something, the stable code of its problem or question. `is_resolved` is false exactly
    for lines that keep the list from being legal. `place` is set and number where the line names a printing;
    `reasons` say what people should know or do. `may_be` are the cards that an unclear line may mean;
    `other_qty` is set where its number of copies is open too.
    """

    PUBLISHED = (
        "number", "text", "kind", "is_resolved", "status", "qty", "name", "zone", "card_key", "printing_key",
        "place", "how", "is_certain", "notes", "reasons", "suggestions", "may_be", "other_qty",
    )  # fmt: skip

    number: int
    text: str
    kind: LineKind
    is_resolved: bool = True
    status: str = ""
    qty: int | None = None
    name: str = ""
    zone: str = ""
    card_key: str | None = None
    printing_key: str | None = None
    place: str = ""
    found_by: str = ""
    is_certain: bool = True
    reasons: tuple[Reason, ...] = ()
    suggestions: tuple[LineSuggestion, ...] = ()
    may_be: tuple[str, ...] = ()
    other_qty: int | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """The reasons in words, a sentence each."""
        return tuple(render("reason", each) for each in self.reasons)

    @property
    def is_question(self) -> bool:
        """Whether the line asks what is meant."""
        return self.status in QUESTION_CODES

    @property
    def is_added(self) -> bool:
        """Whether the card is one that the organizer added for the event."""
        return is_added_card(self.card_key)

    @property
    def is_unknown_card(self) -> bool:
        """Whether the line names a card that is not known."""
        return self.kind == "card" and self.status in NOT_KNOWN

    @property
    def zone_words(self) -> str:
        """The zone named for people."""
        return zone_label(self.zone)

    @property
    def how(self) -> str:
        """By what the card was found, in words."""
        return render("found_by", Reason(self.found_by)) if self.found_by else ""

    @property
    def found_words(self) -> str:
        """The words “found by identifier, likely”; empty if surely found by name."""
        if not self.card_key or (self.found_by in _BY_NAME and self.is_certain):
            return ""
        code = "found" if self.is_certain else "found.likely"
        return render("found_by", Reason(code, {"by": Reason(self.found_by)}))

    @classmethod
    def from_json(cls, data: LineRecord) -> CheckedLine:
        """Return a stored line; in old ones reasons are sentences, suggestions `may_be`."""
        suggestions = tuple(LineSuggestion(**each) for each in data["suggestions"])
        is_unclear = data.get("status") in ("ambiguous", "conflict") and data["kind"] == "card"
        suggested_keys = [each.card_key for each in suggestions if is_unclear]
        return cls(
            number=data["number"],
            text=data["text"],
            kind=data["kind"],
            is_resolved=data.get("is_resolved", True),
            status=data.get("status", ""),
            qty=data.get("qty"),
            name=data.get("name", ""),
            zone=data.get("zone", ""),
            card_key=data.get("card_key"),
            printing_key=data.get("printing_key"),
            place=data.get("place", ""),
            found_by=data["found_by"] if "found_by" in data else data.get("how", ""),
            is_certain=data.get("is_certain", True),
            reasons=reasons_from_json(data["reasons"] if "reasons" in data else data["notes"]),
            suggestions=suggestions,
            may_be=tuple(data.get("may_be", dict.fromkeys(suggested_keys))),
            other_qty=data.get("other_qty"),
        )

    def to_record(self) -> dict[str, object]:
        """Return the line as it is stored, without words."""
        return {each.name: to_json(getattr(self, each.name)) for each in fields(self)}


@dataclass(frozen=True, slots=True)
class ReadList:
    """A list as it was read.

    Holds its lines, what is to say of the whole file, and what the rules judge.
    """

    lines: tuple[CheckedLine, ...]
    problems: tuple[Reason, ...]
    notices: tuple[Reason, ...]
    written_list: WrittenList


def read_list(
    deck: ParsedDeck,
    catalogue: KnownCards,
    *,
    options: Mapping[str, object],
    budget: SearchBudget | None = None,
) -> ReadList:
    """Return the result for a list; `budget` limits searches for similar names."""
    budget = budget or SearchBudget()
    lines = _take_cards_of_owners([_check_line(line, catalogue, budget) for line in deck.lines], catalogue)
    problems = _of_file(deck.problems, deck)
    written_list = to_written_list(lines, catalogue, options=options, problems=problems, deck=deck)
    notices = *_of_file(deck.notices, deck), *find_unread_marks(deck, catalogue)
    return ReadList(lines, problems, notices, written_list)


def _take_cards_of_owners(lines: Sequence[CheckedLine], catalogue: KnownCards) -> tuple[CheckedLine, ...]:
    """Choose, among cards that share a name, the one of a leader in the list."""
    types = rules.get_game(catalogue.game).cards.by_name.leader_types
    cards = [catalogue.cards[line.card_key] for line in lines if line.card_key and types]
    leaders = {
        normalize_name(card.name): card.name
        for card in cards
        if str(card.facts(None).get("type", "")).casefold() in types
    }
    return tuple(_take_card_of_owner(line, leaders, catalogue) if leaders else line for line in lines)


def _take_card_of_owner(line: CheckedLine, leaders: Mapping[str, str], catalogue: KnownCards) -> CheckedLine:
    if line.kind != "card" or line.status != "ambiguous" or line.other_qty is not None:
        return line
    owners = {key: get_owner(catalogue.game, catalogue.cards[key].facts(None)) for key in line.may_be}
    owned_keys = [key for key, owner in owners.items() if normalize_name(owner) in leaders]
    if len(owned_keys) != 1 or is_told_by_number(catalogue.game, catalogue.cards[owned_keys[0]].name):
        return line
    card = catalogue.cards[owned_keys[0]]
    why = reason("taken_of_owner", owner=owners[card.key])
    return replace(
        line, is_resolved=True, status="exact", name=card.label, card_key=card.key, is_certain=False,
        reasons=(why,), suggestions=(), may_be=(),
    )  # fmt: skip


def _check_line(line: DeckLine, catalogue: KnownCards, budget: SearchBudget) -> CheckedLine:
    if line.kind == "card":
        return _card_line(line, catalogue.index.resolve(line, budget), catalogue)
    if line.kind == "problem" and line.problem is not None:
        return CheckedLine(
            number=line.number,
            text=line.text,
            kind="problem",
            is_resolved=False,
            status=line.problem.code,
            name=line.name,
            zone=line.zone,
            reasons=(line.problem.reason, *(notice.reason for notice in line.notices)),
        )
    if line.kind == "section" or (line.kind == "comment" and line.name):
        return _section_line(line, catalogue.index.resolve(line, budget))
    return CheckedLine(
        number=line.number,
        text=line.text,
        kind=line.kind,
        is_resolved=not line.question,
        status=line.question.code if line.question else "",
        reasons=tuple(notice.reason for notice in line.notices),
    )


def match_again(
    lines: Sequence[CheckedLine], deck: ParsedDeck, catalogue: KnownCards
) -> tuple[CheckedLine, ...]:
    """Return the lines of a stored list, with unknown cards matched again.

    `deck` is the list as it is read today; if it has other lines by now, they stay as they were.
    """
    if len(deck.lines) != len(lines):
        return tuple(lines)
    pairs = zip(lines, deck.lines, strict=True)
    matched_lines = (_match_line_again(line, again, catalogue) for line, again in pairs)
    return _take_cards_of_owners(tuple(matched_lines), catalogue)


def _match_line_again(line: CheckedLine, again: DeckLine, catalogue: KnownCards) -> CheckedLine:
    is_open = line.kind == "card" and line.card_key is None and not line.may_be
    if not is_open or again.kind != "card" or again.number != line.number:
        return line
    match = catalogue.index.resolve(again, SearchBudget(0))
    return _card_line(again, match, catalogue) if match.meant_keys else line


def _section_line(line: DeckLine, match: LineMatch) -> CheckedLine:
    """Return a heading or title, open if it is also the name of a card."""
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
        reasons=_reasons(line, match),
        suggestions=tuple(_to_line_suggestion(each) for each in match.suggestions),
    )


def _card_line(line: DeckLine, match: LineMatch, catalogue: KnownCards) -> CheckedLine:
    card = catalogue.cards.get(match.card_key) if match.card_key else None
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
        found_by=match.found_by,
        is_certain=match.sure == "certain",
        reasons=_reasons(line, match),
        suggestions=tuple(_to_line_suggestion(each) for each in match.suggestions),
        may_be=match.may_be,
        other_qty=match.other_qty,
    )


def _name_as_written(line: DeckLine) -> str:
    return f"{line.name} {'●' * (line.dots or 0)}".strip()


def _reasons(line: DeckLine, match: LineMatch) -> tuple[Reason, ...]:
    return (*match.reasons, *(notice.reason for notice in line.notices))


def _to_line_suggestion(suggestion: CardSuggestion) -> LineSuggestion:
    return LineSuggestion(suggestion.label, suggestion.card_key, suggestion.printing_key)


def _of_file(messages: Iterable[ParseProblem], deck: ParsedDeck) -> tuple[Reason, ...]:
    """Return what there is to say of the file rather than of one of its lines."""
    at_lines: dict[int, list[ParseProblem | None]] = defaultdict(list)
    for line in deck.lines:
        at_lines[line.number] += [line.problem, *line.notices]
    of_file = (each for each in messages if each.line is None or each not in at_lines[each.line])
    return tuple(each.placed_reason for each in of_file)


def reasons_from_json(records: Iterable[object]) -> tuple[Reason, ...]:
    """Return stored reasons; those of rows older than the codes are sentences."""
    return tuple(plain_reason(each) if isinstance(each, str) else Reason.from_json(each) for each in records)


def to_written_list(
    lines: Sequence[CheckedLine],
    catalogue: KnownCards,
    *,
    options: Mapping[str, object],
    problems: Iterable[Reason] = (),
    deck: ParsedDeck | None = None,
) -> WrittenList:
    """Return the list as the rules judge it.

    `problems` are of the whole file. `deck` tells what the questions of its lines leave open (None: nothing).
    """
    entries: list[ListEntry] = []
    places: dict[int, int] = {}
    for place, line in enumerate(lines):
        if line.kind == "card":
            places[place] = len(entries)
            entries.append(_to_line_entry(line, catalogue))
    open_lines = _open_reading(lines, deck)
    parts = (frozenset(places[each] for each in part if each in places) for part in open_lines.parts)
    return WrittenList(
        catalogue.game,
        tuple(entries),
        resolve_declared_cards(options, catalogue),
        unread_lines(lines, problems),
        tuple(part for part in parts if part),
        open_lines.missing_counts,
    )


def _open_reading(lines: Sequence[CheckedLine], deck: ParsedDeck | None) -> OpenReading:
    """Return what questions leave open: every card, if the list reads otherwise now."""
    if deck is None:
        return OpenReading()
    if len(deck.lines) != len(lines):
        return OpenReading((frozenset(range(len(lines))),))
    return open_reading(deck.lines)


def _to_line_entry(line: CheckedLine, catalogue: KnownCards) -> ListEntry:
    cards = _possible_cards(line.name, line.card_key, line.printing_key, line, catalogue)
    return ListEntry(line.name, cards, line.qty or 0, line.zone, line.number, line.other_qty)


def to_list_entry(entry: EntryRecord, line: CheckedLine | None, catalogue: KnownCards) -> ListEntry:
    """Return a stored entry; `line` is the one that it came from, if there is one."""
    cards = _possible_cards(entry["name"], entry["card"], entry["printing"], line, catalogue)
    return ListEntry(entry["name"], cards, entry["qty"] or 0, entry["zone"], entry["line"])


def _possible_cards(
    name: str, card: str | None, printing: str | None, line: CheckedLine | None, catalogue: KnownCards
) -> tuple[CardFacts, ...]:
    keys = [(card, printing)] if card else [(key, None) for key in (line.may_be if line else ())]
    cards = [facts for key in keys if (facts := catalogue.card_facts(*key)) is not None]
    if card or line is None or len(cards) != 1:
        return tuple(cards)
    return (*cards, _unknown_namesake(name, cards[0], line))


def _unknown_namesake(name: str, card: CardFacts, line: CheckedLine) -> CardFacts:
    """Return another possible card, of the same type if only its version is asked."""
    asks_version = any(each.code == "which_version" for each in line.reasons)
    known_type = {"type": card.attributes["type"]} if asks_version and "type" in card.attributes else {}
    return CardFacts(name, card.name if asks_version else name, known_type)


def unread_lines(lines: Iterable[CheckedLine], problems: Iterable[Reason]) -> tuple[dict[str, object], ...]:
    """Return the parts of a list that could not be read, in the form for the rules."""
    marked_lines = [line for line in lines if line.kind == "problem" or line.is_question]
    of_lines: list[dict[str, object]] = [{"line": line.number, "why": line.reasons} for line in marked_lines]
    of_file: list[dict[str, object]] = [{"why": (problem,)} for problem in problems]
    return (*of_lines, *of_file)
