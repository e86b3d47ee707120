"""One sheet by which a judge runs a round.

It has the clock, first turn, end of time, concession, penalties and bans. All of it is the data of the checks
and of the pages that are shown when time is called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from rules.formats import Format
from rules.lists import Edition
from rules.rendering import say, translate_text
from rules.rule import Condition
from rules.text import mark_rank
from rules.timed.model import FirstTurn
from rules.timed.procedure import Procedure, procedure_of_format

LISTS = ("bans", "limits", "points")
"""The lists whose cards the sheet names."""

_BARRING_CHECKS = ("not_in_deck", "not_pregame")
"""The checks of games that bar cards by their names, beside the lists."""


@dataclass(frozen=True, slots=True)
class RoundSheetLine:
    """One sentence of the sheet, and where it is written, if anywhere.

    `is_ours`: no document says it.
    """

    sentence: str
    clause: str
    is_ours: bool = False

    @property
    def words(self) -> str:
        """The sentence with its source, as a line of a text."""
        basis = "ours" if self.is_ours else "stated" if self.clause else "none"
        return say("format", "sheet-line", sentence=self.sentence, clause=self.clause, basis=basis)


@dataclass(frozen=True, slots=True)
class SheetPart:
    """The lines of one subject, such as the clock; `key` names it."""

    key: str
    lines: tuple[RoundSheetLine, ...]

    @property
    def title(self) -> str:
        """The subject in words."""
        return say("format", "sheet-part", part=self.key)


def build_round_sheet(format: Format) -> tuple[SheetPart, ...]:
    """Return the sheet of a format, part by part.

    If no document says a thing, a line says so.
    """
    procedure = procedure_of_format(format)
    parts = [
        SheetPart(key, tuple(_different(list_lines(format, procedure)))) for key, list_lines in _PARTS.items()
    ]
    if _find_part(parts, "time_with_draws") == _find_part(parts, "time_without_draws"):
        parts = [replace(part, key="time") if part.key == "time_with_draws" else part for part in parts]
        parts = [part for part in parts if part.key != "time_without_draws"]
    lists = (_list_cards(format, kind) for kind in LISTS)
    return (*(part if part.lines else _not_said(part.key, format) for part in parts), *filter(None, lists))


def _find_part(parts: Iterable[SheetPart], key: str) -> tuple[RoundSheetLine, ...]:
    return next((part.lines for part in parts if part.key == key), ())


def compare_round_sheets(old: Format, new: Format) -> Iterator[tuple[str, RoundSheetLine, bool]]:
    """Yield what two sheets say differently, without the lists.

    Each difference has the part, the line, and whether it is new.
    """
    before, after = (
        {part.key: part for part in build_round_sheet(form) if part.key not in LISTS} for form in (old, new)
    )
    for key in dict.fromkeys((*after, *before)):
        then, now = (form.get(key, SheetPart(key, ())) for form in (before, after))
        yield from ((now.title, line, True) for line in now.lines if line not in then.lines)
        yield from ((now.title, line, False) for line in then.lines if line not in now.lines)


def _different(lines: Iterable[RoundSheetLine]) -> Iterable[RoundSheetLine]:
    return dict.fromkeys(lines)


def _list_clocks(_: Format, procedure: Procedure) -> Iterator[RoundSheetLine]:
    for form in procedure.game.match_forms:
        clock = procedure.clock(form.key)
        sentence = say(
            "format",
            "sheet-clock",
            form=translate_text(form.name),
            warning=clock.warning_minutes_left,
            hidden=clock.hidden_random_end,
        )
        yield RoundSheetLine(sentence, form.clause, form.is_ours)


def _list_first_turns(_: Format, procedure: Procedure) -> Iterator[RoundSheetLine]:
    """Yield who takes the first turn.

    The turns are those of the first game, of a later game, and after a game without a loser.
    """
    for game_in_match, loser in ((1, None), (2, "p1"), (2, None)):
        turn: FirstTurn = procedure.first_turn(game_in_match, "p1" if loser else None)
        yield RoundSheetLine(translate_text(turn.sentence), turn.clause, turn.is_ours)


def _list_steps_with_draws(_: Format, procedure: Procedure) -> Iterator[RoundSheetLine]:
    for step in procedure.end_steps("swiss"):
        yield RoundSheetLine(translate_text(step.sentence), step.clause, step.is_ours)


def _list_steps_without_draws(_: Format, procedure: Procedure) -> Iterator[RoundSheetLine]:
    for step in procedure.end_steps("single_elimination"):
        yield RoundSheetLine(translate_text(step.sentence), step.clause, step.is_ours)


def _list_concession(_: Format, procedure: Procedure) -> Iterator[RoundSheetLine]:
    given_up = procedure.concession()
    yield RoundSheetLine(translate_text(given_up.sentence), given_up.clause, given_up.is_ours)


def _list_sideboarding(format: Format, procedure: Procedure) -> Iterator[RoundSheetLine]:
    """Yield what the checks demand of a sideboard, and how cards are exchanged."""
    for rule in format.rules:
        if rule.params.get("zone") == "sideboard":
            yield RoundSheetLine(rule.in_words(), rule.clause, rule.basis == "ours")
    yield from _list_table("sideboarding")(format, procedure)


def _list_table(name: str) -> Callable[[Format, Procedure], Iterator[RoundSheetLine]]:
    """Return the lines of a table of `timed.toml` with steps of that name.

    The conditions of that name are included.
    """

    def list_lines(format: Format, procedure: Procedure) -> Iterator[RoundSheetLine]:
        for step in procedure.list_steps(name):
            yield RoundSheetLine(translate_text(step.sentence), step.clause, step.is_ours)
        for condition in format.conditions():
            if condition.key == name:
                yield _of_condition(condition)

    return list_lines


def _of_condition(condition: Condition) -> RoundSheetLine:
    return RoundSheetLine(condition.in_words(), condition.clause, condition.basis == "ours")


_PARTS: Mapping[str, Callable[[Format, Procedure], Iterator[RoundSheetLine]]] = {
    "clock": _list_clocks,
    "first_turn": _list_first_turns,
    "mulligan": _list_table("mulligan"),
    "time_with_draws": _list_steps_with_draws,
    "time_without_draws": _list_steps_without_draws,
    "concession": _list_concession,
    "sideboarding": _list_sideboarding,
    "penalties": _list_table("penalties"),
}


def _not_said(key: str, format: Format) -> SheetPart:
    """Return a part about which the documents say nothing.

    It says who decides on penalties then, if the documents say that.
    """
    clause = format.game.cite("organizer_decides") if key == "penalties" else ""
    sentence = say("format", "sheet-nothing", part=key, decides=bool(clause))
    return SheetPart(key, (RoundSheetLine(sentence, clause),))


def _list_cards(format: Format, kind: str) -> SheetPart | None:
    """Return the cards of a list by name, those of one source together.

    None if the format has no such list.
    """
    edition = format.lists.editions.get(kind)
    lines = [] if edition is None else list(_list_edition(edition))
    if kind == "bans":
        lines += _list_bars(format, is_attached=edition is not None)
    return SheetPart(kind, tuple(lines)) if edition is not None or lines else None


def _list_edition(edition: Edition) -> Iterator[RoundSheetLine]:
    names: dict[tuple[str, str], list[str]] = {}
    for entry in edition.entries:
        citation = edition.cite(entry)
        names.setdefault((citation.document, citation.clause), []).append(name_listed_card(entry))
    yield from (_name_cards(edition, source, cards) for source, cards in names.items())


def _list_bars(format: Format, *, is_attached: bool) -> Iterator[RoundSheetLine]:
    """Yield what bars cards in addition to the ban list.

    If the rules need a list and it is missing, that is yielded too.
    """
    for rule in format.rules:
        if rule.check == "lists_attached" and not is_attached:
            yield RoundSheetLine(say("format", "sheet-no-bans"), rule.clause)
        elif rule.check.rpartition(".")[2] in _BARRING_CHECKS:
            yield RoundSheetLine(rule.in_words(), rule.clause, rule.basis == "ours")


def _name_cards(edition: Edition, source: tuple[str, str], cards: list[str]) -> RoundSheetLine:
    document, clause = source
    place = clause if document == edition.document else f"{document}, {clause}"
    return RoundSheetLine(say("format", "sheet-cards", cards=tuple(cards)), place)


def name_listed_card(entry: Mapping[str, object]) -> str:
    """Return a card of a list as people call it.

    It has its dots and its copies or points.
    """
    card = entry.get("card")
    facts = card if isinstance(card, Mapping) else {}
    name = str(facts.get("name") or facts.get("title") or say("reason", "any-card"))
    marked_name = mark_rank(name, facts.get("dots"))
    number = describe_number(entry)
    details = [str(facts["id"])] if facts.get("id") else []
    return say(
        "format", "sheet-card", card=marked_name, details=(*details, *([number] if number else [])) or None
    )


def describe_number(entry: Mapping[str, object]) -> str:
    """Return in a few words what an entry of limits or points gives its card.

    The entry is one of a list.
    """
    copies, points = entry.get("copies"), entry.get("points")
    if type(copies) is int:
        return say("format", "sheet-copies", number=copies)
    return say("format", "sheet-points", number=points) if type(points) is int else ""
