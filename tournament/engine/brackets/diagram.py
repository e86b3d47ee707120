"""Compute box positions and lines of a bracket diagram."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RoundShape:
    """One round of a picture.

    Holds which of its places have a match, and how its winners advance. `lines` is "joined" (two places lead
    to one), "straight" (each to its own) or "loose" (no lines).
    """

    has_match: Sequence[bool]
    lines: str


@dataclass(frozen=True, slots=True)
class DiagramFrame:
    """The sizes of a picture in one unit.

    They are a box, the gap between two rounds, and the room for all of it. The first box begins at `left`;
    the places of a round share the room between `top` and `height`.
    """

    box: int
    tall: int
    gap: int
    left: int
    top: int
    height: int

    def left_of(self, column: int) -> int:
        """Return where the boxes of a round begin."""
        return self.left + column * (self.box + self.gap)


@dataclass(frozen=True, slots=True)
class Diagram:
    """The middle of every place, round by round, and all lines as one SVG path."""

    middles: list[list[int]]
    path: str


def lay_out_diagram(rounds: Sequence[RoundShape], frame: DiagramFrame) -> Diagram:
    """Lay out rounds from left to right.

    Each place is between the two that lead to it, or else the places are evenly spread.
    """
    middles: list[list[int]] = []
    for at, shape in enumerate(rounds):
        middles.append(_middles(shape, rounds[at - 1], middles[-1], frame) if at else _spread(shape, frame))
    return Diagram(middles, "".join(_lines(rounds, middles, frame)))


def _spread(shape: RoundShape, frame: DiagramFrame) -> list[int]:
    share = (frame.height - frame.top) // max(len(shape.has_match), 1)
    return [frame.top + share * at + share // 2 for at in range(len(shape.has_match))]


def _middles(shape: RoundShape, earlier: RoundShape, before: list[int], frame: DiagramFrame) -> list[int]:
    count = len(shape.has_match)
    if earlier.lines == "joined" and len(before) > 2 * (count - 1):
        pairs = [before[2 * at : 2 * at + 2] for at in range(count)]
        return [sum(pair) // len(pair) for pair in pairs]
    if earlier.lines == "straight" and len(before) >= count:
        return before[:count]
    return _spread(shape, frame)


def _lines(rounds: Sequence[RoundShape], middles: list[list[int]], frame: DiagramFrame) -> list[str]:
    """Draw a line from each match that leads on.

    It goes to the right, up or down, and into the next box.
    """
    half = frame.gap // 2
    commands: list[str] = []
    for at, shape in enumerate(rounds[:-1]):
        right, after = frame.left_of(at) + frame.box, middles[at + 1]
        for place, (is_match, y) in enumerate(zip(shape.has_match, middles[at], strict=True)):
            target = {"joined": place // 2, "straight": place}.get(shape.lines, len(after))
            if is_match and target < len(after):
                commands.append(f"M{right} {y}h{half}V{after[target]}h{frame.gap - half}")
    return commands
