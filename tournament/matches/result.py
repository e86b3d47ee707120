"""A result as facts: games, who won, how it ended; and everything that can be wrong with one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, TypedDict

from decks.shared.refusals import Refused
from tournament.events.game_terms import concession_of, games_to_win, head_shot_of
from tournament.events.models.event import Event
from tournament.events.models.round import Match
from tournament.penalties.selectors import left_out

Outcome, Ending = Match.Outcome, Match.Ending
LOSER_NAMED = frozenset({Ending.CONCESSION, Ending.NO_SHOW, Ending.LEFT, Ending.PENALTY, Ending.DISQUALIFIED})
UNPLAYED = frozenset({Ending.NO_SHOW, Ending.LEFT})
MOST_DRAWS, MOST_QUICKENINGS = 9, 99
SIDES = ("p1", "p2", "both")


@dataclass(frozen=True, slots=True)
class Result:
    """What a match keeps of its result. `forfeit`: nothing was played, which tiebreakers may ask."""

    outcome: str = ""
    p1_games: int = 0
    p2_games: int = 0
    draws: int = 0
    ending: str = ""
    forfeit: bool = False
    consent: bool = False
    quickenings: int | None = None
    quickenings_declined: bool = False

    @classmethod
    def of(cls, match: Match) -> Result:
        """The result that stands."""
        return cls(**{name: getattr(match, name) for name in cls.__dataclass_fields__})

    def values(self) -> dict[str, Any]:
        """The columns of a match."""
        return asdict(self)

    @property
    def written(self) -> str:
        """The games as people write them."""
        return f"{self.p1_games}-{self.p2_games}" + (f"-{self.draws}" if self.draws else "")


NOTHING = Result()


class Facts(TypedDict, total=False):
    """What is said of a match: games won, and by `ending` and `loser` what games do not say."""

    p1_games: int
    p2_games: int
    draws: int
    double_loss: bool
    ending: str
    loser: str
    consent: bool
    quickenings: int | None
    quickenings_declined: bool


def build(
    event: Event,
    *,
    p1_games: int = 0,
    p2_games: int = 0,
    draws: int = 0,
    double_loss: bool = False,
    ending: str = "",
    loser: str = "",
    consent: bool = False,
    quickenings: int | None = None,
    quickenings_declined: bool = False,
) -> Result:
    """The result that is meant; sense is asked by `problems`.

    `loser` is "p1", "p2" or "both" for whoever concedes, is absent, has left or is punished: the opponent
    is given the games that he still needs (UFS 102.5 for a concession; ours for the rest).
    """
    if loser in ("p1", "p2"):
        needed = games_to_win(event)
        p1_games, p2_games = (p1_games, needed) if loser == "p1" else (needed, p2_games)
    return Result(
        _outcome(p1_games, p2_games, double_loss or loser == "both", ending),
        p1_games,
        p2_games,
        draws,
        ending,
        ending in UNPLAYED,
        consent and ending == Ending.CONCESSION,
        quickenings if ending == Ending.HEAD_SHOT else None,
        quickenings_declined and ending == Ending.HEAD_SHOT,
    )


def _outcome(p1_games: int, p2_games: int, double_loss: bool, ending: str) -> str:
    if double_loss:
        return Outcome.DOUBLE_LOSS
    if ending == Ending.AGREED_DRAW or p1_games == p2_games:
        return Outcome.DRAW
    return Outcome.P1 if p1_games > p2_games else Outcome.P2


def problems(event: Event, match: Match, result: Result, *, loser: str = "") -> Iterator[Refused]:
    """Everything that speaks against giving the match this result."""
    if match.is_bye:
        yield Refused("bye_stands", "A bye cannot be given another result.")
        return
    if match.round.is_draft:
        yield Refused("round_is_draft", "The round is not published yet.", fix="Publish it first.")
    if match.round.stage.is_elimination and result.outcome in (Outcome.DRAW, Outcome.DOUBLE_LOSS):
        yield Refused(
            "winner_needed",
            "A match in the cut needs a winner.",
            fix="Settle it by the timed-elimination rule (UFS 102.3.1).",
        )
    yield from _score_problems(event, result)
    yield from left_out(match, result.outcome, (result.p1_games, result.p2_games), result.ending)
    yield from _ending_problems(event, result, loser)


def _score_problems(event: Event, result: Result) -> Iterator[Refused]:
    needed = games_to_win(event)
    games = (result.p1_games, result.p2_games)
    if min(*games, result.draws) < 0:
        yield Refused("score_negative", f"{result.written} is not a score.", field="score")
    elif max(games) > needed or min(games) == needed:
        yield Refused(
            "score_impossible",
            f"{result.written} cannot happen: a match ends when one player has won {needed}.",
            fix=f"Enter at most {needed}-{needed - 1}.",
            field="score",
        )
    elif result.draws > MOST_DRAWS:
        yield Refused("draws_impossible", f"{result.draws} drawn games cannot be right.", field="draws")


def _ending_problems(event: Event, result: Result, loser: str) -> Iterator[Refused]:
    if result.ending not in Ending.values:
        yield Refused(
            "ending_unknown", f"“{result.ending[:40]}” is no way in which a match ends.", field="ending"
        )
    if loser and loser not in SIDES:
        yield Refused("loser_unknown", "Who loses is p1, p2 or both.", field="loser")
    elif result.ending in LOSER_NAMED and not loser:
        yield Refused("loser_missing", f"“{Ending(result.ending).label}”: say who.", field="loser")
    elif result.ending == Ending.CONCESSION and loser == "both":
        yield Refused("both_concede", "Not both players can concede.", fix="Name one.", field="loser")
    elif loser and result.ending not in LOSER_NAMED:
        yield Refused(
            "loser_without_ending",
            "Say why this player loses whatever the games are.",
            fix="Choose conceded, absent, left, penalty or disqualified.",
            field="ending",
        )
    yield from _draw_problems(event, result)
    yield from _consent_problems(event, result)
    yield from _head_shot_problems(event, result)


def _draw_problems(event: Event, result: Result) -> Iterator[Refused]:
    if result.ending != Ending.AGREED_DRAW:
        return
    if not event.intentional_draws:
        yield Refused(
            "agreed_draw_not_allowed",
            "This event does not allow players to agree on a draw.",
            fix="Let them play, or allow it in the settings.",
            field="ending",
        )
    if result.p1_games != result.p2_games:
        yield Refused(
            "draw_uneven", f"{result.written} is not drawn: both have won as many games.", field="score"
        )


def _consent_problems(event: Event, result: Result) -> Iterator[Refused]:
    if result.ending != Ending.CONCESSION or result.consent:
        return
    rule = concession_of(event)
    if rule.consent_needed:
        yield Refused(
            "consent_needed",
            f"{rule.sentence} ({rule.clause})",
            fix="Ask the opponent and say that he accepts, or let them play on.",
            field="consent",
        )


def _head_shot_problems(event: Event, result: Result) -> Iterator[Refused]:
    if result.ending != Ending.HEAD_SHOT:
        return
    if head_shot_of(event) is None:
        yield Refused("no_head_shots", "This game knows no head shot.", field="ending")
    if result.outcome not in (Outcome.P1, Outcome.P2):
        yield Refused("head_shot_wins", "Who takes the head wins the match.", field="score")
    if result.quickenings is not None and not 0 <= result.quickenings <= MOST_QUICKENINGS:
        yield Refused(
            "quickenings_impossible",
            f"{result.quickenings} Quickenings in play cannot be right.",
            fix=f"Enter 0 to {MOST_QUICKENINGS}.",
            field="quickenings",
        )


def too_early_for_no_show(
    event: Event, match: Match, result: Result, now: datetime, reason: str
) -> Iterator[Refused]:
    """An absent player is waited for; how long is the organizer's, and a reason shortens it (ours)."""
    began = match.round.published_at
    if result.ending != Ending.NO_SHOW or reason.strip() or began is None:
        return
    left = began + timedelta(minutes=event.no_show_minutes) - now
    if left > timedelta(0):
        minutes = -(-left // timedelta(minutes=1))
        yield Refused(
            "too_early_for_no_show",
            f"Players are waited for {event.no_show_minutes} minutes in this event; {minutes} are left.",
            fix="Wait, or say why not.",
            field="reason",
        )


def label(match: Match) -> str:
    """The table as the log names it."""
    where = f"table {match.table}, " if match.table else ""
    return f"{where}{match.p1.name} against {match.p2.name if match.p2 else 'nobody'},"


def heading(match: Match) -> str:
    """The same at the beginning of a sentence; names keep their letters."""
    words = label(match)
    return words[0].upper() + words[1:]


def in_words(match: Match) -> str:
    """What a match ended with, for a sentence: “2-1, Bob conceded”."""
    games = "a loss for both" if match.outcome == Outcome.DOUBLE_LOSS else match.score
    return f"{games} ({match.how_it_ended})" if match.how_it_ended else games
