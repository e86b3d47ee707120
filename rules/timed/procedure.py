"""End-of-round procedures: base class, default, and registry by game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from rules.game import Game, MatchForm, Version
from rules.library import BadData, Library, UnknownFormat, get_shipped_library, load_game_module
from rules.reason import Param, Reason
from rules.text import truncate
from rules.timed.facts import BadFact, Facts, ask_both_players
from rules.timed.model import (
    ClockRules,
    Concession,
    EndStep,
    FirstTurn,
    Player,
    Question,
    Result,
    Score,
    TimedOutcome,
    add_win,
    ask,
    leading_player,
)

if TYPE_CHECKING:
    from rules.formats import Format


@dataclass(frozen=True, slots=True)
class Procedure(ABC):
    """One game's answers under one version of its rules.

    `tables` is its `timed.toml`.
    """

    game: Game
    version: str
    document: str
    tables: Mapping[str, Mapping[str, object]]

    @abstractmethod
    def questions(self, stage: str, match_form: str, facts: Facts) -> tuple[Question, ...]:
        """Return what must be asked next; empty once the match can be settled.

        Raises `BadFact`.
        """

    @abstractmethod
    def outcome(self, stage: str, match_form: str, facts: Facts) -> TimedOutcome:
        """Return the state of the match, all questions being answered. Raises `BadFact`."""

    @abstractmethod
    def first_turn(self, game_in_match: int, previous_loser: Player | None) -> FirstTurn:
        """Return who decides the first turn of a game of the match, counted from 1."""

    def form(self, match_form: str) -> MatchForm:
        """Return a form of a match by its key. Raises `BadFact` for an unknown one."""
        known_form = next((form for form in self.game.match_forms if form.key == match_form), None)
        if known_form is None:
            forms = tuple(form.key for form in self.game.match_forms)
            raise BadFact("no-match-form", form=truncate(repr(match_form)), game=self.game.name, forms=forms)
        return known_form

    def clock(self, match_form: str) -> ClockRules:
        """Return the clock of a match form, with what `time_called` says about its end.

        Raises `BadFact`.
        """
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
        """Return the steps of `time_called` for this version and a stage.

        Raises `BadFact`.
        """
        return self.list_steps("time_called", "with_draws" if can_draw(stage) else "without_draws")

    def list_steps(self, table: str, where: str = "") -> tuple[EndStep, ...]:
        """Return the steps of a table that belong to this version.

        Empty if the game has no such table.
        """
        steps = self.tables.get(table, {}).get("steps", [])
        listed_steps = (
            [step for step in steps if isinstance(step, Mapping)] if isinstance(steps, list) else []
        )
        return tuple(
            EndStep(str(step["sentence"]), str(step["clause"]), step.get("is_ours") is True)
            for step in listed_steps
            if step.get("stage", where) == where and self.version in step.get("versions", [self.version])
        )

    def concession(self) -> Concession:
        """Return what giving up means, from the table `concession`."""
        table = self.tables["concession"]
        return Concession(
            str(table["loses"]),
            table["consent_needed"] is True,
            self.text("concession", "sentence"),
            str(table["clause"]),
            table.get("is_ours") is True,
        )

    def text(self, table: str, key: str) -> str:
        """Return a sentence or clause of the game's `timed.toml`."""
        return str(self.tables[table][key])

    def settle(
        self,
        code: str,
        result: Result,
        decided_by: str | None,
        clause: str,
        score: Score | None = None,
        /,
        *,
        next_step: str | None = None,
        is_ours: bool = False,
        **params: Param,
    ) -> TimedOutcome:
        """Return an outcome under this document and version, by the code of its message."""
        reasons, document = (Reason(code, params),), self.document
        return TimedOutcome(
            result, decided_by, clause, document, self.version, reasons, score, next_step, (), is_ours
        )

    def still_open(self, questions: tuple[Question, ...]) -> TimedOutcome:
        """Report that the match cannot be settled before these questions are answered."""
        reasons = tuple(question.reason for question in questions)
        keys = tuple(question.key for question in questions)
        return TimedOutcome(
            "facts_needed",
            None,
            questions[0].clause,
            self.document,
            self.version,
            reasons,
            missing_facts=keys,
        )

    def misread(self, problem: BadFact) -> TimedOutcome:
        """Report that the facts contradict themselves or are of the wrong kind."""
        return TimedOutcome("facts_needed", None, "", self.document, self.version, problem.reasons)


STAGES_WITH_DRAWS = frozenset({"swiss", "round_robin", "league"})

STAGES_WITHOUT_DRAWS = frozenset(
    {
        "single_elimination",
        "double_elimination",
        "elimination",
        "top_cut",
        "cut",
        "playoff",
        "final",
        "knockout",
    }
)


def can_draw(stage: str) -> bool:
    """Return whether a match can be drawn: elimination matches cannot.

    Raises `BadFact`.
    """
    plain = stage.strip().casefold().replace(" ", "_").replace("-", "_")
    if plain in STAGES_WITHOUT_DRAWS or plain.endswith("_elimination") or plain.startswith("elimination_"):
        return False
    if plain in STAGES_WITH_DRAWS or plain.startswith("swiss_"):
        return True
    stages = tuple(sorted(STAGES_WITH_DRAWS | STAGES_WITHOUT_DRAWS))
    raise BadFact("no-stage", stage=truncate(repr(stage)), stages=stages)


NOT_IN_DOCUMENT = "not in the document"

_LAST_TURN = ask("last_turn_winner", "player_or_none", NOT_IN_DOCUMENT)

_RULING = ask("organizer_ruling", "player", NOT_IN_DOCUMENT, later=True)


class DefaultProcedure(Procedure):
    """Ringside defaults, marked as such.

    A game may add its own tiebreakers before the draw.
    """

    def questions(self, stage: str, match_form: str, facts: Facts) -> tuple[Question, ...]:
        draw_is_possible = can_draw(stage)
        self.form(match_form)
        games_won = ask_both_players("games", NOT_IN_DOCUMENT)
        still_open = facts.list_missing((*games_won, _LAST_TURN))
        if still_open or leading_player(self._score(facts)):
            return still_open
        still_open = self._about_tiebreak(facts)
        if still_open or draw_is_possible or self._by_tiebreak(facts):
            return still_open
        return facts.list_missing((_RULING,))

    def _about_tiebreak(self, facts: Facts) -> tuple[Question, ...]:
        """Return what a tiebreak of the game must know; there is none by default."""
        return ()

    def _by_tiebreak(self, facts: Facts) -> tuple[Player, str, str] | None:
        """Return the winner by a tiebreak, its name and the code of its message.

        None if it settles nothing.
        """
        return None

    def _score(self, facts: Facts) -> Score:
        games_won = (facts.count("games_p1") or 0, facts.count("games_p2") or 0)
        winner = facts.player("last_turn_winner")
        return add_win(games_won, winner) if winner else games_won

    def outcome(self, stage: str, match_form: str, facts: Facts) -> TimedOutcome:
        score = self._score(facts)
        ahead, tiebreak = leading_player(score), self._by_tiebreak(facts)
        if ahead:
            return self._ours("won-more-games", ahead, "games", score, winner=ahead)
        if tiebreak:
            winner, step, code = tiebreak
            return self._ours(code, winner, step, add_win(score, winner), winner=winner)
        if can_draw(stage):
            return self._ours("level-drawn", "draw", None, score)
        return self._settle_by_organizer(facts, score)

    def _settle_by_organizer(self, facts: Facts, score: Score) -> TimedOutcome:
        winner = facts.player("organizer_ruling")
        if winner:
            return self._ours("organizer-names", winner, "organizer", add_win(score, winner), winner=winner)
        return self._ours("organizer-decides", "ask_organizer", None, score)

    def _ours(
        self, code: str, result: Result, step: str | None, score: Score, /, winner: Player | None = None
    ) -> TimedOutcome:
        return self.settle(code, result, step, NOT_IN_DOCUMENT, score, is_ours=True, winner=winner)

    def first_turn(self, game_in_match: int, previous_loser: Player | None) -> FirstTurn:
        clause, sentence = self.text("first_turn", "clause"), self.text("first_turn", "sentence")
        return FirstTurn(None, "random", sentence, clause, is_ours=True)


DEFAULTS_FILE = Path(__file__).with_name("defaults.toml")

_P = TypeVar("_P", bound=type[Procedure])

_classes: dict[str, type[Procedure]] = {}


def register_procedure(game: str) -> Callable[[_P], _P]:
    """Register the class that holds a game's procedure."""

    def register(cls: _P) -> _P:
        _classes[game] = cls
        return cls

    return register


@cache
def get_procedure(game: str, version: str | None = None) -> Procedure:
    """Return the procedure of a game under a version of its rules.

    None means the highest version. Raises `UnknownFormat` for an unknown game or version.
    """
    return build_procedure(get_shipped_library(), game, version)


def build_procedure(library: Library, game: str, version: str | None) -> Procedure:
    """Return the procedure of a game of any library.

    A game that brings none has our default.
    """
    known_game = library.game(game)
    known_version = _version(known_game, version)
    return _make_procedure(library, known_game, known_version)


def procedure_of_format(format: Format) -> Procedure:
    """Return the procedure of a format's game, under the version of the format."""
    return _make_procedure(get_shipped_library(), format.game, _version(format.game, format.version))


def _make_procedure(library: Library, game: Game, version: Version) -> Procedure:
    load_game_module(game, "timed")
    procedure_class = _classes.get(game.key, DefaultProcedure)
    return procedure_class(game, version.number, version.document, _load_tables(library, game))


def _version(game: Game, requested_version: str | None) -> Version:
    version = game.newest if requested_version is None else game.version(requested_version)
    if version is None:
        versions = tuple(version.number for version in game.versions)
        raise UnknownFormat("no-version", game=game.name, version=requested_version, versions=versions)
    return version


def _load_tables(library: Library, game: Game) -> Mapping[str, Mapping[str, object]]:
    own = game.folder / "timed.toml"
    data = library.read_table(own if own.exists() else DEFAULTS_FILE)
    strange = [name for name, table in data.items() if not isinstance(table, Mapping)]
    if strange:
        raise BadData("no-tables", place=f"{game.key}/timed.toml", names=tuple(strange))
    return {name: table for name, table in data.items() if isinstance(table, Mapping)}
