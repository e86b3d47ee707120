"""The log of a league: every change with who, when, before and after; lines are taken back, and that too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from decks.shared.refusals import Refused
from tournament.access.actor import Actor
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.leagues.models import League, LeagueEvent, LeagueLine, SamePerson
from tournament.shared.refusals import Conflict

Kind = LeagueLine.Kind
Facts = dict[str, Any]


@dataclass
class LeagueStep:
    """One change of a league under its lock."""

    league: League
    actor: Actor

    def say(self, kind: str, sentence: str, before: Facts | None, after: Facts | None) -> LeagueLine:
        """Write the line."""
        return LeagueLine.objects.create(
            league=self.league,
            at=timezone.now(),
            user=self.actor.user,
            actor=self.actor.label[:120],
            kind=kind,
            sentence=f"{self.actor.label} {sentence}"[:400],
            before=before,
            after=after,
        )


@contextmanager
def league_step(league: League, actor: Actor) -> Iterator[LeagueStep]:
    """Run one change alone: the league's row is locked, so two people pressing one button take turns."""
    with transaction.atomic():
        yield LeagueStep(League.objects.select_for_update().get(pk=league.pk), actor)


def take_back(line: LeagueLine, actor: Actor) -> LeagueLine:
    """Bring what a line changed back to how it was; the new line can be taken back in turn.

    Raises Refused for the first line, a line taken back before, and where it was changed since.
    """
    with league_step(line.league, actor) as step:
        standing = LeagueLine.objects.get(pk=line.pk)
        _refuse_hopeless(standing)
        _BRING[standing.kind](step.league, standing)
        made = step.say(standing.kind, _told(standing), standing.after, standing.before)
        LeagueLine.objects.filter(pk=standing.pk).update(undone_by=made)
    return made


def _told(line: LeagueLine) -> str:
    """What taking a line back is: it names the change at the bottom, however often that came and went."""
    change, times = line, 0
    while (taken := LeagueLine.objects.filter(undone_by=change).first()) is not None:
        change, times = taken, times + 1
    did = "did again what was taken back" if times % 2 else f"took back{' again' if times else ''}"
    return f"{did}: “{change.sentence[:300]}”"


def _refuse_hopeless(line: LeagueLine) -> None:
    if line.kind == Kind.MADE:
        raise Refused("the_beginning_stays", "The log begins with this line; nothing was before it.")
    if line.undone_by_id is not None:
        raise Refused(
            "already_taken_back", "This is already taken back.", fix="Take that back to have it again."
        )


def _changed_since() -> Conflict:
    return Conflict("changed_since", "This was changed again since.", fix="Take the later change back first.")


def _bring_columns(league: League, line: LeagueLine) -> None:
    before, after = line.before or {}, line.after or {}
    if any(getattr(league, name) != value for name, value in after.items()):
        raise _changed_since()
    League.objects.filter(pk=league.pk).update(**before)


def _bring_event(league: League, line: LeagueLine) -> None:
    if line.before is None:
        gone = LeagueEvent.objects.filter(league=league, event=line.after["event"])
        if not gone.delete()[0]:
            raise _changed_since()
    else:
        _there(Event.objects.filter(pk=line.before["event"]).exists())
        _, is_new = LeagueEvent.objects.get_or_create(league=league, event_id=line.before["event"])
        if not is_new:
            raise _changed_since()


def _bring_person(league: League, line: LeagueLine) -> None:
    facts: Mapping[str, Any] = line.before or line.after or {}
    pair = {"league": league, "one_id": facts["one"], "two_id": facts["two"]}
    if line.before is None:
        if not SamePerson.objects.filter(**pair).delete()[0]:
            raise _changed_since()
        return
    _there(Player.objects.filter(pk__in=(facts["one"], facts["two"])).count() == 2)
    told = {"said_by": line.actor, "said_at": line.at}
    _, is_new = SamePerson.objects.get_or_create(**pair, defaults=told)
    if not is_new:
        raise _changed_since()


def _there(is_there: bool) -> None:
    if not is_there:
        raise Refused("gone_for_good", "What this line is about is no longer on this Ringside.")


# How what a line changed is brought from `after` to `before`; each raises Refused where it cannot be.
_BRING: dict[str, Callable[[League, LeagueLine], None]] = {
    Kind.LEAGUE.value: _bring_columns,
    Kind.EVENT.value: _bring_event,
    Kind.PERSON.value: _bring_person,
}
