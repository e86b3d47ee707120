"""The search for the fewest changes.

It is a lazy A* over lists, guided by what is wrong with each. Some change of every plan must serve the first
finding looked at, so only moves that may resolve it are tried; what all findings need at least bounds the
plans that are worth a look.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count

from rules.deck import ZONES, Deck, Entry
from rules.formats import Format
from rules.legality import check_deck
from rules.plan.bounds import LeastChanges, Move, Remedy
from rules.plan.remedies import RemedyFinder

Counts = Mapping[tuple[str, str], int]


@dataclass(slots=True)
class Node:
    """A list on the way of the search.

    Holds how many copies of each card are in each zone, what is declared, and how it came about.
    `closed_rules` are the rules for which no card is let in any more; `openings` counts the cards let in so
    far; `least` is how many changes it still needs at least, None before it is judged.
    """

    counts: Counts
    options: Mapping[str, object]
    cost: int = 0
    openings: int = 0
    closed_rules: frozenset[str] = frozenset()
    move: Move | None = None
    before: Node | None = None
    remedies: list[Remedy] = field(default_factory=list)
    least: int | None = None
    is_legal: bool = False

    @property
    def place(self) -> object:
        """Return what makes two lists the same, however they came about."""
        return frozenset(self.counts.items()), self.closed_rules, repr(sorted(self.options.items(), key=repr))

    def moves(self) -> list[Move]:
        """Return the moves that led here."""
        moves = []
        node: Node | None = self
        while node is not None and node.move is not None:
            moves.append(node.move)
            node = node.before
        return moves[::-1]


class PlanSearch:
    """One search from a deck.

    It judges at most `most_judged` lists, and makes at most `most` changes.
    """

    def __init__(
        self, deck: Deck, format: Format, finder: RemedyFinder, *, most: int, most_judged: int
    ) -> None:
        self._deck = deck
        self._format = format
        self._finder = finder
        self._bounds = LeastChanges(format)
        self._most = most
        self._most_judged = most_judged
        self._entries: dict[tuple[str, str, int], Entry] = {}
        self._cards = {entry.card.key: entry.card for _, entry in deck.entries()}
        self.judged_count = 0

    def run(self) -> list[Move] | None:
        """Return the moves of a smallest plan; None if there is none within the bounds."""
        start = Node(self._count(), self._deck.options)
        order = count()
        open_nodes: list[tuple[int, int, int, int, Node]] = [(0, 0, 0, next(order), start)]
        reached_places = {start.place: 0}
        while open_nodes:
            bound, *_, node = heappop(open_nodes)
            if bound > self._most or self.judged_count >= self._most_judged:
                return None
            if node.least is None:
                least = node.cost + self._judge(node)
                if node.is_legal:
                    return node.moves()
                if least > bound:
                    heappush(open_nodes, (least, node.openings, -node.cost, next(order), node))
                    continue
            for child in self._children(node):
                if reached_places.get(child.place, self._most + 1) > child.cost:
                    reached_places[child.place] = child.cost
                    place = (max(bound, child.cost), child.openings, -child.cost, next(order), child)
                    heappush(open_nodes, place)
        return None

    def _count(self) -> Counts:
        counts: dict[tuple[str, str], int] = {}
        for zone, entry in self._deck.entries():
            counts[zone, entry.card.key] = counts.get((zone, entry.card.key), 0) + entry.qty
        return counts

    def _judge(self, node: Node) -> int:
        """Judge the list, and return how many changes it needs at least."""
        self.judged_count += 1
        deck = self._deck_of(node)
        verdict = check_deck(deck, self._format)
        node.is_legal = verdict.outcome == "legal"
        node.remedies = [self._finder.find(finding, deck, node.closed_rules) for finding in verdict.errors]
        node.least = self._bounds.count(node.remedies, deck)
        return node.least

    def _children(self, node: Node) -> Iterator[Node]:
        """Yield the lists one move further, for the finding with the fewest moves."""
        remedies = [remedy for remedy in node.remedies if remedy.moves]
        if remedies and not any(remedy.is_hopeless for remedy in node.remedies):
            for move in min(remedies, key=lambda each: len(each.moves)).moves:
                yield self._after(node, move)

    def _after(self, node: Node, move: Move) -> Node:
        counts, options = dict(node.counts), node.options
        if move.card is None:
            options = {**options, **move.options}
        else:
            key = move.card.key
            self._cards.setdefault(key, move.card)
            if move.action in ("remove", "move"):
                counts[move.zone, key] -= 1
                if not counts[move.zone, key]:
                    del counts[move.zone, key]
            if move.action in ("add", "move"):
                place = (move.target or move.zone, key)
                counts[place] = counts.get(place, 0) + 1
        closed_rules = node.closed_rules | {move.closes} if move.closes else node.closed_rules
        return Node(counts, options, node.cost + 1, node.openings + move.is_opening, closed_rules, move, node)

    def _deck_of(self, node: Node) -> Deck:
        zones: dict[str, list[Entry]] = {zone: [] for zone in ZONES}
        for (zone, key), qty in node.counts.items():
            zones[zone].append(self._entry(zone, key, qty))
        main, sideboard, pregame = (tuple(zones[zone]) for zone in ZONES)
        return Deck(self._deck.game, main, sideboard, pregame, self._deck.pool, node.options)

    def _entry(self, zone: str, key: str, qty: int) -> Entry:
        place = (zone, key, qty)
        if place not in self._entries:
            self._entries[place] = Entry(self._cards[key], qty)
        return self._entries[place]
