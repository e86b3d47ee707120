"""What is certain about the cut before the last result is in."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import connection

from decks.shared.cache import SingleFlightCache
from tournament.engine.outlook import projections
from tournament.engine.problems import EngineError
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.selectors import map_character_spellings
from tournament.events.settings import is_swiss_then_cut
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
            declined=[pk for pk, _, has_declined, _ in player_rows if has_declined],
            lots={pk: lot for pk, _, _, lot in player_rows},
        )
    except EngineError:
        # A character is missing, or fewer rounds are planned than were played: nothing can be promised.
        return ()


def outlooks(event: Event) -> Mapping[int, projections.Projection]:
    """What is certain about each player's place in the cut; empty while nothing is asked or known."""
    if event.phase != Event.Phase.SWISS or event.cut == Event.Cut.NONE or not is_swiss_then_cut(event):
        return {}
    # Inside a step the rows may already have changed while the version has not.
    if connection.in_atomic_block:
        return _project_by_player(event)
    return _outlook_cache.get_or_compute((event.pk, event.version), lambda: _project_by_player(event))


def outlook_of_player(event: Event, player: Player) -> projections.Projection | None:
    """What is certain about the player's place in the cut while Swiss rounds are played, if anything is."""
    return None if player.is_dropped else outlooks(event).get(player.pk)
