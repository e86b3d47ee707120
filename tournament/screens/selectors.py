"""What the hall screen shows: views in turn, each in full; the page itself turns long ones over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tournament.brackets.selectors.bracket import champion
from tournament.brackets.selectors.picture import BracketPart, bracket_view, in_views
from tournament.clock.selectors import RoundClock, round_clock
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.events.selectors import published
from tournament.events.selectors.stages import stage_of
from tournament.pairing.selectors import pairings as public
from tournament.standings.selectors.table import StandingsTable, standings_table

VIEWS = {
    "pairings": "Pairings by name",
    "tables": "Pairings by table",
    "standings": "Standings",
    "clock": "The clock",
    "bracket": "Bracket",
}


HALL = "hall"


# So many matches above one another can be read from the last row of the hall.
# So much of a bracket can be read from ten metres.
MOST_ROWS, MOST_COLUMNS = 4, 4


@dataclass(frozen=True, slots=True)
class Screen:
    """Everything the screen shows, in the order of its views; a view without anything is None or empty."""

    views: list[str]
    round: Round | None
    total: int | None
    clock: RoundClock | None
    finished: int
    tables: list[public.Table]
    seatings: list[public.Seating]
    standings: StandingsTable | None
    bracket: list[list[BracketPart]]
    champion: Any

    @property
    def playing(self) -> int:
        """Tables without a result."""
        return len(self.tables) - self.finished

    @property
    def is_between(self) -> bool:
        """Whether the next round comes soon."""
        return self.round is not None and not self.playing and (self.total or 0) > self.round.number


def known_views(asked: Iterable[str]) -> list[str]:
    """Those of the names that are views, each once, in the order asked for."""
    return list(dict.fromkeys(view for view in asked if view in VIEWS))


def in_words(views: Iterable[str]) -> str:
    """Views as people say them."""
    return ", ".join(VIEWS[view].lower() for view in views) or "what fits the moment"


def screen(event: Event, asked: Iterable[str]) -> Screen:
    """The screen with the views asked for; without any, with what fits the moment."""
    rounds = published.published_rounds(event)
    latest = rounds[-1] if rounds else None
    if latest is not None:
        latest.stage.event = event
    views = known_views(asked) or _fitting(latest)
    if event.phase == Event.Phase.FINISHED:
        views = _at_the_end(event, views)
    tables = public.tables(latest) if latest else []
    standing = "standings" in views and published.swiss_rounds(rounds)
    stage = stage_of(event) if "bracket" in views and event.has_bracket else None
    return Screen(
        views=views,
        round=latest,
        total=_total(event, latest),
        clock=round_clock(latest) if latest else None,
        finished=sum(not table.is_open for table in tables),
        tables=tables,
        seatings=public.by_name(tables) if "pairings" in views else [],
        standings=standings_table(event) if standing else None,
        bracket=in_views(bracket_view(stage), MOST_ROWS, MOST_COLUMNS) if stage else [],
        champion=champion(stage) if stage else None,
    )


def _fitting(latest: Round | None) -> list[str]:
    """What fits the moment: where to sit while a round is played, how it stands between rounds."""
    if latest is None:
        return ["clock"]
    if latest.stage.is_elimination:
        return ["bracket", "clock"]
    if latest.state == Round.State.FINISHED:
        return ["standings"]
    return ["pairings", "clock"]


def _at_the_end(event: Event, views: list[str]) -> list[str]:
    """Nobody looks for a seat or the time any more: who won and how it stands, if nothing else is left."""
    lasting = [view for view in views if view in ("standings", "bracket")]
    return lasting or (["bracket"] if event.has_bracket else ["standings"])


def _total(event: Event, latest: Round | None) -> int | None:
    if latest is None or latest.stage.is_elimination:
        return None
    planned: int | None = latest.stage.planned_rounds
    return event.swiss_rounds or planned
