"""What players say of their match: one reports, the other says the same, or a judge decides."""

from __future__ import annotations

from decks.shared.refusals import Refused, refuse_all
from tournament.access.actor import Actor
from tournament.events.game_terms import concession_of
from tournament.events.models.player import Player
from tournament.events.models.round import Match, ResultReport
from tournament.log.step import Recorder, step
from tournament.matches.result import NOTHING, Result, build, in_words, label, problems
from tournament.results.services import corrections
from tournament.results.services.writing import fresh, reports_of, write

Ending = Match.Ending
BY_PLAYERS = frozenset({Ending.PLAYED, Ending.CONCESSION, Ending.AGREED_DRAW, Ending.HEAD_SHOT})


def report_result(
    match: Match, player: Player, *, p1_games: int = 0, p2_games: int = 0, draws: int = 0, ending: str = ""
) -> Match:
    """A player reports his match; when the opponent's report says the same, the result stands.

    With `ending` “concession” the loser by games gives up; where the game asks no consent and it is the
    reporter himself, that stands at once. Two reports that differ leave the match open for a judge. Raises
    Refused when the player is not in the match, the result already stands differently, or is impossible.
    """
    actor = Actor.of_player(player)
    with step(match.round.stage.event, actor) as recorder:
        standing = fresh(match)
        result = _meant(recorder, standing, player, (p1_games, p2_games, draws), ending)
        if _already_so(standing, player, result):
            return standing
        refuse_all(list(problems(recorder.event, standing, result, loser=_loser(result))))
        _keep_report(recorder, standing, player, result)
        alone = ending == Ending.CONCESSION and not concession_of(recorder.event).consent_needed
        if _agreed(standing) or (alone and _loser(result) == _side(standing, player)):
            who = actor if alone else _both(standing)
            write(recorder, standing, result, who)
            verb = "gave" if alone else "ended"
            recorder.say("result_agreed", f"{who.label}: {label(standing)} {verb} {in_words(standing)}.")
            corrections.follow(recorder, standing, NOTHING)
    return standing


def _meant(
    recorder: Recorder, match: Match, player: Player, games: tuple[int, int, int], ending: str
) -> Result:
    """The result of a report. Who has fewer games concedes; the reporter, when they are level."""
    if ending not in BY_PLAYERS:
        raise Refused("ending_not_yours", "Only staff can say that a match ended so.", field="ending")
    loser = ""
    if ending == Ending.CONCESSION:
        level = games[0] == games[1]
        loser = _side(match, player) if level else ("p1" if games[0] < games[1] else "p2")
    return build(
        recorder.event,
        p1_games=games[0],
        p2_games=games[1],
        draws=games[2],
        ending=ending,
        loser=loser,
        consent=ending == Ending.CONCESSION,
    )


def _loser(result: Result) -> str:
    if result.ending != Ending.CONCESSION:
        return ""
    return "p2" if result.outcome == Match.Outcome.P1 else "p1"


def _side(match: Match, player: Player) -> str:
    return "p1" if player.pk == match.p1_id else "p2"


def _already_so(match: Match, player: Player, result: Result) -> bool:
    if player.pk not in (match.p1_id, match.p2_id):
        raise Refused("not_your_match", "This is not your match.")
    if not match.is_finished:
        return False
    stands = Result.of(match)
    if (stands.outcome, stands.written) == (result.outcome, result.written):
        return True
    raise Refused(
        "result_stands",
        f"The result of this match already stands: {in_words(match)}.",
        fix="Tell a judge if it is wrong.",
    )


def _keep_report(recorder: Recorder, match: Match, player: Player, result: Result) -> None:
    values = {name: getattr(result, name) for name in ("p1_games", "p2_games", "draws", "ending")}
    own = ResultReport.objects.filter(match=match, player=player).first()
    if own is None:
        own = recorder.create(ResultReport(match=match, player=player, reported_at=recorder.now, **values))
    elif all(getattr(own, name) == value for name, value in values.items()):
        return
    else:
        recorder.update(own, reported_at=recorder.now, **values)
    recorder.say("result_reported", f"{player.name} reported {label(match)} as {own.words}.")


def _agreed(match: Match) -> bool:
    reports = reports_of(match)
    return len(reports) == 2 and reports[0].says == reports[1].says


def _both(match: Match) -> Actor:
    return Actor(label=f"{match.p1.name} and {match.p2.name}")
