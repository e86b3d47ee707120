"""Where those beaten in the winners' side enter the losers' side, so that rematches come as late as possible.

Places of a losers' round are numbers whose lowest bit falls away whenever neighbours merge. Those beaten in
winners' round r enter at their own place with some bits turned over. Two of them who have met before (one
beat the other in an earlier round) can meet again once their turned-over bits agree, so each round is given
its own pattern; where patterns run out, those rounds share one whose losers are least likely to be still in.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

SURVIVAL = 4


@dataclass(slots=True)
class _Group:
    """Winners' rounds that share a pattern so far: the bits of each, the lowest first."""

    bits: dict[int, list[int]] = field(default_factory=dict)

    @property
    def weight(self) -> int:
        """How likely somebody out of these rounds is still in: each round later takes two wins fewer."""
        return sum(SURVIVAL**number for number in self.bits)


@cache
def crossings(depth: int) -> dict[int, int]:
    """The bits to turn over for those beaten in winners' rounds 2 to `depth`, by round.

    At each step the patterns at hand are joined so that the least likely rematches come first: the rounds
    with most survivors with those with fewest. The newly beaten take the pattern with the fewest survivors.
    """
    groups = [_Group() for _ in range(2 ** max(depth - 2, 0))]
    groups[0].bits[1] = []
    for number in range(2, depth + 1):
        min(groups, key=lambda group: group.weight).bits[number] = []
        groups = _joined(groups)
    patterns = {number: _number(bits) for number, bits in groups[0].bits.items()}
    first = patterns.pop(1)
    return {number: pattern ^ (first >> (number - 2)) for number, pattern in patterns.items()}


def _joined(groups: list[_Group]) -> list[_Group]:
    """Neighbours merge: half as many groups, the heaviest with the lightest, each with one more bit."""
    ordered = sorted(groups, key=lambda group: group.weight)
    half = len(ordered) // 2
    return [
        _join(light, heavy) for light, heavy in zip(ordered[:half], reversed(ordered), strict=False)
    ] or ordered


def _join(light: _Group, heavy: _Group) -> _Group:
    joined = _Group()
    for bit, group in enumerate((heavy, light)):
        joined.bits |= {number: [*bits, bit] for number, bits in group.bits.items()}
    return joined


def _number(bits: list[int]) -> int:
    return sum(bit << place for place, bit in enumerate(bits))
