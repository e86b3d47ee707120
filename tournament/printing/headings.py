"""What the heads of sheets say: of a round, whether it was changed after publishing, of the standings."""

from __future__ import annotations

from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.standings.selectors import table


def words_for(event: Event, shown: Round | None) -> str:
    """A round in a few words, as a slip names it; empty without one."""
    if shown is None:
        return ""
    return (
        f"{event.bracket_word}, round {shown.number}"
        if shown.stage.is_elimination
        else f"Round {shown.number}"
    )


def amended(shown: Round | None) -> str:
    """The mark of a round that was changed after it was published; empty for any other."""
    if shown is None or shown.amended_at is None:
        return ""
    return f"amended {shown.amended_at.astimezone(shown.stage.event.zone):%H:%M}"


def report_words(event: Event) -> str:
    """What the report is called: it is the final one only when the event is over."""
    return "Final report" if event.phase == Event.Phase.FINISHED else "Report so far"


def is_final(event: Event, shown: Round | None) -> bool:
    """Whether a sheet made for this round is made after the end: the event is over and no round is later."""
    if event.phase != Event.Phase.FINISHED:
        return False
    last = Round.objects.filter(stage__event=event).last()
    return shown is None or last is None or shown.pk == last.pk


def standings_words(event: Event, shown: Round | None) -> str:
    """What the hall calls the standings as they are after a round."""
    if is_final(event, shown):
        return "Final standings"
    if shown is None:
        return "Standings"
    if shown.stage.is_elimination:
        return f"Standings after the {event.rounds_word}" if event.has_table_rounds else "Standings"
    return table.standings_words(event, shown)
