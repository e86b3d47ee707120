"""Estimate who is certainly in or out of a cut, exactly or by bounds."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from tournament.engine.outlook.cut_state import CutState, Label, Pair

LabelChoice = tuple[frozenset[Label], ...]

SMALL_COVER = 24


def max_lifted_labels(settled_labels: Iterable[Label], choices: Iterable[LabelChoice]) -> int:
    """Return the greatest number of different labels that can be lifted.

    Each open match is one entry of `choices`.
    """
    lifted_labels = set(settled_labels)
    open_ones = []
    for choice in choices:
        both = max(choice, key=len)
        if len(both) == 2:
            lifted_labels |= both
        else:
            open_ones.append(choice)
    edges = [frozenset().union(*choice) - lifted_labels for choice in open_ones]
    return len(lifted_labels) + _count_covered([edge for edge in edges if edge])


def _count_covered(edges: Sequence[frozenset[Label]]) -> int:
    """Return how many labels can be lifted when each edge lifts one.

    All of a component, or one less in a tree.
    """
    root: dict[Label, Label] = {}

    def find(label: Label) -> Label:
        while root.setdefault(label, label) != label:
            root[label] = label = root[root[label]]
        return label

    for edge in edges:
        first, *rest = edge
        for label in rest:
            root[find(label)] = find(first)
    edges_in = Counter(find(next(iter(edge))) for edge in edges)
    labels_in = Counter(find(label) for label in list(root))
    return sum(min(labels_in[top], edges_in[top]) for top in edges_in)


def min_lifted_labels(
    settled_labels: Iterable[Label], choices: Iterable[LabelChoice], banned_label: Label
) -> tuple[int | None, bool]:
    """Return the least number of different labels lifted, without `banned_label`.

    Also returns whether that number is exact. None when `banned_label` cannot be kept down. What is not exact
    is a lower bound.
    """
    lifted_labels = set(settled_labels)
    edges: list[frozenset[Label]] = []
    for choice in choices:
        allowed_options = [option - lifted_labels for option in choice if banned_label not in option]
        if not allowed_options:
            return None, True
        least = [option for option in allowed_options if not any(other < option for other in allowed_options)]
        if not all(least):
            continue
        edges.append(frozenset().union(*least))
        lifted_labels |= frozenset.intersection(*least)
    if banned_label in lifted_labels:
        return None, True
    open_edges = {edge - lifted_labels for edge in edges if not edge & lifted_labels}
    count, exact = _smallest_cover([edge for edge in open_edges if edge])
    return len(lifted_labels) + count, exact


def _smallest_cover(edges: Sequence[frozenset[Label]]) -> tuple[int, bool]:
    """Return the least number of labels that touch every edge.

    For large graphs, a matching gives a lower bound.
    """
    if len(edges) <= SMALL_COVER:
        return _cover(list(edges), len(edges)), True
    covered_labels: set[Label] = set()
    count = 0
    for edge in edges:
        if not edge & covered_labels:
            covered_labels |= edge
            count += 1
    return count, False


def _cover(edges: list[frozenset[Label]], limit: int) -> int:
    if not edges:
        return 0
    if limit <= 0:
        return 1
    degree = Counter(label for edge in edges for label in edge)
    edge = max(edges, key=lambda pair: max(degree[label] for label in pair))
    best = limit
    for label in sorted(edge, key=lambda name: -degree[name]):
        rest = [other for other in edges if label not in other]
        best = min(best, 1 + _cover(rest, best - 1))
    return best


class CharacterEstimator:
    """The judge for small fields.

    A label (a character) may belong to several players there.
    """

    def __init__(self, cut_state: CutState) -> None:
        self.cut_state = cut_state

    def secure(self, row: int, own_points: int | None) -> bool:
        """Return whether a row is surely in with these points from its match.

        None means no match.
        """
        score = self._final(row, own_points)
        settled_labels, choices = self._others(row, own_points, score)
        own = self.cut_state.labels[row]
        if own in settled_labels or any(own in option for choice in choices for option in choice):
            return False
        return max_lifted_labels(settled_labels, choices) < self.cut_state.size

    def hopeless(self, row: int, own_points: int | None) -> bool:
        """Return whether a row is out whatever happens elsewhere."""
        settled_labels, choices = self._others(row, own_points, self._final(row, own_points) + 1)
        count, _ = min_lifted_labels(settled_labels, choices, self.cut_state.labels[row])
        return count is None or count >= self.cut_state.size

    def can_be_in(self, row: int, own_points: int | None) -> bool:
        """Return whether a row is in at one end, however players who are tied fall.

        A doubt counts as no.
        """
        settled_labels, choices = self._others(row, own_points, self._final(row, own_points))
        count, exact = min_lifted_labels(settled_labels, choices, self.cut_state.labels[row])
        return exact and count is not None and count < self.cut_state.size

    def can_be_out(self, row: int, own_points: int | None) -> bool:
        """Return whether a row is out at one end, however players who are tied fall."""
        settled_labels, choices = self._others(row, own_points, self._final(row, own_points) + 1)
        own = self.cut_state.labels[row]
        if own in settled_labels or any(own in option for choice in choices for option in choice):
            return True
        return max_lifted_labels(settled_labels, choices) >= self.cut_state.size

    def find_block(self, row: int, own_points: int) -> tuple[Pair, int] | None:
        """Return the one result of another match that can keep a row out.

        It is not searched for here.
        """
        return None

    def _final(self, row: int, own_points: int | None) -> int:
        return self.cut_state.scores[row] + (own_points or 0)

    def _others(self, row: int, own_points: int | None, line: int) -> tuple[set[Label], list[LabelChoice]]:
        """Return labels of others at or above a line, and what matches can lift.

        The labels are of those already there. Each open match has its own entry for what it can lift there.
        """
        cut_state, foe = self.cut_state, self.cut_state.opponent.get(row)
        at_rest = [
            r for r in cut_state.playing_rows if r != row and (r not in cut_state.opponent or r == foe)
        ]
        settled_labels = {cut_state.labels[r] for r in at_rest if self._score(r, foe, own_points) >= line}
        return settled_labels, [
            _choice(cut_state, pair, line) for pair in cut_state.open_matches if row not in pair
        ]

    def _score(self, row: int, foe: int | None, own_points: int | None) -> int:
        gained_points = self.cut_state.other_side(own_points) if row == foe and own_points is not None else 0
        return self.cut_state.scores[row] + gained_points


def _choice(cut_state: CutState, pair: Pair, line: int) -> LabelChoice:
    return tuple(
        frozenset(
            cut_state.labels[row]
            for row, gained_points in zip(pair, result, strict=True)
            if row in cut_state.playing_rows and cut_state.scores[row] + gained_points >= line
        )
        for result in cut_state.results
    )


class PlayerEstimator:
    """The judge where every player represents themselves.

    Matches add up, so fields of any size are exact.
    """

    def __init__(self, cut_state: CutState) -> None:
        self.cut_state = cut_state
        self._counts = lru_cache(maxsize=None)(self._count)
        self._weights = lru_cache(maxsize=None)(self._weigh)

    def secure(self, row: int, own_points: int | None) -> bool:
        """Return whether a row is surely in with these points from its match.

        None means no match.
        """
        return self._ahead(row, own_points, 0)[1] < self.cut_state.size

    def hopeless(self, row: int, own_points: int | None) -> bool:
        """Return whether a row is out whatever happens elsewhere."""
        return self._ahead(row, own_points, 1)[0] >= self.cut_state.size

    def can_be_in(self, row: int, own_points: int | None) -> bool:
        """Return whether a row is in at one end, however players who are tied fall."""
        return self._ahead(row, own_points, 0)[0] < self.cut_state.size

    def can_be_out(self, row: int, own_points: int | None) -> bool:
        """Return whether a row is out at one end, however players who are tied fall."""
        return self._ahead(row, own_points, 1)[1] >= self.cut_state.size

    def find_block(self, row: int, own_points: int) -> tuple[Pair, int] | None:
        """Return another open match and the place of one of its results.

        The place is in `CutState.results`. The row is in if the match does not end with that result.
        """
        too_many = self._ahead(row, own_points, 0)[1] - self.cut_state.size + 1
        for pair, place, fewer in self._weights(self.cut_state.scores[row] + own_points):
            if row not in pair and fewer >= too_many:
                return pair, place
        return None

    def _weigh(self, line: int) -> tuple[tuple[Pair, int, int], ...]:
        """Return results that lift players to or above a line.

        Without such a result, fewer players can end there. Each comes with how many fewer.
        """
        weights = []
        for pair in self.cut_state.open_matches:
            counts = _lifted_counts(self.cut_state, pair, line)
            for place, count in enumerate(counts):
                fewer = count - max(counts[:place] + counts[place + 1 :])
                if fewer > 0:
                    weights.append((pair, place, fewer))
        return tuple(weights)

    def _ahead(self, row: int, own_points: int | None, more: int) -> tuple[int, int]:
        """Return the least and the most others at or above the row's final score.

        Given a number of units, it is those above that score by so many units.
        """
        cut_state, foe = self.cut_state, self.cut_state.opponent.get(row)
        line = cut_state.scores[row] + (own_points or 0) + more
        least, greatest = self._counts(line)
        if foe is None or own_points is None:
            own = int(cut_state.scores[row] >= line)
            return least - own, greatest - own
        low, high = _count_lifted(cut_state, (row, foe), line)
        theirs = int(
            foe in cut_state.playing_rows and cut_state.scores[foe] + cut_state.other_side(own_points) >= line
        )
        return least - low + theirs, greatest - high + theirs

    def _count(self, line: int) -> tuple[int, int]:
        cut_state = self.cut_state
        settled_count = sum(
            cut_state.scores[r] >= line for r in cut_state.playing_rows if r not in cut_state.opponent
        )
        ranges = [_count_lifted(cut_state, pair, line) for pair in cut_state.open_matches]
        return settled_count + sum(low for low, _ in ranges), settled_count + sum(high for _, high in ranges)


def _count_lifted(cut_state: CutState, pair: Pair, line: int) -> tuple[int, int]:
    """Return the least and most players of a match who can end at or above a line."""
    counts = _lifted_counts(cut_state, pair, line)
    return min(counts), max(counts)


def _lifted_counts(cut_state: CutState, pair: Pair, line: int) -> list[int]:
    """Return the players of a match at or above a line, by its result."""
    one, two = pair
    return [
        (one in cut_state.playing_rows and cut_state.scores[one] + mine >= line)
        + (two in cut_state.playing_rows and cut_state.scores[two] + theirs >= line)
        for mine, theirs in cut_state.results
    ]


class BoundsEstimator:
    """The judge that assumes the worst of all others at once.

    It stays within the points that can be won. Answers for one line are shared by all who end there, so only
    the number of different scores counts.
    """

    def __init__(self, cut_state: CutState) -> None:
        self.cut_state = cut_state
        self.budget = _budget(cut_state)
        rows = defaultdict[Label, list[int]](list)
        for row in cut_state.playing_rows:
            rows[cut_state.labels[row]].append(row)
        self.rows = dict(rows)
        self.bests = {
            label: sorted(map(cut_state.best, rows_of_label)) for label, rows_of_label in rows.items()
        }
        self.tops = sorted(
            max(cut_state.scores[row] for row in rows_of_label) for rows_of_label in rows.values()
        )
        self._needs = cache(self._find_needs)

    def secure(self, row: int, own_points: int | None) -> bool:
        """Return whether a row is surely in with these points from its match.

        The row is assumed to lose all others.
        """
        cut_state = self.cut_state
        line = cut_state.scores[row] + (own_points or 0) + cut_state.unpaired_rounds * cut_state.loss
        bests = self.bests[cut_state.labels[row]]
        if len(bests) - bisect_left(bests, line) > 1:
            return False
        return self._count_liftable(self._needs(line), line - cut_state.scores[row]) < cut_state.size

    def _find_needs(self, line: int) -> Sequence[int]:
        """Return the fewest points that each label needs to reach a line, in order.

        Only labels that can reach it are included.
        """
        cut_state = self.cut_state
        needs = []
        for rows in self.rows.values():
            reaching = [line - cut_state.scores[row] for row in rows if cut_state.best(row) >= line]
            if reaching:
                needs.append(max(min(reaching), 0))
        return sorted(needs)

    def _count_liftable(self, needs: Sequence[int], own: int) -> int:
        """Count the other labels that can be lifted at once, up to the places of the cut."""
        mine = bisect_left(needs, max(own, 0))
        budget_left, count = self.budget, 0
        for place, need in enumerate(needs):
            budget_left -= need if place != mine else 0
            if budget_left < 0 or count == self.cut_state.size:
                break
            count += place != mine
        return count

    def hopeless(self, row: int, own_points: int | None) -> bool:
        """Return whether a row is out even if it wins all and the others take nothing."""
        cut_state = self.cut_state
        best = cut_state.best(row)
        ahead = len(self.tops) - bisect_right(self.tops, best)
        is_blocked = any(cut_state.scores[other] > best for other in self.rows[cut_state.labels[row]])
        return is_blocked or ahead >= cut_state.size

    def can_be_in(self, row: int, own_points: int | None) -> bool:
        """Return whether a row is surely in at one end: not known here."""
        return False

    def can_be_out(self, row: int, own_points: int | None) -> bool:
        """Return whether a row is surely out at one end: not known here."""
        return False

    def find_block(self, row: int, own_points: int) -> tuple[Pair, int] | None:
        """Return the one result of another match that can keep a row out.

        It is not searched for here.
        """
        return None


def _budget(cut_state: CutState) -> int:
    """Return the most points that all matches to come can award.

    A bye counts as a match.
    """
    a_match = max(cut_state.win + cut_state.loss, 2 * cut_state.draw)
    tables = -(-len(cut_state.playing_rows) // 2)
    return (len(cut_state.open_matches) + cut_state.unpaired_rounds * tables) * a_match
