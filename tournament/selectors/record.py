"""One player's record as everybody may see it: round by round, and the arithmetic behind his place."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock

from django.db import connection

from tournament.engine import projections as engine
from tournament.engine.explanation import Explanation, explain
from tournament.engine.problems import EngineError
from tournament.engine.tiebreakers.base import Term
from tournament.models import Event, Player
from tournament.selectors.field import engine_event
from tournament.selectors.standings import in_words, system_of
from tournament.selectors.table import HIDDEN_KINDS

CACHED_OUTLOOKS = 16


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the arithmetic, with the opponent's name; bracketed where it does not count."""

    term: Term
    opponent: str

    @property
    def figure(self) -> str:
        """What the line adds; where a quotient is made, above and below the line."""
        return f"{self.term.value} / {self.term.of}" if self.term.of else str(self.term.value)


@dataclass(frozen=True, slots=True)
class Worked:
    """One tiebreaker of one player, worked out opponent by opponent."""

    explanation: Explanation
    steps: list[Step]

    @property
    def name(self) -> str:
        """The tiebreaker's name."""
        return self.explanation.tiebreaker.name

    @property
    def shown(self) -> str:
        """The value as tables show it."""
        return in_words(self.explanation.value, self.explanation.tiebreaker)


def worked_out(event: Event, player: Player) -> list[Worked]:
    """Points and each tiebreaker of a registered player as they stand now. Four queries."""
    played, system = engine_event(event), system_of(event)
    names = {person.id: person.name for person in played.players}
    if player.pk not in names or not played.rounds:
        return []
    keys = ["points", *(t.key for t in system.tiebreakers if t.kind_name not in HIDDEN_KINDS)]
    return [_worked(explain(played, system, player.pk, key), names) for key in keys]


def _worked(explanation: Explanation, names: Mapping[int, str]) -> Worked:
    steps = [Step(term, names.get(term.opponent or 0, "")) for term in explanation.terms]
    return Worked(explanation, steps)


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
    try:
        return engine.projections(
            engine_event(event),
            system_of(event),
            rounds_total=event.swiss_rounds or 0,
            cut_size=event.cut_size or 0,
            diversity=event.needs_character,
            characters={p.pk: p.character for p in people},
            short=event.short_cut,
            declined=[p.pk for p in people if p.declined_cut],
            lots={p.pk: p.lot for p in people},
        )
    except EngineError:
        # A character is missing, or fewer rounds are planned than were played: nothing can be promised.
        return ()


def outlook(event: Event, player: Player) -> engine.Projection | None:
    """What is certain about the player's place in the cut while Swiss rounds are played, if anything is."""
    if event.phase != Event.Phase.SWISS or event.cut == Event.Cut.NONE or player.is_dropped:
        return None
    return _outlooks.of(event).get(player.pk)
