"""Drop a player during the event, and undo the drop."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from decks.shared.refusals import Refused
from rules.reason import Reason
from tournament.access.permissions import Actor
from tournament.brackets.services import bracket as bracket_services
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.selectors import get_standings_rounds
from tournament.log.facts import describe_match, reference
from tournament.log.step import Recorder, step
from tournament.matches import BOTH_PLAYERS, REOPENED, build_result
from tournament.pairing.services.draft_repair import keep_draft
from tournament.penalties.selectors import refuse_disqualified
from tournament.results.services import writing
from tournament.results.services.writing import update_round_and_bracket, write_result
from tournament.shared.coded_texts import DISQUALIFIED, ON_SLIP, strip_sign

Phase = Event.Phase
Ending = Match.Ending
PlaceColumns = Callable[[Recorder], dict[str, object]]
PLAYING_PHASES = (Phase.SWISS, Phase.CUT)
# The line of the log for each cause that Ringside gives.
DROP_LINES = {ON_SLIP: "player_dropped.on_slip", DISQUALIFIED: "player_dropped.disqualified"}


class OpenMatchPolicy(StrEnum):
    """Options for the unfinished match of a player who drops.

    The documents name none (Ringside default).
    """

    PLAY = "play"
    WIN = "win"
    SWAP = "swap"
    ALL = "all"
    BOTH = "both"


# Choices that leave the open match as it is; both players cannot drop if there is none.
NOTHING_MORE = (OpenMatchPolicy.PLAY, OpenMatchPolicy.BOTH)


def drop(
    player: Player,
    actor: Actor,
    *,
    reason: str = "",
    open_match_policy: str = OpenMatchPolicy.PLAY,
    seen_plan: str | None = None,
    champion: str = "",
) -> None:
    """Drop a player during the event.

    The player is never paired again. Their past results and places stay. `running` says what becomes of their
    open match: it is played to its end first (`play`), the opponent wins it without play (`win`), or the
    tables that have not finished are paired without them, as few as possible changing (`swap`) or all
    (`all`), or both players leave (`both`, with the `champion` of a last match). Raises Refused before the
    start and after the end.
    """
    both_drop = find_open_match(player) if open_match_policy == OpenMatchPolicy.BOTH else None
    if both_drop is not None:
        drop_both_players(both_drop, actor, reason=reason, champion=champion)
        return
    with step(player.event, actor) as recorder:
        if open_match_policy not in set(OpenMatchPolicy):
            raise Refused("running_unknown", field="running")
        open_match = find_open_match(player)
        if not drop_in_step(recorder, player, reason=reason):
            return
        if open_match is None or open_match.is_pod or open_match_policy in NOTHING_MORE:
            return
        if open_match_policy == OpenMatchPolicy.WIN or open_match.round.stage.is_elimination:
            _forfeit_open_match(recorder, open_match)
        else:
            writing.amend_round(recorder, open_match.round, open_match_policy, seen_mark=seen_plan)


def drop_both_players(match: Match, actor: Actor, *, reason: str = "", champion: str = "") -> None:
    """Drop both players of a table in the middle of the round.

    The match is lost for both. This is a Ringside default. In a bracket or a group of four, the better seed
    advances in name. The last match of a bracket stays open, unless `champion` (p1 or p2) says who wins it in
    name. Raises Refused for tables of more than two sides.
    """
    with step(match.round.stage.event, actor) as recorder:
        locked_match = writing.reload_match(recorder, match)
        if champion not in ("", "p1", "p2"):
            raise Refused("running_unknown", field="champion")
        if locked_match.is_pod:
            raise Refused("running_unknown", field="running")
        for player in (locked_match.p1, locked_match.p2):
            if player is not None:
                _mark_dropped(recorder, player, reason)
        stage = locked_match.round.stage
        if not stage.is_elimination:
            _forfeit_open_match(recorder, locked_match, loser=_find_loser_in_name(stage, locked_match))
        elif champion and bracket_services.is_last_match(locked_match):
            _forfeit_open_match(recorder, locked_match, loser="p2" if champion == "p1" else "p1")
        bracket_services.continue_bracket(recorder)


def _find_loser_in_name(stage: Stage, match: Match) -> str:
    """Return the worse seed of two who leave a group of four.

    One of them must win. It is empty if both lose.
    """
    if not stage.needs_winner:
        return ""
    seeds = dict(stage.entrants.values_list("player_id", "seed"))
    return "p2" if seeds[match.p1_id] < seeds[match.p2_id or 0] else "p1"


def drop_in_step(recorder: Recorder, player: Player, *, reason: str = "", cause: str = "") -> bool:
    """Drop the player within a step, for a reason in words or a cause.

    Returns whether they were in.
    """
    is_marked = _mark_dropped(recorder, player, reason, cause)
    if is_marked:
        bracket_services.continue_bracket(recorder)
    return is_marked


def _mark_dropped(recorder: Recorder, player: Player, reason: str, cause: str = "") -> bool:
    player.refresh_from_db(fields=["status", "dropped_after", "drop_reason"])
    if recorder.event.phase not in (*PLAYING_PHASES, Phase.FINISHED):
        raise Refused("not_playing_yet.drop")
    if recorder.event.phase == Phase.FINISHED:
        raise Refused("event_finished")
    if player.dropped_after is not None or player.status != Player.Status.REGISTERED:
        return False
    drop_reason = cause or strip_sign(reason)[:200]
    recorder.update(player, dropped_after=_count_published_rounds(recorder.event), drop_reason=drop_reason)
    recorder.log(DROP_LINES.get(cause, "player_dropped"), reason=reason, player=player)
    keep_draft(recorder, Reason("player_dropped", {"player": reference(player)}))
    return True


def _count_published_rounds(event: Event) -> int:
    return get_standings_rounds(event).exclude(state=Round.State.DRAFT).count()


def find_open_match(player: Player) -> Match | None:
    """Return the player's unfinished match, if any. Two queries."""
    seats = player.seats.exclude(match__round__state=Round.State.DRAFT).filter(match__outcome="")
    seat = seats.select_related("match__round__stage", "match__p1", "match__p2").last()
    return seat.match if seat else None


def _forfeit_open_match(recorder: Recorder, match: Match, *, loser: str = "") -> None:
    """Award the open match of a player who left to the opponent.

    It is a loss for both if both have left. `loser` names the side that loses where the organizer has
    decided.
    """
    locked_match = writing.reload_match(recorder, match)
    if locked_match.is_finished or locked_match.p2 is None:
        return
    dropped_sides = [side for side in ("p1", "p2") if getattr(locked_match, side).is_dropped]
    loser = loser or ("both" if len(dropped_sides) == 2 else dropped_sides[0])
    result = build_result(recorder.event, ending=Ending.LEFT, loser=loser)
    write_result(recorder, locked_match, result, recorder.actor.author)
    recorder.log(
        "result_entered.left",
        match=describe_match(locked_match, "match.heading"),
        loser=BOTH_PLAYERS if loser == "both" else getattr(locked_match, loser),
    )
    update_round_and_bracket(recorder, locked_match)


def undo_drop(player: Player, actor: Actor, *, place: PlaceColumns | None = None) -> None:
    """Undo a drop: the player is paired again from the next round on.

    A match of the current round lost by dropping is open again. `place` gives the columns of the
    registration if the player had not started. While a bracket is played, a player outside it counts as not
    dropped in the standings. Raises Refused once the event is over.
    """
    with step(player.event, actor) as recorder:
        player.refresh_from_db(fields=["status", "dropped_after", "drop_reason"])
        if player.dropped_after is None:
            return
        if recorder.event.phase == Phase.FINISHED:
            raise Refused("event_finished.undo_drop")
        refuse_disqualified(player)
        recorder.update(player, dropped_after=None, drop_reason="", **(place(recorder) if place else {}))
        recorder.log("drop_undone", player=player)
        _reopen_match(recorder, player)
        keep_draft(recorder, Reason("player_is_back", {"player": reference(player)}))
        bracket_services.reopen_forfeits(recorder, player)


def _reopen_match(recorder: Recorder, player: Player) -> None:
    """Reopen the match lost by dropping; a win if the opponent dropped too."""
    if recorder.event.phase != Phase.SWISS:
        return
    last = get_standings_rounds(recorder.event).exclude(state=Round.State.DRAFT).order_by("number").last()
    lost_matches = Match.objects.filter(round=last, ending=Ending.LEFT, seats__player=player)
    match = (
        lost_matches.exclude(round__stage__kind__in=(Stage.Kind.ROBIN, Stage.Kind.GROUPS))
        .select_related("round__stage", "p1", "p2")
        .first()
    )
    if match is None or match.winner_id == player.pk:
        return
    recorder.update(match, **REOPENED)
    update_round_and_bracket(recorder, match)
    if match.p1.is_dropped or (match.p2 is not None and match.p2.is_dropped):
        _forfeit_open_match(recorder, match)
