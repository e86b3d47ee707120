"""A print request, as numbers that travel and as rows from which sheets are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Required, Self, TypedDict
from urllib.parse import urlencode

from django.conf import settings
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from decks.shared.wording import say_reason
from rules.reason import Reason, reason
from rules.sides import Sides
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.printing.columns import ListLayout
from tournament.shared.page_fills import FillablePage, SizedText
from tournament.standings.selectors import table

PAPER_SIZES = tuple(Event.Paper.values)

SHEET_JOB_KIND = "print_sheet"

EVERYONE, BLANK = "all", "blank"


@dataclass(frozen=True, slots=True)
class SheetRequest:
    """A sheet of an event by its keys and numbers.

    An address, a request of the API and a job carry it in this form. Without `stage` and `round` it is the
    last one, without `player` a form is for everyone; `blank` asks for an empty form. `base` is the address
    that codes on the sheet lead to, as https://host.
    """

    event: int
    sheet: str
    paper: str = ""
    stage: int | None = None
    round: int | None = None
    player: int | None = None
    blank: bool = False
    base: str = ""

    @classmethod
    def from_query(cls, event: Event, sheet: str, values: Mapping[str, str], *, base: str = "") -> Self:
        """Return what a form or an address says: `round` as 1-3, or beside `stage`.

        Raises ValueError.
        """
        stage, _, number = values.get("round", "").partition("-")
        stage, number = values.get("stage") or stage, number or values.get("round", "")
        player, paper = values.get("player") or EVERYONE, values.get("paper") or get_paper_size(event)
        if paper not in PAPER_SIZES:
            raise ValueError(paper[:20])
        return cls(
            event=event.pk,
            sheet=sheet,
            paper=paper,
            stage=_parse_number(stage) if stage or number else None,
            round=_parse_number(number) if stage or number else None,
            player=None if player in (EVERYONE, BLANK) else _parse_number(player),
            blank=player == BLANK,
            base=base,
        )

    def to_query(self) -> str:
        """Return the same as the query of an address."""
        values = {"paper": self.paper}
        if self.round is not None:
            values["round"] = f"{self.stage}-{self.round}"
        if self.blank or self.player is not None:
            values["player"] = BLANK if self.blank else str(self.player)
        return urlencode(values)

    @classmethod
    def from_payload(cls, payload: Mapping[str, object]) -> Self:
        """Return what a job carries, which may be older than a field of this class.

        Raises ValueError.
        """
        event = _read_number(payload, "event")
        if event is None:
            raise ValueError("event")
        return cls(
            event=event,
            sheet=_read_text(payload, "sheet"),
            paper=_read_text(payload, "paper"),
            stage=_read_number(payload, "stage"),
            round=_read_number(payload, "round"),
            player=_read_number(payload, "player"),
            blank=payload.get("blank") is True,
            base=_read_text(payload, "base"),
        )

    def to_payload(self) -> dict[str, object]:
        """Return the same for a job."""
        return asdict(self)

    def job_key(self, version: int) -> str:
        """Return the key that distinguishes jobs.

        It holds all that the sheet depends on, with the version of the event at the end.
        """
        whose = BLANK if self.blank else self.player or ""
        host = sha256(self.base.encode()).hexdigest()[:8]
        parts = (self.event, self.sheet, self.stage, self.round, self.paper, whose, host, version)
        return "/".join(map(str, parts))


def _read_number(payload: Mapping[str, object], name: str) -> int | None:
    value = payload.get(name)
    if value is None or type(value) is int:
        return value
    raise ValueError(name)


def _read_text(payload: Mapping[str, object], name: str) -> str:
    value = payload.get(name, "")
    if isinstance(value, str):
        return value
    raise ValueError(name)


def _parse_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ValueError(text[:20])
    return int(text)


@dataclass(frozen=True, slots=True)
class PrintRequest:
    """The rows of a `SheetRequest`.

    `now` is the time of printing, `base` the address that codes lead to. `player` narrows a form to one
    person; None is everyone, or an empty form.
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
    def shown_round(self) -> Round:
        """The round. Raises ValueError if the wish names none and its sheet is about one."""
        if self.round is None:
            raise ValueError("This sheet is about a round.")
        return self.round

    def to_request(self, sheet: str) -> SheetRequest:
        """Return what was requested, with the round that it is about by now."""
        return SheetRequest(
            event=self.event.pk,
            sheet=sheet,
            paper=self.paper,
            stage=self.round.stage.position if self.round else None,
            round=self.round.number if self.round else None,
            player=self.player.number if self.player else None,
            blank=self.is_blank,
            base=self.base,
        )

    def as_browser_page(self) -> PrintRequest:
        """Return the same wish for a page that a browser prints."""
        return replace(self, for_browser=True)


class FilledContext(TypedDict, total=False):
    """The template context of a sheet whose pages are filled."""

    pages: Required[Sequence[FillablePage]]
    layout: ListLayout
    words: Sequence[str]
    asks_character: bool
    check_lines: Sequence[SizedText]
    labels: Mapping[str, SizedText | SafeString]
    side_slips: Sequence[object]
    sides: Sides
    form: str
    round_words: str
    team_slips: Sequence[object]
    lines: Sequence[str]


class LeagueContext(FilledContext):
    """The same of the table of a league, which has no event to take its heading from."""

    title: Required[str]
    about: Required[str]
    paper: Required[str]
    printed_at: Required[datetime]


SheetBuilder = Callable[[PrintRequest], Mapping[str, object]]
FilledSheetBuilder = Callable[[PrintRequest], FilledContext]


def get_paper_size(event: Event) -> str:
    """Return the paper of an event: its own, else that of the installation."""
    return event.paper or settings.PAPER


def format_round(event: Event, shown_round: Round | None) -> str:
    """Return a round in a few words, as a slip names it; empty without one."""
    if shown_round is None:
        return ""
    if not shown_round.stage.is_elimination:
        return say_reason(reason("round_words", round=shown_round.number))
    return say_reason(reason("round_words.bracket", round=shown_round.number, is_cut=ask_cut(event)))


def ask_cut(event: Event) -> str:
    """Return whether a cut led into the bracket, as messages ask it."""
    return "no" if event.cut == Event.Cut.NONE else "yes"


def format_amended(shown_round: Round | None) -> str:
    """Return the mark of a round that was changed after it was published.

    It is empty for any other round.
    """
    if shown_round is None or shown_round.amended_at is None:
        return ""
    amended_text = date_format(shown_round.amended_at.astimezone(shown_round.stage.event.zone), "TIME_FORMAT")
    return gettext("Amended %(time)s") % {"time": amended_text}


def report_title(event: Event) -> Reason:
    """Return the title of the report.

    It is the final report only when the event is over.
    """
    return reason("report_title.final" if event.phase == Event.Phase.FINISHED else "report_title")


def is_final_sheet(event: Event, shown_round: Round | None) -> bool:
    """Return whether a sheet made for this round is made after the end.

    The event is over and no round is later.
    """
    if event.phase != Event.Phase.FINISHED:
        return False
    last = Round.objects.filter(stage__event=event).last()
    return shown_round is None or last is None or shown_round.pk == last.pk


def standings_title(event: Event, shown_round: Round | None) -> Reason:
    """Return what the venue calls the standings as they are after a round."""
    if is_final_sheet(event, shown_round):
        return reason("standings_title.final")
    if shown_round is None:
        return reason("standings_title")
    return (
        table.end_of_rounds_title(event)
        if shown_round.stage.is_elimination
        else table.find_standings_title(event, shown_round)
    )


def find_round(event: Event, stage: int | None, number: int | None) -> Round | None:
    """Find the round a printout is about; without one named, the last."""
    rounds = Round.objects.filter(stage__event=event).select_related("stage__event")
    if stage is not None and number is not None:
        return rounds.filter(stage__position=stage, number=number).first()
    return rounds.last()
