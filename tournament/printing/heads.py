"""What the heads of sheets say of a round: its name, and whether it was changed after it was published."""

from __future__ import annotations

from tournament.models import Event, Round


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
