"""Result forms: one line of a slip, the form of a match, a player's report."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django import forms

from decks.shared.refusals import Refused
from tournament.events.models.round import Match
from tournament.events.settings import get_concession_rule, get_games_to_win, get_head_shot_rule
from tournament.matches import ENDINGS_WITH_LOSER

Ending = Match.Ending

SLIP_PATTERN = re.compile(
    r"^\s*(?P<table>\d{1,5})(?:[\s:.,]+(?:(?P<p1>\d{1,2})[\s:/-]*(?P<p2>\d{1,2})(?:[\s:/-]+(?P<draws>\d{1,2}))?"
    r"|(?P<both>dl|double\s*loss)))?\s*$",
    re.IGNORECASE,
)

MARK_PATTERN = re.compile(
    r"(?:(?<=\s)|(?<=,))(d12|d[12]?|c[12]|n[12]?|q[12]|id|t|h\d{0,2}|ok)\s*$", re.IGNORECASE
)

SIDE_OF_MARK = {"1": "p1", "2": "p2", "": "both"}

ENDING_OF_MARK = {"c": Ending.CONCESSION, "n": Ending.NO_SHOW, "q": Ending.DISQUALIFIED}

SLIP_HELP = (
    "Type table, games, games: 12 2 1 for 2-1 at table 12, or 12 dl when both lose. Add d1 or d2 for "
    "who drops, c2 where the second player conceded, n2 where he did not come, id for an agreed draw."
)


@dataclass(frozen=True, slots=True)
class ParsedSlip:
    """One line: the table, the arguments for `enter_result`, and the sides that drop."""

    table: int
    entry: dict[str, Any] = field(default_factory=dict)
    drop: tuple[str, ...] = ()


def parse_slip(line: str) -> ParsedSlip:
    """Read “12 2 1”, “12 2-1”, “12 21”, “12 1-1-1”, “12 dl”, with marks behind: “12 2 1 d2”, “12 n2 d2”.

    Marks: d1, d2, d12 who drops; c1, c2 who conceded (with “ok” where the opponent accepted); n1, n2, n who
    did not come; q1, q2 who is disqualified; id an agreed draw; t time was called; h a head shot, h3 with
    three Quickenings in play. Raises Refused with the ways to write it.
    """
    rest, slip_marks = _split_marks(line)
    match = SLIP_PATTERN.match(rest)
    if match is None or (match["p1"] is not None and _is_ambiguous(match)):
        raise _unreadable_slip(line)
    entry, drop = _apply_marks(slip_marks)
    if match["p1"] is None and match["both"] is None and not entry:
        raise _unreadable_slip(line)
    if match["both"]:
        return ParsedSlip(
            int(match["table"]), {"p1_games": 0, "p2_games": 0, "double_loss": True, **entry}, drop
        )
    games = {"p1_games": int(match["p1"] or 0), "p2_games": int(match["p2"] or 0)}
    return ParsedSlip(int(match["table"]), {**games, "draws": int(match["draws"] or 0), **entry}, drop)


def _unreadable_slip(line: str) -> Refused:
    return Refused("line_not_understood", line=line.strip()[:40], help=SLIP_HELP)


def _is_ambiguous(match: re.Match[str]) -> bool:
    """Digits run together are only clear when there are exactly two."""
    between = match.string[match.end("p1") : match.start("p2")]
    return between == "" and (len(match["p1"]) > 1 or len(match["p2"]) > 1)


def _split_marks(line: str) -> tuple[str, list[str]]:
    slip_marks: list[str] = []
    while (match := MARK_PATTERN.search(line)) is not None:
        slip_marks.append(match[1].lower())
        line = line[: match.start()]
    return line.rstrip(" ,"), slip_marks


def _apply_marks(slip_marks: list[str]) -> tuple[dict[str, Any], tuple[str, ...]]:
    entry: dict[str, Any] = {}
    drop: set[str] = set()
    for slip_mark in slip_marks:
        if slip_mark == "ok":
            entry["consent"] = True
        elif slip_mark in ("id", "t"):
            entry["ending"] = Ending.AGREED_DRAW.value if slip_mark == "id" else Ending.TIME.value
        elif slip_mark[0] == "h":
            entry["ending"] = Ending.HEAD_SHOT.value
            entry["quickenings"] = int(slip_mark[1:]) if slip_mark[1:] else None
        elif slip_mark[0] == "d":
            drop.update({"p1", "p2"} if slip_mark in ("d", "d12") else {SIDE_OF_MARK[slip_mark[1:]]})
        else:
            entry.update(ending=ENDING_OF_MARK[slip_mark[0]].value, loser=SIDE_OF_MARK[slip_mark[1:]])
    return entry, tuple(sorted(drop))


def _count_field(label: str, maximum: int, *, help_text: str = "") -> forms.IntegerField:
    widget = forms.NumberInput(attrs={"inputmode": "numeric", "min": 0, "max": maximum})
    return forms.IntegerField(
        min_value=0, max_value=maximum, required=False, label=label, widget=widget, help_text=help_text
    )


class ResultForm(forms.Form):
    """Everything a result can be, for one match. `entry` gives the arguments of `enter_result`."""

    p1_games = _count_field("Games of the first player", 99)
    p2_games = _count_field("Games of the second player", 99)
    draws = _count_field("Drawn games", 99)
    double_loss = forms.BooleanField(required=False, label="A loss for both")
    ending = forms.ChoiceField(required=False, label="How it ended")
    loser = forms.ChoiceField(required=False, label="Who lost by it")
    consent = forms.BooleanField(required=False, label="The opponent accepts it")
    quickenings = _count_field("Quickenings in play", 99, help_text="Of the player who lost his head.")
    quickenings_declined = forms.BooleanField(required=False, label="The winner declines them")
    drop = forms.MultipleChoiceField(
        required=False, label="Leaves the event", widget=forms.CheckboxSelectMultiple
    )
    reason = forms.CharField(required=False, max_length=400, label="Why", help_text="For the log.")
    revision = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, match: Match, **kwargs: Any) -> None:
        self.match = match
        event = match.round.stage.event
        kwargs.setdefault("initial", self.initial_of(match))
        super().__init__(*args, **kwargs)
        names = [("p1", match.p1.name), ("p2", match.p2.name if match.p2 else "nobody")]
        self.fields["p1_games"].label = f"Games of {names[0][1]}"
        self.fields["p2_games"].label = f"Games of {names[1][1]}"
        self.fields["ending"].choices = list(_ending_choices(match))
        self.fields["loser"].choices = [("", "the games say it"), *names, ("both", "both")]
        self.fields["drop"].choices = names
        needs_consent = get_concession_rule(event).consent_needed
        self.fields["consent"].help_text = get_concession_rule(event).sentence if needs_consent else ""
        self.asks_consent, self.knows_head_shots = needs_consent, get_head_shot_rule(event) is not None
        self.needed = get_games_to_win(event)

    @staticmethod
    def initial_of(match: Match) -> dict[str, Any]:
        """What stands, for a form that is opened to change it."""
        names = ("p1_games", "p2_games", "draws", "ending", "consent", "quickenings", "quickenings_declined")
        initial_values = {name: getattr(match, name) for name in names} if match.is_finished else {}
        if match.ending in ENDINGS_WITH_LOSER:
            initial_values["loser"] = {"p1": "p2", "p2": "p1"}.get(match.outcome, "both")
        return {**initial_values, "double_loss": match.outcome == "double_loss", "revision": match.revision}

    def entry(self) -> dict[str, Any]:
        """The arguments of `enter_result`, without what belongs to the page."""
        values = {name: value for name, value in self.cleaned_data.items() if name != "revision"}
        for name in ("p1_games", "p2_games", "draws"):
            values[name] = values[name] or 0
        return values


def _ending_choices(match: Match) -> Iterator[tuple[str, str]]:
    event = match.round.stage.event
    for value, label in Ending.choices:
        if value == Ending.HEAD_SHOT and get_head_shot_rule(event) is None:
            continue
        if value == Ending.AGREED_DRAW and (match.round.stage.is_elimination or not event.intentional_draws):
            continue
        yield value, label
