"""The one thing to do next in an event: a sentence, and the button that does it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from tournament.brackets.services import stages
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.events.settings import get_plan
from tournament.standings.selectors.exits import has_everyone_left

Phase = Event.Phase


@dataclass(frozen=True, slots=True)
class NextStep:
    """The next step: a sentence, and the button for it."""

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


def find_next_step(
    event: Event,
    rounds: Sequence[Round],
    open_matches: Sequence[Match],
    *,
    players: int = 0,
    checked_in: int = 0,
) -> NextStep:
    """Find the one thing to do next.

    `players` and `checked_in` count before the start. No query, except between two rounds.
    """
    if event.phase in (Phase.SWISS, Phase.CUT):
        return _step_while_playing(event, rounds, open_matches)
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
            _format_registered(players),
            gettext("Open check-in"),
            "console_step",
            (*slug, "open-check-in"),
        )
    if event.phase == Phase.CHECK_IN:
        words = ngettext(
            "%(here)d of %(count)d player is checked in.",
            "%(here)d of %(count)d players are checked in.",
            players,
        )
        summary = words % {"here": checked_in, "count": players}
        return NextStep(summary, gettext("Start event"), "console_start", slug)
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


def _step_while_playing(event: Event, rounds: Sequence[Round], open_matches: Sequence[Match]) -> NextStep:
    if rounds and rounds[-1].is_draft:
        words = gettext("Round %(number)d is a draft. Only staff can see it.") % {"number": rounds[-1].number}
        return NextStep(
            words, gettext("Review draft"), "console_round", _round_url_args(event, rounds[-1]), is_link=True
        )
    if open_matches:
        count = len(open_matches)
        words = ngettext("%(count)d table is still playing.", "%(count)d tables are still playing.", count)
        return NextStep(
            words % {"count": count},
            gettext("Enter results"),
            "console_round",
            _round_url_args(event, open_matches[0].round),
            is_link=True,
        )
    if rounds and stages.can_finish_early(event):
        return NextStep(
            gettext("Too few players are left for another round or stage."),
            gettext("Finish event"),
            "console_step",
            (event.slug, "finish"),
        )
    swiss_rounds = [r for r in rounds if not r.stage.is_elimination]
    has_left = bool(swiss_rounds) and has_everyone_left(swiss_rounds[-1].stage)
    if event.phase == Phase.SWISS and len(swiss_rounds) < (event.swiss_rounds or 0) and not has_left:
        number = len(swiss_rounds) + 1
        values = {"number": number, "count": event.swiss_rounds}
        words = gettext("Round %(number)d of %(count)d can be paired.") % values
        button = gettext("Pair round %(number)d") % values
        return NextStep(words, button, "console_pair", (event.slug,), {"number": number})
    return _step_after_rounds(event, rounds)


def _step_after_rounds(event: Event, rounds: Sequence[Round]) -> NextStep:
    plan, position = get_plan(event), rounds[-1].stage.position if rounds else 1
    if position >= len(plan):
        return NextStep(
            gettext("All rounds are played."), gettext("Finish event"), "console_step", (event.slug, "finish")
        )
    next_stage = plan[position]
    if next_stage.is_bracket:
        words = gettext("All rounds before the bracket are played.")
        return NextStep(words, gettext("View cut"), "console_cut", (event.slug,), is_link=True)
    words = gettext("All rounds of this stage are played. Next: %(stage)s.") % {"stage": next_stage.words}
    return NextStep(words, gettext("Start next stage"), "console_next_stage", (event.slug,))


def _round_url_args(event: Event, shown_round: Round) -> tuple[Any, ...]:
    return event.slug, shown_round.stage.position, shown_round.number
