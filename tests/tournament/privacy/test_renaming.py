"""A corrected name is the new one on every page, printout and line of the log."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from tests import machine
from tests.scenarios.factories import open_matches
from tests.scenarios.log_words import all_words
from tests.tournament.access.marked_event import MarkedEvent
from tests.tournament.privacy.planted_event import NAME, TRACES, printed_text
from tests.tournament.privacy.test_names_like_words import iter_cells
from tests.tournament.privacy.test_removal import owner_of, traces_on_pages
from tournament.access.permissions import Actor
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.judging.models import JudgeCall
from tournament.judging.services import calls
from tournament.log.changes import iter_row_changes
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.printing.registry import SHEETS
from tournament.printing.render import render_sheet_pdf
from tournament.printing.request import PrintRequest
from tournament.registration import services as registration
from tournament.results.services import results
from tournament.shared.coded_texts import BY_PLAYER

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 22, 14, 30, tzinfo=UTC)


class RenamedEvent(MarkedEvent):
    """A marked event whose player Cleo has the planted name at first.

    Cleo was called by it until the end of round 2, in which both players report.
    """

    def __init__(self) -> None:
        super().__init__()
        self.pk = Player.objects.get(name="Chloe").pk

    def _build(self) -> Event:
        super()._build()
        round_ = self.event.stages.last().rounds.last()
        match = next(m for m in open_matches(round_) if self.pk in (m.p1_id, m.p2_id))
        for player in (match.p1, match.p2):
            results.report_result(match, player, p1_games=2, p2_games=0)
        cleo = Player.objects.select_related("event").get(pk=self.pk)
        registration.change_details(cleo, self.olga, name="Chloe", email="", character=cleo.character)
        return self.event

    def _add_player(self, name: str) -> None:
        if name == "Cleo":
            planted_player = registration.add_player(self.event, self.olga, name=NAME, character="Ken")
            self.pk = planted_player.pk
        else:
            super()._add_player(name)

    def player(self, name: str) -> Player:
        """Return the player of that name; Cleo is the planted one."""
        players = Player.objects.select_related("event", "deck_list")
        return players.get(pk=self.pk) if name == "Cleo" else players.get(event=self.event, name=name)

    def _entries(self) -> Iterator[int]:
        added_entry = LogEntry.objects.get(
            event=self.event, action="player_added", about__contains=f" p{self.pk} "
        )
        return iter({*super()._entries(), added_entry.pk})


@pytest.fixture
def renamed_event() -> RenamedEvent:
    return RenamedEvent()


@pytest.mark.whole("the same of removed data, and each stored value and line of the log, in this folder")
def test_only_the_step_that_corrected_the_name_shows_the_old_one(renamed_event: RenamedEvent) -> None:
    step = LogEntry.objects.get(event=renamed_event.event, action="player_changed")
    pages = traces_on_pages(renamed_event, owner_of(renamed_event))
    # The archive carries what undo needs: before and after.
    archives = {
        f"/api/events/{renamed_event.event.slug}/archive/",
        f"/console/{renamed_event.event.slug}/archive.json",
    }
    assert set(pages) == {f"/console/{renamed_event.event.slug}/log/{step.pk}/"} | archives


def test_old_name_is_stored_only_where_undo_needs_it(renamed_event: RenamedEvent) -> None:
    """Check that an old name is stored only where undo needs it.

    These are the step that wrote the row, and the one that corrected it. When undone, each writes the name of
    that time.
    """
    entries = {entry.pk: entry.action for entry in LogEntry.objects.filter(event=renamed_event.event)}
    columns = {
        (entries[pk] if table == "changes" else table, name)
        for (table, pk, name), value in iter_cells()
        if any(trace in str(value).casefold() for trace in TRACES)
    }
    rows = {
        (entry.action, name)
        for entry in LogEntry.objects.filter(event=renamed_event.event)
        for change in iter_row_changes(entry.changes)
        for values in (change.before or {}, change.after or {})
        for name, value in values.items()
        if any(trace in str(value).casefold() for trace in TRACES)
    }
    assert columns == set()
    assert rows == {
        (action, name) for action in ("player_added", "player_changed") for name in ("name", "folded_name")
    }


def test_undone_correction_brings_the_old_name_back(renamed_event: RenamedEvent) -> None:
    undo_step(LogEntry.objects.get(event=renamed_event.event, action="player_changed"), renamed_event.olga)
    assert renamed_event.player("Cleo").name == NAME


def test_page_of_the_step_that_added_the_player_has_the_new_name(renamed_event: RenamedEvent) -> None:
    added_entry = LogEntry.objects.get(action="player_added", about__contains=f" p{renamed_event.pk} ")
    page = (
        owner_of(renamed_event)
        .get(f"/console/{renamed_event.event.slug}/log/{added_entry.pk}/")
        .content.decode()
    )
    assert ("Chloe" in page, [trace for trace in TRACES if trace in page.casefold()]) == (True, [])


def test_player_who_cancels_a_call_leaves_no_name(renamed_event: RenamedEvent) -> None:
    cleo = renamed_event.player("Cleo")
    actor = Actor.of_player(cleo)
    calls.resolve_call(calls.call_judge(cleo, actor), actor)
    assert JudgeCall.objects.get(player=cleo, closed_by=BY_PLAYER).closed_at is not None


def test_every_line_of_the_log_has_the_new_name_and_none_the_old_one(renamed_event: RenamedEvent) -> None:
    lines = all_words(renamed_event.event.log.all())
    assert not any(trace in line.casefold() for line in lines for trace in TRACES)
    assert f"{renamed_event.olga.label} added Chloe." in lines
    assert any(line.startswith("Chloe reported table") for line in lines)


def test_log_is_narrowed_to_a_player_who_was_renamed(renamed_event: RenamedEvent) -> None:
    page = owner_of(renamed_event).get(
        f"/console/{renamed_event.event.slug}/log/?person=player-{renamed_event.pk}"
    )
    actions = {entry.action for entry in page.context["view"].page.object_list}
    assert (f"player-{renamed_event.pk}", "Chloe") in page.context["view"].people
    assert actions == {"result_reported", "judge_called"}


# Sheets read names from rows, and only the log has the old one
# (`test_old_name_is_stored_only_where_undo_needs_it`). All but the first sheet are for the whole run.
ALL_SHEETS = ("standings", "pairings-by-name", "slips", "penalties", "report", "deck-check", "badges")


@pytest.mark.paper
def test_no_printout_has_the_old_name(renamed_event: RenamedEvent) -> None:
    round_ = renamed_event.event.stages.last().rounds.last()
    request = PrintRequest(renamed_event.event, round_, "A4", NOW, player=renamed_event.player("Cleo"))
    texts_by_sheet = {
        key: printed_text(render_sheet_pdf(SHEETS[key], request))
        for key in ALL_SHEETS[: None if machine.whole() else 1]
    }
    assert [
        key for key, text in texts_by_sheet.items() if any(trace in text.casefold() for trace in TRACES)
    ] == []
    assert "Chloe" in texts_by_sheet["standings"]
