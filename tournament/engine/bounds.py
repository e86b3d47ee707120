"""Chances with rounds still to be paired, by bounds: what they call secure or hopeless is certain."""

from __future__ import annotations

from collections import defaultdict

from tournament.engine.hall import Hall
from tournament.engine.reach import Label


class Bounds:
    """The judge that assumes the worst of all others at once, within the points there are to be won."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.budget = self._budget()
        by_label: defaultdict[Label, list[int]] = defaultdict(list)
        for row in hall.playing:
            by_label[hall.labels[row]].append(row)
        self.by_label = dict(by_label)

    def _budget(self) -> int:
        """The most points that all matches to come can hand out, a bye counting as a match."""
        hall = self.hall
        a_match = max(hall.win + hall.loss, 2 * hall.draw)
        tables = -(-len(hall.playing) // 2)
        return (len(hall.open) + hall.unpaired * tables) * a_match

    def secure(self, row: int, taken: int | None) -> bool:
        """Whether a row is in whatever happens, taking this from its match now and losing all others."""
        hall = self.hall
        line = hall.scores[row] + (taken or 0) + hall.unpaired * hall.loss
        own = self.by_label[hall.labels[row]]
        if any(hall.best(other) >= line for other in own if other != row):
            return False
        needs = sorted(need for label in self.by_label if (need := self._need(label, row, line)) is not None)
        return self._affordable(needs) < hall.size

    def _need(self, label: Label, row: int, line: int) -> int | None:
        """The fewest points that lift a label to a line; None when nothing can."""
        hall = self.hall
        needs = [
            max(line - hall.scores[r], 0) for r in self.by_label[label] if r != row and hall.best(r) >= line
        ]
        return min(needs, default=None)

    def _affordable(self, needs: list[int]) -> int:
        left, count = self.budget, 0
        for need in needs:
            left -= need
            if left < 0:
                break
            count += 1
        return count

    def hopeless(self, row: int, taken: int | None) -> tuple[bool, bool]:
        """Whether a row is out even if it wins all and the others take nothing, and that this is a bound."""
        hall = self.hall
        best = hall.best(row)
        ahead = {hall.labels[r] for r in hall.playing if hall.scores[r] > best}
        return hall.labels[row] in ahead or len(ahead) >= hall.size, False
