"""Printouts that a game declares as `[[sheets]]` of its `game.toml`.

They are forms of half a page.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from string import Formatter

from rules.rendering import say
from rules.tables import Table, get_tables, to_record

PLAYER, MATCH = "player", "match"
SUBJECTS = (PLAYER, MATCH)
BLOCK_KINDS = ("cards", "table", "note", "lines")
# The values of a form for a match, and the number of a row for each game.
MATCH_NAMES = ("p1", "p2")
GAME_NUMBER = "game"


@dataclass(frozen=True, slots=True)
class SheetBlock:
    """A part of a form. Texts may name values in braces.

    `cards`: the names of the player's cards of some `types`, behind the `label`. `table`: `rows` below
    `columns`, then `each_game` once for each game that a match can have, and once more named by `extra`
    where a match has several; `is_wide_first` makes room for the words of the first column. `note`: a
    `text`. `lines`: what is filled in by hand.
    """

    kind: str
    label: str = ""
    types: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    each_game: tuple[str, ...] = ()
    extra: str = ""
    is_wide_first: bool = False
    text: str = ""
    lines: tuple[str, ...] = ()

    @property
    def texts(self) -> Iterator[str]:
        """All that it says."""
        yield from (self.label, self.extra, self.text, *self.columns, *self.lines)
        yield from (cell for row in (*self.rows, self.each_game) for cell in row)


@dataclass(frozen=True, slots=True)
class GameSheet:
    """A form for each player, or for each match of a round.

    `comes_with_rounds` puts it into the pack of the round. A form for a player may name what they declared,
    such as `{gem_assignment.A}`, one for a match the players `{p1}` and `{p2}`.
    """

    key: str
    label: str
    subject: str
    help: str = ""
    comes_with_rounds: bool = False
    blocks: tuple[SheetBlock, ...] = ()


def read_sheet(table: Table, where: str) -> GameSheet:
    """Return a sheet from its table. Raises ValueError naming what it lacks."""
    blocks = tuple(to_record(SheetBlock, each, where) for each in get_tables(table, "blocks"))
    return replace(to_record(GameSheet, table, where), blocks=blocks)


def fill_in(text: str, values: Mapping[str, object]) -> str:
    """Return a text with values in place of their names.

    A value that is not there leaves nothing.
    """
    parts = (f"{before}{values.get(name, '') if name else ''}" for before, name, _, _ in _parse(text))
    return "".join(parts)


def _parse(text: str) -> list[tuple[str, str | None, str | None, str | None]]:
    return list(Formatter().parse(text))


def find_sheet_misfits(sheets: Sequence[GameSheet], field_keys: Collection[str]) -> Iterator[str]:
    """Yield each fault in the sheets of a game as a sentence.

    `field_keys` are the keys of what a player declares.
    """
    for place, sheet in enumerate(sheets):
        owner = f"[[sheets]] {sheet.key}"
        if not re.fullmatch(r"[a-z][a-z0-9-]{0,39}", sheet.key):
            yield say("lint", "sheet-key", owner=owner)
        if sheet.key in [other.key for other in sheets[:place]]:
            yield say("lint", "field-twice", owner=owner)
        if sheet.subject not in SUBJECTS:
            yield say("lint", "sheet-word", owner=owner, part="subject", word=sheet.subject, known=SUBJECTS)
        names = {*field_keys} if sheet.subject == PLAYER else {*MATCH_NAMES}
        for block in sheet.blocks:
            yield from _find_block_misfits(owner, block, names)


def _find_block_misfits(owner: str, block: SheetBlock, names: set[str]) -> Iterator[str]:
    if block.kind not in BLOCK_KINDS:
        yield say("lint", "sheet-word", owner=owner, part="kind", word=block.kind, known=BLOCK_KINDS)
    for row in (*block.rows, *([block.each_game] if block.each_game else [])):
        if len(row) != len(block.columns):
            yield say("lint", "sheet-row", owner=owner, cells=len(row), columns=len(block.columns))
    known_names = {*names, *([GAME_NUMBER] if block.each_game else [])}
    for text in block.texts:
        try:
            strange = {name for _, name, _, _ in _parse(text) if name is not None} - known_names
        except ValueError as problem:
            yield say("lint", "result-words", owner=owner, problem=str(problem))
            continue
        for name in sorted(strange):
            yield say("lint", "result-name", owner=owner, name=name, known=tuple(sorted(known_names)))
