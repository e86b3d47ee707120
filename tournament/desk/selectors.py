"""Events a user helps to run, and the overview of one event with its next step."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import prefetch_related_objects

from decks.submissions.selectors import current_verdict, verdict_prefetches
from tournament.brackets.selectors.bracket import load_stage_players
from tournament.decklists.selectors import current_version
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.seats import map_seats
from tournament.events.selectors import get_open_matches, get_rounds
from tournament.log.models import LogEntry
from tournament.pairing.selectors.round_count import UnfitRounds, find_unfit_rounds, suggest_swiss_rounds
from tournament.results.next_step import NextStep, find_next_step
from tournament.standings.selectors.exits import ExitCounts, count_event_exits

Phase = Event.Phase


@dataclass(frozen=True, slots=True)
class EventOverview:
    """An event's day at a glance.

    Figures of players are of the stage being played, after the end of the whole event; `stage_players` is how
    many came into a later one.
    """

    step: NextStep
    players: int
    stage_players: int | None
    dropped_count: int
    waiting_count: int
    checked_in_count: int
    missing_players: list[Player]
    players_without_list: list[Player]
    lists_to_correct: list[Player]
    latest_recheck: LogEntry | None
    rounds: list[Round]
    current_round: Round | None
    open_matches: list[Match]
    disputes: list[Match]
    log: list[LogEntry]
    suggested_rounds: int
    planned_rounds: int | None
    exits: ExitCounts | None
    unfit_rounds: UnfitRounds | None

    @property
    def are_rounds_over(self) -> bool:
        """Return whether all planned Swiss rounds are played.

        If so, only an extra one could follow. None can follow when wins and losses have ended the stage for
        every player.
        """
        if self.has_everyone_left:
            return False
        is_swiss = self.current_round is not None and self.current_round.stage.kind == Stage.Kind.SWISS
        is_open = self.current_round is not None and self.current_round.is_draft
        return (
            is_swiss
            and not is_open
            and not self.open_matches
            and len(self.rounds) >= (self.planned_rounds or 0)
        )

    @property
    def can_add_round(self) -> bool:
        """Whether an extra round can be planned while others are still to be played."""
        is_swiss = self.current_round is None or self.current_round.stage.kind == Stage.Kind.SWISS
        return is_swiss and not self.are_rounds_over and not self.has_everyone_left

    @property
    def has_everyone_left(self) -> bool:
        """Whether wins and losses have ended the stage for every player."""
        return self.exits is not None and self.exits.is_everyone_out

    @property
    def has_suggestion(self) -> bool:
        """Whether the number of rounds is only suggested."""
        return not self.planned_rounds and self.players > 1

    @property
    def round_count(self) -> str:
        """How many rounds are planned, or suggested; a dash while neither can be said."""
        return str(self.suggested_rounds) if self.has_suggestion else str(self.planned_rounds or "–")


def get_overview(event: Event) -> EventOverview:
    """Return everything that the first page of the console shows."""
    people = list(
        event.players.select_related("deck_list__current")
        .prefetch_related(*verdict_prefetches("deck_list__current"))
        .exclude(status=Player.Status.WITHDRAWN)
    )
    stage = load_stage_players(event)
    here = [p for p in people if stage is None or stage.has_entered(p)]
    active = [p for p in here if (p.is_in if stage is None else stage.is_still_playing(p))]
    owners = [owner for seats in map_seats(event, active).values() for owner in seats]
    if event.has_boards:
        prefetch_related_objects(owners, *verdict_prefetches("deck_list__current"))
    rounds = get_rounds(event)
    current = rounds[-1] if rounds else None
    open_matches = get_open_matches(event, rounds)
    took_part = [p for p in people if p.status == Player.Status.REGISTERED]
    checked_in = sum(p.checked_in_at is not None for p in active)
    return EventOverview(
        step=find_next_step(event, rounds, open_matches, players=len(active), checked_in=checked_in),
        players=len(took_part if event.phase == Phase.FINISHED else active),
        stage_players=len(stage.entered_ids) if stage else None,
        dropped_count=sum(p.is_dropped for p in here),
        waiting_count=sum(p.status == Player.Status.WAITING for p in here),
        checked_in_count=checked_in,
        missing_players=[p for p in active if p.checked_in_at is None],
        players_without_list=[p for p in owners if current_version(p) is None],
        lists_to_correct=[p for p in owners if _list_outcome(p) not in ("", "legal")],
        latest_recheck=_find_latest_recheck(event),
        rounds=rounds,
        current_round=current,
        open_matches=open_matches,
        disputes=[m for m in open_matches if m.is_disputed],
        log=list(event.log.all()[:8]),
        suggested_rounds=suggest_swiss_rounds(event, len(active)),
        planned_rounds=event.swiss_rounds,
        exits=count_event_exits(event) if event.phase == Phase.SWISS else None,
        unfit_rounds=find_unfit_rounds(event),
    )


def _list_outcome(player: Player) -> str:
    """Return the verdict that counts for the player's list; empty for none."""
    version = current_version(player)
    return current_verdict(version).outcome if version else ""


def _find_latest_recheck(event: Event) -> LogEntry | None:
    """Return the last recheck of the lists that a new edition caused.

    None once the event has begun.
    """
    if event.phase in (Phase.SWISS, Phase.CUT, Phase.FINISHED):
        return None
    return event.log.filter(action="lists_checked_again").first()
