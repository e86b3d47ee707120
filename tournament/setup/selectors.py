"""What players must know before an event (G-05), in sentences, from its settings and its rules."""

from __future__ import annotations

from dataclasses import dataclass

import rules
from tournament.engine.rounds import suggested_rounds
from tournament.events.game_terms import format_of, match_form_of, terms_of
from tournament.events.models.event import Event
from tournament.events.plan import plan_of


@dataclass(frozen=True, slots=True)
class Fact:
    """One condition: its name, the sentence, and where it is written, if anywhere."""

    name: str
    words: str
    clause: str = ""


def playing_facts(event: Event, players: int) -> list[Fact]:
    """How the event is played: format, match, rounds, cut, lists. `players` are those registered so far."""
    form, rulebook = match_form_of(event), terms_of(event)
    minutes = (
        "" if form.minutes == event.round_minutes else f" A round lasts {event.round_minutes} minutes here."
    )
    return [
        Fact("Format", f"{rulebook.game.name}: {rulebook.name}"),
        Fact("Rules", rulebook.source),
        Fact("Match", f"{form.name}.{minutes}", "" if form.is_ours else form.clause),
        Fact("Rounds", _rounds(event, players)),
        Fact("After the rounds", _cut(event), "100.5.1" if event.needs_character else ""),
        Fact("Decklists", _lists(event)),
        Fact(
            "Agreed draws",
            "Players may agree on a draw." if event.intentional_draws else "Draws are played, not agreed.",
        ),
    ]


def _rounds(event: Event, players: int) -> str:
    if event.plan:
        return f"{plan_of(event)[0].words}; rounds of {event.round_minutes} minutes."
    if event.swiss_rounds:
        return f"{event.swiss_rounds} Swiss rounds of {event.round_minutes} minutes."
    rounds = suggested_rounds(players) if players > 1 else None
    now = f" With the {players} players so far that makes {rounds}." if rounds else ""
    return f"Swiss rounds of {event.round_minutes} minutes, as many as the players who come need.{now}"


def _cut(event: Event) -> str:
    if event.plan:
        later = "; then ".join(stage.words for stage in plan_of(event)[1:])
        return f"{later}." if later else "Nothing: the first stage decides."
    if event.cut == Event.Cut.NONE:
        return "No cut: the standings after the last round decide."
    if event.cut == Event.Cut.TOP:
        return f"Top cut: the best {event.cut_size} of the standings play single elimination for the title."
    short = (
        "With fewer characters the bracket is smaller and the best seeds have byes."
        if event.short_cut == Event.ShortCut.SHRINK
        else "With fewer characters the best players left out fill the places."
    )
    return (
        f"Diversity cut to {event.cut_size}: of each character only the best player plays on, in single "
        "elimination. Everybody declares a character at registration and starts the first game of every "
        f"round with it. {short}"
    )


def _lists(event: Event) -> str:
    if not event.decklists_required:
        return "Not asked for; whoever likes can have one checked here."
    seen = {
        Event.ListsOpen.PRIVATE: "Only you and the staff see yours.",
        Event.ListsOpen.CUT: "The players of the cut see each other's.",
        Event.ListsOpen.ALL: "Everyone sees them.",
    }[Event.ListsOpen(event.lists_open)]
    if event.decklists_due_at is None:
        return f"Needed from every player before round 1 starts. {seen}"
    due = event.decklists_due_at.astimezone(event.zone)
    return f"Needed from every player until {due:%A} {due.day} {due:%B}, {due:%H:%M}. {seen}"


def written_conditions(event: Event) -> list[Fact]:
    """What the rules ask the organizer to announce, each with its clause."""
    return [
        Fact(condition.key, condition.in_words(), _source(condition))
        for condition in terms_of(event).conditions()
    ]


def _source(condition: rules.Condition) -> str:
    if condition.overlay:
        return f"{condition.clause}, changed by {condition.overlay}"
    return "not in the document; a default of ours" if condition.basis == "ours" else condition.clause


def local_rules(event: Event) -> tuple[str, ...]:
    """What the organizer changed for this event, a sentence each."""
    return terms_of(event).overlay_in_words()


def deck_rules(event: Event) -> str:
    """The format's rules in words, a line each with its clause."""
    return format_of(event).explain()
