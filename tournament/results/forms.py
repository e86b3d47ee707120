"""Result forms: one line of a slip, the form of a match, a player's report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from django import forms
from django.db import models
from django.utils.translation import gettext, gettext_lazy

from decks.shared.form_fields import get_choice_field, mark_as_asked
from decks.shared.refusals import Refused
from rules.game import Game
from rules.rendering import translate_text
from rules.result_fields import PLACES, WHOLE, WHOLE_EACH, YES_NO, ResultField
from tournament.engine.boards import Boards, give_board_example
from tournament.events.models.match_result import ENTERED, Ending, MatchResult, iterate_columns
from tournament.events.models.round import Match
from tournament.events.settings import get_concession_rule, get_game, get_games_to_win, name_ending
from tournament.matches import ENDINGS_WITH_LOSER, EnteredResult, ResultEntry
from tournament.results.table_at_time import list_settled_boards
from tournament.web.board_fields import PREFIX as BOARDS
from tournament.web.board_fields import (
    flatten_boards,
    list_match_seats,
    make_board_fields,
    read_boards,
    read_sent_boards,
)
from tournament.web.detail_fields import (
    PREFIX,
    flatten_details,
    make_count_field,
    make_detail_fields,
    read_details,
)

SLIP_PATTERN = re.compile(
    r"^\s*(?P<table>\d{1,5})(?:[\s:.,]+(?:(?P<p1>\d{1,2})[\s:/-]*(?P<p2>\d{1,2})(?:[\s:/-]+(?P<draws>\d{1,2}))?"
    r"|(?P<both>dl|double\s*loss)))?\s*$",
    re.IGNORECASE,
)

BOARD = r"\d{1,2}[-:/]\d{1,2}(?:[-:/]\d{1,2})?"
BOARDS_PATTERN = re.compile(rf"^\s*(?P<table>\d{{1,5}})[\s:.,]+(?P<boards>{BOARD}(?:[\s,;]+{BOARD})*)\s*$")

MARKS = "d12|d[12]?|c[12]|n[12]?|q[12]|id|t|ok"

SIDE_OF_MARK = {"1": "p1", "2": "p2", "": "both"}

ENDING_OF_MARK = {"c": Ending.CONCESSION, "n": Ending.NO_SHOW, "q": Ending.DISQUALIFIED}

ENDING_OF_WORD = {"id": Ending.AGREED_DRAW.value, "t": Ending.TIME.value}

MOST_GAMES = 99


@dataclass(frozen=True, slots=True)
class ParsedSlip:
    """One line: the table, what was entered, and the sides that drop."""

    table: int
    entry: EnteredResult = field(default_factory=EnteredResult)
    drop: tuple[str, ...] = ()


def give_example(games_to_win: int, board_count: int = 0) -> str:
    """Return an example line that enters a match.

    It is for a number of games to win, or for a number of boards.
    """
    if board_count:
        return f"12 {give_board_example(games_to_win, board_count)}"
    return f"12 {games_to_win} {games_to_win - 1}"


def parse_slip(
    line: str, game: Game | None = None, *, games_to_win: int = 2, board_count: int = 0
) -> ParsedSlip:
    """Read a line of a slip, with marks at the end.

    Examples without marks are “12 2 1”, “12 2-1”, “12 21”, “12 1-1-1” and “12 dl”. Examples with marks are
    “12 2 1 d2” and “12 n2 d2”. Marks: d1, d2, d12 who drops; c1, c2 who conceded (with “ok” where the
    opponent accepted); n1, n2, n who did not come; q1, q2 who is disqualified; id an agreed draw; t time was
    called; and those of the game's `endings` and of its `result_fields` with their numbers, such as p12-9.
    With boards, a score for each: “12 2-1 0-2 2-0”. Raises Refused with the ways to write it.
    """
    result_fields, endings = (game.result_fields, game.endings) if game else ((), ())
    endings_by_mark = {**ENDING_OF_WORD, **{ending.mark: ending.key for ending in endings if ending.mark}}
    rest, slip_marks = _split_marks(line, result_fields, endings_by_mark)
    boards = _parse_boards(rest) if board_count else None
    if boards is not None:
        entry, drop = _apply_marks(slip_marks, result_fields, endings_by_mark)
        table, scores = boards
        return ParsedSlip(table, {"boards": scores, **entry}, drop)
    match = SLIP_PATTERN.match(rest)
    if match is None or (match["p1"] is not None and (board_count or _is_ambiguous(match))):
        raise _unreadable_slip(line, games_to_win, board_count)
    entry, drop = _apply_marks(slip_marks, result_fields, endings_by_mark)
    if match["p1"] is None and match["both"] is None and not entry:
        raise _unreadable_slip(line, games_to_win, board_count)
    if match["both"]:
        return ParsedSlip(
            int(match["table"]), {"p1_games": 0, "p2_games": 0, "double_loss": True, **entry}, drop
        )
    games: EnteredResult = {"p1_games": int(match["p1"] or 0), "p2_games": int(match["p2"] or 0)}
    return ParsedSlip(int(match["table"]), {**games, "draws": int(match["draws"] or 0), **entry}, drop)


def _parse_boards(line: str) -> tuple[int, Boards] | None:
    """Return the table and the boards of “12 2-1 0-2 2-0”.

    It is None for a line without boards.
    """
    match = BOARDS_PATTERN.match(line)
    if match is None:
        return None
    return int(match["table"]), read_boards(re.split(r"[\s,;]+", match["boards"]))


def _unreadable_slip(line: str, games_to_win: int, board_count: int) -> Refused:
    example = give_example(games_to_win, board_count)
    if board_count:
        return Refused("line_not_understood.boards", line=line.strip()[:40], example=example)
    score = f"{games_to_win}-{games_to_win - 1}"
    return Refused("line_not_understood", line=line.strip()[:40], example=example, score=score)


def _is_ambiguous(match: re.Match[str]) -> bool:
    """Return whether digits run together are unclear: only exactly two are clear."""
    between = match.string[match.end("p1") : match.start("p2")]
    return between == "" and (len(match["p1"]) > 1 or len(match["p2"]) > 1)


NUMBER = r"\d{1,5}"

NUMBERS = {YES_NO: "", WHOLE: NUMBER, WHOLE_EACH: rf"{NUMBER}[-/]{NUMBER}"}


def _split_marks(
    line: str, result_fields: Sequence[ResultField], endings_by_mark: Iterable[str]
) -> tuple[str, list[str]]:
    own_marks = [f"{field.mark}{NUMBERS[field.kind]}" for field in result_fields if field.mark]
    own_marks += endings_by_mark
    pattern = re.compile(rf"(?:(?<=\s)|(?<=,))({'|'.join([*own_marks, MARKS])})\s*$", re.IGNORECASE)
    slip_marks: list[str] = []
    while (match := pattern.search(line)) is not None:
        slip_marks.append(match[1].lower())
        line = line[: match.start()]
    return line.rstrip(" ,"), slip_marks


def _apply_marks(
    slip_marks: list[str], result_fields: Sequence[ResultField], endings_by_mark: Mapping[str, str]
) -> tuple[EnteredResult, tuple[str, ...]]:
    entry: EnteredResult = {}
    details: dict[str, object] = {}
    drop: set[str] = set()
    for slip_mark in slip_marks:
        if slip_mark == "ok":
            entry["consent"] = True
        elif slip_mark in endings_by_mark:
            entry["ending"] = endings_by_mark[slip_mark]
        elif (field := _find_field(slip_mark, result_fields)) is not None:
            details[field.key] = _parse_value(slip_mark, field)
            entry |= {"details": details, "ending": field.ending} if field.ending else {"details": details}
        elif slip_mark[0] == "d":
            drop.update({"p1", "p2"} if slip_mark in ("d", "d12") else {SIDE_OF_MARK[slip_mark[1:]]})
        else:
            entry |= {"ending": ENDING_OF_MARK[slip_mark[0]].value, "loser": SIDE_OF_MARK[slip_mark[1:]]}
    return entry, tuple(sorted(drop))


def _find_field(slip_mark: str, result_fields: Sequence[ResultField]) -> ResultField | None:
    letters = slip_mark.rstrip("0123456789-/")
    return next((field for field in result_fields if field.mark == letters), None)


def _parse_value(slip_mark: str, field: ResultField) -> object:
    numbers = [int(number) for number in re.findall(r"\d+", slip_mark)]
    return dict(zip(PLACES, numbers, strict=True)) if len(numbers) > 1 else numbers[0] if numbers else True


LABELS = {
    "p1_games": gettext_lazy("Games won by the first player"),
    "p2_games": gettext_lazy("Games won by the second player"),
    "draws": gettext_lazy("Drawn games"),
    "ending": gettext_lazy("How it ended"),
    "consent": gettext_lazy("The opponent accepts it"),
}


def _make_field(column: models.Field) -> forms.Field:
    """Return the form field of a column of a result."""
    label = LABELS[column.name]
    if isinstance(column, models.PositiveSmallIntegerField):
        return make_count_field(label, MOST_GAMES)
    if column.name == "ending":
        return forms.ChoiceField(required=False, label=label)
    field = column.formfield(label=label, required=False, help_text="")
    if field is None:
        raise TypeError(f"{column.name} has no form field.")
    return field


ENTERED_COLUMNS = [column for column in iterate_columns(ENTERED) if column.name not in ("details", "boards")]
GAME_FIELDS = ("p1_games", "p2_games", "draws")


class ResultFields(forms.Form):
    """A field for each column of a result."""

    locals().update({each.name: _make_field(each) for each in ENTERED_COLUMNS})


class ResultForm(ResultFields):
    """Everything a result can be, for one match.

    `entry` gives the arguments of `enter_result`. What staff enter of a result has a field of its own, and so
    has what the game asks beside it.
    """

    double_loss = forms.BooleanField(required=False, label=gettext_lazy("Both players lose"))
    loser = forms.ChoiceField(required=False, label=gettext_lazy("Loser"))
    drop = forms.MultipleChoiceField(
        required=False, label=gettext_lazy("Drop players"), widget=forms.CheckboxSelectMultiple
    )
    reason = forms.CharField(
        required=False,
        max_length=400,
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Shown in the log"),
    )
    revision = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, match: Match, **kwargs: Any) -> None:
        self.match = match
        event = match.round.stage.event
        kwargs.setdefault("initial", self.initial_of(match))
        super().__init__(*args, **kwargs)
        names = [("p1", match.p1.name), ("p2", match.p2.name if match.p2 else gettext("no one"))]
        for side, name in names:
            games = self.fields[f"{side}_games"]
            games.label = gettext("Games won by %(player)s") % {"player": name}
            mark_as_asked(games)
        get_choice_field(self, "ending").choices = list(_ending_choices(match))
        get_choice_field(self, "loser").choices = [
            ("", gettext("From the game score")),
            *names,
            ("both", gettext("Both players")),
        ]
        get_choice_field(self, "drop").choices = names
        rule = get_concession_rule(event)
        self.fields["consent"].help_text = translate_text(rule.sentence) if rule.consent_needed else ""
        self.asks_consent, self.result_fields = rule.consent_needed, get_game(event).result_fields
        self.fields.update(make_detail_fields(self.result_fields))
        self.games_to_win = get_games_to_win(event)
        self.board_count = event.board_count
        if self.board_count:
            seats = list_match_seats(match.p1, match.p2, self.board_count)
            self.fields.update(make_board_fields(seats))
            for name in GAME_FIELDS:
                del self.fields[name]

    @property
    def game_fields(self) -> list[forms.BoundField]:
        """The fields of the games, or of all boards."""
        return [self[name] for name in self.fields if name in GAME_FIELDS or name.startswith(f"{BOARDS}.")]

    def clean(self) -> dict[str, object] | None:
        """Read the boards."""
        values = super().clean()
        try:
            self.boards = read_sent_boards(self.cleaned_data, self.board_count)
        except Refused as refusal:
            self.add_error(None, forms.ValidationError(refusal.message, code=refusal.code))
        return values

    @property
    def detail_fields(self) -> list[forms.BoundField]:
        """The fields of what the game asks."""
        return [self[name] for name in self.fields if name.startswith(f"{PREFIX}.")]

    boards: Boards = ()

    @staticmethod
    def initial_of(match: Match) -> dict[str, object]:
        """Return the current result, for a form that changes it."""
        shown_values = MatchResult.of(match).values(ENTERED) if match.is_finished else _fill_settled(match)
        initial_values = flatten_entry(shown_values)
        if match.ending in ENDINGS_WITH_LOSER:
            initial_values["loser"] = {"p1": "p2", "p2": "p1"}.get(match.outcome, "both")
        return {**initial_values, "double_loss": match.outcome == "double_loss", "revision": match.revision}

    def entry(self) -> ResultEntry:
        """Return the arguments of `enter_result`, without what belongs to the page."""
        named_values = self.cleaned_data.items()
        values = {
            name: value for name, value in named_values if name in self.base_fields and name != "revision"
        }
        for column in ENTERED_COLUMNS:
            values[column.name] = values.get(column.name) or column.get_default()
        values["boards"] = self.boards
        values["details"] = read_details(self.result_fields, self.cleaned_data)
        return cast(ResultEntry, values)


def _fill_settled(match: Match) -> dict[str, object]:
    """Return the boards that were settled when time was called.

    They are for a form that enters all boards.
    """
    boards = list_settled_boards(match)
    return {"boards": boards, "ending": Ending.TIME} if any(boards) else {}


def flatten_entry(entry: Mapping[str, object]) -> dict[str, object]:
    """Return what was entered, by the names of the form."""
    others = {name: value for name, value in entry.items() if name not in ("details", "boards")}
    details = entry.get("details")
    flat = flatten_details(details if isinstance(details, Mapping) else {})
    return {**others, **flat, **dict(flatten_boards(entry.get("boards")))}


def _ending_choices(match: Match) -> Iterator[tuple[str, str]]:
    event = match.round.stage.event
    for value in (*Ending.values, *(ending.key for ending in get_game(event).endings)):
        if value == Ending.AGREED_DRAW and (match.round.stage.needs_winner or not event.intentional_draws):
            continue
        yield value, name_ending(event, value)
