"""What is certain about the cut before the last result is in: who is in, who is out, who may draw."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock

from django.db import connection

from tournament.engine.outlook import projections as engine
from tournament.engine.problems import EngineError
from tournament.models import Event, Player
from tournament.plan import goes_from_swiss_to_cut
from tournament.selectors.characters import spellings
from tournament.selectors.field import engine_event
from tournament.selectors.standings import system_of

CACHED_OUTLOOKS = 16


class _Outlooks:
    """Projections by event and version: reckoned once for the whole field, however many players look."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[int, int], Mapping[int, engine.Projection]] = OrderedDict()
        self._lock = Lock()

    def of(self, event: Event) -> Mapping[int, engine.Projection]:
        """Every player's outlook at the event's present version."""
        # Inside a step the rows may already have changed while the version has not.
        if connection.in_atomic_block:
            return _by_player(event)
        key = (event.pk, event.version)
        # One reckons while the others wait: after a result all players look at once.
        with self._lock:
            if key not in self._known:
                self._known[key] = _by_player(event)
                while len(self._known) > CACHED_OUTLOOKS:
                    self._known.popitem(last=False)
            return self._known[key]


_outlooks = _Outlooks()


def _by_player(event: Event) -> Mapping[int, engine.Projection]:
    return {each.player: each for each in _project(event)}


def _project(event: Event) -> tuple[engine.Projection, ...]:
    people = event.players.filter(status=Player.Status.REGISTERED)
    spelled = spellings(event, (p.character for p in people))
    try:
        return engine.projections(
            engine_event(event),
            system_of(event),
            rounds_total=event.swiss_rounds or 0,
            cut_size=event.cut_size or 0,
            diversity=event.needs_character,
            characters={p.pk: spelled.get(p.character, "") for p in people},
            short=event.short_cut,
            declined=[p.pk for p in people if p.declined_cut],
            lots={p.pk: p.lot for p in people},
        )
    except EngineError:
        # A character is missing, or fewer rounds are planned than were played: nothing can be promised.
        return ()


def outlooks(event: Event) -> Mapping[int, engine.Projection]:
    """What is certain about each player's place in the cut; empty while nothing is asked or known."""
    if event.phase != Event.Phase.SWISS or event.cut == Event.Cut.NONE or not goes_from_swiss_to_cut(event):
        return {}
    return _outlooks.of(event)


def outlook(event: Event, player: Player) -> engine.Projection | None:
    """What is certain about the player's place in the cut while Swiss rounds are played, if anything is."""
    return None if player.is_dropped else outlooks(event).get(player.pk)
