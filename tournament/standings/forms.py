"""Form of an organizer's own scoring system: a draft, checked as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django import forms
from django.utils.translation import gettext_lazy, pgettext_lazy

from decks.shared.form_fields import mark_as_asked
from decks.shared.refusals import Refused
from tournament.engine.problems import EngineError
from tournament.engine.standings.systems.custom import (
    CHOICES_BY_KEY,
    SystemData,
    own_system,
)
from tournament.engine.standings.systems.system import System
from tournament.engine.standings.tiebreakers import DEFAULT_PARAMETERS
from tournament.standings.selectors.standings import put_name_into_words
from tournament.standings.services import to_refusals

POINT_LABELS = {
    "win": pgettext_lazy("result", "Win"),
    "draw": pgettext_lazy("result", "Draw"),
    "loss": pgettext_lazy("result", "Loss"),
    "bye": pgettext_lazy("result", "Bye"),
    "double_loss": pgettext_lazy("result", "Both lose"),
    "unopposed": gettext_lazy("Loss without an opponent"),
    "game_win": gettext_lazy("Points per game won"),
    "game_draw": gettext_lazy("Points per drawn game"),
}
PARAMETERS = {
    "cut_low": gettext_lazy("Lowest left out"),
    "cut_high": gettext_lazy("Highest left out"),
    "floor": pgettext_lazy("tiebreaker", "Never below"),
    "dropped_cap": gettext_lazy("Never above, for players who dropped"),
    "share": gettext_lazy("Least share of the points"),
    "byes": pgettext_lazy("tiebreaker", "Byes"),
    "per": pgettext_lazy("tiebreaker", "Measured by"),
    "bye": pgettext_lazy("tiebreaker", "A bye counts as"),
    "drawn_games": gettext_lazy("Game points of a drawn game"),
    "year": pgettext_lazy("tiebreaker", "Regulations of"),
}
OPTIONS = {
    "byes": (
        ("counted", pgettext_lazy("byes", "Counted")),
        ("ignored", pgettext_lazy("byes", "Left out")),
    ),
    "per": (
        ("points", pgettext_lazy("measured by", "Most possible points")),
        ("round", pgettext_lazy("measured by", "Rounds")),
    ),
    "bye": (
        ("nothing", pgettext_lazy("a bye counts as", "Nothing")),
        ("player", pgettext_lazy("a bye counts as", "A player on 0 points")),
    ),
    "drawn_games": (("1", "1"), ("0", "0")),
    "year": (("2026", "2026"), ("2024", "2024")),
}
FORFEITS_MEET = (
    ("yes", gettext_lazy("Have met: they play again only if no other pairing is possible")),
    ("no", gettext_lazy("Have not met: they can be paired again, and the winner counts as having had a bye")),
)
MAX_ROWS = 40


def read_system_draft(posted_values: Mapping[str, str]) -> SystemData:
    """Return the system as it is on the page, right or wrong."""
    rows: list[dict[str, int | str]] = []
    for place in range(MAX_ROWS):
        if f"t{place}-kind" not in posted_values:
            break
        names = ("kind", "key", "name", *PARAMETERS)
        tiebreaker_values = {
            name: posted_values[f"t{place}-{name}"] for name in names if f"t{place}-{name}" in posted_values
        }
        rows.append({name: value for name, value in tiebreaker_values.items() if value or name == "name"})
    points: dict[str, int | str] = {
        name: posted_values[name] for name in POINT_LABELS if posted_values.get(name)
    }
    return {
        "title": posted_values.get("title", ""),
        "points": points,
        "tiebreakers": rows,
        "forfeits_meet": posted_values.get("forfeits_meet", "yes") == "yes",
    }


def change_system_draft(draft: SystemData, command: str, chosen_kind: str) -> None:
    """Add a tiebreaker, remove one, or move it up or down.

    What cannot be done changes nothing.
    """
    rows, (action, _, position) = draft["tiebreakers"], command.partition(":")
    place = int(position) if position.isdecimal() and len(position) < 3 else -1
    if action == "add" and chosen_kind in CHOICES_BY_KEY:
        rows.append(
            _with_free_key(
                put_name_into_words(CHOICES_BY_KEY[chosen_kind].entry()), [row.get("key") for row in rows]
            )
        )
    elif not 0 <= place < len(rows):
        return
    elif action == "remove":
        del rows[place]
    elif action in ("up", "down"):
        other = min(max(place + (1 if action == "down" else -1), 0), len(rows) - 1)
        rows[place], rows[other] = rows[other], rows[place]


def _with_free_key(entry: dict[str, int | str], taken_keys: Iterable[object]) -> dict[str, int | str]:
    keys, key, number = set(taken_keys), entry["key"], 2
    while entry["key"] in keys:
        entry["key"] = f"{key}-{number}"
        number += 1
    return entry


class SystemForm(forms.Form):
    """A draft as fields.

    Always bound: what is in it is shown, and what is wrong beside it. `seen_mark` is the mark of the system
    that the page showed when it was opened, kept through redraws.
    """

    title = forms.CharField(required=False, label=gettext_lazy("System name"), max_length=60)
    forfeits_meet = forms.ChoiceField(
        required=False,
        choices=FORFEITS_MEET,
        label=gettext_lazy("Two players whose match was a forfeit"),
        help_text=gettext_lazy("Used when the next rounds are paired."),
    )
    reason = forms.CharField(
        required=False,
        max_length=400,
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Required after a round is published. Shown in the log."),
    )

    def __init__(self, draft: SystemData, reason: str = "", seen_mark: str = "") -> None:
        self.draft = draft
        self.seen_mark = seen_mark
        rows = enumerate(draft["tiebreakers"])
        initial_values = {f"t{place}-{name}": value for place, row in rows for name, value in row.items()}
        super().__init__(
            {
                "title": draft.get("title", ""),
                "reason": reason,
                "forfeits_meet": "yes" if draft.get("forfeits_meet", True) else "no",
                **draft["points"],
                **initial_values,
            }
        )
        for name, label in POINT_LABELS.items():
            self.fields[name] = forms.CharField(required=False, label=label, max_length=20)
            self.fields[name].widget.attrs["inputmode"] = "decimal"
        for place, row in enumerate(draft["tiebreakers"]):
            self._offer(place, row)
        for name, field in self.fields.items():
            mark_as_asked(field, name not in ("title", "reason", "forfeits_meet"))
        self.system = self._check_system()

    def _offer(self, place: int, row: Mapping[str, object]) -> None:
        for field_name in ("kind", "key"):
            self.fields[f"t{place}-{field_name}"] = forms.CharField(required=False, widget=forms.HiddenInput)
        self.fields[f"t{place}-name"] = forms.CharField(
            required=False, label=gettext_lazy("Name"), max_length=60
        )
        for name in DEFAULT_PARAMETERS.get(str(row.get("kind")), ()):
            self.fields[f"t{place}-{name}"] = _field(name)

    def _check_system(self) -> System | None:
        self.is_valid()
        try:
            return own_system(self.draft)
        except EngineError as fault:
            self.refuse(to_refusals(fault.problems))
            return None

    def refuse(self, problems: Iterable[Refused]) -> None:
        """Say each problem beside the field that it names."""
        for problem in problems:
            field = _field_name(problem)
            if field in self.fields:
                self.add_error(field, forms.ValidationError(problem.message, code=problem.code))
            else:
                place = f"{problem.field}: " if problem.field else ""
                self.add_error(None, forms.ValidationError(place + problem.message, code=problem.code))

    @property
    def points(self) -> list[forms.BoundField]:
        """The fields of what a result is worth."""
        return [self[name] for name in POINT_LABELS]

    @property
    def rows(self) -> list[dict[str, object]]:
        """Return the fields of the tiebreakers in order.

        They are hidden and shown fields, and the formula while nothing is wrong.
        """
        formulas = [t.formula for t in self.system.tiebreakers] if self.system else []
        return [
            {
                "hidden": [self[f"t{place}-kind"], self[f"t{place}-key"]],
                "fields": [self[name] for name in self.fields if name.startswith(f"t{place}-")][2:],
                "name": row.get("name", ""),
                "formula": formulas[place] if formulas else None,
            }
            for place, row in enumerate(self.draft["tiebreakers"])
        ]


def _field(name: str) -> forms.Field:
    label = PARAMETERS[name]
    if name in OPTIONS:
        return forms.ChoiceField(required=False, label=label, choices=OPTIONS[name])
    return forms.CharField(required=False, label=label, max_length=20)


def _field_name(refusal: Refused) -> str:
    """Return the field of the form that has the place of a problem."""
    if refusal.where is None:
        return refusal.field or ""
    place = refusal.where.params
    if "number" in place:
        return f"t{int(str(place['number'])) - 1}-{place.get('key', 'name')}"
    return str(place.get("result", ""))
