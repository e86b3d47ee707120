"""Result slips, eight to a page, cut so that the piles stay in table order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext

from rules.rendering import translate_text
from tournament.amendments.selectors import list_changed_slips
from tournament.events.models.match_sides import Side
from tournament.events.models.round import Match
from tournament.events.settings import get_game, get_match_form, get_sides, get_stage_sides
from tournament.printing.columns import fit_line
from tournament.printing.name_rooms import NameRoom, SmallType
from tournament.printing.request import FilledContext, PrintRequest, format_amended, format_round
from tournament.shared.links import make_qr_dots
from tournament.shared.page_fills import (
    FILL_PLACEHOLDER,
    FULL_SIZE,
    DotMatrix,
    Fill,
    SizedLine,
    SizedText,
    make_single_lines,
)
from tournament.shared.text import (
    MM_PER_POINT,
    SIZE_STEPS,
    SMALL_STEPS,
    find_readable_step,
    wrap_name,
    wrap_text,
    wrap_words,
)
from tournament.web.board_fields import MatchSeat, list_boards

SLIPS_PER_PAGE = 8

# All lines of a name are between two lines of the drawing.
NAME_ROOM = NameRoom(
    61.0,
    11.0,
    (
        SmallType("two", 7.0, 2.8),
        SmallType("three", 6.3, 2.26, 1.45),
        SmallType("four", 4.8, 1.7, 1.6),
        SmallType("five", 3.7, 1.36, 1.65),
    ),
)

TABLE_ROOM, TABLE_POINTS = 61.0, 19.0

HEAD_ROOM, HEAD_POINTS = 71.0, 8.0

# Between two lines of the head as the style sheet has it, and how far apart letters are at least.
HEAD_LINE, HEAD_LEADING = 3.7, 1.02

# Lines of underscores are narrower than they are measured.
LINE_ROOM, LINE_POINTS = 101.0, 7.5

LABEL_POINTS = 6.8

SIGNATURE_ROOM, JUDGE_ROOM = 33.0, 19.0
# Between two lines of one name, and for all of them, well above the cut; the style sheet has it too.
SIGNER_LINE, SIGNER_HEIGHT = 2.4, 6.3

MatchRow = tuple[int, int | None, str, str]


@dataclass(frozen=True, slots=True)
class ResultSlip:
    """One slip, as it is set.

    It has its head, the table, both names and the lines of the time rule. `signers` are the names once more,
    below the lines to sign on.

    `code` leads to its result: an address for a browser, dots for a PDF, empty to be filled.
    """

    place: int
    head: tuple[SizedLine, ...]
    table: SizedText
    names: tuple[SizedLine, ...]
    signers: tuple[SizedLine, ...]
    lines: tuple[SizedText, ...]
    code: DotMatrix | str

    @property
    def head_html(self) -> SafeString:
        """The head for a browser, in as many lines as it takes."""
        lines = "\n".join(str(text) for line in self.head for text in line)
        is_wrapped = any(len(line) > 1 for line in self.head)
        return SafeString(f'<i class="many">{lines}</i>' if is_wrapped else lines)

    @property
    def names_html(self) -> SafeString:
        """Both names for a browser."""
        return SafeString("\n".join(map(NAME_ROOM.render, self.names)))

    @property
    def signers_html(self) -> tuple[SafeString, ...]:
        """The names to sign by for a browser, each in as many lines as it takes."""
        return tuple(map(_render_signer, self.signers))

    def blank(self) -> ResultSlip:
        """Return a slip to be filled."""
        return ResultSlip(
            self.place,
            ((FILL_PLACEHOLDER,),) * len(self.head),
            FILL_PLACEHOLDER,
            ((FILL_PLACEHOLDER,),) * 2,
            ((FILL_PLACEHOLDER,),) * 2,
            (FILL_PLACEHOLDER,) * len(self.lines),
            "",
        )

    def fills(self) -> list[Fill]:
        """Return what is filled in, in the order of the slip."""
        code = [self.code] if isinstance(self.code, DotMatrix) else []
        return [
            self.head,
            [(self.table,)],
            *code,
            self.names,
            *([signer] for signer in self.signers),
            make_single_lines(self.lines),
        ]


@dataclass(frozen=True, slots=True)
class SlipPage:
    """A page of slips."""

    slips: tuple[ResultSlip, ...]

    @property
    def is_full(self) -> bool:
        """Whether no place is empty."""
        return len(self.slips) == SLIPS_PER_PAGE

    @property
    def shape(self) -> int:
        """Pages with as many slips look alike."""
        return len(self.slips)

    def blank(self) -> SlipPage:
        """Return the page with blank slips."""
        return replace(self, slips=tuple(slip.blank() for slip in self.slips))

    def fills(self) -> list[Fill]:
        """Return what is filled in, slip by slip."""
        return [fill for slip in self.slips for fill in slip.fills()]


def stack_for_cutting(items: Sequence[Any], a_page: int) -> list[list[Any]]:
    """Put items on pages so that the piles are in order once cut.

    Pile 1 holds the first tables. The n-th place of every page belongs to one pile; the last pages may leave
    places empty.
    """
    pages = -(-len(items) // a_page) if items else 0
    return [[items[place] for place in range(page, len(items), pages)] for page in range(pages)]


def build_slips(request: PrintRequest) -> FilledContext:
    """Return the slips of a round's tables; a table without an opponent needs none."""
    return _build_slips(request, request.shown_round.matches.all())


def build_changed_slips(request: PrintRequest) -> FilledContext:
    """Return the slips of tables of the last change that still play.

    If none of them still plays, return the slips of all its tables.
    """
    changed_matches = request.shown_round.matches.filter(amended_at=request.shown_round.amended_at)
    open_ids = list_changed_slips(request.shown_round)
    return _build_slips(request, changed_matches.filter(pk__in=open_ids) if open_ids else changed_matches)


def _build_slips(request: PrintRequest, matches: QuerySet[Match]) -> FilledContext:
    ordered_matches = matches.filter(p2__isnull=False).order_by("table", "pk")
    if not get_stage_sides(request.shown_round.stage).is_duel:
        return _build_side_slips(request, ordered_matches)
    if request.event.has_boards:
        return _build_team_slips(request, ordered_matches)
    rows: list[MatchRow] = list(ordered_matches.values_list("pk", "table", "p1__name", "p2__name"))
    sheets = stack_for_cutting(list(enumerate(rows, 1)), SLIPS_PER_PAGE)
    make = _SlipBuilder.of(request, len(rows), len(sheets))
    labels: dict[str, SizedText | SafeString] = {
        "won": _fit_label(pgettext("games", "Won"), 14),
        "drops": _fit_label(pgettext("player", "Drops"), 12),
        "draws": _fit_label(gettext("Drawn games"), 28),
        "judge": _render_signer(fit_signer(gettext("Judge, initials"), JUDGE_ROOM)),
    }
    return {
        "pages": [
            SlipPage(tuple(make.slip(place, page, *row) for place, row in enumerate(sheet, 1)))
            for page, sheet in enumerate(sheets, 1)
        ],
        "labels": labels,
    }


@dataclass(frozen=True, slots=True)
class SideSlip:
    """The slip of a table with more than two sides."""

    table: int
    sides: tuple[Side, ...]


def _build_side_slips(request: PrintRequest, matches: QuerySet[Match]) -> FilledContext:
    """Return a slip for each table with more than two sides, two to a page."""
    seated_matches = matches.select_related("p1", "p2").prefetch_related("seats__player")
    slips = [SideSlip(match.table or 0, match.sides) for match in seated_matches]
    return {
        "pages": [],
        "side_slips": slips,
        "sides": get_sides(request.event),
        "form": translate_text(get_match_form(request.event).name),
        "round_words": format_round(request.event, request.shown_round),
    }


@dataclass(frozen=True, slots=True)
class TeamSlip:
    """The slip of a match of two teams: a line for each seat, and both teams sign."""

    table: int
    teams: tuple[str, str]
    seats: tuple[MatchSeat, ...]


def _build_team_slips(request: PrintRequest, matches: QuerySet[Match]) -> FilledContext:
    """Return a slip for each match of two teams, two to a page."""
    return {
        "pages": [],
        "team_slips": [
            TeamSlip(match.table or 0, match.names, tuple(list_boards(match)))
            for match in matches.select_related("p1", "p2", "round__stage__event")
        ],
        "form": translate_text(get_match_form(request.event).name),
        "round_words": format_round(request.event, request.shown_round),
        "lines": get_game(request.event).slip_lines(is_elimination=request.shown_round.stage.is_elimination),
    }


def _fit_label(words: str, mm: float) -> SizedText:
    """Return a word beside a box or a line of the slip."""
    return fit_line(words, mm, LABEL_POINTS)


@dataclass(frozen=True, slots=True)
class _SlipBuilder:
    """Makes the slips of one print; what they share is worked out once."""

    request: PrintRequest
    count: int
    pages: int
    event: str
    form: str
    mark: str
    printed_at: str
    lines: tuple[SizedText, ...]

    @classmethod
    def of(cls, request: PrintRequest, count: int, pages: int) -> _SlipBuilder:
        event, shown_round = request.event, request.shown_round
        amended_words = format_amended(shown_round)
        return cls(
            request=request,
            count=count,
            pages=pages,
            event=event.name,
            form=f"{format_round(event, shown_round)} · {translate_text(get_match_form(event).name)}",
            mark=f"{amended_words} · " if amended_words else "",
            printed_at=date_format(request.now.astimezone(event.zone), "SHORT_DATETIME_FORMAT"),
            lines=tuple(
                fit_line(line, LINE_ROOM, LINE_POINTS)
                for line in get_game(event).slip_lines(is_elimination=shown_round.stage.is_elimination)
            ),
        )

    def slip(self, place: int, page: int, number: int, row: MatchRow) -> ResultSlip:
        """Return the slip of a table: the n-th of all, on a place of a page."""
        pk, table, one, two = row
        third = gettext("Slip %(number)s of %(count)s · Page %(page)s of %(pages)s") % {
            "number": number,
            "count": self.count,
            "page": page,
            "pages": self.pages,
        }
        head = fit_head((self.event, self.form, f"{self.mark}{third} · {self.printed_at}"))
        title = fit_line(gettext("Table %(number)s") % {"number": table}, TABLE_ROOM, TABLE_POINTS)
        names = tuple(map(NAME_ROOM.fit, (one, two)))
        signers = tuple(map(fit_signer, (one, two)))
        return ResultSlip(place, head, title, names, signers, self.lines, _code(self.request, pk))


def fit_signer(name: str, mm: float = SIGNATURE_ROOM) -> SizedLine:
    """Return a name to print below a line to sign on.

    A long name is set smaller, then in several lines. It is never cut.
    """
    step, lines = wrap_name(name, mm, LABEL_POINTS)
    for smaller in (each for each in (*SIZE_STEPS, *SMALL_STEPS) if each < step):
        if step * LABEL_POINTS * MM_PER_POINT / FULL_SIZE <= _leading(lines):
            break
        points = LABEL_POINTS * smaller / FULL_SIZE
        step, lines = smaller, wrap_words(name, mm, points) or wrap_text(name, mm, points)
    leading = _leading(lines)
    return [
        SizedText(text, step, (SIGNER_LINE - leading) / 2 - at * leading) for at, text in enumerate(lines)
    ]


def _leading(lines: Sequence[object]) -> float:
    """Return how far apart the lines of a name are: closer where they are many."""
    return min(SIGNER_LINE, SIGNER_HEIGHT / len(lines))


def _render_signer(signer: SizedLine) -> SafeString:
    """Return a name to sign by for a browser."""
    lines = "<br>".join(map(str, signer))
    is_close = _leading(signer) < SIGNER_LINE
    return SafeString(f'<i class="many{len(signer)}">{lines}</i>' if is_close else lines)


def fit_head(head: Sequence[str]) -> tuple[SizedLine, ...]:
    """Return the lines of a head, never cut.

    They are set smaller if they do not fit, then on several lines in the same room.
    """
    for most in (FULL_SIZE, *SMALL_STEPS):
        wrapped_lines = [_wrap_head_line(words, most) for words in head]
        sizes = [
            text.step * HEAD_POINTS * MM_PER_POINT / FULL_SIZE for line in wrapped_lines for text in line
        ]
        room = HEAD_LINE * len(head) - sum(sizes) * HEAD_LEADING
        if room >= 0 or most == SMALL_STEPS[-1]:
            break
    if len(sizes) == len(head):
        return tuple(wrapped_lines)
    bottoms = accumulate(size * HEAD_LEADING + room / len(sizes) for size in sizes)
    return tuple(
        [replace(text, rise=HEAD_LINE * at - next(bottoms)) for text in line]
        for at, line in enumerate(wrapped_lines, 1)
    )


def _wrap_head_line(words: str, most: int) -> SizedLine:
    """Return words on one line if they fit at a size of at most `most`.

    Otherwise they are on several lines.
    """
    step = min(most, find_readable_step(words, HEAD_ROOM, HEAD_POINTS))
    lines = wrap_text(words, HEAD_ROOM, HEAD_POINTS * step / FULL_SIZE)
    return [SizedText(line, step) for line in lines]


def _code(request: PrintRequest, match: int) -> DotMatrix | str:
    # A browser may load no picture from within a page.
    if request.for_browser:
        return reverse("slip_code", args=[match])
    return make_qr_dots(f"{request.base}{reverse('slip', args=[match])}")
