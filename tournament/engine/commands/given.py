"""The input of a command.

It is an event file on standard input, and options of the command line.
"""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TextIO, cast

from tournament.engine.event_file import (
    ProblemCollector,
    is_id,
    raise_with_file_ids,
    read_event,
    use_file_ids,
)
from tournament.engine.event_ids import FileId, assign_numeric_ids
from tournament.engine.event_json import read_json
from tournament.engine.event_options import DUEL, OPTION_KEYS, EventOptions, OptionsReader
from tournament.engine.problems import EngineError, EngineProblem, problem, raise_problems, refer_to_player
from tournament.engine.records import Event, PlayerId
from tournament.engine.seeded_random import draw_random_numbers

if TYPE_CHECKING:
    from rules.reason import Reason
    from tournament.engine.exits import ExitRule
    from tournament.engine.pods.event_file import PodFile
    from tournament.engine.standings.standing import StandingRow


class Given(NamedTuple):
    """An event, its options, and what its players are called in the file."""

    event: Event
    options: EventOptions
    ids: Mapping[PlayerId, FileId]
    characters: Mapping[PlayerId, str]
    fixed_tables: Mapping[PlayerId, int]
    notices: tuple[str, ...]
    pods: PodFile | None = None

    @property
    def has_exits(self) -> bool:
        """Whether a number of wins qualifies, or a number of losses is out."""
        return bool(self.options.wins_in or self.options.losses_out)

    @property
    def exits(self) -> ExitRule:
        """Return the players who qualified or were eliminated.

        This depends on their numbers of wins or losses.
        """
        from tournament.engine.exits import ExitRule

        return ExitRule(self.options.wins_in, self.options.losses_out)

    def standings(self, after_round: int | None = None) -> tuple[StandingRow, ...]:
        """Return the standing, with random numbers if a seed was given."""
        seed = self.options.seed
        players = (player.id for player in self.event.players)
        lots = None if seed is None else draw_random_numbers(players, seed)
        if self.pods is None or self.options.sides is None:
            # A round is paired without standings.
            from tournament.engine.standings.standing import compute_standings

            return compute_standings(self.event, self.options.system, after_round=after_round, lots=lots)
        from tournament.engine.pods.standings import compute_pod_standings

        pods, points = self.pods.event_after(after_round), self.options.sides.place_points
        return cast("tuple[StandingRow, ...]", compute_pod_standings(pods, points, lots=lots))

    @property
    def rounds_played(self) -> int:
        """How many rounds the event has."""
        return len(self.event.rounds if self.pods is None else self.pods.pods.rounds)

    @contextmanager
    def naming_players(self) -> Iterator[None]:
        """Raise what is refused inside with players as the file calls them."""
        try:
            yield
        except EngineError as fault:
            raise_with_file_ids(fault.problems, self.ids)

    def format_sentence(self, section: str, engine_reason: Reason) -> str:
        """Return a reason as a sentence, with players as the file calls them."""
        from tournament.engine.wording import format_sentence

        return format_sentence(section, use_file_ids(engine_reason, self.ids))

    def answer(self, **parts: object) -> dict[str, object]:
        """Return an answer, with notices if there are any."""
        return {**parts, "notices": list(self.notices)} if self.notices else parts


def read_given(arguments: Namespace, stdin: TextIO) -> Given:
    """Return what a command works on.

    Raises EngineError with everything that is wrong with it.
    """
    return read_data(arguments, read_json(stdin.read()))


def read_data(arguments: Namespace, data: Mapping[str, object]) -> Given:
    """Return the same from a file that is read already."""
    has_pods = _has_pods(arguments, data)
    numbered_data, names = assign_numeric_ids(data, has_pods=has_pods)
    ids = names.ids if names else {}
    trouble = ProblemCollector()
    event, event_problems = Event(()), tuple[EngineProblem, ...]()
    pods = None
    try:
        if has_pods:
            # Most events have none.
            from tournament.engine.pods.event_file import read_pod_event

            pods = read_pod_event(numbered_data, ids, trouble)
            event = pods.event
        else:
            event = read_event(numbered_data, names, trouble)
    except EngineError as fault:
        event_problems = fault.problems
    file_ids = ids or {player.id: player.id for player in event.players}
    options, problems = _read_options(arguments, data, file_ids, has_pods)
    if pods is not None and options is not None and options.sides is not None:
        problems += pods.find_problems(options.sides)
    # If the event itself is wrong, players of options may be strangers for that reason alone.
    open_problems = [each for each in problems if not (event_problems and each.code == "option-player")]
    raise_with_file_ids([*open_problems, *event_problems], file_ids)
    if options is None:
        raise AssertionError("Options without a system have a problem.")
    entries = _entries_by_player(numbered_data)
    return Given(
        event=event,
        options=options,
        ids=file_ids,
        characters={player: str(entry["character"]) for player, entry in entries if entry.get("character")},
        fixed_tables={
            player: table for player, entry in entries if isinstance(table := entry.get("fixed_table"), int)
        },
        notices=tuple(map(str, trouble.notices)),
        pods=pods,
    )


def _has_pods(arguments: Namespace, data: Mapping[str, object]) -> bool:
    """Return whether an event has tables of more than two sides.

    Its matches or its options say so.
    """
    options = data.get("options")
    most_sides = getattr(arguments, "most_sides", None)
    if most_sides is None and isinstance(options, dict):
        most_sides = options.get("most_sides")
    if is_id(most_sides) and most_sides != DUEL:
        return True
    rounds = data.get("rounds")
    lists = [matches for matches in rounds if isinstance(matches, list)] if isinstance(rounds, list) else []
    return any(isinstance(match, dict) and "players" in match for matches in lists for match in matches)


def _entries_by_player(data: Mapping[str, object]) -> list[tuple[PlayerId, Mapping[str, object]]]:
    players = data["players"]
    return [(entry["id"], entry) for entry in players] if isinstance(players, list) else []


def _read_options(
    arguments: Namespace, data: Mapping[str, object], ids: Mapping[PlayerId, FileId], has_pods: bool
) -> tuple[EventOptions | None, list[EngineProblem]]:
    """Return the options, and what is wrong with them.

    Options of the command line replace those of the file.
    """
    trouble = ProblemCollector()
    option_data = data.get("options", {})
    if not isinstance(option_data, dict):
        trouble.add(problem("options-shape"))
        option_data = {}
    called_options = {
        key: value for key, value in vars(arguments).items() if key in OPTION_KEYS and value is not None
    }
    numbers = {str(file_id): number for number, file_id in ids.items()}
    reader = OptionsReader(
        {**option_data, **called_options},
        lambda file_id: numbers.get(str(file_id)),
        trouble,
        has_pods=has_pods,
    )
    return reader.read(), trouble.problems


def refuse_two_seats(players: Iterable[PlayerId]) -> None:
    """Raise EngineError for players who are fixed at two tables."""
    raise_problems(
        problem("fixed-twice", player=refer_to_player(player))
        for player, times in Counter(players).items()
        if times > 1
    )
