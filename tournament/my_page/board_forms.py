"""Forms of a team: report or confirm the boards of its match."""

from __future__ import annotations

from typing import Any

from django import forms

from decks.shared.refusals import Conflict, Refused
from tournament.engine.boards import Boards, swap_boards
from tournament.matches import EnteredFields
from tournament.my_page.forms import ReportForm
from tournament.results.selectors import MyMatch
from tournament.web.board_fields import list_match_seats, make_board_fields, read_sent_boards
from tournament.web.detail_fields import read_details


class BoardsReportForm(ReportForm):
    """A report of some or all boards, the games of their own team first.

    An empty one is still open.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("score", "mine", "theirs", "draws"):
            del self.fields[name]
        if self.current is not None:
            seats = list_match_seats(self.current.me, self.current.opponent, self._count)
            self.fields = {**make_board_fields(seats), **self.fields}

    @property
    def _count(self) -> int:
        return self.current.me.event.board_count if self.current else 0

    def clean(self) -> None:
        """Read the boards that were sent."""
        forms.Form.clean(self)
        try:
            self.boards = read_sent_boards(self.cleaned_data, self._count)
        except Refused as refusal:
            self.add_error(None, forms.ValidationError(refusal.message, code=refusal.code))

    def _reported_values(self, current: MyMatch) -> EnteredFields:
        return {
            "boards": swap_boards(self.boards) if current.is_second else self.boards,
            "ending": self.cleaned_data.get("ending") or "",
            "details": read_details(self.result_fields, self.cleaned_data),
        }


class BoardsConfirmForm(BoardsReportForm):
    """Agreement with what the opponents reported, as the page showed it."""

    seen = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)

    def _reported_values(self, current: MyMatch) -> EnteredFields:
        report = current.their_report
        if report is None or report.reported_at.isoformat() != self.cleaned_data["seen"]:
            raise Conflict("report_changed_meanwhile", opponent=str(current.opponent))
        boards: Boards = report.boards
        return {"boards": boards, "ending": report.ending, "details": report.details}
