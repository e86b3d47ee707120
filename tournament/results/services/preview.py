"""Try a correction out and take it back at once: what it would change, told before anybody decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from decks.shared.refusals import Refused
from tournament.access.actor import Actor
from tournament.brackets.selectors.cut_again import CutAgain
from tournament.brackets.services import cut_again
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.log.step import step
from tournament.matches.result import in_words
from tournament.pairing.selectors.drafts import draft_view
from tournament.pairing.selectors.repairs import Repairs, open_round_after
from tournament.results.services import corrections, drops, results
from tournament.results.services.corrections import Way
from tournament.standings.selectors.standings import standings

REHEARSED = "rehearsed"


SHOWN_MOVES = 40


Place = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Move:
    """A player's place and points in the standings before and after."""

    player: Player
    before: Place
    after: Place


@dataclass(frozen=True, slots=True)
class Consequences:
    """Everything a correction would touch.

    `moves`: whose place or points in the standings change. `repairs`: the two ways to change the published
    round that was paired from the old result, if there is one; `doubts`: what then speaks against leaving it.
    `draft`: the number of a draft that is paired again. `falls`: results of a bracket that no longer count.
    `tables`: open matches of a bracket that others play then.
    `stage_made`: whether a later stage was made from the old standings; `cut`: what making it anew changes.
    """

    match: Match
    before: str
    after: str
    moves: list[Move]
    repairs: Repairs | None
    doubts: list[str]
    draft: int | None
    falls: list[str]
    tables: list[str]
    stage_made: bool
    cut: CutAgain | None

    @property
    def needs_a_way(self) -> bool:
        """Whether somebody has to choose before the result can be written."""
        return bool(self.repairs or self.falls or self.stage_made)

    @property
    def shown_moves(self) -> list[Move]:
        """As many moves as a page shows, the best places first."""
        return self.moves[:SHOWN_MOVES]


def preview(match: Match, actor: Actor, **entry: Any) -> Consequences:
    """What giving the match this result would change; nothing is written. `entry` as for `enter_result`.

    Raises Refused where the result itself is refused.
    """
    with transaction.atomic():
        try:
            return _tried(_fresh(match), actor, entry)
        finally:
            transaction.set_rollback(True)


def _fresh(match: Match) -> Match:
    return Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=match.pk)


def _tried(match: Match, actor: Actor, entry: dict[str, Any]) -> Consequences:
    event, stage = match.round.stage.event, match.round.stage
    before = _places(event)
    stood = corrections.results_of(stage) if stage.is_elimination else {}
    seated = _open_tables(stage)
    was = in_words(match) if match.is_finished else "no result"
    way = Way.FALL if stage.is_elimination else Way.LEAVE
    reason = entry.get("reason") or REHEARSED
    changed = results.enter_result(
        match,
        actor,
        **{**entry, "way": way, "reason": reason, "seen_revision": None, "seen_plan": None},
    )
    still = corrections.results_of(stage) if stage.is_elimination else {}
    later = open_round_after(match.round) if changed.outcome != match.outcome else None
    stage_made = not stage.is_elimination and corrections.next_stage_of(stage) is not None
    return Consequences(
        match=match,
        before=was,
        after=in_words(changed),
        moves=_moves(event, before),
        repairs=_repairs(later),
        doubts=_doubts(later),
        draft=_draft(event),
        falls=[words for pk, words in stood.items() if pk not in still],
        tables=_other_players(seated, _open_tables(stage)),
        stage_made=stage_made,
        cut=cut_again.tried_out(event, actor) if stage_made else None,
    )


def _open_tables(stage: Stage) -> dict[int | None, str]:
    """Who plays the open matches of a bracket, by their place in it."""
    if not stage.is_elimination:
        return {}
    playing = Match.objects.filter(round__stage=stage, outcome="").select_related("p1", "p2")
    return {match.bracket_match: f"{match.p1} against {match.p2}" for match in playing.order_by("pk")}


def _other_players(before: dict[int | None, str], after: dict[int | None, str]) -> list[str]:
    return [
        f"{after[place]} instead of {words}" if place in after else f"{words} is not played yet"
        for place, words in before.items()
        if after.get(place) != words
    ]


def _places(event: Event) -> dict[int, tuple[Player, Place]]:
    return {line.player.pk: (line.player, (line.rank, str(line.row.points))) for line in standings(event)}


def _moves(event: Event, before: dict[int, tuple[Player, Place]]) -> list[Move]:
    after = _places(event)
    return [
        Move(player, place, after[pk][1])
        for pk, (player, place) in before.items()
        if pk in after and after[pk][1] != place
    ]


def _repairs(later: Round | None) -> Repairs | None:
    try:
        return corrections.plan_of(later) if later else None
    except Refused:
        return None


def _doubts(later: Round | None) -> list[str]:
    """What speaks against the open tables as they are published, the bye included."""
    if later is None:
        return []
    done = set(later.matches.exclude(outcome__in=("", Match.Outcome.BYE)).values_list("pk", flat=True))
    return [
        f"Table {warning.table}: {warning.sentence}" if warning.table else warning.sentence
        for warning in draft_view(later).warnings
        if warning.match not in done
    ]


def _draft(event: Event) -> int | None:
    drafts = Round.objects.filter(stage__event=event, state=Round.State.DRAFT)
    return drafts.values_list("number", flat=True).first()


def preview_drop(player: Player, actor: Actor) -> Repairs | None:
    """Which tables of the published round could change if this player, whose match is open, left now."""
    with transaction.atomic():
        try:
            with step(Event.objects.get(pk=player.event_id), actor) as recorder:
                person = Player.objects.get(pk=player.pk)
                open_match = drops.open_match_of(person)
                if open_match is None or not drops.leave(recorder, person):
                    return None
                return corrections.plan_of(
                    Round.objects.select_related("stage__event").get(pk=open_match.round_id)
                )
        except Refused:
            return None
        finally:
            transaction.set_rollback(True)
