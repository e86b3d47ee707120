"""Clock options of an event: parse and check them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import TypeGuard

from decks.shared.refusals import Refused, refuse_all

MAX_MINUTES = 600

CLOCK_FIELD = "clock_options"


@dataclass(frozen=True, slots=True)
class ClockOptions:
    """All in minutes.

    `warning`: so long before the end; None as the game's rule has it, 0 for none. `hidden_from` and
    `hidden_to`: the end is drawn at random between them and stays hidden until it comes; None for an end that
    everyone knows. `elimination`: the length of a match in a bracket; None as in the other rounds, 0 for no
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

    def as_data(self) -> dict[str, object]:
        """Return the options as stored; `parse_clock_options` reads them."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def parse_clock_options(data: object) -> ClockOptions:
    """Return the options in data, absent ones as by default.

    Raises Refused with every wrong one at once.
    """
    if not isinstance(data, Mapping):
        raise Refused("clock_unreadable", field=CLOCK_FIELD)
    refuse_all(list(_option_problems(data)))
    return ClockOptions(**{f.name: data[f.name] for f in fields(ClockOptions) if f.name in data})


def _option_problems(data: Mapping[str, object]) -> Iterator[Refused]:
    names = {field.name for field in fields(ClockOptions)}
    for name in sorted(set(map(str, data)) - names):
        yield Refused("clock_option_unknown", name=name[:40], names=tuple(sorted(names)))
    given_names = sorted(names & set(data))
    minutes = {name: value for name in given_names if _is_minutes(value := data[name])}
    wrong_names = [name for name in given_names if name not in minutes]
    for name in wrong_names:
        yield Refused("clock_minutes_wrong", field=name, max_minutes=MAX_MINUTES)
    if not wrong_names:
        yield from _range_problems(minutes.get("hidden_from"), minutes.get("hidden_to"))


def _is_minutes(value: object) -> TypeGuard[int | None]:
    return value is None or (type(value) is int and 0 <= value <= MAX_MINUTES)


def _range_problems(earliest: int | None, latest: int | None) -> Iterator[Refused]:
    if (earliest is None) != (latest is None):
        yield Refused("clock_range_half", field="hidden_to" if latest is None else "hidden_from")
    elif earliest is not None and latest is not None and not 1 <= earliest <= latest:
        yield Refused("clock_range_empty", field="hidden_from", earliest=earliest, latest=latest)
