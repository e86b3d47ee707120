"""Sheets that fit an event, why one is unavailable, and the latest job of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import pgettext_lazy

from decks.jobs.models import Job
from decks.shared.json_shapes import Published
from decks.shared.stated_reasons import StatedReason, state_reason
from rules.reason import Reason, plain_reason, reason
from tournament.access.permissions import ALL_RIGHTS, Right
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.events.name_order import sort_owners
from tournament.events.seats import find_owners, list_owners
from tournament.events.settings import get_game
from tournament.printing.registry import SHEET_GROUPS, Sheet, list_sheets, say_title
from tournament.printing.request import SHEET_JOB_KIND, PrintRequest, SheetRequest, find_round
from tournament.shared.fonts import can_print, list_missing_scripts, list_packages


class NotThere(LookupError):
    """A round or player that is requested and is not there; `code` says which."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def load_print_request(
    sheet: Sheet, event: Event, sheet_request: SheetRequest, now: datetime
) -> PrintRequest:
    """Return the rows of what is requested. Raises NotThere."""
    shown_round = find_round(event, sheet_request.stage, sheet_request.round)
    if shown_round is None and sheet.of_a_round:
        raise NotThere("round_gone")
    if sheet.needs == "changes" and shown_round is not None and not _has_changed_tables(shown_round):
        raise NotThere("no_changed_tables")
    player = None
    if sheet.of_a_player and sheet_request.player is not None and not sheet_request.blank:
        player = find_owners(event).filter(number=sheet_request.player).first()
        if player is None:
            raise NotThere("player_gone")
    return PrintRequest(
        event, shown_round, sheet_request.paper, now, sheet_request.base, player, sheet_request.blank
    )


def _has_changed_tables(shown_round: Round) -> bool:
    """Return whether tables of two players changed after the round was published."""
    if shown_round.amended_at is None:
        return False
    return shown_round.matches.filter(amended_at=shown_round.amended_at, p2__isnull=False).exists()


@dataclass(frozen=True, slots=True)
class SheetStatus(Published):
    """One sheet.

    `lack` says why it cannot be made yet. `last_job` made the newest one. `is_only_blank` where the person
    asking may have it as an empty form only.
    """

    PUBLISHED = {
        "key": "sheet.key",
        "name": "sheet.name",
        "says": "sheet.description",
        "of_a_round": "sheet.of_a_round",
        "of_a_player": "sheet.of_a_player",
        "can_be_blank": "sheet.can_be_blank",
        "lacks": "stated_lack",
        "last": "last_job.id",
        "is_fresh": "is_fresh",
    }
    sheet: Sheet
    lack: Reason | None
    last_job: Job | None
    is_fresh: bool
    is_only_blank: bool

    @property
    def stated_lack(self) -> StatedReason | None:
        """Why it cannot be made yet, for programs and people."""
        return state_reason(self.lack) if self.lack else None

    @property
    def title(self) -> str:
        """Return what the newest one is about; empty if none was made."""
        return job_title(self.last_job) if self.last_job else ""


def job_title(job: Job) -> str:
    """Return what the sheet of a finished job is about.

    Of a job from before titles had codes, its sentence.
    """
    title = (job.result or {}).get("title", "")
    return say_title(plain_reason(title) if isinstance(title, str) else Reason.from_json(title))


@dataclass(frozen=True, slots=True)
class MissingLetters:
    """Players whose names printouts show with boxes.

    It also has the scripts of their letters, and the fonts to install.
    """

    names: list[str]
    scripts: list[str]
    packages: list[str]


SCRIPT_LABELS = {
    "Latin": pgettext_lazy("script", "Latin"),
    "Cyrillic": pgettext_lazy("script", "Cyrillic"),
    "Greek": pgettext_lazy("script", "Greek"),
    "Arabic": pgettext_lazy("script", "Arabic"),
    "Hebrew": pgettext_lazy("script", "Hebrew"),
    "Thai": pgettext_lazy("script", "Thai"),
    "Chinese": pgettext_lazy("script", "Chinese"),
    "Japanese": pgettext_lazy("script", "Japanese"),
    "Korean": pgettext_lazy("script", "Korean"),
    "emoji": pgettext_lazy("script", "emoji"),
}


def find_missing_letters(players: Iterable[tuple[int, str]]) -> MissingLetters | None:
    """Return what no font has of these players' names; None if all can be printed."""
    names = [name for _, name in players if not can_print(name)]
    if not names:
        return None
    scripts = list_missing_scripts(names)
    labels = [str(SCRIPT_LABELS.get(script.name, script.name)) for script in scripts]
    return MissingLetters(names, labels, list_packages(scripts))


@dataclass(frozen=True, slots=True)
class SheetGroup:
    """The sheets of one purpose."""

    key: str
    name: str
    sheets: list[SheetStatus]


def list_sheet_groups(
    event: Event, rounds: Iterable[Round], rights: frozenset[Right] = ALL_RIGHTS
) -> list[SheetGroup]:
    """Return every sheet that fits the event and these rights, by purpose.

    One query beside the rounds.
    """
    played_rounds = list(rounds)
    newest = _latest_jobs(event)
    statuses = [
        _sheet_status(
            sheet, event, played_rounds, newest.get(sheet.key), is_only_blank=sheet.is_only_blank(rights)
        )
        for sheet in list_sheets(get_game(event))
        if sheet.fits(event) and sheet.can_be_printed(rights, is_blank=True)
    ]
    return [
        SheetGroup(key, str(name), [each for each in statuses if each.sheet.group == key])
        for key, name in SHEET_GROUPS
        if any(each.sheet.group == key for each in statuses)
    ]


def list_players_by_name(event: Event) -> list[tuple[int, str]]:
    """Return numbers and names of all for whom a form can be printed. One query."""
    owners = sort_owners(event, list_owners(event).select_related("team"))
    return [(owner.number, owner.full_name) for owner in owners]


def _sheet_status(
    sheet: Sheet, event: Event, rounds: list[Round], last: Job | None, *, is_only_blank: bool
) -> SheetStatus:
    if last is not None and is_only_blank and not last.payload.get("blank"):
        last = None
    is_fresh = last is not None and last.key.endswith(f"/{event.version}")
    return SheetStatus(sheet, find_missing(sheet, event, rounds), last, is_fresh, is_only_blank)


def find_missing(sheet: Sheet, event: Event, rounds: list[Round]) -> Reason | None:
    """Return why a sheet cannot be made, or not yet; None when it can."""
    if not sheet.fits(event):
        return reason("sheet_not_needed")
    if sheet.needs == "round" and not rounds:
        return reason("sheet_from_first_round")
    if sheet.needs == "changes" and not any(each.amended_at for each in rounds):
        return reason("sheet_after_change")
    if sheet.needs == "pods" and not event.pod_seats.exists():
        return reason("sheet_after_seating")
    if sheet.needs == "bracket" and not any(each.stage.is_elimination for each in rounds):
        return reason("sheet_after_bracket_made")
    if sheet.needs == "table" and not event.has_table_rounds and event.phase != Event.Phase.FINISHED:
        return reason("sheet_after_bracket")
    return None


def _latest_jobs(event: Event) -> dict[str, Job]:
    finished_jobs = Job.objects.filter(
        kind=SHEET_JOB_KIND, key__startswith=f"{event.pk}/", state=Job.State.DONE
    )
    return {job.payload["sheet"]: job for job in finished_jobs.order_by("created_at")}
