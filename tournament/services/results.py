"""Results: entered by staff, reported and confirmed by players, corrected with a reason."""

from __future__ import annotations

from collections.abc import Iterator

from tournament.errors import Conflict, Refused, refuse_all
from tournament.models import Event, Match, Player, ResultReport
from tournament.rulebook import games_to_win
from tournament.services import brackets, rounds
from tournament.services.actor import Actor
from tournament.services.recorder import Recorder, step

Outcome = Match.Outcome


def enter_result(
    match: Match,
    actor: Actor,
    *,
    p1_games: int,
    p2_games: int,
    draws: int = 0,
    double_loss: bool = False,
    seen_revision: int | None = None,
    reason: str = "",
) -> Match:
    """Enter or correct the result of a match in games won.

    `seen_revision` is what the page showed: when somebody changed the match since, Conflict is raised and
    nothing is written. The same result again changes nothing. Raises Refused with every problem at once.
    """
    event = match.round.stage.event
    with step(event, actor) as recorder:
        standing = _fresh(match)
        outcome = Outcome.DOUBLE_LOSS if double_loss else _outcome(p1_games, p2_games)
        result = (outcome, p1_games, p2_games, draws)
        if result == _result(standing):
            return standing
        _refuse_stale(standing, seen_revision)
        refuse_all(list(_problems(recorder.event, standing, outcome, p1_games, p2_games, draws)))
        _write(recorder, standing, result, actor)
        recorder.say("result_entered", _sentence(standing, actor), reason=reason)
        _follow(recorder, standing)
    return standing


def clear_result(match: Match, actor: Actor, *, seen_revision: int | None = None, reason: str = "") -> Match:
    """Take a result back; the match counts as still playing."""
    with step(match.round.stage.event, actor) as recorder:
        standing = _fresh(match)
        if standing.is_bye:
            raise Refused("bye_stands", "A bye has no result to take back.")
        if not standing.is_finished:
            return standing
        _refuse_stale(standing, seen_revision)
        _write(recorder, standing, (Outcome.PLAYING, 0, 0, 0), actor)
        recorder.say(
            "result_cleared", f"{actor.label} took the result of {_label(standing)} back.", reason=reason
        )
        _follow(recorder, standing)
    return standing


def _fresh(match: Match) -> Match:
    standing = Match.objects.select_related("round__stage", "p1", "p2").filter(pk=match.pk).first()
    if standing is None:
        raise Conflict("match_gone", "This match no longer exists; the round was paired again.")
    return standing


def _result(match: Match) -> tuple[str, int, int, int]:
    return match.outcome, match.p1_games, match.p2_games, match.draws


def _refuse_stale(match: Match, seen: int | None) -> None:
    if seen is not None and seen != match.revision:
        says = f"{match.score} by {match.result_by}" if match.is_finished else "no result"
        raise Conflict(
            "result_changed_meanwhile",
            f"{_label(match).capitalize()} was changed meanwhile and now has {says}.",
            fix="Look again and enter the result once more if it is still wrong.",
        )


def _outcome(p1_games: int, p2_games: int) -> str:
    if p1_games == p2_games:
        return Outcome.DRAW
    return Outcome.P1 if p1_games > p2_games else Outcome.P2


def _problems(
    event: Event, match: Match, outcome: str, p1_games: int, p2_games: int, draws: int
) -> Iterator[Refused]:
    if match.is_bye:
        yield Refused("bye_stands", "A bye cannot be given another result.")
        return
    if match.round.is_draft:
        yield Refused("round_is_draft", "The round is not published yet.", fix="Publish it first.")
    if match.round.stage.is_elimination and outcome in (Outcome.DRAW, Outcome.DOUBLE_LOSS):
        yield Refused(
            "winner_needed",
            "A match in the cut needs a winner.",
            fix="Settle it by the timed-elimination rule (UFS 102.3.1).",
        )
    yield from _score_problems(event, p1_games, p2_games, draws)


def _score_problems(event: Event, p1_games: int, p2_games: int, draws: int) -> Iterator[Refused]:
    needed = games_to_win(event)
    written = f"{p1_games}-{p2_games}" + (f"-{draws}" if draws else "")
    if min(p1_games, p2_games, draws) < 0:
        yield Refused("score_negative", f"{written} is not a score.", field="score")
    elif max(p1_games, p2_games) > needed or p1_games == p2_games == needed:
        yield Refused(
            "score_impossible",
            f"{written} cannot happen: a match ends when one player has won {needed}.",
            fix=f"Enter at most {needed}-{needed - 1}.",
            field="score",
        )
    elif draws > 9:
        yield Refused("draws_impossible", f"{draws} drawn games cannot be right.", field="draws")


def _write(recorder: Recorder, match: Match, result: tuple[str, int, int, int], actor: Actor) -> None:
    outcome, p1_games, p2_games, draws = result
    finished = outcome != Outcome.PLAYING
    recorder.update(
        match,
        outcome=outcome,
        p1_games=p1_games,
        p2_games=p2_games,
        draws=draws,
        forfeit=False,
        revision=match.revision + 1,
        result_by=actor.label[:120] if finished else "",
        result_at=recorder.now if finished else None,
    )


def _follow(recorder: Recorder, match: Match) -> None:
    if match.round.stage.is_elimination:
        brackets.advance(recorder, match.round.stage)
    rounds.settle(recorder, match.round)
    if match.round.stage.is_elimination:
        brackets.crown(recorder, match.round.stage)


def _label(match: Match) -> str:
    return f"table {match.table}, {match.p1.name} against {match.p2.name if match.p2 else 'nobody'},"


def _sentence(match: Match, actor: Actor) -> str:
    if match.outcome == Outcome.DOUBLE_LOSS:
        return f"{actor.label}: {_label(match)} is a loss for both."
    return f"{actor.label}: {_label(match)} ended {match.score}."


def report_result(match: Match, player: Player, *, p1_games: int, p2_games: int, draws: int = 0) -> Match:
    """A player reports his match; when the opponent's report says the same, the result stands.

    Two reports that differ leave the match open for a judge. Raises Refused when the player is not in the
    match, the result already stands differently, or the score is impossible.
    """
    actor = Actor.of_player(player)
    with step(match.round.stage.event, actor) as recorder:
        standing = _fresh(match)
        games = (p1_games, p2_games, draws)
        if _already_so(standing, player, games):
            return standing
        refuse_all(list(_problems(recorder.event, standing, _outcome(p1_games, p2_games), *games)))
        _keep_report(recorder, standing, player, games)
        if _agreed(standing, games):
            _write(recorder, standing, (_outcome(p1_games, p2_games), *games), _both(standing))
            recorder.say("result_agreed", f"Both players: {_label(standing)} ended {standing.score}.")
            _follow(recorder, standing)
    return standing


def _already_so(match: Match, player: Player, games: tuple[int, int, int]) -> bool:
    if player.pk not in (match.p1_id, match.p2_id):
        raise Refused("not_your_match", "This is not your match.")
    if not match.is_finished:
        return False
    if (match.p1_games, match.p2_games, match.draws) == games:
        return True
    raise Refused(
        "result_stands",
        f"The result of this match already stands: {match.score}.",
        fix="Tell a judge if it is wrong.",
    )


def _keep_report(recorder: Recorder, match: Match, player: Player, games: tuple[int, int, int]) -> None:
    values = dict(zip(("p1_games", "p2_games", "draws"), games, strict=True))
    own = ResultReport.objects.filter(match=match, player=player).first()
    if own is None:
        recorder.create(ResultReport(match=match, player=player, reported_at=recorder.now, **values))
    else:
        recorder.update(own, reported_at=recorder.now, **values)
    recorder.say("result_reported", f"{player.name} reported {_label(match)} as {games[0]}-{games[1]}.")


def _agreed(match: Match, games: tuple[int, int, int]) -> bool:
    reports = list(ResultReport.objects.filter(match=match))
    return len(reports) == 2 and all(report.games == games for report in reports)


def _both(match: Match) -> Actor:
    return Actor(label=f"{match.p1.name} and {match.p2.name}")
