"""All kinds of sheets: name, requirements, template and builder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from django.http import Http404
from django.utils.functional import Promise, lazy
from django.utils.translation import gettext, gettext_lazy

import rules
from decks.shared.wording import say_reason
from rules.game import Game
from rules.reason import Reason, Reference, reason
from rules.rendering import translate_text
from rules.sheets import PLAYER, GameSheet
from tournament.access.permissions import Right
from tournament.booster_drafts.selectors import get_draft_pods
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.events.settings import get_game
from tournament.printing.request import (
    FilledSheetBuilder,
    PrintRequest,
    SheetBuilder,
    ask_cut,
    report_title,
    standings_title,
)
from tournament.printing.sheets import forms, lists, reports, slips, standings
from tournament.printing.sheets.badges import build_badges
from tournament.printing.sheets.bracket import build_bracket
from tournament.printing.sheets.draft_pods import build_draft_pods
from tournament.printing.sheets.game_sheets import build_game_sheet


@dataclass(frozen=True, slots=True)
class Sheet:
    """One kind of sheet.

    `build` makes what its template shows; `styles` are the style sheets it needs. `needs` says what must be
    there: "round", "changes" (of a published one), "bracket", "table" (of standings), "pods" (that are
    seated) or nothing; `fits` whether an event has use for it. `fill` replaces `build` if the pages are
    filled. A pack has `parts`, the keys of other sheets, and no template of its own. `right` is what its
    content needs; an empty form needs `print` alone.
    """

    key: str
    label: Promise | str
    help: Promise | str
    group: str
    template: str = ""
    build: SheetBuilder | None = None
    styles: tuple[str, ...] = ("page",)
    fill: FilledSheetBuilder | None = None
    needs: str = ""
    fits: Callable[[Event], bool] = lambda event: True
    parts: Callable[[Event, Round], Sequence[str]] | None = None
    of_a_player: bool = False
    can_be_blank: bool = False
    right: Right = Right.PRINT

    @property
    def name(self) -> str:
        """Return what it is called, in the reader's language."""
        return str(self.label)

    @property
    def description(self) -> str:
        """Return what it is for, in the reader's language."""
        return str(self.help)

    def is_only_blank(self, rights: frozenset[Right]) -> bool:
        """Return whether someone with these rights can have it as an empty form only."""
        return self.can_be_blank and self.right not in rights

    def can_be_printed(self, rights: frozenset[Right], *, is_blank: bool = False) -> bool:
        """Return whether someone with these rights may read what is on it."""
        return Right.PRINT in rights and (self.right in rights or (self.can_be_blank and is_blank))

    @property
    def is_pack(self) -> bool:
        """Whether it is made of other sheets."""
        return self.parts is not None

    @property
    def of_a_round(self) -> bool:
        """Whether it cannot be made without a round."""
        return self.needs in ("round", "changes")


def _round_pack_parts(event: Event, shown_round: Round) -> Sequence[str]:
    """Return what a round needs on paper.

    The lists, the slips, the clock, and what its stage or game adds.
    """
    more = ["bracket"] if shown_round.stage.is_elimination else []
    return ["pairings-by-table", "pairings-by-name", "slips", "time", *more, *_own_parts(get_game(event))]


def _own_parts(game: Game) -> Iterator[str]:
    return (sheet.key for sheet in game.sheets if sheet.comes_with_rounds)


ROUND_PACK = "round-pack"

# Sheets that events of every game have.
ALL_SHEETS: tuple[Sheet, ...] = (
    Sheet(
        ROUND_PACK,
        gettext_lazy("Everything for the round"),
        gettext_lazy("Pairings, slips and time sheet in one file, with bracket or match sheets if needed"),
        "round",
        needs="round",
        parts=_round_pack_parts,
    ),
    Sheet(
        "pairings-by-table",
        gettext_lazy("Pairings by table"),
        gettext_lazy("For judges and for posting"),
        "round",
        "columns.html",
        styles=("lists",),
        fill=lists.build_pairings_by_table,
        needs="round",
    ),
    Sheet(
        "pairings-by-name",
        gettext_lazy("Pairings by name"),
        gettext_lazy("For players to find their table"),
        "round",
        "columns.html",
        styles=("lists",),
        fill=lists.build_pairings_by_name,
        needs="round",
    ),
    Sheet(
        "slips",
        gettext_lazy("Match slips"),
        gettext_lazy("One slip per table, in table order after you cut the pile"),
        "round",
        "slips.html",
        styles=("slips",),
        fill=slips.build_slips,
        needs="round",
    ),
    Sheet(
        "changed-slips",
        gettext_lazy("Changed match slips"),
        gettext_lazy("Only the tables of the last change of a published round"),
        "round",
        "slips.html",
        styles=("slips",),
        fill=slips.build_changed_slips,
        needs="changes",
    ),
    Sheet(
        "time",
        gettext_lazy("Round time sheet"),
        gettext_lazy("Start, end and time extensions"),
        "round",
        "time_sheet.html",
        reports.build_time_sheet,
        needs="round",
    ),
    Sheet(
        "bracket",
        gettext_lazy("Bracket"),
        gettext_lazy("Diagram with all results"),
        "event",
        "bracket.html",
        build_bracket,
        needs="bracket",
        fits=lambda event: event.has_bracket,
    ),
    Sheet(
        "standings",
        gettext_lazy("Standings"),
        gettext_lazy("All tiebreakers with their calculation"),
        "event",
        "columns.html",
        styles=("lists",),
        fill=standings.build_standings,
        needs="table",
    ),
    Sheet(
        "penalties",
        gettext_lazy("Penalty list"),
        gettext_lazy("Penalties so far, with blank lines"),
        "event",
        "penalties.html",
        reports.build_penalty_list,
        right=Right.JUDGE,
    ),
    Sheet(
        "report",
        gettext_lazy("Final report"),
        gettext_lazy("Places, bracket, characters, standings and signatures"),
        "event",
        "final_report.html",
        reports.build_final_report,
    ),
    Sheet(
        "check-in",
        gettext_lazy("Check-in list"),
        gettext_lazy("Players by name, with a checkbox and decklist status"),
        "before",
        "columns.html",
        styles=("lists",),
        fill=lists.build_check_in,
    ),
    Sheet(
        "seating",
        gettext_lazy("Seating list"),
        gettext_lazy("Players by name, two per table, for the player meeting"),
        "before",
        "columns.html",
        styles=("lists",),
        fill=lists.build_seating,
    ),
    Sheet(
        "draft-pods",
        gettext_lazy("Draft pods"),
        gettext_lazy("Seats of each pod, who passes to whom, and all players by name"),
        "before",
        "draft_pods.html",
        build_draft_pods,
        needs="pods",
        fits=lambda event: get_draft_pods(event) is not None,
    ),
    Sheet(
        "badges",
        gettext_lazy("Player badges"),
        gettext_lazy("Ten per page, with a code for check-in and judges"),
        "before",
        "badges.html",
        styles=("badges",),
        fill=build_badges,
        of_a_player=True,
    ),
    Sheet(
        "registration",
        gettext_lazy("Deck registration"),
        gettext_lazy("The submitted decklist by zone, or a blank form"),
        "player",
        "registration.html",
        styles=("lists", "cards"),
        fill=forms.build_registration_forms,
        of_a_player=True,
        can_be_blank=True,
        right=Right.LISTS,
    ),
    Sheet(
        "deck-check",
        gettext_lazy("Deck check"),
        gettext_lazy("Decklist in counting order, with a checkbox for each copy"),
        "player",
        "deck_check.html",
        styles=("lists", "cards"),
        fill=forms.build_deck_check_forms,
        of_a_player=True,
        can_be_blank=True,
        right=Right.LISTS,
    ),
)

SHEET_GROUPS = (
    ("round", gettext_lazy("Round")),
    ("before", gettext_lazy("Before the event")),
    ("event", gettext_lazy("Event")),
    ("player", gettext_lazy("Players and judges")),
)

SHEETS = {sheet.key: sheet for sheet in ALL_SHEETS}


def list_sheets(game: Game) -> tuple[Sheet, ...]:
    """Return the sheets of events of a game.

    They are the sheets of every game and those that this game declares.
    """
    return (*ALL_SHEETS, *map(_make_own_sheet, game.sheets))


def _make_own_sheet(sheet: GameSheet) -> Sheet:
    """Return a sheet that a game declares."""
    is_of_player = sheet.subject == PLAYER
    return Sheet(
        sheet.key,
        lazy(partial(translate_text, sheet.label), str)(),
        lazy(partial(translate_text, sheet.help), str)(),
        "player" if is_of_player else "round",
        "game_sheet.html",
        partial(build_game_sheet, sheet),
        ("page", "halves"),
        of_a_player=is_of_player,
        can_be_blank=True,
        right=Right.LISTS if is_of_player else Right.PRINT,
    )


def find_sheet(event: Event, key: str) -> Sheet | None:
    """Return the sheet of that key among those of the event's game."""
    return next((sheet for sheet in list_sheets(get_game(event)) if sheet.key == key), None)


def sheet_or_404(event: Event, key: str) -> Sheet:
    """Return the sheet of that key."""
    sheet = find_sheet(event, key)
    if sheet is None:
        raise Http404(gettext("There is no printout “%(sheet)s”.") % {"sheet": key[:40]})
    return sheet


def list_parts(sheet: Sheet, request: PrintRequest) -> list[Sheet]:
    """Return the sheets that a pack is made of, or the sheet itself."""
    if sheet.parts is None:
        return [sheet]
    sheets = {each.key: each for each in list_sheets(get_game(request.event))}
    return [sheets[key] for key in sheet.parts(request.event, request.shown_round)]


def sheet_title(sheet: Sheet, event: Event, shown_round: Round | None) -> Reason:
    """Return what the sheet is about, for its head; a job keeps it."""
    if sheet.key == "standings":
        return standings_title(event, shown_round)
    if sheet.key == "report":
        return report_title(event)
    about = Reference("sheet", sheet.key)
    if shown_round is None or not sheet.of_a_round:
        return reason("sheet_title", sheet=about)
    if not shown_round.stage.is_elimination:
        return reason("sheet_title.round", sheet=about, round=shown_round.number)
    return reason("sheet_title.bracket", sheet=about, round=shown_round.number, is_cut=ask_cut(event))


def say_title(title: Reason) -> str:
    """Return a title in words, with the name of its sheet."""
    return say_reason(title, _name_sheet)


def _name_sheet(reference: Reference) -> str:
    """Return a sheet's name.

    The title of a job names no game, so the first game that has the sheet names it.
    """
    key = str(reference.key)
    if key in SHEETS:
        return SHEETS[key].name
    own = (each for game in rules.games() for each in game.sheets if each.key == key)
    return next((translate_text(each.label) for each in own), key)
