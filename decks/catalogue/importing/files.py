"""Read a catalogue file of any kind: every record is read or reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import rules
from decks.catalogue.importing.records import CardRecord, read_record
from decks.importers.decoding import decode
from decks.shared.refusals import Refused
from rules.catalogue import read_records as read_content
from rules.catalogue_files.known_facts import KnownFacts
from rules.catalogue_files.records import (
    MOST_PROBLEMS,
    MOST_RECORDS,
    CatalogueProblem,
    CatalogueRecord,
    UnreadableCatalogue,
    too_many_problems,
    too_many_records,
)
from rules.reason import Reason, reason

MAX_BYTES = 32 * 1024 * 1024


@dataclass(slots=True)
class CatalogueFile:
    """A file as read.

    Holds its game, what each record describes, what it says of sets, and what was unreadable.
    """

    game: str
    card_records: list[CardRecord] = field(default_factory=list)
    kind: str = ""
    sets: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    problems: list[CatalogueProblem] = field(default_factory=list)
    notes: list[Reason] = field(default_factory=list)


def read_catalogue(data: bytes | str, *, game: str | None = None) -> CatalogueFile:
    """Read a catalogue file.

    It is JSON, a CSV or tab-separated table, OCTGN `set.xml`, or a package of these. `game` is used where the
    file does not name its own. Raises Refused when nothing can be taken from it (file_too_large, not_text,
    catalogue_unreadable, game_unknown, game_differs, too_many_records).
    """
    if len(data) > MAX_BYTES:
        raise Refused("file_too_large", megabytes=MAX_BYTES // 2**20)
    decoder = _Decoder()
    try:
        content = read_content(data, decoder, KnownFacts.of(rules.games(), game))
    except UnreadableCatalogue as error:
        raise Refused.of(error.reason) from error
    result = CatalogueFile(_choose_game(content.game, game), kind=content.kind, sets=content.sets)
    result.problems += [*content.problems, *decoder.problems]
    result.notes += content.notes
    try:
        _describe_all(result, content.records)
    except UnreadableCatalogue as error:
        raise Refused.of(error.reason) from error
    return result


def mark_removed_facts(content: CatalogueFile, removed_facts: Mapping[str, Sequence[str]]) -> None:
    """Note on the records which facts an editor cleared in the grid.

    The facts are given by the keys of the printings.
    """
    if removed_facts:
        content.card_records = [
            replace(record, removed_facts=tuple(removed_facts.get(record.key, ())))
            for record in content.card_records
        ]


class _Decoder:
    """Decodes bytes to text as for deck files.

    It keeps what was guessed or lost on the way, each once.
    """

    def __init__(self) -> None:
        self.problems: list[CatalogueProblem] = []

    def __call__(self, data: bytes | str) -> str:
        decoded_text = decode(data)
        if decoded_text.problem:
            raise UnreadableCatalogue(decoded_text.problem.reason)
        whole_file = reason("catalogue_place.file")
        new_problems = [CatalogueProblem(whole_file, notice.reason) for notice in decoded_text.notices]
        self.problems += [problem for problem in new_problems if problem not in self.problems]
        return decoded_text.text


def _choose_game(of_file: str | None, requested_game: str | None) -> str:
    game_keys = {game.key for game in rules.games()}
    if of_file and requested_game and of_file != requested_game:
        raise Refused("game_differs", of_file=of_file, requested=requested_game)
    game = of_file or requested_game
    if game is None:
        raise Refused("game_unknown.not_said")
    if game not in game_keys:
        raise Refused("game_unknown", game=game, known=tuple(sorted(game_keys)))
    return game


def _describe_all(result: CatalogueFile, records: list[CatalogueRecord]) -> None:
    """Describe the records and let go of each, so that a file is not held twice."""
    if len(records) > MOST_RECORDS:
        raise too_many_records()
    records.reverse()
    while records:
        described_card = read_record(result.game, records.pop())
        if isinstance(described_card, CardRecord):
            result.card_records.append(described_card)
        else:
            result.problems += described_card
            if len(result.problems) > MOST_PROBLEMS:
                raise too_many_problems()
