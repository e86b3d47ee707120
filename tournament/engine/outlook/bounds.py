"""Chances with rounds still to be paired, by bounds: what they call secure or hopeless is certain."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from functools import cache

from tournament.engine.outlook.hall import Hall
from tournament.engine.outlook.reach import Label


class Bounds:
    """The judge that assumes the worst of all others at once, within the points there are to be won.

    Answers for one line are shared by all who end there, so only the number of different scores counts.
    """

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.budget = _budget(hall)
        rows = defaultdict[Label, list[int]](list)
        for row in hall.playing:
            rows[hall.labels[row]].append(row)
        self.rows = dict(rows)
        self.bests = {label: sorted(map(hall.best, found)) for label, found in rows.items()}
        self.tops = sorted(max(hall.scores[row] for row in found) for found in rows.values())
        self._needs = cache(self._find_needs)

    def secure(self, row: int, taken: int | None) -> bool:
        """Whether a row is in whatever happens, taking this from its match now and losing all others."""
        hall = self.hall
        line = hall.scores[row] + (taken or 0) + hall.unpaired * hall.loss
        bests = self.bests[hall.labels[row]]
        if len(bests) - bisect_left(bests, line) > 1:
            return False
        return self._lifted(self._needs(line), line - hall.scores[row]) < hall.size

    def _find_needs(self, line: int) -> Sequence[int]:
        """For each label that can get to a line the fewest points that it takes, in order."""
        hall = self.hall
        needs = []
        for rows in self.rows.values():
            reaching = [line - hall.scores[row] for row in rows if hall.best(row) >= line]
            if reaching:
                needs.append(max(min(reaching), 0))
        return sorted(needs)

    def _lifted(self, needs: Sequence[int], own: int) -> int:
        """How many labels besides one's own can be lifted at once, counted up to the places of the cut."""
        mine = bisect_left(needs, max(own, 0))
        left, count = self.budget, 0
        for place, need in enumerate(needs):
            left -= need if place != mine else 0
            if left < 0 or count == self.hall.size:
                break
            count += place != mine
        return count

    def hopeless(self, row: int, taken: int | None) -> bool:
        """Whether a row is out even if it wins all and the others take nothing."""
        hall = self.hall
        best = hall.best(row)
        ahead = len(self.tops) - bisect_right(self.tops, best)
        blocked = any(hall.scores[other] > best for other in self.rows[hall.labels[row]])
        return blocked or ahead >= hall.size

    def can_be_in(self, row: int, taken: int | None) -> bool:
        """Whether a row is surely in at one end: not known here."""
        return False

    def can_be_out(self, row: int, taken: int | None) -> bool:
        """Whether a row is surely out at one end: not known here."""
        return False


def _budget(hall: Hall) -> int:
    """The most points that all matches to come can hand out, a bye counting as a match."""
    a_match = max(hall.win + hall.loss, 2 * hall.draw)
    tables = -(-len(hall.playing) // 2)
    return (len(hall.open) + hall.unpaired * tables) * a_match
