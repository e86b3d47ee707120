"""Create and change leagues, add events, link registrations, undo, seed events.

A league is beside its events: nothing here touches an event or its log. It has a log of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypedDict, Unpack

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.text import slugify

from decks.shared.refusals import Conflict, Refused, refuse_all
from rules.reason import Param, Reason, params_from_json, params_to_json, reason
from tournament.access.permissions import Actor
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.leagues.models import League, LeagueEvent, LeagueLine, SamePerson
from tournament.leagues.selectors import (
    Discipline,
    addable_events,
    find_discipline,
    places_by_email,
    show_lines,
    to_reason,
)
from tournament.log.facts import LogParam, to_param
from tournament.log.step import step
from tournament.pairing.services.draft_repair import FieldChange, keep_draft
from tournament.shared.awards import PointsData

Kind = LeagueLine.Kind

Facts = Mapping[str, object]


class LeagueValues(TypedDict, total=False):
    """The columns of a league that its owner sets; `points` as they are kept."""

    name: str
    notes: str
    points: PointsData
    best_of: int | None


@dataclass(frozen=True, slots=True)
class LeagueStep:
    """One change of a league under its lock."""

    league: League
    actor: Actor

    def log(
        self, code: str, /, *, kind: str, before: Facts | None, after: Facts | None, **params: LogParam
    ) -> LeagueLine:
        """Write the line; rows among the parameters become references."""
        return LeagueLine.objects.create(
            league=self.league,
            at=timezone.now(),
            user=self.actor.user,
            actor="" if self.actor.user else self.actor.label[:120],
            kind=kind,
            code=code,
            params=params_to_json({name: to_param(value) for name, value in params.items()}),
            before=before,
            after=after,
        )


@contextmanager
def league_step(league: League, actor: Actor) -> Iterator[LeagueStep]:
    """Run one change alone.

    The league's row is locked, so two people pressing one button take turns.
    """
    with transaction.atomic():
        yield LeagueStep(League.objects.select_for_update().get(pk=league.pk), actor)


def undo_league_change(line: LeagueLine, actor: Actor) -> LeagueLine:
    """Restore what a line changed to how it was.

    The new line can be undone in turn. Raises Refused for the first line, a line undone before, and if it was
    changed since.
    """
    with league_step(line.league, actor) as recorder:
        locked_line = LeagueLine.objects.get(pk=line.pk)
        _refuse_if_not_undoable(locked_line)
        _RESTORE_BY_KIND[locked_line.kind](recorder.league, locked_line)
        undo_line = recorder.log(
            _UNDO_CODES.get(locked_line.code, "change_undone"),
            kind=locked_line.kind,
            before=locked_line.after,
            after=locked_line.before,
            step=_undone_change(locked_line),
        )
        LeagueLine.objects.filter(pk=locked_line.pk).update(undone_by=undo_line)
    return undo_line


# The action name for undoing a line; any other line is a change that is undone.
_UNDO_CODES = {
    "change_undone": "change_redone",
    "change_undone.again": "change_redone",
    "change_redone": "change_undone.again",
}


def _undone_change(line: LeagueLine) -> Param:
    """Return the change at the bottom, however often that came and went."""
    if line.code in _UNDO_CODES:
        return params_from_json(line.params)["step"]
    return to_reason(line)


def _refuse_if_not_undoable(line: LeagueLine) -> None:
    if line.kind == Kind.MADE:
        raise Refused("the_beginning_stays")
    if line.undone_by_id is not None:
        raise Refused("already_taken_back")


def _changed_since() -> Conflict:
    return Conflict("changed_since")


def _restore_columns(league: League, line: LeagueLine) -> None:
    before, after = line.before or {}, line.after or {}
    if any(getattr(league, name) != value for name, value in after.items()):
        raise _changed_since()
    League.objects.filter(pk=league.pk).update(**before)


def _restore_event(league: League, line: LeagueLine) -> None:
    if line.before is None:
        current_entries = LeagueEvent.objects.filter(league=league, event=(line.after or {})["event"])
        if not current_entries.delete()[0]:
            raise _changed_since()
    else:
        event = Event.objects.filter(pk=line.before["event"]).first()
        if event is None:
            raise Refused("gone_for_good")
        _refuse_other_discipline(league, event)
        _, is_new = LeagueEvent.objects.get_or_create(league=league, event_id=line.before["event"])
        if not is_new:
            raise _changed_since()


def _restore_same_person(league: League, line: LeagueLine) -> None:
    pair_data = line.before or line.after or {}
    pair = {"league": league, "one_id": pair_data["one"], "two_id": pair_data["two"]}
    if line.before is None:
        if not SamePerson.objects.filter(**pair).delete()[0]:
            raise _changed_since()
        return
    _refuse_if_gone(Player.objects.filter(pk__in=(pair_data["one"], pair_data["two"])).count() == 2)
    statement = {"said_by": show_lines([line])[0].actor_name, "said_at": line.at}
    _, is_new = SamePerson.objects.get_or_create(**pair, defaults=statement)
    if not is_new:
        raise _changed_since()


def _refuse_if_gone(is_there: bool) -> None:
    if not is_there:
        raise Refused("gone_for_good")


# Functions that restore the values before a line; each raises Refused if that is not possible.
_RESTORE_BY_KIND: dict[str, Callable[[League, LeagueLine], None]] = {
    Kind.LEAGUE.value: _restore_columns,
    Kind.EVENT.value: _restore_event,
    Kind.PERSON.value: _restore_same_person,
}

RESERVED_SLUGS = {"new"}

MAX_COUNTED_RESULTS = 1000


def create_league(owner: User, **values: Unpack[LeagueValues]) -> League:
    """Make a league. Raises Refused with everything that is wrong."""
    refuse_all(_league_problems(values))
    with transaction.atomic():
        new_league = League.objects.create(owner=owner, slug=_free_slug(values["name"]), **values)
        with league_step(new_league, Actor.of_user(owner)) as recorder:
            name = new_league.name
            recorder.log("league_made", kind=Kind.MADE, before=None, after={"name": name}, league=name)
    return new_league


def update_league(league: League, actor: Actor, **values: Unpack[LeagueValues]) -> League:
    """Change a league's values. Raises Refused as `create_league` does."""
    refuse_all(_league_problems(values))
    with league_step(league, actor) as recorder:
        current = recorder.league
        after = {name: value for name, value in values.items() if getattr(current, name) != value}
        before = {name: getattr(current, name) for name in after}
        if after:
            League.objects.filter(pk=league.pk).update(**after)
            settings = [Reason("league_setting", {"name": name}) for name in after]
            recorder.log("league_changed", kind=Kind.LEAGUE, before=before, after=after, settings=settings)
    league.refresh_from_db()
    return league


def _league_problems(values: LeagueValues) -> list[Refused]:
    problems = []
    if "name" in values and not values["name"].strip():
        problems.append(Refused("name_missing.league", field="name"))
    best_of = values.get("best_of")
    if best_of is not None and not 1 <= best_of <= MAX_COUNTED_RESULTS:
        problems.append(Refused("best_of_wrong", field="best_of", max_counted_results=MAX_COUNTED_RESULTS))
    return problems


def _free_slug(name: str) -> str:
    base = slugify(name)[:60] or "league"
    taken_slugs = RESERVED_SLUGS | set(
        League.objects.filter(slug__startswith=base).values_list("slug", flat=True)
    )
    return next(
        slug for slug in (base, *(f"{base}-{n}" for n in range(2, 10_000))) if slug not in taken_slugs
    )


def add_event(league: League, user: User, event: Event) -> LeagueEvent:
    """Add an event that the person manages to the league.

    A second time changes nothing.
    """
    existing_entry = LeagueEvent.objects.filter(league=league, event=event).first()
    if existing_entry is not None:
        return existing_entry
    if not addable_events(user, league).filter(pk=event.pk).exists():
        raise Refused("not_your_event", field="event", event=event.name)
    with league_step(league, Actor.of_user(user)) as recorder:
        _refuse_other_discipline(league, event)
        entry, is_new = LeagueEvent.objects.get_or_create(league=league, event=event)
        if is_new:
            after = {"event": event.pk}
            recorder.log("event_added", kind=Kind.EVENT, before=None, after=after, event=event)
    return entry


def _refuse_other_discipline(league: League, event: Event) -> None:
    """Raise Refused for an event of another game or team size than the league's."""
    discipline = find_discipline(league)
    if discipline is not None and Discipline.of(event) != discipline:
        raise Refused(
            "other_discipline",
            field="event",
            event=event.name,
            league=discipline.words,
            own=Discipline.of(event).words,
        )


def remove_event(league: League, actor: Actor, entry: int) -> None:
    """Take an event out of the league; a second time changes nothing."""
    with league_step(league, actor) as recorder:
        locked_entry = LeagueEvent.objects.filter(league=league, pk=entry).select_related("event").first()
        if locked_entry is not None:
            locked_entry.delete()
            before = {"event": locked_entry.event_id}
            recorder.log(
                "event_removed", kind=Kind.EVENT, before=before, after=None, event=locked_entry.event
            )


def mark_same_person(league: League, actor: Actor, one: int, two: int) -> SamePerson:
    """Say that two registrations of the league, by id, are one person.

    A second time changes nothing.
    """
    first, second = sorted((one, two))
    with league_step(league, actor) as recorder:
        players = Player.objects.filter(pk__in=(first, second), event__league_entries__league=league)
        if first == second or players.count() != 2:
            raise Refused("not_in_the_league", field="two")
        statement = {"said_by": actor.label[:120], "said_at": timezone.now()}
        same_person, is_new = SamePerson.objects.get_or_create(
            league=league, one_id=first, two_id=second, defaults=statement
        )
        if is_new:
            after, pair = _pair_ids(same_person), _pair_params(same_person)
            recorder.log("same_person", kind=Kind.PERSON, before=None, after=after, **pair)
    return same_person


def unmark_same_person(league: League, actor: Actor, word: int) -> None:
    """Undo that two registrations are one person; a second time changes nothing."""
    with league_step(league, actor) as recorder:
        pairs = SamePerson.objects.select_related("one__event", "two__event")
        locked_pair = pairs.filter(league=league, pk=word).first()
        if locked_pair is not None:
            before, pair = _pair_ids(locked_pair), _pair_params(locked_pair)
            locked_pair.delete()
            recorder.log("two_people", kind=Kind.PERSON, before=before, after=None, **pair)


def unmark_removed_registrations(registrations: Sequence[int], actor: Actor) -> None:
    """Remove same-person marks from registrations about to leave their event.

    The registrations are given by id. The log of each league says so; once the registration is back, its line
    can be undone.
    """
    if not registrations:
        # Django compiles a query before it knows that nothing can be found; most steps remove none.
        return
    words = SamePerson.objects.filter(Q(one__in=registrations) | Q(two__in=registrations))
    for word in words.select_related("league", "one__event", "two__event").order_by("league_id", "pk"):
        with league_step(word.league, actor) as recorder:
            before, pair = _pair_ids(word), _pair_params(word)
            word.delete()
            recorder.log("registration_removed", kind=Kind.PERSON, before=before, after=None, **pair)


def _pair_ids(pair: SamePerson) -> dict[str, int]:
    return {"one": pair.one_id, "two": pair.two_id}


def _pair_params(pair: SamePerson) -> dict[str, LogParam]:
    return {"one": pair.one, "two": pair.two, "one_event": pair.one.event, "two_event": pair.two.event}


def seed_by_season(event: Event, actor: Actor, league: League) -> int:
    """Seed each player by their place in the table of `league`; return how many.

    Players are matched by email. Players who share a place share the seed; a player who is not in the
    table has none: ties are broken at random. A draft that follows seeds is paired again.

    Raises Refused if the league has no table yet, or none of the event's players is in it.
    """
    places = places_by_email(league)
    if not places:
        raise Refused("league_without_table", field="league", league=league.name)
    with step(event, actor) as recorder:
        players = list(event.players.exclude(status=Player.Status.WITHDRAWN).order_by("number"))
        seeds = {player: places.get(player.email.casefold()) for player in players}
        seeded_count = sum(seed is not None for seed in seeds.values())
        if not seeded_count:
            raise Refused("nobody_in_league", field="league", league=league.name)
        changed_players = {player.pk: player for player, seed in seeds.items() if player.seed != seed}
        if changed_players:
            rows = {pk: {"seed": seeds[player]} for pk, player in changed_players.items()}
            recorder.update_all(Player, rows, current_rows=changed_players)
            why = reason("seeds_changed", league=league.name)
            keep_draft(recorder, why, FieldChange(values=("seed",)))
            recorder.log("seeded_by_season", league=league.name, seeded=seeded_count, players=len(players))
    return seeded_count
