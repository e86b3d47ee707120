"""Sheets that fit an event, why one is unavailable, and the latest job of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from decks.jobs.models import Job
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.printing.registry import ALL_SHEETS, SHEET_GROUPS, Sheet

SHEET_JOB_KIND = "print_sheet"


@dataclass(frozen=True, slots=True)
class SheetStatus:
    """One sheet of an event. `lacks` says why it cannot be made yet; `last` is the newest that was made."""

    sheet: Sheet
    lacks: str
    last: Job | None
    is_fresh: bool


@dataclass(frozen=True, slots=True)
class SheetGroup:
    """The sheets of one purpose."""

    key: str
    name: str
    sheets: list[SheetStatus]


def list_sheet_groups(event: Event, rounds: Iterable[Round]) -> list[SheetGroup]:
    """Every sheet that fits the event, by purpose. One query beside the rounds."""
    played = list(rounds)
    newest = _latest_jobs(event)
    statuses = [
        _sheet_status(sheet, event, played, newest.get(sheet.key))
        for sheet in ALL_SHEETS
        if sheet.fits(event)
    ]
    return [
        SheetGroup(key, name, [each for each in statuses if each.sheet.group == key])
        for key, name in SHEET_GROUPS
        if any(each.sheet.group == key for each in statuses)
    ]


def list_players_by_name(event: Event) -> list[tuple[int, str]]:
    """Numbers and names of all for whom a form can be printed. One query."""
    rows = event.players.exclude(status=Player.Status.WITHDRAWN).values_list("number", "name")
    return sorted(rows, key=lambda row: (row[1].casefold(), row[0]))


def _sheet_status(sheet: Sheet, event: Event, rounds: list[Round], last: Job | None) -> SheetStatus:
    is_fresh = last is not None and last.key.endswith(f"/{event.version}")
    return SheetStatus(sheet, unavailable_reason(sheet, event, rounds), last, is_fresh)


def unavailable_reason(sheet: Sheet, event: Event, rounds: list[Round]) -> str:
    """Why a sheet cannot be made yet; empty when it can."""
    if sheet.needs == "round" and not rounds:
        return "Comes with the first round."
    if sheet.needs == "bracket" and not any(each.stage.is_elimination for each in rounds):
        return "Comes with the bracket."
    if sheet.needs == "table" and not event.has_table_rounds and event.phase != Event.Phase.FINISHED:
        return "Comes when the bracket is played."
    return ""


def _latest_jobs(event: Event) -> dict[str, Job]:
    done = Job.objects.filter(kind=SHEET_JOB_KIND, key__startswith=f"{event.pk}/", state=Job.State.DONE)
    return {job.payload["sheet"]: job for job in done.order_by("created_at").defer("result")}
