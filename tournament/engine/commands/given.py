"""What a command is given: an event file on standard input, and options of the command line."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TextIO

from tournament.engine.event_file import ProblemCollector, read_event, say_once
from tournament.engine.event_ids import FileId, assign_numeric_ids
from tournament.engine.event_json import read_json
from tournament.engine.event_options import OPTION_KEYS, EventOptions, OptionsReader
from tournament.engine.exits import ExitRule
from tournament.engine.problems import EngineError, EngineProblem, problem, raise_problems
from tournament.engine.records import Event, PlayerId
from tournament.engine.seeded_random import draw_random_numbers
from tournament.engine.standings.standing import StandingRow, compute_standings


@dataclass(frozen=True, slots=True)
class Given:
    """An event, its options, and what its players are called in the file."""

    event: Event
    options: EventOptions
    ids: Mapping[PlayerId, FileId]
    characters: Mapping[PlayerId, str]
    fixed_tables: Mapping[PlayerId, int]
    notices: tuple[str, ...]

    @property
    def exits(self) -> ExitRule:
        """Who has qualified or is out by a number of wins or losses."""
        return ExitRule(self.options.wins_in, self.options.losses_out)

    def standings(
        self, after_round: int | None = None, event: Event | None = None
    ) -> tuple[StandingRow, ...]:
        """The standing, with lots where a seed was given."""
        seed = self.options.seed
        players = (player.id for player in self.event.players)
        lots = None if seed is None else draw_random_numbers(players, seed)
        return compute_standings(self.event, self.options.system, after_round=after_round, lots=lots)

    def answer(self, **parts: object) -> dict[str, object]:
        """An answer, with notices where there are any."""
        return {**parts, "notices": list(self.notices)} if self.notices else parts


def read_given(called: Namespace, stdin: TextIO) -> Given:
    """Return what a command works on. Raises EngineError with everything that is wrong with it."""
    return read_data(called, read_json(stdin.read()))


def read_data(called: Namespace, data: Mapping[str, object]) -> Given:
    """The same from a file that is read already."""
    numbered, ids = assign_numeric_ids(data)
    trouble = ProblemCollector()
    event, found = Event(()), tuple[EngineProblem, ...]()
    try:
        event = read_event(numbered, ids, trouble)
    except EngineError as fault:
        found = fault.problems
    file_ids = ids or {player.id: player.id for player in event.players}
    options, problems = _read_options(called, data, file_ids)
    # Where the event itself is wrong, players of options may be strangers for that reason alone.
    open_problems = [each for each in problems if not (found and each.code == "option-player")]
    raise_problems([*say_once(open_problems), *found])
    if options is None:
        raise AssertionError("Options without a system have a problem.")
    entries = _entries_by_player(numbered)
    return Given(
        event=event,
        options=options,
        ids=file_ids,
        characters={player: str(entry["character"]) for player, entry in entries if entry.get("character")},
        fixed_tables={
            player: table for player, entry in entries if isinstance(table := entry.get("fixed_table"), int)
        },
        notices=tuple(map(str, trouble.notices)),
    )


def _entries_by_player(data: Mapping[str, object]) -> list[tuple[PlayerId, Mapping[str, object]]]:
    players = data["players"]
    return [(entry["id"], entry) for entry in players] if isinstance(players, list) else []


def _read_options(
    called: Namespace, data: Mapping[str, object], ids: Mapping[PlayerId, FileId]
) -> tuple[EventOptions | None, list[EngineProblem]]:
    """The options of the file, with those of the command line in their place, and what is wrong."""
    trouble = ProblemCollector()
    written = data.get("options", {})
    if not isinstance(written, dict):
        trouble.add(problem("options-shape"))
        written = {}
    called_options = {
        key: value for key, value in vars(called).items() if key in OPTION_KEYS and value is not None
    }
    numbers = {str(file_id): number for number, file_id in ids.items()}
    reader = OptionsReader({**written, **called_options}, lambda file_id: numbers.get(str(file_id)), trouble)
    return reader.read(), trouble.problems
