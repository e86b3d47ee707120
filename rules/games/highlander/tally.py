"""What the checks count of an endurance, added up in one pass over its cards."""

from __future__ import annotations

from rules.deck import Entry

from .view import View

Seat = tuple[Entry, View]


class Tally:
    """Size, editions, slots, gems and titles of the endurance, and the cards that some check must look at.

    `by_title` holds the cards by their own title; `titles` counts cards for every title they bear. `owned`
    are those that are not known to be generic, `masters` the Master cards, `noted` those with errata. In
    `grouped` and `allowing` are also the cards of which groups or allowance are not known; the errata bind
    those in `bound` to other cards, or against them.
    """

    __slots__ = (
        "allowing",
        "bound",
        "by_title",
        "editions",
        "gems",
        "grouped",
        "masters",
        "noted",
        "open_gems",
        "owned",
        "size",
        "slots",
        "titles",
        "undivided",
    )

    def __init__(self, main: list[Seat]) -> None:
        self.size = 0
        self.editions: set[int | None] = set()
        self.slots: set[str] = set()
        self.gems: dict[str, int] = {}
        self.open_gems: list[Seat] = []
        self.titles: dict[str, int] = {}
        self.by_title: dict[str, list[Seat]] = {}
        self.owned: list[Seat] = []
        self.masters: list[Seat] = []
        self.noted: list[Seat] = []
        self.undivided: list[Seat] = []
        self.grouped: list[Seat] = []
        self.allowing: list[Seat] = []
        self.bound: list[Seat] = []
        self._count(main)

    def _count(self, main: list[Seat]) -> None:
        """One loop without calls: this is where judging a legal list spends its time."""
        titles, by_title = self.titles, self.by_title
        for seat in main:
            qty, view = seat[0].qty, seat[1]
            self.size += qty
            self.editions.add(view.edition)
            self.slots.add(view.basic)
            if view.title in by_title:
                by_title[view.title].append(seat)
            else:
                by_title[view.title] = [seat]
            for title in view.titles or (view.title,):
                titles[title] = titles.get(title, 0) + qty
            if not view.is_plain:
                self._add_special(seat)

    def _add_special(self, seat: Seat) -> None:
        entry, view = seat
        if view.gems is None:
            self.open_gems.append(seat)
        else:
            for letter, number in view.gems.items():
                self.gems[letter] = self.gems.get(letter, 0) + number * entry.qty
        if view.owner != "":
            self.owned.append(seat)
        if view.is_master:
            self.masters.append(seat)
        if view.errata:
            self.noted.append(seat)
        if view.titles is None:
            self.undivided.append(seat)
        if view.groups is None or view.groups:
            self.grouped.append(seat)
        if view.allowance is None or view.allowance:
            self.allowing.append(seat)
        if view.is_bound:
            self.bound.append(seat)
