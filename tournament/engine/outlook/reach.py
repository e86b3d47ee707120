"""How many labels (characters, or players where each stands for himself) open matches can lift to a score.

A match that is still open can lift one of its players, both (by a draw) or none. `most` and `fewest` find the
extremes over all results of all open matches: `most` exactly by counting components, `fewest` as a smallest
vertex cover.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

Label = Hashable
Choice = tuple[frozenset[Label], ...]

SMALL_COVER = 24


def most(settled: Iterable[Label], choices: Iterable[Choice]) -> int:
    """The greatest number of different labels that can be lifted; one entry of `choices` an open match."""
    lifted = set(settled)
    open_ones = []
    for choice in choices:
        both = max(choice, key=len)
        if len(both) == 2:
            lifted |= both
        else:
            open_ones.append(choice)
    edges = [frozenset().union(*choice) - lifted for choice in open_ones]
    return len(lifted) + _covered([edge for edge in edges if edge])


def _covered(edges: Sequence[frozenset[Label]]) -> int:
    """How many labels can be lifted when each edge lifts one: all of a component, or one less in a tree."""
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


def fewest(settled: Iterable[Label], choices: Iterable[Choice], banned: Label) -> tuple[int | None, bool]:
    """The least number of different labels lifted, `banned` not among them, and whether that is exact.

    None when `banned` cannot be kept down. What is not exact is a lower bound.
    """
    lifted = set(settled)
    edges: list[frozenset[Label]] = []
    for choice in choices:
        allowed = [option - lifted for option in choice if banned not in option]
        if not allowed:
            return None, True
        least = [option for option in allowed if not any(other < option for other in allowed)]
        if not all(least):
            continue
        edges.append(frozenset().union(*least))
        lifted |= frozenset.intersection(*least)
    if banned in lifted:
        return None, True
    left = {edge - lifted for edge in edges if not edge & lifted}
    count, exact = _smallest_cover([edge for edge in left if edge])
    return len(lifted) + count, exact


def _smallest_cover(edges: Sequence[frozenset[Label]]) -> tuple[int, bool]:
    """The least number of labels that touch every edge; a matching gives a lower bound for large graphs."""
    if len(edges) <= SMALL_COVER:
        return _cover(list(edges), len(edges)), True
    taken: set[Label] = set()
    count = 0
    for edge in edges:
        if not edge & taken:
            taken |= edge
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
