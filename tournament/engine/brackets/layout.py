"""Lay out single and double elimination brackets as data.

Seeding is the usual one: the best two can meet in the final only, and missing entrants are byes of the best
seeds in the first round. In a double elimination those beaten cross over into the losers' side
(`compute_crossings`), so that two players meet again as late as the shape of the bracket allows. A group is a
double elimination of three or four that ends with two who qualify. `playing` plays a bracket.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, NamedTuple

from rules.text import truncate
from tournament.engine.problems import make_error

Kind = Literal["single", "double", "group"]

BracketSection = Literal["W", "L", "GF", "3P", "C"]

Seed = int

MatchId = int

MOST_ENTRANTS = 4096

GROUP_SIZES = (3, 4)

# With four players, the match for third place is the whole consolation bracket.
FEWEST_WITH_CONSOLATION = 6


class Feed(NamedTuple):
    """The source of a player of a match.

    It is the winner or the loser of an earlier match.
    """

    outcome: Literal["winner", "loser"]
    match: MatchId


Source = Seed | Feed | None


class BracketMatch(NamedTuple):
    """One match.

    `p1` and `p2` are seeds known from the start. Otherwise they are None, and `p1_from` and `p2_from` name
    the earlier match. `round` counts within the side, `wave` over the whole bracket: matches of one wave can
    run side by side. `winner_to` and `loser_to` are the next matches (None: champion, or out), with the slot
    (1 or 2) there. `if_needed` marks the second grand final, played only when the first is won out of the
    losers' side.
    """

    id: MatchId
    side: BracketSection
    round: int
    wave: int
    p1: Seed | None
    p2: Seed | None
    p1_from: Feed | None = None
    p2_from: Feed | None = None
    winner_to: MatchId | None = None
    winner_slot: int | None = None
    loser_to: MatchId | None = None
    loser_slot: int | None = None
    if_needed: bool = False


class Bracket(NamedTuple):
    """All matches in the order of their ids.

    The matches can be played in this order.
    """

    kind: Kind
    entrants: int
    third_place: bool
    matches: tuple[BracketMatch, ...]
    reset: bool = False

    def match(self, number: MatchId) -> BracketMatch:
        """Return the match with an id. Raises EngineError when there is none."""
        if not 1 <= number <= len(self.matches):
            raise make_error("match-unknown", match=truncate(number), count=len(self.matches))
        return self.matches[number - 1]

    @property
    def rounds(self) -> dict[BracketSection, int]:
        """How many rounds each side has."""
        last_rounds: dict[BracketSection, int] = {}
        for match in self.matches:
            last_rounds[match.side] = max(last_rounds.get(match.side, 0), match.round)
        return last_rounds


class _Slotted(NamedTuple):
    """A match before it has its place.

    Holds its side, the round in it, and where its two players come from.
    """

    side: BracketSection
    round: int
    one: Source
    two: Source


def seed_order(size: int) -> list[Seed]:
    """Return the seeds in the order of the first round's places.

    The size is a power of two.
    """
    order = [1]
    while len(order) < size:
        order = [seed for best in order for seed in (best, 2 * len(order) + 1 - best)]
    return order


@cache
def build_bracket(
    kind: Kind,
    entrants: int,
    third_place: bool = False,
    *,
    consolation: bool = False,
    reset: bool = True,
) -> Bracket:
    """Return a bracket for a number of entrants.

    The entrants are known by their seeds, from 1 (best) to `entrants`. `consolation` lets those beaten in the
    first round of a single elimination play for their places. Without `reset`, one grand final decides a
    double elimination.

    Raises EngineError for fewer than one or more than 4,096 entrants, an unknown kind, a third-place match or
    a consolation bracket if no two could play it, and a group of other than three or four.
    """
    _refuse_bad_bracket(kind, entrants, third_place, consolation)
    draft = _LayoutDraft(entrants)
    if kind == "single":
        draft.single(third_place, consolation)
    elif kind == "group":
        draft.group()
    elif entrants > 1:
        draft.double(reset)
    has_reset = kind == "double" and reset and entrants > 1
    return Bracket(kind, entrants, third_place, _link_matches(draft.matches), has_reset)


def _refuse_bad_bracket(kind: str, entrants: int, third_place: bool, consolation: bool) -> None:
    if kind not in ("single", "double", "group"):
        raise make_error("bracket-kind", kind=truncate(kind))
    if not 1 <= entrants <= MOST_ENTRANTS:
        raise make_error("bracket-size", most=MOST_ENTRANTS, entrants=truncate(entrants))
    if kind == "group" and entrants not in GROUP_SIZES:
        raise make_error("bracket-group", entrants=entrants)
    if third_place and (kind != "single" or entrants < 4):
        raise make_error("bracket-third")
    if consolation and (kind != "single" or not can_have_consolation(entrants)):
        raise make_error("bracket-consolation")


def can_have_consolation(entrants: int) -> bool:
    """Return whether first-round losers can play on among themselves.

    This depends on the given number of entrants.
    """
    beaten_count = entrants - 2 ** ((entrants - 1).bit_length() - 1) if entrants > 1 else 0
    return entrants >= FEWEST_WITH_CONSOLATION and beaten_count > 1


class _LayoutDraft:
    """Matches being laid out in the order of their ids.

    A match without a second player is never laid out.
    """

    def __init__(self, entrants: int) -> None:
        self.entrants = entrants
        self.depth = (entrants - 1).bit_length()
        self.matches: list[_Slotted] = []

    def lay(
        self, side: BracketSection, number: int, pairs: Iterator[tuple[Source, Source]]
    ) -> list[tuple[Source, Source]]:
        """Lay out a round; for each pair who comes out as (winner, loser).

        Who has no opponent passes.
        """
        return [self._outcome(side, number, one, two) for one, two in pairs]

    def _outcome(self, side: BracketSection, number: int, one: Source, two: Source) -> tuple[Source, Source]:
        if one is None or two is None:
            return (two if one is None else one), None
        self.matches.append(_Slotted(side, number, one, two))
        return Feed("winner", len(self.matches)), Feed("loser", len(self.matches))

    def first_round(self) -> list[Source]:
        """Return the places of the first round; seeds beyond the entrants are empty."""
        return [seed if seed <= self.entrants else None for seed in seed_order(2**self.depth)]

    def single(self, third_place: bool, consolation: bool) -> None:
        """Lay out a single elimination.

        If wanted, it has a match for third place and a consolation bracket.
        """
        field, out, consolation_sources = self.first_round(), list[Source](), list[Source]()
        for number in range(1, self.depth + 1):
            if len(consolation_sources) > 1:
                consolation_sources = [
                    winner for winner, _ in self.lay("C", number - 1, _neighbours(consolation_sources))
                ]
            if third_place and number == self.depth:
                self.lay("3P", 1, iter([(out[0], out[1])]))
            field, out = self._winners_round(number, field)
            if consolation and number == 1:
                consolation_sources = out

    def group(self) -> None:
        """Lay out two rounds of winners and two of losers.

        The last beaten winner meets the last unbeaten loser.
        """
        winners, beaten_sources = self._winners_round(1, self.first_round())
        _, [last_beaten] = self._winners_round(2, winners)
        [survivor] = self._merge(1, beaten_sources)
        self.lay("L", 2, iter([(last_beaten, survivor)]))

    def double(self, reset: bool) -> None:
        """Lay out a double elimination.

        Each winners' round is followed by the losers' rounds that it allows.
        """
        winners, beaten_sources = self._winners_round(1, self.first_round())
        if self.depth > 1:
            losers_field = beaten_sources
            winners, beaten_sources = self._winners_round(2, winners)
            losers_field = self._merge(1, losers_field)
            for number in range(3, self.depth + 1):
                winners, next_beaten = self._winners_round(number, winners)
                losers_field = self._merge(
                    2 * number - 3, self._cross(2 * number - 4, losers_field, beaten_sources)
                )
                beaten_sources = next_beaten
            beaten_sources = self._cross(2 * self.depth - 2, losers_field, beaten_sources)
        self._grand_final(winners[0], beaten_sources[0], reset)

    def _winners_round(self, number: int, field: list[Source]) -> tuple[list[Source], list[Source]]:
        outcomes = self.lay("W", number, _neighbours(field))
        return [winner for winner, _ in outcomes], [loser for _, loser in outcomes]

    def _merge(self, number: int, field: list[Source]) -> list[Source]:
        return [winner for winner, _ in self.lay("L", number, _neighbours(field))]

    def _cross(self, number: int, field: list[Source], beaten_sources: list[Source]) -> list[Source]:
        """Return a losers' round that those just beaten enter.

        Each is placed far from those they have met.
        """
        mask = compute_crossings(self.depth)[number // 2 + 1]
        pairs = ((beaten_sources[place ^ mask], other) for place, other in enumerate(field))
        return [winner for winner, _ in self.lay("L", number, pairs)]

    def _grand_final(self, winner: Source, challenger: Source, reset: bool) -> None:
        number = len(self.matches) + 1
        self.lay("GF", 1, iter([(winner, challenger)]))
        if reset:
            self.lay("GF", 2, iter([(Feed("winner", number), Feed("loser", number))]))


def _neighbours(field: list[Source]) -> Iterator[tuple[Source, Source]]:
    return zip(field[::2], field[1::2], strict=True)


def _link_matches(drafts: list[_Slotted]) -> tuple[BracketMatch, ...]:
    """Return matches with the links to their next matches.

    These links are those of the feeds in reverse.
    """
    matches: list[BracketMatch] = []
    for number, draft in enumerate(drafts, 1):
        feeds = [_get_feed(source) for source in (draft.one, draft.two)]
        matches.append(
            _match(number, draft, 1 + max((matches[f.match - 1].wave for f in feeds if f), default=0))
        )
        for slot, feed in enumerate(feeds, 1):
            if feed:
                matches[feed.match - 1] = _onward(matches[feed.match - 1], feed, number, slot)
    return tuple(matches)


def _match(number: MatchId, draft: _Slotted, wave: int) -> BracketMatch:
    return BracketMatch(
        id=number,
        side=draft.side,
        round=draft.round,
        wave=wave,
        p1=draft.one if isinstance(draft.one, int) else None,
        p2=draft.two if isinstance(draft.two, int) else None,
        p1_from=_get_feed(draft.one),
        p2_from=_get_feed(draft.two),
        if_needed=draft.side == "GF" and draft.round == 2,
    )


def _get_feed(source: Source) -> Feed | None:
    return source if isinstance(source, Feed) else None


def _onward(match: BracketMatch, feed: Feed, number: MatchId, slot: int) -> BracketMatch:
    if feed.outcome == "winner":
        return match._replace(winner_to=number, winner_slot=slot)
    return match._replace(loser_to=number, loser_slot=slot)


SURVIVAL = 4


@dataclass(slots=True)
class _Group:
    """Winners' rounds that share a pattern so far.

    Holds the bits of each, the lowest first.
    """

    bits: dict[int, list[int]] = field(default_factory=dict)

    @property
    def weight(self) -> int:
        """Return how likely a player is still in: each later round takes two wins fewer."""
        return sum(SURVIVAL**number for number in self.bits)


@cache
def compute_crossings(depth: int) -> dict[int, int]:
    """Return the bits to flip for those beaten in winners' rounds 2 to `depth`.

    The bits are given by round. At each step the patterns at hand are joined so that the least likely
    rematches come first: the rounds with most survivors with those with fewest. The newly beaten take the
    pattern with the fewest survivors.
    """
    groups = [_Group() for _ in range(2 ** max(depth - 2, 0))]
    groups[0].bits[1] = []
    for number in range(2, depth + 1):
        min(groups, key=lambda group: group.weight).bits[number] = []
        groups = _merge_groups(groups)
    patterns = {number: _number(bits) for number, bits in groups[0].bits.items()}
    first = patterns.pop(1)
    return {number: pattern ^ (first >> (number - 2)) for number, pattern in patterns.items()}


def _merge_groups(groups: list[_Group]) -> list[_Group]:
    """Merge groups into half as many, the heaviest with the lightest.

    Each merged group has one more bit.
    """
    ordered_groups = sorted(groups, key=lambda group: group.weight)
    half = len(ordered_groups) // 2
    return [
        _merge_pair(light, heavy)
        for light, heavy in zip(ordered_groups[:half], reversed(ordered_groups), strict=False)
    ] or ordered_groups


def _merge_pair(light: _Group, heavy: _Group) -> _Group:
    joined_group = _Group()
    for bit, group in enumerate((heavy, light)):
        joined_group.bits |= {number: [*bits, bit] for number, bits in group.bits.items()}
    return joined_group


def _number(bits: list[int]) -> int:
    return sum(bit << place for place, bit in enumerate(bits))
