"""Sheets that fit an event, why one is unavailable, and the latest job of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext

from decks.jobs.models import Job
from rules.reason import Reason, told
from tournament.access.permissions import ALL_RIGHTS, Right
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.printing.registry import ALL_SHEETS, SHEET_GROUPS, Sheet, say_title
from tournament.printing.request import SHEET_JOB_KIND, PrintRequest, SheetRequest, find_round


class NotThere(LookupError):
    """A round or player that is asked for and is not there; `code` says which."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def load_print_request(sheet: Sheet, event: Event, asked: SheetRequest, now: datetime) -> PrintRequest:
    """The rows of what is asked for. Raises NotThere."""
    shown = find_round(event, asked.stage, asked.round)
    if shown is None and sheet.of_a_round:
        raise NotThere("round_gone")
    player = None
    if sheet.of_a_player and asked.player is not None and not asked.blank:
        player = event.players.select_related("deck_list__current").filter(number=asked.player).first()
        if player is None:
            raise NotThere("player_gone")
    return PrintRequest(event, shown, asked.paper, now, asked.base, player, asked.blank)


@dataclass(frozen=True, slots=True)
class SheetStatus:
    """One sheet: `lacks` says why it cannot be made yet; `last` is the newest that was made, with its title.

    `is_only_blank` where the person asking may have it as an empty form only.
    """

    sheet: Sheet
    lacks: str
    last: Job | None
    is_fresh: bool
    is_only_blank: bool

    @property
    def title(self) -> str:
        """What the newest one is about; empty where none was made."""
        return job_title(self.last) if self.last else ""


def job_title(job: Job) -> str:
    """What the sheet of a finished job is about; of a job from before titles had codes, its sentence."""
    title = (job.result or {}).get("title", "")
    return say_title(told(title) if isinstance(title, str) else Reason.from_json(title))


@dataclass(frozen=True, slots=True)
class SheetGroup:
    """The sheets of one purpose."""

    key: str
    name: str
    sheets: list[SheetStatus]


def list_sheet_groups(
    event: Event, rounds: Iterable[Round], rights: frozenset[Right] = ALL_RIGHTS
) -> list[SheetGroup]:
    """Every sheet that fits the event and these rights, by purpose. One query beside the rounds."""
    played = list(rounds)
    newest = _latest_jobs(event)
    statuses = [
        _sheet_status(sheet, event, played, newest.get(sheet.key), is_only_blank=sheet.is_only_blank(rights))
        for sheet in ALL_SHEETS
        if sheet.fits(event) and sheet.can_be_printed(rights, is_blank=True)
    ]
    return [
        SheetGroup(key, str(name), [each for each in statuses if each.sheet.group == key])
        for key, name in SHEET_GROUPS
        if any(each.sheet.group == key for each in statuses)
    ]


def list_players_by_name(event: Event) -> list[tuple[int, str]]:
    """Numbers and names of all for whom a form can be printed. One query."""
    rows = event.players.exclude(status=Player.Status.WITHDRAWN).values_list("number", "name")
    return sorted(rows, key=lambda row: (row[1].casefold(), row[0]))


def _sheet_status(
    sheet: Sheet, event: Event, rounds: list[Round], last: Job | None, *, is_only_blank: bool
) -> SheetStatus:
    if last is not None and is_only_blank and not last.payload.get("blank"):
        last = None
    is_fresh = last is not None and last.key.endswith(f"/{event.version}")
    return SheetStatus(sheet, unavailable_reason(sheet, event, rounds), last, is_fresh, is_only_blank)


def unavailable_reason(sheet: Sheet, event: Event, rounds: list[Round]) -> str:
    """Why a sheet cannot be made, or not yet; empty when it can."""
    if not sheet.fits(event):
        return gettext("This event has no use for it.")
    if sheet.needs == "round" and not rounds:
        return gettext("Comes with the first round.")
    if sheet.needs == "bracket" and not any(each.stage.is_elimination for each in rounds):
        return gettext("Comes with the bracket.")
    if sheet.needs == "table" and not event.has_table_rounds and event.phase != Event.Phase.FINISHED:
        return gettext("Comes when the bracket is played.")
    return ""


def _latest_jobs(event: Event) -> dict[str, Job]:
    done = Job.objects.filter(kind=SHEET_JOB_KIND, key__startswith=f"{event.pk}/", state=Job.State.DONE)
    return {job.payload["sheet"]: job for job in done.order_by("created_at")}
