"""Names for the references of reasons on the pages of an event.

    names = EventNames(event).collect(reasons)
    format_reason("reason", reasons[0], names)

`collect` notes what the reasons of a page refer to; the first name that is requested loads all that were
noted of its kind in one query. What is counted (table, place, round) is called by its number alone, so
messages say "table {table}". What no longer exists is called by kind and key: "player 12".

A round is its number, or `(position of its stage, number)`; a stage its position; a card its key or its row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TypeAlias

from django.contrib.auth.models import User
from django.db.models import Q

from decks.catalogue.models import Card
from decks.shared.wording import format_reason, say_reason
from rules.reason import Reason, Reference, iter_references, reason
from rules.wording import Name
from tournament.engine.problems import EngineError
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match

Key: TypeAlias = int | str | tuple[int, ...]

MOST_IDS = 1 << 63
COUNTED = frozenset({"table", "place", "round"})


class EventNames:
    """The names of one event; `rules.wording` calls it for each reference.

    `players` are names that the page has loaded already, by id. Without an event, stages and cards by key
    have no names.
    """

    def __init__(self, event: Event | None = None, *, players: Mapping[int, str] | None = None) -> None:
        self._event = event
        self._collected_keys: defaultdict[str, set[Key]] = defaultdict(set)
        self._names: defaultdict[str, dict[Key, str]] = defaultdict(dict)
        self._names["player"].update((pk, name) for pk, name in (players or {}).items())

    def collect(self, reasons: Iterable[Reason]) -> EventNames:
        """Record what these reasons refer to.

        Thus one query loads the names of each kind.
        """
        for each in reasons:
            for reference in iter_references(each):
                self._collected_keys[reference.kind].add(reference.key)
        return self

    def __call__(self, reference: Reference) -> str:
        kind, key = reference.kind, reference.key
        if kind in COUNTED:
            return str(key[-1] if isinstance(key, tuple) else key)
        names = self._names[kind]
        if key not in names:
            missing_keys = (self._collected_keys[kind] | {key}) - names.keys()
            loaded_names = self._load(kind, missing_keys)
            names |= {each: loaded_names.get(each, f"{kind} {each}") for each in missing_keys}
        return names[key]

    def _load(self, kind: str, keys: Collection[Key]) -> Mapping[Key, str]:
        return _LOADERS[kind](self._event, keys)


def names_of_match(match: Match) -> EventNames:
    """Return names for the reasons of a match that comes with its players.

    The names of the two take no query.
    """
    players = [match.p1, match.p2] if match.p2 is not None else [match.p1]
    return EventNames(players={player.pk: player.name for player in players})


def format_reasons(reasons: Iterable[Reason], names: Name | None = None) -> str:
    """Return several reasons in words, one after the other."""
    return " ".join(say_reason(each, names) for each in reasons)


def format_problems(error: EngineError, event: Event) -> str:
    """Return what the engine found wrong, in words with names."""
    reasons = [problem.reason for problem in error.problems]
    names = EventNames(event).collect(reasons)
    return " ".join(format_reason("problem", each, names) for each in reasons)


def _ids(keys: Collection[Key]) -> list[int]:
    return [key for key in keys if isinstance(key, int) and 0 <= key < MOST_IDS]


def _load_players(event: Event | None, keys: Collection[Key]) -> Mapping[Key, str]:
    return dict(Player.objects.filter(pk__in=_ids(keys)).values_list("pk", "name"))


def _load_matches(event: Event | None, keys: Collection[Key]) -> Mapping[Key, str]:
    rows = Match.objects.filter(pk__in=_ids(keys)).values_list("pk", "p1__name", "p2__name")
    return {
        pk: format_reason("reason", reason("match_of", one=one, two=two)) if two else one
        for pk, one, two in rows
    }


def _load_stages(event: Event | None, keys: Collection[Key]) -> Mapping[Key, str]:
    rows = Stage.objects.filter(event=event, position__in=_ids(keys)).values_list("position", "kind")
    return {position: str(Stage.Kind(kind).label) for position, kind in rows}


def _load_events(event: Event | None, keys: Collection[Key]) -> Mapping[Key, str]:
    return dict(Event.objects.filter(pk__in=_ids(keys)).values_list("pk", "name"))


def _load_users(event: Event | None, keys: Collection[Key]) -> Mapping[Key, str]:
    users = User.objects.filter(pk__in=_ids(keys))
    return {user.pk: user.get_full_name() or user.get_username() for user in users}


def _load_cards(event: Event | None, keys: Collection[Key]) -> Mapping[Key, str]:
    by_key = Q(game=event.game, key__in=[str(key) for key in keys]) if event else Q(pk__in=())
    cards = Card.objects.filter(by_key | Q(pk__in=_ids(keys)))
    return {name: str(card) for card in cards for name in (card.pk, card.key)}


_LOADERS: Mapping[str, Callable[[Event | None, Collection[Key]], Mapping[Key, str]]] = {
    "player": _load_players,
    "match": _load_matches,
    "stage": _load_stages,
    "event": _load_events,
    "user": _load_users,
    "card": _load_cards,
}
