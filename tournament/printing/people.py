"""Badges: name, character and a code that leads staff to the player and everybody else to his public page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from tournament.models import Player
from tournament.printing.asked import Asked
from tournament.printing.codes import code_data
from tournament.printing.measure import step_for, wrapped

A_PAGE = 10
ROOM = 56.0
SIZES = (17, 14, 11)


@dataclass(frozen=True, slots=True)
class Badge:
    """One badge; `size` is the type size of the name in points."""

    place: int
    player: Player
    size: int
    lines: list[str]
    code: str


def badges(asked: Asked) -> dict[str, Any]:
    """Ten badges to a page, by name; one alone for a single player."""
    held = asked.event.players.filter(status=Player.Status.REGISTERED)
    people = [asked.player] if asked.player else sorted(held, key=lambda player: player.name.casefold())
    sheets = [people[at : at + A_PAGE] for at in range(0, len(people), A_PAGE)]
    return {"pages": [[_badge(asked, place, player) for place, player in enumerate(s, 1)] for s in sheets]}


def _badge(asked: Asked, place: int, player: Player) -> Badge:
    size, lines = fitted(player.name)
    return Badge(place, player, size, lines, _code(asked, player))


def fitted(name: str) -> tuple[int, list[str]]:
    """The largest type size at which a name takes two lines at most, and its lines; else a small one."""
    for size in SIZES:
        lines = [name] if step_for(name, ROOM, size) == 100 else wrapped(name, ROOM, size)
        if len(lines) <= 2:
            return size, lines
    lines = wrapped(name, ROOM, 8)
    return 8, lines


def _code(asked: Asked, player: Player) -> str:
    place = [asked.event.slug, player.number]
    # A browser may load no picture from within a page.
    if asked.for_browser:
        return reverse("badge_code", args=place)
    return code_data(f"{asked.base}{reverse('badge', args=place)}")
