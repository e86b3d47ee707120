"""Choices for an import as a program sends them.

A choice that fits nothing is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from decks.shared.api_requests import unknown_name
from decks.shared.refusals import Refused, refuse_all
from tournament.access.player_details import list_fields
from tournament.events.models.event import Event
from tournament.registration import player_csv
from tournament.registration.import_choices import NEW_PERSON
from tournament.registration.player_csv import ChosenColumns, PlayerCsv
from tournament.shared.text import fold_name


# Any: values that a serializer has checked.
def read_chosen_columns(values: Mapping[str, Any], event: Event) -> ChosenColumns:
    """Read the choices of columns.

    Raises Refused for a column that is not there, or no name of a column.
    """
    undecided_columns = ChosenColumns(has_header=values["has_header"])
    if not values["columns"]:
        return undecided_columns
    columns = player_csv.read_columns(values["csv"], event, undecided_columns).columns
    names = [*player_csv.COLUMN_NAMES, *(field.key for field in list_fields(event.game))]
    chosen_columns: dict[int, tuple[str, str]] = {}
    problems = []
    for choice in values["columns"]:
        place, read_as = choice["column"] - 1, choice["read_as"]
        if place >= len(columns) or place in chosen_columns:
            problems.append(Refused("no_such_column", field="columns", column=place + 1, count=len(columns)))
        elif read_as and read_as not in names:
            problems.append(unknown_name("unknown_column_name", read_as, names))
        else:
            chosen_columns[place] = (read_as, columns[place].heading)
    refuse_all(problems)
    return ChosenColumns(chosen_columns, undecided_columns.has_header)


def read_chosen_persons(
    persons: Iterable[Mapping[str, int | None]], event: Event, table: PlayerCsv
) -> dict[int, tuple[str, str]]:
    """Read the person of each line.

    Raises Refused for a line or a player of its name that is not there.
    """
    names = {line.line_number: fold_name(line.values["name"]) for line in table.lines}
    players = {player.number: fold_name(player.name) for player in event.players.all()}
    chosen_persons: dict[int, tuple[str, str]] = {}
    problems = []
    for choice in persons:
        line, number = choice["line"], choice["player"]
        if line is None or line not in names or line in chosen_persons:
            problems.append(Refused("no_such_line", field="persons", line=line))
        elif number is not None and players.get(number) != names[line]:
            problems.append(Refused("no_such_namesake", field="persons", line=line, number=number))
        else:
            chosen_persons[line] = (NEW_PERSON if number is None else str(number), names[line])
    refuse_all(problems)
    return chosen_persons
