"""Validate the facts of a match: typed answers to questions."""

from __future__ import annotations

from collections.abc import Mapping

from rules.rendering import Problem
from rules.text import truncate
from rules.timed.model import SECTION, Player, Question, ask


class BadFact(Problem, ValueError):
    """A fact that cannot be true or is no answer of the kind asked for.

    The message says which and why.
    """

    section = SECTION


class Facts:
    """Facts about two players, "p1" and "p2".

    A fact that is absent or None is not known yet.
    """

    def __init__(self, known_facts: Mapping[str, object]) -> None:
        self._known_facts = known_facts

    def count(self, key: str) -> int | None:
        """Return a whole number of zero or more, or None if it is not known.

        Raises `BadFact`.
        """
        value = self._known_facts.get(key)
        if value is not None and (type(value) is not int or value < 0):
            raise BadFact("not-whole", key=key, value=truncate(repr(value)))
        return value

    def flag(self, key: str) -> bool | None:
        """Return yes or no, or None if it is not known. Raises `BadFact`."""
        value = self._known_facts.get(key)
        if value is not None and not isinstance(value, bool):
            raise BadFact("not-yes-or-no", key=key, value=truncate(repr(value)))
        return value

    def player(self, key: str) -> Player | None:
        """Return one of the two players, or None for no one or not known.

        Raises `BadFact`.
        """
        player = self.choice(key, ("p1", "p2"))
        return None if player is None else "p1" if player == "p1" else "p2"

    def choice(self, key: str, choices: tuple[str, ...]) -> str | None:
        """Return one of the choices, or None if it is not known. Raises `BadFact`."""
        value = self._known_facts.get(key)
        if value is not None and (not isinstance(value, str) or value not in choices):
            raise BadFact("not-of-choices", key=key, choices=choices, value=truncate(repr(value)))
        return value

    def counts(self, key: str) -> tuple[int | None, int | None]:
        """Return the same number for both players, from `key_p1` and `key_p2`."""
        return self.count(f"{key}_p1"), self.count(f"{key}_p2")

    def list_missing(self, questions: tuple[Question, ...]) -> tuple[Question, ...]:
        """Return the questions that have no answer yet."""
        return tuple(q for q in questions if not self._answers(q))

    def _answers(self, question: Question) -> bool:
        if question.kind == "player_or_none":
            return question.key in self._known_facts
        return self._known_facts.get(question.key) is not None


def ask_both_players(code: str, clause: str, *, later: bool = False) -> tuple[Question, Question]:
    """Return the questions that ask each player for a number.

    The code of the question begins the keys of the answers.
    """
    key = code.partition(".")[0]
    return (
        ask(code, "count", clause, key=f"{key}_p1", later=later, player="p1"),
        ask(code, "count", clause, key=f"{key}_p2", later=later, player="p2"),
    )
