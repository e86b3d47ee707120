"""Pairing options of an event: parse, validate and format them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields

from django.utils.translation import gettext_lazy

from decks.shared.refusals import Refused, refuse_all
from rules.reason import quote_value
from tournament.engine.pairing.swiss import FirstRoundMethod

LAST_ROUND = 99

FIRST_ROUND_METHODS = {
    "random": gettext_lazy("Random: any players can meet"),
    "fold": gettext_lazy("Folded: of eight seeds 1 meets 8, 2 meets 7, 3 meets 6, 4 meets 5"),
    "slide": gettext_lazy("Slid: of eight seeds 1 meets 5, 2 meets 6, 3 meets 7, 4 meets 8"),
    "adjacent": gettext_lazy("Adjacent: of eight seeds 1 meets 2, 3 meets 4, 5 meets 6, 7 meets 8"),
}
SEEDINGS = {
    "seed": gettext_lazy("Seed: your own order, 1 is the best seed"),
    "rating": gettext_lazy("Rating: the highest rating is the best seed"),
}
CLUB_SEPARATION = {
    "no": gettext_lazy("May meet: clubs do not matter"),
    "wish": gettext_lazy("Keep apart if possible: without extra rematches or larger point differences"),
    "never": gettext_lazy("Never meet: even if it causes rematches"),
}


@dataclass(frozen=True, slots=True)
class PairingOptions:
    """Options of a pairing.

    `apart` and `apart_rounds` are about players of one club. If no rounds are named, it is every round. With
    `inside_pods`, players of a booster draft meet only others of their pod. Accelerated first rounds and a
    seeded first round go by `seeded_by`; players without a value follow at random.
    """

    first_round: FirstRoundMethod = "random"
    seeded_by: str = "seed"
    accelerated: bool = False
    apart: str = "no"
    apart_rounds: tuple[int, ...] = ()
    fresh_tables: bool = False
    inside_pods: bool = False

    @property
    def needs_seeding(self) -> bool:
        """Whether any option uses the seeding of players."""
        return self.first_round != "random" or self.accelerated

    def keeps_apart_in(self, number: int) -> bool:
        """Return whether players of one club are kept apart in a round."""
        return self.apart != "no" and (not self.apart_rounds or number in self.apart_rounds)

    def as_data(self) -> dict[str, object]:
        """Return the options as stored; `parse_pairing_options` reads them."""
        return {**asdict(self), "apart_rounds": list(self.apart_rounds)}


def parse_pairing_options(data: object) -> PairingOptions:
    """Return the options in data, absent ones as by default.

    Raises Refused with every wrong one at once.
    """
    if not isinstance(data, Mapping):
        raise Refused("options_unreadable", field=OPTIONS_FIELD)
    refuse_all(list(_list_problems(data)))
    values = {field.name: data[field.name] for field in fields(PairingOptions) if field.name in data}
    if "apart_rounds" in values:
        values["apart_rounds"] = tuple(sorted(set(values["apart_rounds"])))
    return PairingOptions(**values)


OPTIONS_FIELD = "pairing_options"
_CHOICES = {"first_round": FIRST_ROUND_METHODS, "seeded_by": SEEDINGS, "apart": CLUB_SEPARATION}


def _list_problems(data: Mapping[str, object]) -> Iterator[Refused]:
    names = {field.name for field in fields(PairingOptions)}
    for name in sorted(set(map(str, data)) - names):
        yield Refused("option_unknown", name=name, names=tuple(sorted(names)))
    for name, choices in _CHOICES.items():
        value = data.get(name, next(iter(choices)))
        if not isinstance(value, str) or value not in choices:
            yield Refused(
                "option_wrong.choice", field=name, name=name, choices=tuple(choices), value=quote_value(value)
            )
    for name in ("accelerated", "fresh_tables", "inside_pods"):
        if not isinstance(data.get(name, False), bool):
            yield Refused("option_wrong.flag", field=name, name=name)
    yield from _list_round_problems(data.get("apart_rounds", []))
    if data.get("accelerated") is True and data.get("first_round", "random") != "random":
        yield Refused("accelerated_and_seeded", field="accelerated")


def _list_round_problems(numbers: object) -> Iterator[Refused]:
    is_valid = isinstance(numbers, (list, tuple)) and all(
        type(number) is int and 1 <= number <= LAST_ROUND for number in numbers
    )
    if not is_valid:
        yield _rounds_refusal(numbers)


def _rounds_refusal(value: object) -> Refused:
    return Refused("rounds_unreadable", field="apart_rounds", value=quote_value(value), last_round=LAST_ROUND)


def parse_round_numbers(text: str) -> tuple[int, ...]:
    """Return the rounds that a text such as “1-3, 5” names, in order.

    Raises Refused for anything else.

    >>> parse_round_numbers("5, 1-3")
    (1, 2, 3, 5)
    """
    numbers: set[int] = set()
    for part in filter(None, re.split(r"[\s,;]+", re.sub(r"\s*[-–]\s*", "-", text.strip()))):
        first, dash, last = part.partition("-")
        ends = [int(end) for end in (first, last if dash else first) if re.fullmatch(r"[0-9]{1,2}", end)]
        if len(ends) < 2 or not 1 <= ends[0] <= ends[1]:
            raise _rounds_refusal(text)
        numbers.update(range(ends[0], ends[1] + 1))
    return tuple(sorted(numbers))


def format_round_numbers(numbers: tuple[int, ...]) -> str:
    """Return rounds as people write them.

    >>> format_round_numbers((1, 2, 3, 5))
    '1-3, 5'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(
        f"{numbers_run[0]}-{numbers_run[-1]}" if len(numbers_run) > 1 else str(numbers_run[0])
        for numbers_run in runs
    )
