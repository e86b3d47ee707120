"""The form of one change of a published round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from decks.shared.form_fields import get_choice_field
from tournament.amendments.services.changes import NEEDED_FIELDS, ChangeKind, RoundChange
from tournament.amendments.services.seats import LAST_TABLE, ResultPolicy, UnpairedPolicy
from tournament.events.models.event import Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round

KIND_LABELS = {
    ChangeKind.SWAP.value: gettext_lazy("Swap two players"),
    ChangeKind.MOVE.value: gettext_lazy("Move a match"),
    ChangeKind.REPLACE.value: gettext_lazy("Replace a player"),
    ChangeKind.ADD.value: gettext_lazy("Add a late pair"),
    ChangeKind.CANCEL.value: gettext_lazy("Cancel a match"),
    ChangeKind.SEAT.value: gettext_lazy("Move a player"),
}
# Beside what a kind needs: what can be said of it.
CHOICES_OF_KIND = {
    ChangeKind.SWAP.value: ("results",),
    ChangeKind.REPLACE.value: ("results", "unpaired"),
    ChangeKind.ADD.value: ("to",),
    ChangeKind.CANCEL.value: ("unpaired",),
    ChangeKind.SEAT.value: ("results",),
}
RESULT_CHOICES = [
    (ResultPolicy.KEEP.value, gettext_lazy("Keep them: the players played at these tables")),
    (ResultPolicy.CLEAR.value, gettext_lazy("Remove them: these matches are played again")),
]
UNPAIRED_CHOICES = [
    (UnpairedPolicy.LOSS.value, pgettext_lazy("result", "Loss")),
    (UnpairedPolicy.BYE.value, pgettext_lazy("result", "Bye")),
    (UnpairedPolicy.DROP.value, gettext_lazy("Drop from the event")),
]


class RoundChangeForm(forms.Form):
    """The fields of one kind of change.

    They have the players and tables of the round to choose from.
    """

    one = forms.TypedChoiceField(coerce=int, empty_value=None, label=gettext_lazy("First player"))
    two = forms.TypedChoiceField(coerce=int, empty_value=None, label=gettext_lazy("Second player"))
    table = forms.TypedChoiceField(coerce=int, empty_value=None, label=gettext_lazy("Match"))
    to = forms.IntegerField(min_value=1, max_value=LAST_TABLE, label=gettext_lazy("New table"))
    results = forms.ChoiceField(
        choices=RESULT_CHOICES,
        initial=ResultPolicy.KEEP.value,
        widget=forms.RadioSelect,
        label=gettext_lazy("Entered results"),
    )
    unpaired = forms.ChoiceField(
        choices=UNPAIRED_CHOICES,
        initial=UnpairedPolicy.LOSS.value,
        widget=forms.RadioSelect,
        label=gettext_lazy("This round counts as"),
    )

    def __init__(self, *args: Any, round_: Round, kind: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind = kind
        names = {*NEEDED_FIELDS[kind], *CHOICES_OF_KIND.get(kind, ())}
        for name in set(self.fields) - names:
            del self.fields[name]
        rows = round_.matches.select_related("p1", "p2").prefetch_related("seats__player")
        matches = list(rows.order_by("table", "pk"))
        self._offer_players(round_, matches)
        if "table" in self.fields:
            get_choice_field(self, "table").choices = [("", gettext("Choose")), *_list_tables(matches)]
        if kind == ChangeKind.ADD:
            self.fields["to"].required = False
            self.fields["to"].help_text = gettext("Leave empty for the next free table.")
        if kind == ChangeKind.CANCEL:
            get_choice_field(self, "unpaired").choices = UNPAIRED_CHOICES[:2]
        if "results" in self.fields and not any(match.is_finished and match.p2_id for match in matches):
            del self.fields["results"]

    def _offer_players(self, round_: Round, matches: list[Match]) -> None:
        if "one" not in self.fields:
            return
        seated_players = list(_list_seated(matches))
        free = list(_list_free(round_, matches)) if self.kind != ChangeKind.SWAP else []
        first = free if self.kind == ChangeKind.ADD else seated_players
        if self.kind == ChangeKind.SEAT:
            first = list({**dict(free), **dict(seated_players)}.items())
        second = seated_players if self.kind == ChangeKind.SWAP else free
        empty = ("", gettext("Choose"))
        get_choice_field(self, "one").choices = [empty, *_sort(first)]
        if self.kind == ChangeKind.SEAT:
            self.fields["one"].label = gettext("Player")
            return
        get_choice_field(self, "two").choices = [empty, *_sort(second)]
        if self.kind == ChangeKind.REPLACE:
            self.fields["one"].label = gettext("Player who leaves the match")
            self.fields["two"].label = gettext("Player who takes the seat")
        self.has_nobody = not second

    def change(self) -> RoundChange:
        """Return the change that was requested."""
        return RoundChange(self.kind, **{name: value for name, value in self.cleaned_data.items() if value})


def find_initial_values(round_: Round, table: str, kind: str) -> dict[str, int]:
    """Return the initial choices for the table that the page was opened from.

    There are none for an unknown number.
    """
    if not (table.isdecimal() and len(table) < 6):
        return {}
    match = round_.matches.select_related("p1").filter(table=int(table)).first()
    if match is None or match.table is None:
        return {}
    return (
        {"table": match.table} if kind == ChangeKind.ADD else {"table": match.table, "one": match.p1.number}
    )


def fill_choices(data: Mapping[str, str]) -> dict[str, str]:
    """Return what was sent, with the usual choice if none was made."""
    return {"results": ResultPolicy.KEEP, "unpaired": UnpairedPolicy.LOSS, **{k: data[k] for k in data}}


Choice = tuple[int, str]


def _sort(choices: Iterable[Choice]) -> list[Choice]:
    return sorted(choices, key=lambda choice: choice[1].casefold())


def _list_seated(matches: Iterable[Match]) -> Iterable[Choice]:
    for match in matches:
        if match.p2 is None:
            if match.outcome == Match.Outcome.BYE:
                yield match.p1.number, gettext("%(player)s (bye)") % {"player": match.p1}
            continue
        for side in match.sides:
            yield side.player.number, _name_at(side.player, match)


def _name_at(player: Player, match: Match) -> str:
    if match.table is None:
        return str(player)
    return gettext("%(player)s (table %(table)s)") % {"player": player, "table": match.table}


def _list_free(round_: Round, matches: Iterable[Match]) -> Iterable[Choice]:
    seated_ids = {side.player.pk for match in matches if match.p2_id for side in match.sides}
    players = round_.stage.event.players.filter(status=Player.Status.REGISTERED, dropped_after__isnull=True)
    if round_.stage.kind == Stage.Kind.SWISS:
        for player in players.exclude(pk__in=seated_ids):
            yield player.number, str(player)


def _list_tables(matches: Iterable[Match]) -> Iterable[tuple[int, str]]:
    for match in matches:
        if match.table is not None:
            words = {"table": match.table, "p1": match.p1, "p2": match.others_name}
            yield match.table, gettext("Table %(table)s: %(p1)s vs. %(p2)s") % words
