"""How long an event's rounds last beyond their minutes: the organizer's choices, read from the kept data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from decks.shared.refusals import Refused, refuse_all

LONGEST = 600
FIELD = "clock_options"


@dataclass(frozen=True, slots=True)
class ClockOptions:
    """All in minutes.

    `warning`: so long before the end; None as the game's rule has it, 0 for none. `hidden_from` and
    `hidden_to`: the end is drawn at random between them and stays hidden until it comes; None for an end that
    everybody knows. `elimination`: the length of a match in a bracket; None as in the other rounds, 0 for no
    clock at all.
    """

    warning: int | None = None
    hidden_from: int | None = None
    hidden_to: int | None = None
    elimination: int | None = None

    @property
    def is_hidden(self) -> bool:
        """Whether the end of a round is drawn at random."""
        return self.hidden_from is not None

    def as_data(self) -> dict[str, Any]:
        """The choices as they are kept; `read_clock` reads them again."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def read_clock(data: Any) -> ClockOptions:
    """The options in data, absent ones as by default. Raises Refused with every wrong one at once."""
    if not isinstance(data, Mapping):
        raise Refused("clock_unreadable", "Options of the clock are names and minutes.", field=FIELD)
    refuse_all(list(_problems(data)))
    return ClockOptions(**{f.name: data[f.name] for f in fields(ClockOptions) if f.name in data})


def _problems(data: Mapping[str, Any]) -> Iterator[Refused]:
    names = {field.name for field in fields(ClockOptions)}
    for name in sorted(set(map(str, data)) - names):
        yield Refused(
            "clock_option_unknown",
            f"There is no option “{name[:40]}” of the clock; there are {', '.join(sorted(names))}.",
        )
    wrong = [name for name in sorted(names & set(data)) if not _is_minutes(data[name])]
    for name in wrong:
        yield Refused("clock_minutes_wrong", f"Minutes are whole numbers from 0 to {LONGEST}.", field=name)
    if not wrong:
        yield from _range_problems(data.get("hidden_from"), data.get("hidden_to"))


def _is_minutes(value: Any) -> bool:
    return value is None or (type(value) is int and 0 <= value <= LONGEST)


def _range_problems(earliest: int | None, latest: int | None) -> Iterator[Refused]:
    if (earliest is None) != (latest is None):
        yield Refused(
            "clock_range_half",
            "An end drawn at random needs both minutes, the earliest and the latest.",
            fix="Fill in both, or neither.",
            field="hidden_to" if latest is None else "hidden_from",
        )
    elif earliest is not None and latest is not None and not 1 <= earliest <= latest:
        yield Refused(
            "clock_range_empty",
            f"There is no end between {earliest} and {latest} minutes.",
            fix="Begin with at least 1 minute, and put the earlier one first.",
            field="hidden_from",
        )
