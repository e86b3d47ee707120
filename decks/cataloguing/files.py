"""Catalogue files: the content decides which kind it is; every record is described or reported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import rules
from decks.cataloguing import json_file, octgn_set, table
from decks.cataloguing.describe import Described, Problem, Record, describe
from decks.errors import Refused
from decks.importers.decoding import decode

MAX_BYTES = 32 * 1024 * 1024
MAX_RECORDS = 200_000


@dataclass(slots=True)
class CatalogueFile:
    """A file as read: its game, what each record describes, what it says of sets, what was unreadable."""

    game: str
    described: list[Described] = field(default_factory=list)
    sets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def read(data: bytes | str, *, game: str | None = None) -> CatalogueFile:
    """Read a catalogue file: JSON, CSV or tab-separated table, OCTGN `set.xml`.

    `game` is used where the file does not name its own. Raises Refused when nothing can be taken from it
    (file_too_large, not_text, catalogue_unreadable, game_unknown, game_differs, too_many_records).
    """
    if len(data) > MAX_BYTES:
        raise Refused("file_too_large", f"The file is larger than {MAX_BYTES // 2**20} MB.", fix="Split it.")
    decoded = decode(data)
    if decoded.problem:
        raise Refused(decoded.problem.code, decoded.problem.sentence)
    content = _reader(decoded.text)(decoded.text)
    result = CatalogueFile(_game(content.game, game), sets=content.sets, problems=list(content.problems))
    result.problems += [Problem("file", notice.code, notice.sentence) for notice in decoded.notices]
    if len(content.records) > MAX_RECORDS:
        raise Refused("too_many_records", f"The file holds more than {MAX_RECORDS} records.", fix="Split it.")
    _describe_all(result, content.records)
    return result


def _reader(text: str) -> Any:
    start = text.lstrip()[:1]
    if start in "{[" and start:
        return json_file.read
    return octgn_set.read if start == "<" else table.read


def _game(of_file: str | None, asked: str | None) -> str:
    known = {game.key for game in rules.games()}
    if of_file and asked and of_file != asked:
        raise Refused(
            "game_differs", f"The file is for {of_file}, not for {asked}.", fix=f"Choose {of_file}."
        )
    game = of_file or asked
    if game is None:
        raise Refused("game_unknown", "The file does not say which game it is for.", fix="Choose the game.")
    if game not in known:
        raise Refused(
            "game_unknown", f"There is no game “{game}” here; there are {', '.join(sorted(known))}."
        )
    return game


def _describe_all(result: CatalogueFile, records: Iterable[Record]) -> None:
    for record in records:
        described = describe(result.game, record)
        if isinstance(described, Described):
            result.described.append(described)
        else:
            result.problems += described
