"""Teams and pairs: one registration with the names of its members, and one list.

Street Fighter's team modes play decks that belong to the characters, chosen at the table (SFM-T02);
Highlander's two heads share one deck (HL-L45). So no mode asks for a list of each member.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from decks.shared.refusals import Refused
from tournament.events.models.event import Event
from tournament.shared.name_folding import fold

LARGEST = 6


def size_problems(size: int | None) -> Iterator[Refused]:
    """What is wrong with the size of an event's teams."""
    if size is not None and not 2 <= size <= LARGEST:
        yield Refused(
            "team_size_out_of_range",
            f"A team has 2 to {LARGEST} members, not {size}.",
            fix="Leave it empty where everybody plays alone.",
            field="team_size",
        )


def problems(event: Event, members: Sequence[str]) -> Iterator[Refused]:
    """What is wrong with the members of a team: too few or many, one of them twice, names too long."""
    size = event.team_size
    if size is None:
        if members:
            yield Refused("no_teams", "Everybody plays alone in this event.", field="members")
        return
    if len(members) != size:
        yield Refused(
            "team_size_wrong",
            f"A team has {size} members here; {len(members)} {'is' if len(members) == 1 else 'are'} named.",
            fix=f"Name all {size}.",
            field="members",
        )
    twice = [name for name, count in Counter(map(fold, members)).items() if count > 1]
    if twice:
        again = next(member for member in members if fold(member) == twice[0])
        yield Refused("member_twice", f"{again} is named twice.", field="members")
    for member in members:
        if len(member) > 80:
            yield Refused("name_too_long", "A name has at most 80 characters.", field="members")
