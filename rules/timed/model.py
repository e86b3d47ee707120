"""Questions, outcomes, clock rules and players of a timed match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.reason import Param, Reason
from rules.rendering import render

# The section of the messages for questions and outcomes.
SECTION = "timed"

AnswerKind = Literal["count", "yes_no", "player", "player_or_none", "choice"]

Result = Literal["p1", "p2", "draw", "double_loss", "play_on", "ask_organizer", "facts_needed"]


@dataclass(frozen=True, slots=True)
class Question:
    """One thing that must be known before the match can be settled.

    `reason` is the question, a code of the section `timed`; its parameter `player` is "p1" or "p2". `key` is
    the name under which the answer goes into `facts`. `kind` says what an answer looks like: a whole number
    of zero or more, yes or no, a player ("p1" or "p2"), a player or None, or one of `choices`. `later` marks
    an answer that comes only after something is played or ruled: an outcome does not wait for it.
    `unless_no` is the key of another question, asked together with this one, whose No makes it needless.
    """

    key: str
    reason: Reason
    kind: AnswerKind
    clause: str
    choices: tuple[str, ...] = ()
    later: bool = False
    unless_no: str = ""

    @property
    def sentence(self) -> str:
        """The question in words."""
        return render(SECTION, self.reason)


def ask(
    code: str,
    kind: AnswerKind,
    clause: str,
    /,
    *,
    key: str = "",
    later: bool = False,
    unless_no: str = "",
    **params: Param,
) -> Question:
    """Return a question by the code of its message.

    Without another key, the code is the key of the answer.
    """
    key = key or code.partition(".")[0]
    return Question(key, Reason(code, params), kind, clause, (), later, unless_no)


@dataclass(frozen=True, slots=True)
class TimedOutcome:
    """The state of a match once the facts are in.

    `reasons` say it, each a code of the section `timed`; players are "p1" and "p2" among their parameters.
    `score` counts the games (or rounds) that each player has won after the settlement. `decided_by` names the
    step of the procedure that decided, None if nothing did. For "play_on", `next_step` says what is played;
    for "facts_needed", `missing_facts` holds the keys of the questions that are still open. `is_ours` marks a
    procedure that no document gives.
    """

    result: Result
    decided_by: str | None
    clause: str
    document: str
    version: str
    reasons: tuple[Reason, ...]
    score: Score | None = None
    next_step: str | None = None
    missing_facts: tuple[str, ...] = ()
    is_ours: bool = False

    @property
    def sentence(self) -> str:
        """The state of the match in words."""
        return render(SECTION, *self.reasons)


@dataclass(frozen=True, slots=True)
class EndStep:
    """One thing that happens when time is called.

    Holds a sentence for the venue, and its clause. `is_ours`: no document gives it.
    """

    sentence: str
    clause: str
    is_ours: bool = False


@dataclass(frozen=True, slots=True)
class ClockRules:
    """The clock of one round.

    Holds the minutes, the spoken warning if one is given, and what happens at the end. `hidden_random_end`:
    the end may be drawn at random and kept from the players. `is_ours`: no document gives these numbers.
    """

    minutes: int | None
    warning_minutes_left: int | None
    hidden_random_end: bool
    end_procedure: str
    clause: str
    is_ours: bool = False


@dataclass(frozen=True, slots=True)
class FirstTurn:
    """Who settles the first turn of a game.

    It is a player ("p1" or "p2"), or None if a method decides. `method` is "choice" (that player decides),
    "random", "dice" or "gem_count".
    """

    chooser: Player | None
    method: str
    sentence: str
    clause: str
    is_ours: bool = False


@dataclass(frozen=True, slots=True)
class Concession:
    """The meaning of giving up.

    `loses` is "game" or "match". Also says whether the opponent must agree.
    """

    loses: str
    consent_needed: bool
    sentence: str
    clause: str
    is_ours: bool = False


Player = Literal["p1", "p2"]

Score = tuple[int, int]


def opponent_of(player: Player) -> Player:
    """Return the opponent."""
    return "p2" if player == "p1" else "p1"


def add_win(score: Score, player: Player) -> Score:
    """Return the score with one more for a player."""
    return (score[0] + 1, score[1]) if player == "p1" else (score[0], score[1] + 1)


def leading_player(score: Score) -> Player | None:
    """Return who has more, None on equal terms."""
    return None if score[0] == score[1] else "p1" if score[0] > score[1] else "p2"
