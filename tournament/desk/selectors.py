"""Events a user helps to run, and the overview of one event with its next step."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from decks.submissions.selectors import current_verdict, verdict_prefetches
from tournament.brackets.selectors.bracket import load_stage_players
from tournament.decklists.selectors import current_version
from tournament.engine.pairing.round_plan import suggest_round_count
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.selectors import get_open_matches, get_rounds
from tournament.events.settings import get_plan
from tournament.log.models import LogEntry

Phase = Event.Phase


def list_events_of(user: User) -> QuerySet[Event]:
    """The events a person helps to run; all of them for a site administrator."""
    events = Event.objects.annotate(
        registered=Count("players", filter=Q(players__status=Player.Status.REGISTERED), distinct=True)
    )
    return events if user.is_superuser else events.filter(staff__user=user)


@dataclass(frozen=True, slots=True)
class NextStep:
    """What to do next: a sentence, and the button that does it."""

    sentence: str
    button: str = ""
    url_name: str = ""
    args: tuple[Any, ...] = ()
    values: dict[str, object] = field(default_factory=dict)
    is_link: bool = False

    @property
    def url(self) -> str:
        """Where the button leads."""
        return reverse(self.url_name, args=self.args)


@dataclass(frozen=True, slots=True)
class EventOverview:
    """An event's day at a glance.

    Figures of players are of the stage being played, after the end of the whole event; `stage_players` is how
    many came into a later one.
    """

    step: NextStep
    players: int
    stage_players: int | None
    dropped: int
    waiting: int
    checked_in: int
    missing: list[Player]
    without_list: list[Player]
    lists_to_correct: list[Player]
    latest_recheck: LogEntry | None
    rounds: list[Round]
    current: Round | None
    playing: list[Match]
    disputes: list[Match]
    log: list[LogEntry]
    suggested: int
    planned: int | None

    @property
    def has_suggestion(self) -> bool:
        """Whether the number of rounds is only suggested."""
        return not self.planned and self.players > 1

    @property
    def round_count(self) -> str:
        """How many rounds are planned, or suggested; a dash while neither can be said."""
        return str(self.suggested) if self.has_suggestion else str(self.planned or "–")


def get_overview(event: Event) -> EventOverview:
    """Everything the first page of the console shows."""
    people = list(
        event.players.select_related("deck_list__current")
        .prefetch_related(*verdict_prefetches("deck_list__current"))
        .exclude(status=Player.Status.WITHDRAWN)
    )
    stage = load_stage_players(event)
    here = [p for p in people if stage is None or stage.has_entered(p)]
    active = [p for p in here if (p.is_in if stage is None else stage.is_still_playing(p))]
    rounds = get_rounds(event)
    current = rounds[-1] if rounds else None
    playing = get_open_matches(event)
    took_part = [p for p in people if p.status == Player.Status.REGISTERED]
    return EventOverview(
        step=find_next_step(event, active, rounds, playing),
        players=len(took_part if event.phase == Phase.FINISHED else active),
        stage_players=len(stage.entered_ids) if stage else None,
        dropped=sum(p.is_dropped for p in here),
        waiting=sum(p.status == Player.Status.WAITING for p in here),
        checked_in=sum(p.checked_in_at is not None for p in active),
        missing=[p for p in active if p.checked_in_at is None],
        without_list=[p for p in active if current_version(p) is None],
        lists_to_correct=[p for p in active if _list_outcome(p) not in ("", "legal")],
        latest_recheck=_find_latest_recheck(event),
        rounds=rounds,
        current=current,
        playing=playing,
        disputes=[m for m in playing if m.is_disputed],
        log=list(event.log.all()[:8]),
        suggested=suggest_round_count(len(active)),
        planned=event.swiss_rounds,
    )


def _list_outcome(player: Player) -> str:
    """What stands about the player's list; empty for none."""
    version = current_version(player)
    return current_verdict(version).outcome if version else ""


def _find_latest_recheck(event: Event) -> LogEntry | None:
    """The last time a new edition made Ringside look at the lists again; None once the event has begun."""
    if event.phase in (Phase.SWISS, Phase.CUT, Phase.FINISHED):
        return None
    return event.log.filter(action="lists_checked_again").first()


def find_next_step(event: Event, active: list[Player], rounds: list[Round], playing: list[Match]) -> NextStep:
    """The one thing to do next."""
    if event.phase in (Phase.SWISS, Phase.CUT):
        return _step_while_playing(event, rounds, playing)
    slug = (event.slug,)
    if event.phase == Phase.PREPARING:
        return NextStep(
            gettext("Only staff can see this event."),
            gettext("Open registration"),
            "console_step",
            (*slug, "open-registration"),
        )
    if event.phase == Phase.REGISTRATION:
        return NextStep(
            _format_registered(len(active)),
            gettext("Open check-in"),
            "console_step",
            (*slug, "open-check-in"),
        )
    if event.phase == Phase.CHECK_IN:
        here = sum(p.checked_in_at is not None for p in active)
        words = ngettext(
            "%(here)d of %(count)d player is checked in.",
            "%(here)d of %(count)d players are checked in.",
            len(active),
        )
        shown = words % {"here": here, "count": len(active)}
        return NextStep(shown, gettext("Start event"), "console_start", slug)
    return NextStep(
        gettext("The event is over."), gettext("View closing report"), "report", slug, is_link=True
    )


def _format_registered(count: int) -> str:
    if not count:
        return gettext("No players yet. Share the registration link, or add players.")
    words = ngettext(
        "%(count)d player is registered. Open check-in when the venue opens.",
        "%(count)d players are registered. Open check-in when the venue opens.",
        count,
    )
    return words % {"count": count}


def _step_while_playing(event: Event, rounds: list[Round], playing: list[Match]) -> NextStep:
    if rounds and rounds[-1].is_draft:
        words = gettext("Round %(number)d is a draft. Only staff can see it.") % {"number": rounds[-1].number}
        return NextStep(
            words, gettext("Review draft"), "console_round", _round_url_args(event, rounds[-1]), is_link=True
        )
    if playing:
        count = len(playing)
        words = ngettext("%(count)d table is still playing.", "%(count)d tables are still playing.", count)
        return NextStep(
            words % {"count": count},
            gettext("Enter results"),
            "console_round",
            _round_url_args(event, playing[0].round),
            is_link=True,
        )
    played = [r for r in rounds if not r.stage.is_elimination]
    if event.phase == Phase.SWISS and len(played) < (event.swiss_rounds or 0):
        number = len(played) + 1
        values = {"number": number, "count": event.swiss_rounds}
        words = gettext("Round %(number)d of %(count)d can be paired.") % values
        button = gettext("Pair round %(number)d") % values
        return NextStep(words, button, "console_pair", (event.slug,), {"number": number})
    return _step_after_rounds(event, rounds)


def _step_after_rounds(event: Event, rounds: list[Round]) -> NextStep:
    plan, position = get_plan(event), rounds[-1].stage.position if rounds else 1
    if position >= len(plan):
        return NextStep(
            gettext("All rounds are played."), gettext("Finish event"), "console_step", (event.slug, "finish")
        )
    following = plan[position]
    if following.is_bracket:
        words = gettext("All rounds before the bracket are played.")
        return NextStep(words, gettext("View cut"), "console_cut", (event.slug,), is_link=True)
    words = gettext("All rounds of this stage are played. Next: %(stage)s.") % {"stage": following.words}
    return NextStep(words, gettext("Start next stage"), "console_next_stage", (event.slug,))


def _round_url_args(event: Event, shown: Round) -> tuple[Any, ...]:
    return event.slug, shown.stage.position, shown.number
