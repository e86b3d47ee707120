"""Confirmed answers of the server, kept outside the installation."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from threading import Lock

Score = tuple[int, int]


@dataclass
class Sent:
    """A score on its way; acknowledged once the server confirmed it."""

    score: Score
    is_acknowledged: bool = False


@dataclass
class Ledger:
    """Acknowledged and unanswered requests of everybody, by what they are about."""

    results: dict[int, list[Sent]] = field(default_factory=lambda: defaultdict(list))
    reports: dict[tuple[int, int], Score] = field(default_factory=dict)
    registered: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    paired: set[tuple[str, int]] = field(default_factory=set)
    published: set[tuple[str, int]] = field(default_factory=set)
    answers: Counter[str] = field(default_factory=Counter)
    unasked: list[str] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def sends(self, match: int, score: Score) -> Sent:
        """A result is on its way."""
        sent = Sent(score)
        with self.lock:
            self.results[match].append(sent)
        return sent

    def may_stand(self, match: int) -> list[Score | None]:
        """The scores that a match may have now: the last acknowledged one or any sent after it."""
        possible: list[Score | None] = [None]
        for sent in self.results[match]:
            possible = [sent.score] if sent.is_acknowledged else [*possible, sent.score]
        return possible

    def counts(self, what: str) -> None:
        """One more of these."""
        with self.lock:
            self.answers[what] += 1

    def complains(self, what: str) -> None:
        """Something was answered that should never be."""
        with self.lock:
            self.unasked.append(what)

    @property
    def acknowledged(self) -> int:
        """How many results were acknowledged."""
        return sum(sent.is_acknowledged for several in self.results.values() for sent in several)
