"""Describe an event to players: format, rounds, cut, decklists, local rules."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext

import rules
from decks.shared.wording import format_reason
from rules.reason import Param, Reason
from tournament.engine.pairing.round_plan import suggest_round_count
from tournament.events.models.event import Event
from tournament.events.settings import get_format, get_match_form, get_plan, get_undated_format


@dataclass(frozen=True, slots=True)
class EventCondition:
    """One condition: its name, the sentence, and where it is written, if anywhere."""

    name: str
    words: str
    clause: str = ""


def playing_conditions(event: Event, players: int) -> list[EventCondition]:
    """How the event is played: format, match, rounds, cut, lists. `players` are those registered so far."""
    form, rulebook = get_match_form(event), get_undated_format(event)
    minutes = (
        ""
        if form.minutes == event.round_minutes
        else f" Rounds of this event last {event.round_minutes} minutes."
    )
    return [
        EventCondition("Format", f"{rulebook.game.name}: {rulebook.name}"),
        EventCondition("Rules", rulebook.source),
        EventCondition("Match", f"{form.name}.{minutes}", "" if form.is_ours else form.clause),
        EventCondition("Rounds", _describe_rounds(event, players)),
        EventCondition(
            gettext("After the rounds"), _describe_cut(event), "100.5.1" if event.needs_character else ""
        ),
        EventCondition("Decklists", _describe_lists(event)),
        EventCondition(
            gettext("Intentional draws"),
            gettext("Intentional draws are allowed.")
            if event.intentional_draws
            else gettext("Intentional draws are not allowed."),
        ),
    ]


def _describe_rounds(event: Event, players: int) -> str:
    if event.plan:
        facts: dict[str, Param] = {"stage": get_plan(event)[0].describe(), "minutes": event.round_minutes}
        return format_reason("reason", Reason("round_plan", facts))
    if event.swiss_rounds == 1:
        return f"1 Swiss round of {event.round_minutes} minutes"
    if event.swiss_rounds:
        return f"{event.swiss_rounds} Swiss rounds, {event.round_minutes} minutes each"
    rounds = suggest_round_count(players) if players > 1 else None
    now = f" {players} registered players need {rounds}." if rounds else ""
    return f"Swiss rounds of {event.round_minutes} minutes, depending on the number of players.{now}"


def _describe_cut(event: Event) -> str:
    if event.plan:
        stages = tuple(stage.describe() for stage in get_plan(event)[1:])
        if not stages:
            return gettext("The first stage decides the event.")
        return format_reason("reason", Reason("later_stages", {"stages": stages}))
    if event.cut == Event.Cut.NONE:
        return gettext("No cut. The standings after the last round decide the event.")
    if event.cut == Event.Cut.TOP:
        return f"Top cut: the best {event.cut_size} players play single elimination."
    short_cut_text = (
        gettext("If there are too few characters, the bracket is smaller and the best seeds get byes.")
        if event.short_cut == Event.ShortCut.SHRINK
        else gettext("If there are too few characters, the best other players fill the places.")
    )
    return (
        f"Diversity cut to {event.cut_size}: the best player of each character qualifies. "
        "Each player declares a character at registration and starts the first game of every round with it. "
        f"{short_cut_text}"
    )


def _describe_lists(event: Event) -> str:
    if not event.decklists_required:
        return gettext("Not required")
    visibility_texts = {
        Event.ListsOpen.PRIVATE: gettext("Only you and staff can see it."),
        Event.ListsOpen.CUT: gettext("Players in the cut can see each other’s decklists."),
        Event.ListsOpen.ALL: gettext("Everyone can see it."),
    }[Event.ListsOpen(event.lists_open)]
    if event.decklists_due_at is None:
        return f"Required before round 1 starts. {visibility_texts}"
    due = event.decklists_due_at.astimezone(event.zone)
    return f"Required by {due:%a} {due.day} {due:%b %Y}, {due:%H:%M}. {visibility_texts}"


def written_conditions(event: Event) -> list[EventCondition]:
    """What the rules ask the organizer to announce, each with its clause."""
    return [
        EventCondition(condition.key, condition.in_words(), _condition_source(condition))
        for condition in get_undated_format(event).conditions()
    ]


def _condition_source(condition: rules.Condition) -> str:
    if condition.overlay:
        return f"{condition.clause}, changed by {condition.overlay}"
    return gettext("Ringside default") if condition.basis == "ours" else condition.clause


def describe_local_rules(event: Event) -> tuple[str, ...]:
    """What the organizer changed for this event, a sentence each."""
    return get_undated_format(event).overlay_in_words()


def describe_deck_rules(event: Event) -> str:
    """The format's rules in words, a line each with its clause."""
    return get_format(event).explain()
