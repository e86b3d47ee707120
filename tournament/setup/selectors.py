"""Describe an event to players: format, rounds, cut, decklists, local rules."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext, ngettext, pgettext

import rules
from decks.shared.cache import SingleFlightCache
from decks.shared.wording import format_reason
from rules.format_text import explain_format
from rules.reason import Param, Reason
from rules.rendering import get_language, translate_text
from rules.round_sheet import SheetPart, build_round_sheet
from tournament.events.models.event import Event
from tournament.events.settings import get_format, get_match_form, get_plan, get_undated_format
from tournament.pairing.selectors.round_count import suggest_swiss_rounds
from tournament.shared.text import format_moment

# A format is the same object as long as it says the same; beside its text it keeps its id its own.
_deck_rules_cache: SingleFlightCache[tuple[int, str], tuple[rules.Format, str]] = SingleFlightCache(64)


@dataclass(frozen=True, slots=True)
class EventCondition:
    """One condition: its name, the sentence, and where it is written, if anywhere."""

    name: str
    words: str
    clause: str = ""


def playing_conditions(event: Event, players: int) -> list[EventCondition]:
    """Return how the event is played: format, match, rounds, cut, lists.

    `players` are those registered so far.
    """
    form, rulebook = get_match_form(event), get_undated_format(event)
    cut_clause = rulebook.game.cite("diversity_cut")
    format_names = {"game": translate_text(rulebook.game.name), "format": translate_text(rulebook.name)}
    return [
        EventCondition(gettext("Format"), gettext("%(game)s: %(format)s") % format_names),
        EventCondition(gettext("Rules"), rulebook.source),
        EventCondition(gettext("Match"), _describe_match(event, form), "" if form.is_ours else form.clause),
        EventCondition(gettext("Rounds"), _describe_rounds(event, players)),
        EventCondition(
            gettext("After the rounds"), _describe_cut(event), cut_clause if event.needs_character else ""
        ),
        EventCondition(gettext("Decklists"), _describe_lists(event)),
        EventCondition(
            gettext("Intentional draws"),
            pgettext("intentional draws", "Allowed")
            if event.intentional_draws
            else pgettext("intentional draws", "Not allowed"),
        ),
    ]


def _describe_match(event: Event, form: rules.MatchForm) -> str:
    values = {"form": translate_text(form.name), "minutes": event.round_minutes}
    if form.minutes == event.round_minutes:
        return gettext("%(form)s.") % values
    return gettext("%(form)s. Rounds of this event last %(minutes)d minutes.") % values


def _describe_rounds(event: Event, players: int) -> str:
    if event.plan:
        facts: dict[str, Param] = {"stage": get_plan(event)[0].describe(), "minutes": event.round_minutes}
        return format_reason("reason", Reason("round_plan", facts))
    values = {"count": event.swiss_rounds, "minutes": event.round_minutes, "players": players}
    if event.swiss_rounds:
        words = ngettext(
            "%(count)d Swiss round of %(minutes)d minutes",
            "%(count)d Swiss rounds, %(minutes)d minutes each",
            event.swiss_rounds,
        )
        return words % values
    words = gettext("Swiss rounds of %(minutes)d minutes, depending on the number of players.")
    if players > 1:
        values["rounds"] = suggest_swiss_rounds(event, players)
        words = gettext(
            "Swiss rounds of %(minutes)d minutes, depending on the number of players. "
            "%(players)d registered players need %(rounds)d."
        )
    return words % values


def _describe_cut(event: Event) -> str:
    if event.plan:
        stages = tuple(stage.describe() for stage in get_plan(event)[1:])
        if not stages:
            return gettext("The first stage decides the event.")
        return format_reason("reason", Reason("later_stages", {"stages": stages}))
    if event.cut == Event.Cut.NONE:
        return gettext("No cut. The standings after the last round decide the event.")
    if event.cut == Event.Cut.TOP:
        words = gettext("Top cut: the best %(count)d players play single elimination.")
        return words % {"count": event.cut_size}
    cut_text = gettext(
        "Diversity cut to %(count)d: the best player of each character qualifies. "
        "Each player declares a character at registration and starts the first game of every round with it."
    ) % {"count": event.cut_size}
    short_cut_text = (
        gettext("If there are too few characters, the bracket is smaller and the best seeds get byes.")
        if event.short_cut == Event.ShortCut.SHRINK
        else gettext("If there are too few characters, the best other players fill the places.")
    )
    return f"{cut_text} {short_cut_text}"


def _describe_lists(event: Event) -> str:
    if not event.decklists_required:
        return gettext("Not required")
    visibility_texts = {
        Event.ListsOpen.PRIVATE: gettext("Only you and staff can see it."),
        Event.ListsOpen.CUT: gettext("Players in the cut can see each other's decklists."),
        Event.ListsOpen.ALL: gettext("Everyone can see it."),
    }[Event.ListsOpen(event.lists_open)]
    required_text = gettext("Required before round 1 starts.")
    if event.decklists_due_at is not None:
        due = format_moment(event.decklists_due_at.astimezone(event.zone), "full")
        required_text = gettext("Required by %(due)s.") % {"due": due}
    return f"{required_text} {visibility_texts}"


def written_conditions(event: Event) -> list[EventCondition]:
    """Return what the rules ask the organizer to announce, each with its clause."""
    return [
        EventCondition(condition.key, condition.in_words(), _condition_source(condition))
        for condition in get_undated_format(event).conditions()
    ]


def _condition_source(condition: rules.Condition) -> str:
    if condition.overlay:
        values = {"clause": condition.clause, "overlay": gettext(condition.overlay)}
        return gettext("%(clause)s, changed by %(overlay)s") % values
    return gettext("Ringside default") if condition.basis == "ours" else condition.clause


def describe_local_rules(event: Event) -> tuple[str, ...]:
    """Return what the organizer changed for this event, a sentence each."""
    return get_undated_format(event).overlay_in_words()


def build_sheet(event: Event) -> tuple[SheetPart, ...]:
    """Return the sheet by which a judge runs a round of the event."""
    return build_round_sheet(get_format(event))


def describe_deck_rules(event: Event) -> str:
    """Return the format's rules in words, a line each with its clause.

    Made once, without local rules.
    """
    event_format = get_format(event)
    if event.overlay:
        return explain_format(event_format)
    _, text = _deck_rules_cache.get_or_compute(
        (id(event_format), get_language()), lambda: (event_format, explain_format(event_format))
    )
    return text
