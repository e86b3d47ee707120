"""Record what the server acknowledged, outside the server."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from threading import Lock

Score = tuple[int, int]


@dataclass
class SentScore:
    """A score that was sent; acknowledged once the server confirmed it."""

    score: Score
    is_acknowledged: bool = False


@dataclass
class Acknowledgements:
    """Acknowledged and unanswered requests of all clients, by their object."""

    results: dict[int, list[SentScore]] = field(default_factory=lambda: defaultdict(list))
    reports: dict[tuple[int, int], Score] = field(default_factory=dict)
    registered: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    paired: set[tuple[str, int]] = field(default_factory=set)
    published_rounds: set[tuple[str, int]] = field(default_factory=set)
    answers: Counter[str] = field(default_factory=Counter)
    complaints: list[str] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def add_sent(self, match: int, score: Score) -> SentScore:
        """Record that a result is being sent."""
        sent_score = SentScore(score)
        with self.lock:
            self.results[match].append(sent_score)
        return sent_score

    def possible_scores(self, match: int) -> list[Score | None]:
        """List a match's possible scores: the last acknowledged one or any sent later."""
        possible: list[Score | None] = [None]
        for sent_score in self.results[match]:
            possible = [sent_score.score] if sent_score.is_acknowledged else [*possible, sent_score.score]
        return possible

    def count_answer(self, what: str) -> None:
        """Count one answer of this kind."""
        with self.lock:
            self.answers[what] += 1

    def add_complaint(self, what: str) -> None:
        """Record an answer that should never occur."""
        with self.lock:
            self.complaints.append(what)

    @property
    def acknowledged(self) -> int:
        """Number of acknowledged results."""
        return sum(sent_score.is_acknowledged for several in self.results.values() for sent_score in several)
