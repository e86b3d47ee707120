"""Match results: build, validate and format them; enter results by penalty.

This is a Ringside default, like all penalty levels: the documents of the games say nothing about penalties.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from difflib import get_close_matches
from types import MappingProxyType
from typing import TypedDict, Unpack

from decks.shared.refusals import Refused
from decks.shared.wording import format_reason
from rules.reason import Reason, Reference, reason
from rules.rendering import translate_text
from rules.result_fields import PLACES, YES_NO
from tournament.engine.boards import Boards, format_boards
from tournament.events.models.event import Event
from tournament.events.models.match_result import (
    EMPTY_RESULT,
    ENTERED,
    Ending,
    MatchResult,
    Outcome,
    result_names,
)
from tournament.events.models.match_sides import DUEL_SIDES, describe_places
from tournament.events.models.round import Match, Round, describe_games
from tournament.events.scores import (
    count_games,
    count_result,
    find_board_problems,
    find_score_problems,
    give_boards,
)
from tournament.events.settings import (
    get_agreed_draw_games,
    get_concession_rule,
    get_game,
    get_games_to_win,
    get_own_ending,
    name_ending,
)
from tournament.log.facts import describe_match, reference
from tournament.log.step import Recorder
from tournament.penalties.models import Penalty
from tournament.penalties.selectors import (
    find_ignored_losses,
    get_counting_round,
    get_losing_sides,
    get_losses,
)

ENDINGS_WITH_LOSER = frozenset(
    {Ending.CONCESSION, Ending.NO_SHOW, Ending.LEFT, Ending.PENALTY, Ending.DISQUALIFIED}
)

UNPLAYED_ENDINGS = frozenset({Ending.NO_SHOW, Ending.LEFT})

SIDES = ("p1", "p2", "both")

REOPENED: Mapping[str, object] = MappingProxyType(
    {**EMPTY_RESULT.values(), "result_by": "", "result_at": None}
)


BOTH_PLAYERS = reason("both_players")
# The name of a match with more than two sides.
POD_CODES = {"named_match": "named_match.pod", "named_match.heading": "named_match.heading.pod"}


class EnteredFields(TypedDict, total=False):
    """The fields of a result that staff enter."""

    p1_games: int
    p2_games: int
    draws: int
    ending: str
    consent: bool
    details: Mapping[str, object]
    boards: Boards


class EnteredResult(EnteredFields, total=False):
    """The arguments of `build_result`."""

    double_loss: bool
    loser: str


class ResultEntry(EnteredResult, total=False):
    """Fields that staff enter with a result: the sides that drop, and why.

    See `enter_result`.
    """

    drop: Iterable[str]
    reason: str


class CorrectionEntry(ResultEntry, total=False):
    """Fields of a correction: those of a result, and its guards.

    The guards are the state that was seen and the chosen way.
    """

    seen_revision: int | None
    seen_plan: str | None
    way: str


def build_result(
    event: Event, *, double_loss: bool = False, loser: str = "", **entered_fields: Unpack[EnteredFields]
) -> MatchResult:
    """Build the result from what was entered, unchecked.

    `loser` is "p1", "p2" or "both", who concede, are absent, have left or have a penalty: the opponent
    is given the games that they still need, or all boards. An intentional draw without games has the drawn
    games that the scoring system records.
    Raises TypeError for a field that is not entered.
    """
    if strange := entered_fields.keys() - set(result_names(ENTERED)):
        raise TypeError(f"A result is not entered with {', '.join(sorted(strange))}.")
    result = MatchResult(**entered_fields)
    if event.has_boards:
        result = count_result(give_boards(event, result, loser))
    elif loser in ("p1", "p2"):
        games = get_games_to_win(event)
        result = replace(result, p1_games=games) if loser == "p2" else replace(result, p2_games=games)
    elif result.ending == Ending.AGREED_DRAW and not (result.p1_games or result.p2_games or result.draws):
        result = replace(result, draws=get_agreed_draw_games(event))
    return replace(
        result,
        outcome=_outcome(result, double_loss or loser == "both"),
        forfeit=result.ending in UNPLAYED_ENDINGS,
        consent=result.consent and result.ending == Ending.CONCESSION,
        details=_build_details(event, result),
    )


def _build_details(event: Event, result: MatchResult) -> dict[str, object]:
    """Return what was answered of what the game asks.

    What cannot be is left to be refused.
    """
    fields = {field.key: field for field in get_game(event).result_fields}
    details = {}
    for key, value in result.details.items():
        field = fields.get(key)
        with suppress(ValueError):
            value = field.clean(value) if field else value
        if value is not None:
            details[key] = value
    return details


def _outcome(result: MatchResult, is_double_loss: bool) -> str:
    if is_double_loss:
        return Outcome.DOUBLE_LOSS
    if result.ending == Ending.AGREED_DRAW or result.p1_games == result.p2_games:
        return Outcome.DRAW
    return Outcome.P1 if result.p1_games > result.p2_games else Outcome.P2


def find_result_problems(
    event: Event, match: Match, result: MatchResult, *, loser: str = ""
) -> Iterator[Refused]:
    """Yield all objections to giving the match this result."""
    if match.is_bye:
        yield Refused("bye_stands")
        return
    if match.round.is_draft:
        yield Refused("round_is_draft")
    if match.round.stage.needs_winner and result.outcome in (Outcome.DRAW, Outcome.DOUBLE_LOSS):
        yield Refused("winner_needed", clause=get_game(event).cite("timed_elimination") or None)
    yield from find_score_problems(event, result)
    yield from _detail_problems(event, result)
    yield from find_ignored_losses(match, result.outcome, count_games(result), result.ending)
    yield from _ending_problems(event, result, loser)


def find_report_problems(
    event: Event, match: Match, result: MatchResult, *, loser: str = ""
) -> Iterator[Refused]:
    """Yield the same problems for a result that a player reports.

    Boards may be missing, which is not refused yet.
    """
    if None not in result.boards:
        yield from find_result_problems(event, match, result, loser=loser)
        return
    if match.round.is_draft:
        yield Refused("round_is_draft")
    yield from find_board_problems(event, result.boards, can_be_open=True)


def _ending_problems(event: Event, result: MatchResult, loser: str) -> Iterator[Refused]:
    own = get_own_ending(event, result.ending)
    if result.ending not in Ending.values and own is None:
        yield Refused("ending_unknown", field="ending", ending=result.ending[:40])
    if loser and loser not in SIDES:
        yield Refused("loser_unknown", field="loser")
    elif result.ending in ENDINGS_WITH_LOSER and not loser:
        yield Refused("loser_missing", field="loser", label=str(Ending(result.ending).label))
    elif result.ending == Ending.CONCESSION and loser == "both":
        yield Refused("both_concede", field="loser")
    elif loser and result.ending not in ENDINGS_WITH_LOSER:
        yield Refused("loser_without_ending", field="ending")
    yield from _draw_problems(event, result)
    yield from _consent_problems(event, result)
    if own and own.needs_winner and result.outcome not in (Outcome.P1, Outcome.P2):
        yield Refused("ending_needs_winner", field="score", label=translate_text(own.label))


def _draw_problems(event: Event, result: MatchResult) -> Iterator[Refused]:
    if result.ending != Ending.AGREED_DRAW:
        return
    if not event.intentional_draws:
        yield Refused("agreed_draw_not_allowed", field="ending")
    if result.p1_games != result.p2_games:
        yield Refused("draw_uneven", field="score", written=result.score)


def _consent_problems(event: Event, result: MatchResult) -> Iterator[Refused]:
    if result.ending != Ending.CONCESSION or result.consent:
        return
    rule = get_concession_rule(event)
    if rule.consent_needed:
        yield Refused(
            "consent_needed", field="consent", rule=translate_text(rule.sentence), clause=rule.clause
        )


def _detail_problems(event: Event, result: MatchResult) -> Iterator[Refused]:
    fields = {field.key: field for field in get_game(event).result_fields}
    for key, value in result.details.items():
        place, field = f"details.{key}"[:80], fields.get(key)
        if field is None:
            nearest = get_close_matches(key, fields, 1, cutoff=0)
            code = "detail_unknown" if nearest else "detail_unknown.none"
            yield Refused(code, field=place, key=key[:40], **({"nearest": nearest[0]} if nearest else {}))
            continue
        if field.ending not in ("", result.ending):
            yield Refused(
                "detail_of_ending",
                field=place,
                label=translate_text(field.label),
                ending=name_ending(event, field.ending),
            )
        try:
            field.clean(value)
        except ValueError:
            code = "detail_impossible.yes_no" if field.kind == YES_NO else "detail_impossible"
            yield Refused(
                code, field=place, label=translate_text(field.label), value=str(value)[:40], most=field.most
            )


def find_early_no_show(
    event: Event, match: Match, result: MatchResult, now: datetime, reason: str
) -> Iterator[Refused]:
    """Require a reason to wait less for an absent player than the organizer says.

    This is a Ringside default.
    """
    began = match.round.published_at
    if result.ending != Ending.NO_SHOW or reason.strip() or began is None:
        return
    time_left = began + timedelta(minutes=event.no_show_minutes) - now
    if time_left > timedelta(0):
        minutes = -(-time_left // timedelta(minutes=1))
        yield Refused(
            "too_early_for_no_show", field="reason", no_show_minutes=event.no_show_minutes, minutes=minutes
        )


def name_match(match: Match, code: str = "named_match") -> Reason:
    """Return a match by its table and the names of its players.

    `named_match.heading` begins a sentence.
    """
    if match.is_pod:
        players = tuple(side.player.name for side in match.sides)
        return Reason(POD_CODES[code], {"table": match.table, "players": players})
    return Reason(
        code, {"table": match.table, "p1": match.p1.name, "p2": match.p2.name if match.p2 else None}
    )


def name_pair(match: Match) -> Reason:
    """Return a match by the names of its players alone."""
    match_name = name_match(match)
    return Reason(match_name.code, {**match_name.params, "table": None})


def format_result(match: Match) -> str:
    """Return what a match ended with, for a sentence: “2-1 (Bob conceded)”."""
    return format_reason("reason", name_result(match))


def name_result(match: Match) -> Reason:
    """Return what a match ended with, with the names of its players."""
    if match.outcome == Outcome.PLACES:
        return match.describe_result()
    return describe_games(None if match.outcome == Outcome.DOUBLE_LOSS else match.score, match.how_it_ended)


def describe_result(match: Match) -> Reason:
    """Return what a match ended with, as the log keeps it."""
    if match.outcome == Outcome.PLACES:
        return describe_places(match.sides, reference)
    is_double_loss = match.outcome == Outcome.DOUBLE_LOSS
    winner, loser = (
        (match.p1_id, match.p2_id) if match.winner_id == match.p1_id else (match.p2_id, match.p1_id)
    )
    return reason(
        "result",
        score=None if is_double_loss else match.score,
        ending=match.ending or None,
        winner=None if winner is None else Reference("player", winner),
        loser=BOTH_PLAYERS if is_double_loss or loser is None else Reference("player", loser),
        has_details=bool(match.details or match.boards),
        details=(*([format_boards(match.boards)] if match.boards else ()), *describe_details(match)),
    )


def describe_details(match: Match) -> Iterator[Reason]:
    """Yield what was answered besides the games, as the log keeps it.

    It reads the event if anything was answered.
    """
    fields = get_game(match.round.stage.event).result_fields if match.details else ()
    for field in fields:
        value = match.details.get(field.key)
        if isinstance(value, Mapping):
            sides = {side: Reference("player", getattr(match, f"{side}_id")) for side in PLACES}
            numbers = {f"{side}_number": value.get(side, 0) for side in PLACES}
            yield Reason("result_detail.each", {"label": field.label, **sides, **numbers})
        elif value is True:
            yield Reason("result_detail.yes", {"label": field.label})
        elif isinstance(value, int):
            yield Reason("result_detail", {"label": field.label, "number": value})


PENALTY_RESULT_BY = "Ringside"


def enter_penalty_results(recorder: Recorder, round_: Round) -> bool:
    """Decide open matches that a player has already lost by penalties.

    The round is published. Returns whether there was such a match. Two who have both lost it lose both; a
    match of a bracket between two such stays for the organizer.
    """
    open_matches = Match.objects.filter(round=round_, outcome="", p2__isnull=False, side_count=DUEL_SIDES)
    ordered_matches = list(open_matches.select_related("round__stage", "p1", "p2").order_by("table", "pk"))
    losses = get_losses(recorder.event, ordered_matches)
    decided_matches = [
        match
        for match in ordered_matches
        if match.pk in losses
        and _enter_penalty_result(recorder, match, get_losing_sides(match, losses[match.pk]))
    ]
    return bool(decided_matches)


def _enter_penalty_result(recorder: Recorder, match: Match, losing_sides: list[str]) -> bool:
    is_double_loss = len(losing_sides) == 2
    if not losing_sides or (is_double_loss and match.round.stage.needs_winner):
        return False
    result = build_result(
        recorder.event, ending=Match.Ending.PENALTY, loser="both" if is_double_loss else losing_sides[0]
    )
    values = {"result_by": PENALTY_RESULT_BY, "result_at": recorder.now, "revision": match.revision + 1}
    recorder.update(match, **result.values(), **values)
    recorder.log(
        "result_by_penalty",
        match=describe_match(match, "match.heading"),
        result=describe_result(match),
        loser=BOTH_PLAYERS if is_double_loss else getattr(match, losing_sides[0]),
    )
    return True


def get_match_decided_by(penalty: Penalty) -> Match | None:
    """Return the later match that this penalty, carried over, has decided by itself.

    Two queries at most.
    """
    place = get_counting_round(penalty) if penalty.is_next else None
    if place is None:
        return None
    matches = Match.objects.filter(
        seats__player=penalty.player_id, ending=Match.Ending.PENALTY, result_by=PENALTY_RESULT_BY
    )
    matches_of_round = matches.filter(round__stage__position=place[0], round__number=place[1])
    return matches_of_round.select_related("round__stage__event", "p1", "p2").first()
