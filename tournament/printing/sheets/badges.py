"""Badges: name, character and a code that leads staff to the player and everybody else to his public page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.urls import reverse
from django.utils import dateformat

from tournament.events.models.player import Player
from tournament.printing.request import Asked
from tournament.shared.print_words import PLACE, Dots, Fill, Word, one_each
from tournament.shared.qr import code_dots
from tournament.shared.text_width import step_for, wrapped

A_PAGE = 10
ROOM = 56.0
SIZES = (17, 14, 11)
SMALLEST = 8
# How many lines a name may take in each size, and a character.
LINES = {**dict.fromkeys(SIZES, 2), SMALLEST: 6}
CHARACTER_LINES, CHARACTER_POINTS = 2, 10


@dataclass(frozen=True, slots=True)
class Name:
    """The lines of a name in a type of so many points."""

    size: int
    lines: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Badge:
    """One badge. A blank one has a name in every size, of which one is filled; `code` as on slips."""

    place: int
    names: tuple[Name, ...]
    character: tuple[Word, ...]
    foot: Word
    code: Dots | str

    def blank(self) -> Badge:
        """A badge to be filled."""
        names = tuple(Name(size, (PLACE,) * lines) for size, lines in LINES.items())
        return Badge(self.place, names, (PLACE,) * CHARACTER_LINES, PLACE, "")

    def fills(self) -> Iterator[Fill]:
        """What is filled in, in the order of the badge."""
        if isinstance(self.code, Dots):
            yield self.code
        (name,) = self.names
        for size, lines in LINES.items():
            yield _padded(name.lines if size == name.size else (), lines)
        yield _padded(self.character, CHARACTER_LINES)
        yield one_each([self.foot])


def _padded(words: tuple[Word, ...], lines: int) -> Fill:
    return one_each([word for word, _ in zip_longest(words[:lines], range(lines), fillvalue=Word(""))])


@dataclass(frozen=True, slots=True)
class BadgePage:
    """A page of badges and its foot."""

    badges: tuple[Badge, ...]
    foot: Word

    @property
    def shape(self) -> int:
        """Pages with as many badges look alike."""
        return len(self.badges)

    def blank(self) -> BadgePage:
        """The page with blank badges."""
        return BadgePage(tuple(badge.blank() for badge in self.badges), PLACE)

    def fills(self) -> list[Fill]:
        """What is filled in, badge by badge, and the foot."""
        return [*(fill for badge in self.badges for fill in badge.fills()), one_each([self.foot])]


def badges(asked: Asked) -> dict[str, Any]:
    """Ten badges to a page, by name; one alone for a single player."""
    held = asked.event.players.filter(status=Player.Status.REGISTERED)
    people = [asked.player] if asked.player else sorted(held, key=lambda player: player.name.casefold())
    sheets = [people[at : at + A_PAGE] for at in range(0, len(people), A_PAGE)]
    printed = dateformat.format(asked.now.astimezone(asked.event.zone), "j F Y, H:i")
    about = f"{asked.event.name} · Printed {printed}"
    day = dateformat.format(asked.event.starts_local, "j F Y")
    return {
        "pages": [
            BadgePage(
                tuple(_badge(asked, place, player, day) for place, player in enumerate(sheet, 1)),
                Word(f"{about} · Page {number} of {len(sheets)}"),
            )
            for number, sheet in enumerate(sheets, 1)
        ]
    }


def _badge(asked: Asked, place: int, player: Player, day: str) -> Badge:
    size, lines = fitted(player.name)
    character = wrapped(player.character, ROOM, CHARACTER_POINTS)[:CHARACTER_LINES]
    return Badge(
        place=place,
        names=(Name(size, tuple(map(Word, lines))),),
        character=tuple(map(Word, character)),
        foot=Word(f"No. {player.number} · {day}"),
        code=_code(asked, player),
    )


def fitted(name: str) -> tuple[int, list[str]]:
    """The largest type size at which a name takes two lines at most, and its lines; else a small one."""
    for size in SIZES:
        lines = [name] if step_for(name, ROOM, size) == 100 else wrapped(name, ROOM, size)
        if len(lines) <= LINES[size]:
            return size, lines
    return SMALLEST, wrapped(name, ROOM, SMALLEST)


def _code(asked: Asked, player: Player) -> Dots | str:
    place = [asked.event.slug, player.number]
    # A browser may load no picture from within a page.
    if asked.for_browser:
        return reverse("badge_code", args=place)
    return code_dots(f"{asked.base}{reverse('badge', args=place)}")
