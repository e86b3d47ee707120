"""The shelf of sheets: which there are for an event, which can be made now, and when each was printed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from decks.jobs.models import Job
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.printing.registry import ALL, GROUPS, Sheet

KIND = "print_sheet"


@dataclass(frozen=True, slots=True)
class Shelved:
    """One sheet on the shelf. `lacks` says why it cannot be made yet; `last` is the newest that was made."""

    sheet: Sheet
    lacks: str
    last: Job | None
    is_fresh: bool

    @property
    def last_round(self) -> str:
        """The round of the newest, as “2-1” (stage and number); empty for a sheet without one."""
        made = self.last.payload if self.last else {}
        return f"{made['stage']}-{made['round']}" if made.get("round") else ""


@dataclass(frozen=True, slots=True)
class Shelf:
    """The sheets of one purpose."""

    key: str
    name: str
    sheets: list[Shelved]


def shelves(event: Event, rounds: Iterable[Round]) -> list[Shelf]:
    """Every sheet that fits the event, by purpose. One query beside the rounds."""
    played = list(rounds)
    newest = _newest(event)
    found = [_shelved(sheet, event, played, newest.get(sheet.key)) for sheet in ALL if sheet.fits(event)]
    return [
        Shelf(key, name, [each for each in found if each.sheet.group == key])
        for key, name in GROUPS
        if any(each.sheet.group == key for each in found)
    ]


def people_by_name(event: Event) -> list[tuple[int, str]]:
    """Numbers and names of all for whom a form can be printed. One query."""
    held = event.players.exclude(status=Player.Status.WITHDRAWN).values_list("number", "name")
    return sorted(held, key=lambda row: (row[1].casefold(), row[0]))


def _shelved(sheet: Sheet, event: Event, rounds: list[Round], last: Job | None) -> Shelved:
    is_fresh = last is not None and last.key.endswith(f"/{event.version}")
    return Shelved(sheet, lacks(sheet, event, rounds), last, is_fresh)


def lacks(sheet: Sheet, event: Event, rounds: list[Round]) -> str:
    """Why a sheet cannot be made yet; empty when it can."""
    if sheet.needs == "round" and not rounds:
        return "Comes with the first round."
    if sheet.needs == "bracket" and not any(each.stage.is_elimination for each in rounds):
        return "Comes with the bracket."
    if sheet.needs == "table" and not event.has_table_rounds and event.phase != Event.Phase.FINISHED:
        return "Comes when the bracket is played."
    return ""


def _newest(event: Event) -> dict[str, Job]:
    done = Job.objects.filter(kind=KIND, key__startswith=f"{event.pk}/", state=Job.State.DONE)
    return {job.payload["sheet"]: job for job in done.order_by("created_at").defer("result")}
