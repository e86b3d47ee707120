"""Local rules for one event, laid over a format: data only, shown in words and named in what they change."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from .quoting import in_short


class BadOverlay(ValueError):
    """An overlay that cannot be laid over a format; the message lists every reason."""


class Overlay(NamedTuple):
    """What one organizer changes for one event.

    `bans` and `unbans` are cards by their facts (`{"name": "Ken", "dots": 2}`); a bare name counts as
    `{"name": …}`. `parameters` gives a rule or condition, by its heading or digest row, other parameters
    (None takes a parameter away). `readings` picks one of the readings that a rule offers. `off` lifts rules.
    """

    name: str
    bans: tuple[Mapping[str, object], ...] = ()
    unbans: tuple[Mapping[str, object], ...] = ()
    parameters: Mapping[str, Mapping[str, object]] = MappingProxyType({})
    readings: Mapping[str, str] = MappingProxyType({})
    off: tuple[str, ...] = ()

    @classmethod
    def from_mapping(cls, data: Mapping[str, object]) -> "Overlay":
        """An overlay from plain data. Raises `BadOverlay` with every part that is not understood."""
        problems = [
            f"{in_short(key)} is not a part of an overlay." for key in sorted(set(data) - set(_PARTS))
        ]
        problems += [f"{key} must be {_PARTS[key][1]}." for key in _PARTS if not _fits(data, key)]
        if problems:
            raise BadOverlay(" ".join(problems))
        return cls(
            str(data.get("name", "local rules")),
            _cards(data.get("bans", ())),
            _cards(data.get("unbans", ())),
            {str(rule): _mapping(part) for rule, part in _mapping(data.get("parameters")).items()},
            {str(rule): str(part) for rule, part in _mapping(data.get("readings")).items()},
            tuple(map(str, _sequence(data.get("off", ())))),
        )

    def to_json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "bans": [dict(card) for card in self.bans],
            "unbans": [dict(card) for card in self.unbans],
            "parameters": {rule: dict(values) for rule, values in self.parameters.items()},
            "readings": dict(self.readings),
            "off": list(self.off),
        }

    def in_words(self) -> tuple[str, ...]:
        """Every change as a sentence. `Format.overlay_in_words()` says the same with the rules' own words."""
        return (
            *(f"{card_in_words(card)} is banned here." for card in self.bans),
            *(f"{card_in_words(card)} is allowed here." for card in self.unbans),
            *(f"{rule}: {_values(values)}." for rule, values in self.parameters.items()),
            *(f"{rule} is read as {reading}." for rule, reading in self.readings.items()),
            *(f"{rule} is lifted." for rule in self.off),
        )


def card_in_words(card: Mapping[str, object]) -> str:
    """A card by its facts: "Ken (dots 2)"."""
    rest = ", ".join(f"{fact} {value}" for fact, value in card.items() if fact not in ("name", "title"))
    name = str(card.get("name", card.get("title", "Any card")))
    return f"{name} ({rest})" if rest else name


def _values(values: Mapping[str, object]) -> str:
    return ", ".join(f"no {key}" if value is None else f"{key} {value}" for key, value in values.items())


_PARTS: Mapping[str, tuple[type | tuple[type, ...], str]] = {
    "name": (str, "a name"),
    "bans": ((list, tuple), "a list of cards, each a name or plain facts"),
    "unbans": ((list, tuple), "a list of cards, each a name or plain facts"),
    "parameters": (Mapping, "a table of rules and their parameters"),
    "readings": (Mapping, "a table of rules and readings"),
    "off": ((list, tuple), "a list of rules"),
}


def _fits(data: Mapping[str, object], key: str) -> bool:
    if key not in data:
        return True
    value = data[key]
    if key in ("bans", "unbans"):
        return isinstance(value, list | tuple) and all(_is_card(card) for card in value)
    if key == "parameters":
        return isinstance(value, Mapping) and all(isinstance(part, Mapping) for part in value.values())
    return isinstance(value, _PARTS[key][0])


def _is_card(value: object) -> bool:
    """A name, or facts each of which a card can bear; no facts at all would be every card there is."""
    if not isinstance(value, Mapping):
        return isinstance(value, str) and bool(value.strip())
    return bool(value) and all(isinstance(fact, str | int | list | tuple) for fact in value.values())


def _cards(value: object) -> tuple[Mapping[str, object], ...]:
    return tuple(_mapping(card) if isinstance(card, Mapping) else {"name": card} for card in _sequence(value))


def _sequence(value: object) -> tuple[object, ...]:
    return tuple(value) if isinstance(value, list | tuple) else ()


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}
