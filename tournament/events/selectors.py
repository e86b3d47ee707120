"""Read stages, rounds, public events, players and characters of an event.

Characters are compared without case, rank dots, accents, hyphens and spaces: a player who types “chun li”
means Chun-Li.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db.models import Count, Prefetch, Q, QuerySet, prefetch_related_objects

import rules
from decks.catalogue.models import Card
from decks.shared.rows import find_row
from rules.cuts import normalize_character
from rules.limited import LimitedPlay
from rules.names import split_rank_marks
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import LOADED_REPORTS, Match, Round
from tournament.events.settings import get_undated_format
from tournament.shared.text import fold_name

STANDINGS_KINDS = (Stage.Kind.SWISS, Stage.Kind.ROBIN, Stage.Kind.GROUPS)

BRACKET_KINDS = (Stage.Kind.SINGLE, Stage.Kind.DOUBLE)


def get_limited_play(event: Event) -> LimitedPlay | None:
    """Return what happens before round 1 of a limited format.

    None if players bring their decks.
    """
    try:
        return get_undated_format(event).limited
    except rules.UnknownFormat:
        return None


def get_current_stage(event: Event) -> Stage | None:
    """Return the stage that was begun last; None before the start. One query."""
    return event.stages.order_by("position").last()


def get_standings_stage(event: Event) -> Stage | None:
    """Return the stage with standings that was begun last.

    It is Swiss, round robin or groups of four. One query.
    """
    return event.stages.filter(kind__in=STANDINGS_KINDS).order_by("position").last()


def get_bracket_stage(event: Event) -> Stage | None:
    """Return the bracket, once it is made. One query."""
    return event.stages.filter(kind__in=BRACKET_KINDS).order_by("position").last()


def get_standings_rounds(event: Event) -> QuerySet[Round]:
    """Return the rounds with standings, including drafts.

    Their numbers run through all such stages.
    """
    return Round.objects.filter(stage__event=event, stage__kind__in=STANDINGS_KINDS)


def count_rounds_before(stage: Stage) -> int:
    """Return how many rounds the stages before this one had.

    The rounds of this stage are numbered after them. One query.
    """
    return get_standings_rounds(stage.event).filter(stage__position__lt=stage.position).count()


def is_in_bracket(player: Player) -> bool:
    """Return whether the player has a place in a bracket. One query."""
    return player.stage_places.filter(stage__kind__in=BRACKET_KINDS).exists()


def get_latest_round(event: Event) -> Round | None:
    """Return the round that was paired last, of the cut if there is one."""
    return Round.objects.filter(stage__event=event).select_related("stage").last()


def get_rounds(event: Event) -> list[Round]:
    """Return all rounds in the order they are played."""
    return list(Round.objects.filter(stage__event=event).select_related("stage"))


def get_open_matches(event: Event, rounds: Sequence[Round] | None = None) -> list[Match]:
    """Return published tables without a result, with players' reports.

    `rounds` are all rounds of the event if the caller has them. Three queries, two with `rounds`; two more
    with pods.
    """
    all_rounds = get_rounds(event) if rounds is None else rounds
    published_rounds = {each.pk: each for each in all_rounds if each.state != Round.State.DRAFT}
    matches = Match.objects.filter(round__in=list(published_rounds), outcome="")
    reports = Prefetch("reports", to_attr=LOADED_REPORTS)
    tables = list(matches.select_related("p1", "p2").prefetch_related(reports).order_by("table"))
    for match in tables:
        match.round = published_rounds[match.round_id]
    prefetch_related_objects([match for match in tables if match.is_pod], "seats__player")
    return tables


MAX_PAST_EVENTS = 30

_REGISTERED_COUNT = Count("players", filter=Q(players__status=Player.Status.REGISTERED))

_WAITING_COUNT = Count("players", filter=Q(players__status=Player.Status.WAITING))


# The events that the public may see.
IS_PUBLIC = ~Q(phase=Event.Phase.PREPARING)


def get_counted_events() -> QuerySet[Event]:
    """Return all events, each with `registered` and `waiting` players counted."""
    return Event.objects.annotate(registered=_REGISTERED_COUNT, waiting=_WAITING_COUNT)


def get_registered_count(event: Event) -> int:
    """Return the registered players of one of `get_counted_events`."""
    return int(vars(event)["registered"])


def get_public_events() -> QuerySet[Event]:
    """Return the events that are not being prepared, with the same counts."""
    return get_counted_events().filter(IS_PUBLIC)


def get_public_event(slug: str) -> Event | None:
    """Return one event as the public sees it.

    None when there is none or it is still being prepared. One query.
    """
    return find_row(get_public_events().filter(slug=slug))


def get_public_version(slug: str) -> tuple[int, int] | None:
    """Return the key and the version of an event that the public sees; None as above.

    One small query.
    """
    return find_row(Event.objects.filter(IS_PUBLIC, slug=slug).values_list("pk", "version"))


def get_published_rounds(event: Event) -> list[Round]:
    """Return rounds that players may see, in the order they are played. One query."""
    rounds = Round.objects.filter(stage__event=event).exclude(state=Round.State.DRAFT)
    return list(rounds.select_related("stage"))


def exclude_bracket_rounds(rounds: Iterable[Round]) -> list[Round]:
    """Return those of the rounds that are not part of a bracket.

    These are Swiss and round robin.
    """
    return [each for each in rounds if not each.stage.is_elimination]


def are_characters_public(event: Event) -> bool:
    """Show declared characters once no one can prepare against them any more."""
    return event.phase in (Event.Phase.SWISS, Event.Phase.CUT, Event.Phase.FINISHED)


def get_player_by_token(token: str) -> Player | None:
    """Return the player of a private link, with event and list; None if unknown.

    The link of a merged registration returns the remaining player, with one query more.
    """
    rows = get_players_with_lists().select_related("team__event")
    player = find_row(rows.filter(token=token))
    return rows.get(pk=player.merged_into_id) if player and player.merged_into_id else player


def get_players_with_lists() -> QuerySet[Player]:
    """Return players with event and list, as their private pages need them."""
    return Player.objects.select_related("event", "deck_list__current")


CHARACTER_TYPE = "character"


def is_same_character(one: str, two: str) -> bool:
    """Return whether two names say the same character, however they are typed."""
    return _fold_character(one) == _fold_character(two)


def map_character_spellings(event: Event, declared_names: Iterable[str]) -> Mapping[str, str]:
    """Return each declared name with the spelling of its character.

    It is the catalogue's spelling, or else the one most used. One query, where a character is spelled in more
    than one way; none else. Names that the catalogue tells apart, such as those that differ by an accent
    only, stay apart.
    """
    uses_by_name = Counter(filter(None, declared_names))
    groups: dict[str, list[str]] = defaultdict(list)
    for name in uses_by_name:
        groups[_fold_character(name)].append(name)
    has_variants = any(len(group) > 1 for group in groups.values())
    catalogue_names = _find_catalogue_names(event, groups.keys()) if has_variants else {}
    return {
        name: spelling
        for folded_name, group in groups.items()
        for name, spelling in _map_group_spellings(
            group, catalogue_names.get(folded_name, frozenset()), uses_by_name
        )
    }


def _fold_character(name: str) -> str:
    return fold_name(_without_dots(name))


def _without_dots(name: str) -> str:
    """Return a name without dots and needless spaces."""
    return split_rank_marks(" ".join(name.split()))[0]


def _find_catalogue_names(event: Event, folded_names: Iterable[str]) -> Mapping[str, frozenset[str]]:
    """Return the names of characters in the game's catalogue, by comparison form.

    Only the requested ones are included.
    """
    wanted_names, names_by_folded = set(folded_names), defaultdict(set)
    names = Card.objects.filter(game=event.game, attributes__type__iexact=CHARACTER_TYPE)
    for name in names.values_list("name", flat=True).distinct():
        plain = _without_dots(name)
        if (key := fold_name(plain)) in wanted_names:
            names_by_folded[key].add(plain)
    return {key: frozenset(each) for key, each in names_by_folded.items()}


def _map_group_spellings(
    group: list[str], catalogue_names: frozenset[str], uses_by_name: Counter[str]
) -> Iterable[tuple[str, str]]:
    """Return the names of one group with their spelling."""
    if len(group) == 1:
        return [(group[0], " ".join(group[0].split()))]
    catalogue_spellings = {normalize_character(name): name for name in sorted(catalogue_names, reverse=True)}
    if len(catalogue_spellings) < 2:
        best = next(iter(catalogue_spellings.values()), None) or _without_dots(
            max(group, key=partial(_spelling_rank, uses_by_name))
        )
        return [(name, best) for name in group]
    return [(name, catalogue_spellings.get(normalize_character(name), name)) for name in group]


def _spelling_rank(uses_by_name: Counter[str], name: str) -> tuple[int, bool, bool, str]:
    """Return the rank of a spelling, the most used being first.

    Then comes what is written as names are, in capitals and small letters.
    """
    return uses_by_name[name], not name.isupper(), name[:1].isupper(), name


def get_last_time_zone(user: User) -> str:
    """Return the time zone of the event that this person made or joined last.

    Empty before the first.
    """
    zones = Event.objects.filter(staff__user=user).order_by("-pk").values_list("time_zone", flat=True)
    return zones.first() or ""


def get_user_time_zone(user: User) -> ZoneInfo | None:
    """Return the zone of the person's last event; None if only the device knows it.

    One query.
    """
    name = get_last_time_zone(user)
    return ZoneInfo(name) if name else None
