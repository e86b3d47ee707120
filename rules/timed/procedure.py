"""The procedure of one game for timed rounds: what every game's module `timed` fills in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from ..game import Game, MatchForm
from ..quoting import in_short
from .facts import BadFact, Facts
from .model import ClockRules, Concession, EndStep, FirstTurn, Outcome, Question, Result, Spoils
from .players import Player, Score
from .stages import draws_possible


@dataclass(frozen=True)
class Procedure(ABC):
    """One game's answers, under one version of its rules; `tables` is its `timed.toml`."""

    game: Game
    version: str
    document: str
    tables: Mapping[str, Mapping[str, object]]

    @abstractmethod
    def questions(self, stage: str, match_form: str, facts: Facts) -> tuple[Question, ...]:
        """What must be asked next; empty once the match can be settled. Raises `BadFact`."""

    @abstractmethod
    def outcome(self, stage: str, match_form: str, facts: Facts) -> Outcome:
        """How the match stands, all questions being answered. Raises `BadFact`."""

    @abstractmethod
    def first_turn(self, game_in_match: int, previous_loser: Player | None) -> FirstTurn:
        """Who settles the first turn of a game of the match, counted from 1."""

    def form(self, match_form: str) -> MatchForm:
        """A form of a match by its key. Raises `BadFact` for an unknown one."""
        found = next((form for form in self.game.match_forms if form.key == match_form), None)
        if found is None:
            known = ", ".join(form.key for form in self.game.match_forms)
            raise BadFact(
                f"{in_short(repr(match_form))} is no form of a match of {self.game.name}; there are: {known}."
            )
        return found

    def clock(self, match_form: str) -> ClockRules:
        """The clock of a match form, with what `time_called` says about its end. Raises `BadFact`."""
        form = self.form(match_form)
        return ClockRules(
            form.minutes,
            form.warning_minutes_left,
            self.tables["time_called"].get("hidden_random_end") is True,
            self.text("time_called", "sentence"),
            form.clause,
            form.is_ours,
        )

    def end_steps(self, stage: str) -> tuple[EndStep, ...]:
        """The steps of `time_called` that belong to this version and to such a stage. Raises `BadFact`."""
        where = "with_draws" if draws_possible(stage) else "without_draws"
        steps = self.tables["time_called"].get("steps", [])
        found = [step for step in steps if isinstance(step, Mapping)] if isinstance(steps, list) else []
        return tuple(
            EndStep(str(step["sentence"]), str(step["clause"]), step.get("is_ours") is True)
            for step in found
            if step.get("stage", where) == where and self.version in step.get("versions", [self.version])
        )

    def concession(self) -> Concession:
        """What giving up means, from the table `concession`."""
        table = self.tables["concession"]
        return Concession(
            str(table["loses"]),
            table["consent_needed"] is True,
            self.text("concession", "sentence"),
            str(table["clause"]),
            table.get("is_ours") is True,
        )

    def spoils(self) -> Spoils | None:
        """What a head shot costs, from the table `quickenings`; None in a game that knows none."""
        if "quickenings" not in self.tables:
            return None
        return Spoils(self.text("quickenings", "sentence"), self.text("quickenings", "clause"))

    def text(self, table: str, key: str) -> str:
        """A sentence or clause of the game's `timed.toml`."""
        return str(self.tables[table][key])

    def settled(
        self,
        result: Result,
        decided_by: str | None,
        clause: str,
        sentence: str,
        score: Score | None = None,
        *,
        next_step: str | None = None,
        is_ours: bool = False,
    ) -> Outcome:
        """An outcome under this document and version."""
        return Outcome(
            result, decided_by, clause, self.document, self.version, sentence, score, next_step, (), is_ours
        )

    def still_open(self, questions: tuple[Question, ...]) -> Outcome:
        """The match cannot be settled before these questions are answered."""
        asked = " ".join(question.sentence for question in questions)
        keys = tuple(question.key for question in questions)
        return Outcome(
            "facts_needed", None, questions[0].clause, self.document, self.version, asked, missing=keys
        )

    def misread(self, problem: BadFact) -> Outcome:
        """The facts contradict themselves or are of the wrong kind."""
        return Outcome("facts_needed", None, "", self.document, self.version, str(problem))
