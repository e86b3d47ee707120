"""Forms that a game declares, half a page each.

A form is for a player or for a match, and is filled in as far as known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from decks.submissions.models import DeckVersion
from rules.rendering import translate_text
from rules.sheets import GAME_NUMBER, MATCH, MATCH_NAMES, GameSheet, SheetBlock, fill_in
from tournament.decklists.selectors import card_names_by_type
from tournament.events.models.player import Player
from tournament.events.settings import get_games_to_win
from tournament.printing.request import PrintRequest
from tournament.printing.sheets.forms import get_version, iterate_players
from tournament.printing.sheets.lists import PrintedPairing, list_pairings
from tournament.printing.sheets.slips import stack_for_cutting

FORMS_PER_PAGE = 2
BLANK = "____"
# Alignment of the cells of a table: blanks, numbers, names of players.
PAIR, NUMBER, NAME = "pair", "num", "name"

Values = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table, and how it is set."""

    text: str
    look: str = ""


@dataclass(frozen=True, slots=True)
class FilledBlock:
    """A block of a form with the words of the reader's language and what is known."""

    block: SheetBlock
    label: str = ""
    names: Sequence[str] = ()
    head: Sequence[Cell] = ()
    rows: Sequence[Sequence[Cell]] = ()
    lines: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class SheetForm:
    """One form: whose it is, its blocks, and who signs it.

    An empty one has neither player nor table.
    """

    heading: str
    blocks: Sequence[FilledBlock]
    signers: Sequence[Cell]
    is_of_player: bool = False
    is_of_round: bool = False
    player: Player | None = None
    version: DeckVersion | None = None


@dataclass(frozen=True, slots=True)
class HalfPage:
    """A form that takes half a page.

    It says what it is about, its place in the pile, and the page it is on.
    """

    about: Any
    number: int
    count: int
    page: int
    pages: int


def build_game_sheet(sheet: GameSheet, request: PrintRequest) -> dict[str, object]:
    """Return the forms of a sheet, two to a page; an empty one comes twice."""
    if sheet.subject == MATCH:
        forms = list(_build_match_forms(sheet, request))
    else:
        forms = [_build_player_form(sheet, player) for player in iterate_players(request)]
    return {"pages": pair_half_pages(forms * FORMS_PER_PAGE if request.is_blank else forms)}


def _build_player_form(sheet: GameSheet, player: Player | None) -> SheetForm:
    version = get_version(player)
    signers = (Cell(gettext("Signature of the player")), Cell(gettext("Checked by, time")))
    values = _list_declared(version.options) if version else {}
    return SheetForm(
        heading=translate_text(sheet.label),
        blocks=[_fill_block(block, values, card_names=card_names_by_type(version)) for block in sheet.blocks],
        signers=signers,
        is_of_player=True,
        player=player,
        version=version,
    )


def _list_declared(options: Mapping[str, object]) -> dict[str, object]:
    """Return what a player declared by name, such as `gem_assignment.A`."""
    return {
        f"{key}.{code}": value
        for key, answers in options.items()
        if isinstance(answers, Mapping)
        for code, value in answers.items()
    }


def _build_match_forms(sheet: GameSheet, request: PrintRequest) -> Iterator[SheetForm]:
    """Yield a form for each match of the round, or an empty one."""
    shown_round = None if request.is_blank else request.round
    pairs: list[PrintedPairing | None] = [
        pair for pair in (list_pairings(shown_round) if shown_round else ()) if pair.p2 is not None
    ]
    games_to_win = get_games_to_win(request.event)
    for pair in pairs or [None]:
        names = {"p1": pair.p1_name, "p2": pair.p2_name} if pair else _name_roles()
        sides = [Cell(names[side], NAME if pair else "") for side in MATCH_NAMES]
        number = pair.table if pair else "______"
        yield SheetForm(
            heading=gettext("Table %(number)s") % {"number": number},
            blocks=[_fill_block(block, names, games_to_win=games_to_win) for block in sheet.blocks],
            signers=sides,
            is_of_round=pair is not None,
        )


def _name_roles() -> dict[str, str]:
    return {"p1": gettext("First player"), "p2": gettext("Second player")}


def _fill_block(
    block: SheetBlock,
    values: Values,
    *,
    card_names: Mapping[str, Sequence[str]] | None = None,
    games_to_win: int = 1,
) -> FilledBlock:
    names = [name for each in block.types for name in (card_names or {}).get(each, ())]
    return FilledBlock(
        block,
        label=_say(block.label or block.text, values),
        names=names,
        head=[_make_cell(text, values) for text in block.columns],
        rows=[
            [_make_cell(text, values) for text in row]
            for row, values in _list_rows(block, values, games_to_win)
        ],
        lines=[_say(line, values) for line in block.lines],
    )


def _list_rows(
    block: SheetBlock, values: Values, games_to_win: int
) -> Iterator[tuple[Iterable[str], Values]]:
    """Yield the rows of a table, each with its values."""
    yield from ((row, values) for row in block.rows)
    if not block.each_game:
        return
    for number in range(1, 2 * games_to_win):
        yield block.each_game, {**values, GAME_NUMBER: number}
    if block.extra and games_to_win > 1:
        yield block.each_game, {**values, GAME_NUMBER: translate_text(block.extra)}


def _say(text: str, values: Values) -> str:
    return fill_in(translate_text(text), values)


def _make_cell(text: str, values: Values) -> Cell:
    name = text.removeprefix("{").removesuffix("}") if text.startswith("{") else ""
    filled_text = _say(text, values)
    if name in MATCH_NAMES:
        return Cell(filled_text, NAME)
    if name in values and name != GAME_NUMBER:
        return Cell(filled_text, NUMBER)
    return Cell(filled_text, PAIR if BLANK in filled_text else "")


def pair_half_pages(forms: Sequence[Any]) -> list[list[HalfPage]]:
    """Put two forms on a page.

    Both piles are in order when the pages are cut apart.
    """
    sheets = stack_for_cutting(list(enumerate(forms, 1)), FORMS_PER_PAGE)
    return [
        [HalfPage(about, number, len(forms), page, len(sheets)) for number, about in sheet]
        for page, sheet in enumerate(sheets, 1)
    ]
