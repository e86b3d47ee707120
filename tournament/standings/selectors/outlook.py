"""Certain facts about the cut before the last result is in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import connection

from decks.shared.cache import SingleFlightCache
from decks.shared.json_shapes import Published
from decks.shared.stated_reasons import StatedReason, state_reason
from tournament.engine.outlook import projections
from tournament.engine.problems import EngineError
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.selectors import map_character_spellings
from tournament.events.settings import get_plan, get_sides, is_swiss_then_cut
from tournament.standings.selectors.standings import load_engine_event, scoring_system_of

CACHED_OUTLOOKS = 16


# Reckoned once for the whole field, however many players look.
_outlook_cache: SingleFlightCache[tuple[int, int], Mapping[int, projections.Projection]] = SingleFlightCache(
    CACHED_OUTLOOKS
)


def _project_by_player(event: Event) -> Mapping[int, projections.Projection]:
    return {each.player: each for each in _compute_projections(event)}


def _compute_projections(event: Event) -> tuple[projections.Projection, ...]:
    rows = event.players.filter(status=Player.Status.REGISTERED)
    player_rows = list(rows.values_list("pk", "character", "declined_cut", "lot"))
    spellings = map_character_spellings(event, (character for _, character, _, _ in player_rows))
    try:
        return projections.project_cut(
            load_engine_event(event),
            scoring_system_of(event),
            rounds_total=event.swiss_rounds or 0,
            cut_size=event.cut_size or 0,
            diversity=event.needs_character,
            characters={pk: spellings.get(character, "") for pk, character, _, _ in player_rows},
            short="fill" if event.short_cut == Event.ShortCut.FILL else "shrink",
            decliners=[pk for pk, _, has_declined, _ in player_rows if has_declined],
            lots={pk: lot for pk, _, _, lot in player_rows},
        )
    except EngineError:
        # A character is missing, or fewer rounds are planned than were played: nothing can be promised.
        return ()


def outlooks(event: Event) -> Mapping[int, projections.Projection]:
    """Return what is certain about each player's place in the cut.

    It is empty while nothing is asked or known.
    """
    if event.phase != Event.Phase.SWISS or event.cut == Event.Cut.NONE or not is_swiss_then_cut(event):
        return {}
    if get_plan(event)[0].has_exits or not get_sides(event).is_duel:
        return {}
    # Inside a step the rows may already have changed while the version has not.
    if connection.in_atomic_block:
        return _project_by_player(event)
    return _outlook_cache.get_or_compute((event.pk, event.version), lambda: _project_by_player(event))


@dataclass(frozen=True, slots=True)
class PlayerOutlook(Published):
    """A player's chances to qualify for the cut, and the method of calculation."""

    PUBLISHED = {
        "player": "player.number",
        "name": "player.name",
        "outlook": "projection.outlook",
        "draw_is_safe": "projection.draw_is_safe",
        "method": "projection.method",
        "reason": "reason",
    }
    player: Player
    projection: projections.Projection

    @property
    def reason(self) -> StatedReason:
        """Why, with a sentence."""
        return state_reason(self.projection.reason)


def list_outlooks(event: Event) -> list[PlayerOutlook]:
    """Return what is certain about each player's place in the cut, by number.

    One query beside the outlooks.
    """
    projection_by_player = outlooks(event)
    players = event.players.filter(status=Player.Status.REGISTERED).order_by("number")
    return [
        PlayerOutlook(player, projection_by_player[player.pk])
        for player in players
        if player.pk in projection_by_player
    ]


def outlook_of_player(event: Event, player: Player) -> projections.Projection | None:
    """Return what is certain about the player's place in the cut, if anything.

    This is for Swiss rounds.
    """
    return None if player.is_dropped else outlooks(event).get(player.pk)
