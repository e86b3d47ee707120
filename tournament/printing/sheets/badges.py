"""Player badges: name, character and a QR code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext

from tournament.events.models.player import Player
from tournament.events.name_order import sort_players
from tournament.printing.columns import format_page
from tournament.printing.request import FilledContext, PrintRequest
from tournament.shared.links import make_qr_dots
from tournament.shared.page_fills import FILL_PLACEHOLDER, DotMatrix, Fill, SizedText, make_single_lines
from tournament.shared.text import wrap_text, wrap_words

BADGES_PER_PAGE = 10
NAME_MM = 70.0
# Sizes of a name, and the number of lines for each; the last one takes what fits in none.
LINES_BY_SIZE = {30: 1, 26: 1, 22: 2, 18: 2, 15: 2, 12: 3, 9: 5, 8: 5}
SMALLEST_NAME_SIZE = 8
CHARACTER_LINES, CHARACTER_POINTS, CHARACTER_MM = 2, 12, 52.0


@dataclass(frozen=True, slots=True)
class BadgeName:
    """The lines of a name in a type of a given size."""

    size: int
    lines: tuple[SizedText, ...]


@dataclass(frozen=True, slots=True)
class Badge:
    """One badge.

    A blank one has a name in every size, of which one is filled; `code` as on slips.
    """

    place: int
    names: tuple[BadgeName, ...]
    character: tuple[SizedText, ...]
    foot: SizedText
    code: DotMatrix | str

    def blank(self) -> Badge:
        """Return a badge to be filled."""
        names = tuple(BadgeName(size, (FILL_PLACEHOLDER,) * lines) for size, lines in LINES_BY_SIZE.items())
        return Badge(self.place, names, (FILL_PLACEHOLDER,) * CHARACTER_LINES, FILL_PLACEHOLDER, "")

    def fills(self) -> Iterator[Fill]:
        """Yield what is filled in, in the order of the badge."""
        if isinstance(self.code, DotMatrix):
            yield self.code
        (name,) = self.names
        for size, lines in LINES_BY_SIZE.items():
            yield _pad_lines(name.lines if size == name.size else (), lines)
        yield _pad_lines(self.character, CHARACTER_LINES)
        yield make_single_lines([self.foot])


def _pad_lines(words: tuple[SizedText, ...], lines: int) -> Fill:
    return make_single_lines(
        [word for word, _ in zip_longest(words[:lines], range(lines), fillvalue=SizedText(""))]
    )


@dataclass(frozen=True, slots=True)
class BadgePage:
    """A page of badges and its foot."""

    badges: tuple[Badge, ...]
    foot: SizedText

    @property
    def shape(self) -> int:
        """Pages with as many badges look alike."""
        return len(self.badges)

    def blank(self) -> BadgePage:
        """Return the page with blank badges."""
        return BadgePage(tuple(badge.blank() for badge in self.badges), FILL_PLACEHOLDER)

    def fills(self) -> list[Fill]:
        """Return what is filled in, badge by badge, and the foot."""
        return [*(fill for badge in self.badges for fill in badge.fills()), make_single_lines([self.foot])]


def build_badges(request: PrintRequest) -> FilledContext:
    """Put ten badges on a page, by name; one alone for a single player."""
    players = request.event.players.filter(status=Player.Status.REGISTERED)
    people = [request.player.entrant] if request.player else sort_players(request.event, players)
    sheets = [people[at : at + BADGES_PER_PAGE] for at in range(0, len(people), BADGES_PER_PAGE)]
    now = date_format(request.now.astimezone(request.event.zone), "DATETIME_FORMAT")
    printed_words = gettext("Printed %(time)s") % {"time": now}
    about = f"{request.event.name} · {printed_words}"
    day = date_format(request.event.starts_local, "DATE_FORMAT")
    return {
        "pages": [
            BadgePage(
                tuple(_build_badge(request, place, player, day) for place, player in enumerate(sheet, 1)),
                SizedText(f"{about} · {format_page(number, len(sheets))}"),
            )
            for number, sheet in enumerate(sheets, 1)
        ]
    }


def _build_badge(request: PrintRequest, place: int, player: Player, day: str) -> Badge:
    size, lines = fit_badge_name(player.name)
    character = wrap_text(player.character, CHARACTER_MM, CHARACTER_POINTS)[:CHARACTER_LINES]
    return Badge(
        place=place,
        names=(BadgeName(size, tuple(map(SizedText, lines))),),
        character=tuple(map(SizedText, character)),
        foot=SizedText(gettext("No. %(number)s · %(date)s") % {"number": player.number, "date": day}),
        code=_code(request, player),
    )


def fit_badge_name(name: str) -> tuple[int, list[str]]:
    """Return the largest type size at which a name fits, and its lines.

    The name must fit into the lines that it may take.
    """
    for size, most in LINES_BY_SIZE.items():
        lines = wrap_words(name, NAME_MM, size)
        if lines is not None and len(lines) <= most:
            return size, lines
    return SMALLEST_NAME_SIZE, wrap_text(name, NAME_MM, SMALLEST_NAME_SIZE)


def _code(request: PrintRequest, player: Player) -> DotMatrix | str:
    place = [request.event.slug, player.number]
    # A browser may load no picture from within a page.
    if request.for_browser:
        return reverse("badge_code", args=place)
    return make_qr_dots(f"{request.base}{reverse('badge', args=place)}")
