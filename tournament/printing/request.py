"""Print request: event, round, player and paper size; headings of its round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.conf import settings

from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.standings.selectors import table

PAPER_SIZES = tuple(Event.Paper.values)


@dataclass(frozen=True, slots=True)
class PrintRequest:
    """One wish: `now` is the time of printing, `base` the address that codes lead to, as https://host.

    `player` narrows a form to one person; None is everyone, or an empty form.
    """

    event: Event
    round: Round | None
    paper: str
    now: datetime
    base: str = ""
    player: Player | None = None
    is_blank: bool = False
    for_browser: bool = False

    @property
    def shown(self) -> Round:
        """The round. Raises ValueError where the wish names none and its sheet is about one."""
        if self.round is None:
            raise ValueError("This sheet is about a round.")
        return self.round

    def as_browser_page(self) -> PrintRequest:
        """The same wish for a page that a browser prints."""
        return replace(self, for_browser=True)


SheetBuilder = Callable[[PrintRequest], dict[str, Any]]


def get_paper_size(event: Event) -> str:
    """The paper of an event: its own, else that of the installation."""
    return event.paper or settings.PAPER


def format_round(event: Event, shown: Round | None) -> str:
    """A round in a few words, as a slip names it; empty without one."""
    if shown is None:
        return ""
    return (
        f"{event.bracket_word}, round {shown.number}"
        if shown.stage.is_elimination
        else f"Round {shown.number}"
    )


def format_amended(shown: Round | None) -> str:
    """The mark of a round that was changed after it was published; empty for any other."""
    if shown is None or shown.amended_at is None:
        return ""
    return f"amended {shown.amended_at.astimezone(shown.stage.event.zone):%H:%M}"


def report_title(event: Event) -> str:
    """What the report is called: it is the final one only when the event is over."""
    return "Final report" if event.phase == Event.Phase.FINISHED else "Report so far"


def is_final_sheet(event: Event, shown: Round | None) -> bool:
    """Whether a sheet made for this round is made after the end: the event is over and no round is later."""
    if event.phase != Event.Phase.FINISHED:
        return False
    last = Round.objects.filter(stage__event=event).last()
    return shown is None or last is None or shown.pk == last.pk


def standings_title(event: Event, shown: Round | None) -> str:
    """What the venue calls the standings as they are after a round."""
    if is_final_sheet(event, shown):
        return "Final standings"
    if shown is None:
        return "Standings"
    if shown.stage.is_elimination:
        return f"Standings after the {event.rounds_word}" if event.has_table_rounds else "Standings"
    return table.format_standings_title(event, shown)


def find_round(event: Event, stage: int | None, number: int | None) -> Round | None:
    """The round a sheet is about; without one named, the last."""
    rounds = Round.objects.filter(stage__event=event).select_related("stage__event")
    if stage is not None and number is not None:
        return rounds.filter(stage__position=stage, number=number).first()
    return rounds.last()
