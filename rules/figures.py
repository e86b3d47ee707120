"""Figures of a deck.

They are what it holds against what its format allows, its types, and what its game counts. Sizes, copies and
types follow from the rules of the format. What a game counts beside them, such as how hard its cards are to
play, is declared in the tables `figures` of its `cards.toml`: a `fact` whose values are counted, or a
`measure` that the game's own code registers:

    @measure("highlander.gems")
    def measure_gems(deck: Deck, rule: Rule) -> Iterator[Bar]: ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from rules.cards import DeclaredFigure
from rules.deck import UNKNOWN, Deck, Entry
from rules.formats import Format
from rules.rendering import say, translate_text
from rules.rule import Rule, ZoneSize

BarState = Literal["ok", "under", "over", "open"]


@dataclass(frozen=True, slots=True)
class Bar:
    """One number of a figure, with its limits.

    `is_open` where something of it is not known. With `or_none`, nothing at all is allowed whatever the
    minimum. `scale` is the number that a whole bar stands for, if several are compared.
    """

    label: str
    count: int
    least: int = 0
    most: int | None = None
    is_open: bool = False
    or_none: bool = False
    scale: int = 0

    @property
    def width(self) -> int:
        """How much of a whole bar is filled, in percent."""
        return min(100, 100 * self.count // (self.scale or self.full_count))

    @property
    def full_count(self) -> int:
        """The number that fills the bar where it is alone."""
        return max(self.count, self.most or self.least, 1)

    @property
    def state(self) -> BarState:
        """Whether the number is within its limits."""
        if self.most is not None and self.count > self.most:
            return "over"
        if self.is_open:
            return "open"
        return "under" if self.count < self.least and not (self.or_none and not self.count) else "ok"

    @property
    def limit_words(self) -> str:
        """The limits in words; empty without any."""
        if self.or_none and self.least == self.most:
            return say("figure", "none-or", least=self.least)
        if self.least and self.least == self.most:
            return say("figure", "exactly", least=self.least)
        if self.least and self.most is not None:
            return say("figure", "between", least=self.least, most=self.most)
        if self.most is not None:
            return say("figure", "at-most", most=self.most)
        return say("figure", "at-least", least=self.least) if self.least else ""


@dataclass(frozen=True, slots=True)
class Figure:
    """Numbers that belong together.

    They are "limits" against the format, "types", or what the game declares.
    """

    key: str
    label: str
    bars: tuple[Bar, ...]

    def scale_bars(self) -> Figure:
        """Return the same with bars that can be compared."""
        scale = max([bar.full_count for bar in self.bars], default=1)
        return replace(self, bars=tuple(replace(bar, scale=scale) for bar in self.bars))


Measure = Callable[[Deck, Rule], Iterable[Bar]]

_measures: dict[str, Measure] = {}


def measure(name: str) -> Callable[[Measure], Measure]:
    """Register what a game's code counts, under the name that its data gives."""

    def register(count: Measure) -> Measure:
        _measures[name] = count
        return count

    return register


def has_measure(name: str) -> bool:
    """Return whether the code of a game registered it."""
    return name in _measures


def list_figures(deck: Deck, format: Format) -> tuple[Figure, ...]:
    """Return the figures of a deck under a format, those without a number left out."""
    limits = Figure("limits", say("figure", "limits"), tuple(_limits(deck, format)))
    measured_figures = (_measure(each, deck, format) for each in format.game.cards.figures if each.measure)
    return (
        limits,
        *count_figures(deck, format),
        *(each.scale_bars() for each in measured_figures if each.bars),
    )


def count_figures(deck: Deck, format: Format) -> tuple[Figure, ...]:
    """Return the cards of a deck by type and by the facts that the game counts.

    Several decks are counted as one.
    """
    types = Figure("types", say("figure", "types"), tuple(_values(deck, format, "type", ("main",))))
    figure_kinds = (
        Figure(each.key, translate_text(each.label), tuple(_values(deck, format, each.fact, each.zones)))
        for each in format.game.cards.figures
        if each.fact
    )
    return tuple(figure.scale_bars() for figure in (types, *figure_kinds) if figure.bars)


def _limits(deck: Deck, format: Format) -> Iterator[Bar]:
    sizes = format.rules[0].setting.sizes if format.rules else {}
    for zone in format.game.zones:
        size = sizes.get(zone, ZoneSize())
        if zone == "main" or deck.size(zone) or size.least:
            label = say("figure", "zone", zone=zone)
            yield Bar(
                label, deck.size(zone), size.least, size.most, bool(deck.unreadable((zone,))), size.or_none
            )
    for rule in format.rules:
        if rule.check == "copies":
            yield _most_copies(deck, rule)
        elif rule.check == "needs_type":
            yield _of_type(deck, rule)


def _most_copies(deck: Deck, rule: Rule) -> Bar:
    """Return the copies of the card of which there are most."""
    zones, most = rule.params.get("zones", ("main",)), rule.params.get("max")
    totals: dict[object, int] = {}
    for _, entry, identity in rule.lists.identify_entries(deck, zones if isinstance(zones, tuple) else ()):
        place = identity.exact or entry.card.key
        totals[place] = totals.get(place, 0) + entry.qty
    most_copies = max(totals.values(), default=0)
    return Bar(say("figure", "copies"), most_copies, 0, most if type(most) is int else None)


def _of_type(deck: Deck, rule: Rule) -> Bar:
    """Return the cards of a type that a zone needs."""
    types, zone = rule.params.get("types"), str(rule.params.get("zone", "main"))
    wanted_types = [str(each).casefold() for each in types] if isinstance(types, list | tuple) else []
    typed_entries = [(entry, entry.card.get("type")) for entry in deck.zone(zone)]
    card_count = sum([entry.qty for entry, kind in typed_entries if str(kind).casefold() in wanted_types])
    is_open = not card_count and any(kind is UNKNOWN for _, kind in typed_entries)
    return Bar(
        translate_text(wanted_types[0]).capitalize() if wanted_types else "", card_count, 1, None, is_open
    )


def _measure(figure: DeclaredFigure, deck: Deck, format: Format) -> Figure:
    count = _measures.get(figure.measure)
    bars = tuple(count(deck, format.rules[0])) if count and format.rules else ()
    return Figure(figure.key, translate_text(figure.label), bars)


def _values(deck: Deck, format: Format, fact: str, zones: Iterable[str]) -> Iterator[Bar]:
    """Yield how many cards have each value of a fact; nothing if it is known of none."""
    counts: dict[object, int] = {}
    for _, entry in deck.entries(zones):
        value = _value(entry, fact)
        counts[value] = counts.get(value, 0) + entry.qty
    unknown = counts.pop(UNKNOWN, 0)
    order = format.game.checking_order
    for value in sorted(counts, key=lambda each: _rank(each, order)):
        yield Bar(translate_text(str(value)), counts[value])
    if unknown and counts:
        yield Bar(say("figure", "unknown"), unknown, is_open=True)


def _value(entry: Entry, fact: str) -> object:
    value = entry.card.get(fact)
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return value.capitalize() if isinstance(value, str) else value


def _rank(value: object, order: tuple[str, ...]) -> tuple[int, int, str]:
    """Return the sort key of a value.

    Numbers are sorted by size, types in the order in which a judge counts them, and other words
    alphabetically.
    """
    if type(value) is int:
        return (0, value, "")
    word = str(value).casefold()
    return (1, order.index(word) if word in order else len(order), word)
