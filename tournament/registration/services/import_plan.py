"""Plan an import of players line by line, in words and as a fingerprint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from django.utils.translation import gettext_lazy, ngettext, pgettext

from decks.shared.fingerprints import make_fingerprint
from decks.shared.json_shapes import Published
from decks.shared.refusals import Refused
from decks.shared.stated_reasons import StatedReason
from tournament.access.player_details import list_fields
from tournament.events.models.player import Player
from tournament.registration.detail_cells import state_changes, state_value_change
from tournament.registration.import_choices import NEW_PERSON
from tournament.registration.services.entry import RegistrationEntry
from tournament.registration.services.player_cells import COLUMN_LABELS

LineKind = Literal["add", "change", "same", "refused"]
# As readers want them: first what is refused, then what changes.
KINDS_BY_URGENCY: tuple[LineKind, ...] = ("refused", "change", "add", "same")


@dataclass(frozen=True, slots=True)
class PersonQuestion:
    """The question whether a line is about a known player.

    It has the players of its name, and the facts. The answer is empty if it is open.
    """

    folded_name: str
    players: tuple[Player, ...]
    answer: str


@dataclass(frozen=True, slots=True)
class PlannedLine(Published):
    """The effect of one line.

    Someone new is written by `entry` and `values`, a known `player` by `values` and `details`.
    """

    PUBLISHED = {
        "line": "line_number",
        "kind": "kind",
        "name": "name",
        "player": "number",
        "is_someone_else": "is_someone_else",
        "namesakes": "namesakes",
        "changes": "stated_changes",
        "problems": "problem_records",
    }
    line_number: int
    kind: LineKind
    name: str
    values: Mapping[str, object] = field(default_factory=dict)
    details: Mapping[str, object] | None = None
    entry: RegistrationEntry | None = None
    player: Player | None = None
    problems: tuple[Refused, ...] = ()
    question: PersonQuestion | None = None

    @property
    def number(self) -> int | None:
        """The number of the known player."""
        return self.player.number if self.player else None

    @property
    def namesakes(self) -> list[int]:
        """Return the numbers of the players of this name.

        This applies where only the name says who the line is about.
        """
        return [player.number for player in self.question.players] if self.question else []

    @property
    def is_someone_else(self) -> bool:
        """Whether the line was chosen to be a new person of a known name."""
        return self.question is not None and self.question.answer == NEW_PERSON

    @property
    def problem_records(self) -> list[dict[str, object]]:
        """The reasons for the refusal, with their codes and facts."""
        return [problem.to_json() for problem in self.problems]

    @property
    def columns(self) -> dict[str, object]:
        """The columns that are written."""
        return dict(self.values) if self.details is None else {**self.values, "details": self.details}

    @property
    def replaced_values(self) -> dict[str, object]:
        """The values of the known player that the columns take the place of."""
        return {name: getattr(self.player, name) for name in self.columns} if self.player else {}

    @property
    def changes(self) -> list[str]:
        """Return what would change, in words."""
        return [change.sentence for change in self.stated_changes]

    @property
    def stated_changes(self) -> list[StatedReason]:
        """What would change, for programs and people."""
        if self.player is None or self.kind != "change":
            return []
        columns = [
            _state_change(name, getattr(self.player, name), value) for name, value in self.values.items()
        ]
        if self.details is None:
            return columns
        fields = list_fields(self.player.event.game)
        return [*columns, *state_changes(self.player.details, self.details, fields)]


def _state_change(name: str, before: object, after: object) -> StatedReason:
    texts = _format_value(before), _format_value(after)
    return state_value_change(name, str(COLUMN_LABELS[name]), (before, after), texts)


def _format_value(value: object) -> str:
    if isinstance(value, list):
        return " + ".join(value) or "–"
    if isinstance(value, bool):
        return pgettext("answer", "yes") if value else pgettext("answer", "no")
    return "–" if value in (None, "") else str(value)


# By whether lines add, change, or are refused.
BUTTON_WORDS = {
    (True, True, True): gettext_lazy("Add %(add)s, change %(change)s, skip %(refused)s"),
    (True, True, False): gettext_lazy("Add %(add)s, change %(change)s"),
    (True, False, True): gettext_lazy("Add %(add)s, skip %(refused)s"),
    (True, False, False): gettext_lazy("Add %(add)s"),
    (False, True, True): gettext_lazy("Change %(change)s, skip %(refused)s"),
    (False, True, False): gettext_lazy("Change %(change)s"),
}


@dataclass(frozen=True, slots=True)
class PlayerImportPlan:
    """The effects of an import, line by line, with a `fingerprint` of them."""

    lines: tuple[PlannedLine, ...]

    def of(self, kind: LineKind) -> list[PlannedLine]:
        """Return the lines of one kind."""
        return [line for line in self.lines if line.kind == kind]

    @property
    def by_urgency(self) -> list[PlannedLine]:
        """Return the lines for a reader, refused ones first.

        Changes come next. Each group is in the order of the file.
        """
        return [line for kind in KINDS_BY_URGENCY for line in self.of(kind)]

    @property
    def counts(self) -> dict[str, int]:
        """How many lines of each kind."""
        return {kind: len(self.of(kind)) for kind in get_args(LineKind)}

    @property
    def summary(self) -> str:
        """Return what it would do, in sentences."""
        counts = self.counts
        words = {
            "add": ngettext("Will add %(count)d player.", "Will add %(count)d players.", counts["add"]),
            "change": ngettext(
                "Will change %(count)d player.", "Will change %(count)d players.", counts["change"]
            ),
            "same": ngettext(
                "%(count)d line changes nothing.", "%(count)d lines change nothing.", counts["same"]
            ),
            "refused": ngettext(
                "%(count)d line is rejected.", "%(count)d lines are rejected.", counts["refused"]
            ),
        }
        return " ".join(text % {"count": counts[kind]} for kind, text in words.items() if counts[kind])

    @property
    def words(self) -> str:
        """Return the label of its button, such as “Add 3, change 2, skip 1”.

        It is empty if the button does nothing.
        """
        counts = self.counts
        is_done = (counts["add"] > 0, counts["change"] > 0, counts["refused"] > 0)
        return str(BUTTON_WORDS.get(is_done, "")) % counts

    @property
    def fingerprint(self) -> str:
        """Differs as soon as anything would happen otherwise."""
        line_facts = [
            (
                line.line_number,
                line.kind,
                line.player and line.player.number,
                line.replaced_values,
                line.entry,
                line.columns,
            )
            for line in self.lines
        ]
        return make_fingerprint(line_facts)
