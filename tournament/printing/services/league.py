"""Asking for the table of a league on paper: made by the worker, kept until something of it changes."""

from __future__ import annotations

from decks.jobs.models import Job
from decks.jobs.queue import enqueue, latest
from tournament.access.actor import Actor
from tournament.events.models.event import Event
from tournament.leagues.models import League
from tournament.shared.fingerprint import mark_of

KIND = "print_league"


def ask_for_table(league: League, actor: Actor, paper: str) -> Job:
    """The job that makes the table; one that was made for the same state of the league is used again."""
    key = f"{league.pk}/{paper}/{_state(league)}"
    made = latest(KIND, key)
    if made is not None and made.state == Job.State.DONE and made.file_path and made.file_path.exists():
        return made
    return enqueue(KIND, {"league": league.pk, "paper": paper}, key=key, requested_by=actor.label)


def _state(league: League) -> str:
    """All that the table hangs on, in a word: the last line of the league's log, its events' versions."""
    entries = Event.objects.filter(league_entries__league=league).order_by("pk")
    versions = list(entries.values_list("pk", "version"))
    last = league.log.values_list("pk", flat=True).first()
    return mark_of((last, league.name, versions))
