"""Building a deck in a limited format, with pods and build time.

The file of the format describes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LEFT, RIGHT = "left", "right"
DIRECTIONS = (LEFT, RIGHT)

FEWEST_IN_POD, MOST_IN_POD = 2, 16
MOST_BUILD_MINUTES = 600


@dataclass(frozen=True, slots=True)
class DraftPods:
    """The pods in which packs are passed: their sizes, and where the first pack goes.

    `clause` says where the document orders the passing; empty if it is a default of Ringside.
    """

    least: int
    most: int
    usual: int
    packs: int
    first: str = LEFT
    clause: str = ""

    @property
    def order(self) -> tuple[str, str]:
        """Both directions, that of the first pack first."""
        return (LEFT, RIGHT) if self.first == LEFT else (RIGHT, LEFT)

    def direction(self, pack: int) -> str:
        """Return where a pack goes, counted from 1: the direction changes with each pack."""
        return self.order[(pack - 1) % 2]

    def packs_to(self, direction: str) -> tuple[int, ...]:
        """Return the packs that go in a direction."""
        return tuple(pack for pack in range(1, self.packs + 1) if self.direction(pack) == direction)


@dataclass(frozen=True, slots=True)
class LimitedPlay:
    """The time before round 1.

    Holds the minutes to draft and build, and the pods, if packs are passed. `clause` says where the document
    has the minutes; empty if they are a default of Ringside.
    """

    minutes: int
    pods: DraftPods | None = None
    clause: str = ""


def parse_limited_play(table: object) -> LimitedPlay | None:
    """Read build time and pods of a format's file.

    None for a format to which players bring their decks.
    """
    if not isinstance(table, Mapping):
        return None
    return LimitedPlay(table.get("minutes", 0), _parse_pods(table.get("pods")), str(table.get("clause", "")))


def _parse_pods(table: object) -> DraftPods | None:
    if not isinstance(table, Mapping):
        return None
    least = table.get("least", FEWEST_IN_POD)
    return DraftPods(
        least,
        table.get("most", MOST_IN_POD),
        table.get("usual", least),
        table.get("packs", 1),
        str(table.get("first", LEFT)),
        str(table.get("clause", "")),
    )


def is_possible_limited(limited: LimitedPlay) -> bool:
    """Return whether the numbers of a format's file make sense together."""
    pods = limited.pods
    if not 1 <= limited.minutes <= MOST_BUILD_MINUTES or pods is None:
        return 1 <= limited.minutes <= MOST_BUILD_MINUTES
    sizes = [FEWEST_IN_POD, pods.least, pods.usual, pods.most, MOST_IN_POD]
    return sizes == sorted(sizes) and pods.packs >= 1 and pods.first in DIRECTIONS
