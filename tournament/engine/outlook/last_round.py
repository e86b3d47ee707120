"""Chances in the last round: every result of every open match is weighed, exactly on points."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from tournament.engine.outlook.hall import Hall, Pair
from tournament.engine.outlook.reach import Choice, Label, fewest, most


class WithLabels:
    """The judge for small fields, where a label (a character) may belong to several players."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall

    def secure(self, row: int, taken: int | None) -> bool:
        """Whether a row is in whatever happens elsewhere, taking this from its match (None: no match)."""
        score = self._final(row, taken)
        settled, choices = self._others(row, taken, score)
        own = self.hall.labels[row]
        if own in settled or any(own in option for choice in choices for option in choice):
            return False
        return most(settled, choices) < self.hall.size

    def hopeless(self, row: int, taken: int | None) -> bool:
        """Whether a row is out whatever happens elsewhere."""
        settled, choices = self._others(row, taken, self._final(row, taken) + 1)
        count, _ = fewest(settled, choices, self.hall.labels[row])
        return count is None or count >= self.hall.size

    def can_be_in(self, row: int, taken: int | None) -> bool:
        """Whether a row is in at one end, however players who are level fall. A doubt counts as no."""
        settled, choices = self._others(row, taken, self._final(row, taken))
        count, exact = fewest(settled, choices, self.hall.labels[row])
        return exact and count is not None and count < self.hall.size

    def can_be_out(self, row: int, taken: int | None) -> bool:
        """Whether a row is out at one end, however players who are level fall."""
        settled, choices = self._others(row, taken, self._final(row, taken) + 1)
        own = self.hall.labels[row]
        if own in settled or any(own in option for choice in choices for option in choice):
            return True
        return most(settled, choices) >= self.hall.size

    def _final(self, row: int, taken: int | None) -> int:
        return self.hall.scores[row] + (taken or 0)

    def _others(self, row: int, taken: int | None, line: int) -> tuple[set[Label], list[Choice]]:
        """Labels of others who are at or above a line already, and what each open match can lift there."""
        hall, foe = self.hall, self.hall.opponent.get(row)
        at_rest = [r for r in hall.playing if r != row and (r not in hall.opponent or r == foe)]
        settled = {hall.labels[r] for r in at_rest if self._score(r, foe, taken) >= line}
        return settled, [_choice(hall, pair, line) for pair in hall.open if row not in pair]

    def _score(self, row: int, foe: int | None, taken: int | None) -> int:
        gained = self.hall.other_side(taken) if row == foe and taken is not None else 0
        return self.hall.scores[row] + gained


def _choice(hall: Hall, pair: Pair, line: int) -> Choice:
    return tuple(
        frozenset(
            hall.labels[row]
            for row, gained in zip(pair, result, strict=True)
            if row in hall.playing and hall.scores[row] + gained >= line
        )
        for result in hall.results
    )


class WithoutLabels:
    """The judge where every player stands for himself: matches add up, so fields of any size are exact."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self._counts = lru_cache(maxsize=None)(self._count)

    def secure(self, row: int, taken: int | None) -> bool:
        """Whether a row is in whatever happens elsewhere, taking this from its match (None: no match)."""
        return self._ahead(row, taken, 0)[1] < self.hall.size

    def hopeless(self, row: int, taken: int | None) -> bool:
        """Whether a row is out whatever happens elsewhere."""
        return self._ahead(row, taken, 1)[0] >= self.hall.size

    def can_be_in(self, row: int, taken: int | None) -> bool:
        """Whether a row is in at one end, however players who are level fall."""
        return self._ahead(row, taken, 0)[0] < self.hall.size

    def can_be_out(self, row: int, taken: int | None) -> bool:
        """Whether a row is out at one end, however players who are level fall."""
        return self._ahead(row, taken, 1)[1] >= self.hall.size

    def _ahead(self, row: int, taken: int | None, more: int) -> tuple[int, int]:
        """The least and the most others at or above the row's final score, or above it by so many units."""
        hall, foe = self.hall, self.hall.opponent.get(row)
        line = hall.scores[row] + (taken or 0) + more
        least, greatest = self._counts(line)
        if foe is None or taken is None:
            own = int(hall.scores[row] >= line)
            return least - own, greatest - own
        low, high = _lifted(hall, (row, foe), line)
        theirs = int(foe in hall.playing and hall.scores[foe] + hall.other_side(taken) >= line)
        return least - low + theirs, greatest - high + theirs

    def _count(self, line: int) -> tuple[int, int]:
        hall = self.hall
        settled = sum(hall.scores[r] >= line for r in hall.playing if r not in hall.opponent)
        lifted = [_lifted(hall, pair, line) for pair in hall.open]
        return settled + sum(low for low, _ in lifted), settled + sum(high for _, high in lifted)


def _lifted(hall: Hall, pair: Iterable[int], line: int) -> tuple[int, int]:
    """The least and the most players of a match that can end at or above a line."""
    one, two = pair
    counts = [
        (one in hall.playing and hall.scores[one] + mine >= line)
        + (two in hall.playing and hall.scores[two] + theirs >= line)
        for mine, theirs in hall.results
    ]
    return min(counts), max(counts)
