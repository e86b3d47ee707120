"""Forms to fill in by hand: deck registration, deck check, gem sheet, match sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from gc import collect
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_lazy, pgettext, pgettext_lazy

from decks.catalogue.selectors import NamesakePlaces, disambiguate_name, find_namesakes
from decks.shared.wording import say_reason
from decks.submissions.models import DeckVersion
from rules.deck import ZONE_WORDS
from rules.game import GemRules
from rules.reason import reason
from tournament.decklists.selectors import CheckGroup, build_check_sheet, card_names_by_type
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.settings import get_game, get_match_form
from tournament.printing.card_pages import (
    CHECK_LAYOUT,
    EMPTY_ROW,
    REGISTRATION_LAYOUT,
    CardRow,
    ListOwner,
    build_card_pages,
)
from tournament.printing.columns import fit_line
from tournament.printing.request import FilledContext, PrintRequest
from tournament.printing.sheets.lists import list_pairings
from tournament.printing.sheets.slips import stack_for_cutting
from tournament.registration.fields import character_field

MAX_COPY_BOXES = 4
# How many lines of an empty form a zone gets; a zone without an entry gets eight.
BLANK_LINES: Mapping[str, int] = {"main": 38, "sideboard": 10, "pregame": 12}
BLANK_CHECK_LINES = 60
FORMS_PER_PAGE = 2
AT_A_TIME = 100
YOUNGEST_GENERATION = 0
# Lines to fill in above and below the cards of a deck check, and the room that they have.
CHECK_LINES = (
    (
        gettext_lazy("Round ______"),
        gettext_lazy("Table ______"),
        pgettext_lazy("time", "Start ________"),
        pgettext_lazy("time", "End ________"),
        gettext_lazy("Extension (min) ______"),
    ),
    (
        gettext_lazy("☐ passed"),
        gettext_lazy("☐ sleeves"),
        gettext_lazy("☐ problem, penalty: ______________________________"),
    ),
)
BETWEEN_BLANKS = " " * 5
LINE_ROOM = 182.0
# What forms do not say of a list, and what takes the most room.
DEFERRED_FIELDS = [
    f"deck_list__current__{name}" for name in ("source_text", "pool_text", "lines", "verdict", "judged_under")
]


@dataclass(frozen=True, slots=True)
class GemForm:
    """The gem sheet of one player, or an empty one (`player` None)."""

    player: Player | None
    version: DeckVersion | None
    gems: list[tuple[str, str]] = field(default_factory=list)
    personas: list[str] = field(default_factory=list)
    weapons: list[str] = field(default_factory=list)


def _iterate_players(request: PrintRequest) -> Iterator[Player | None]:
    """Whose forms they are, by name; None for an empty one. Many are read some at a time."""
    if request.is_blank or request.player is not None:
        yield request.player if not request.is_blank else None
        return
    players = request.event.players.filter(status=Player.Status.REGISTERED)
    names_by_key = sorted(players.values_list("pk", "name"), key=lambda row: (row[1].casefold(), row[0]))
    if not names_by_key:
        yield None
    for at in range(0, len(names_by_key), AT_A_TIME):
        yield from _read_players(players, [pk for pk, _ in names_by_key[at : at + AT_A_TIME]])
        # A player and their list hold each other, and the collector is paused while a sheet is made.
        collect(YOUNGEST_GENERATION)


def _read_players(players: QuerySet[Player], keys: Sequence[int]) -> Iterator[Player]:
    """These players with their lists, in this order."""
    read = players.select_related("deck_list__current").defer(*DEFERRED_FIELDS).in_bulk(keys)
    yield from map(read.__getitem__, keys)


def _version(player: Player | None) -> DeckVersion | None:
    return player.deck_list.current if player is not None and player.deck_list else None


def _list_owner(player: Player | None) -> ListOwner:
    return ListOwner(player.name, str(player.number), player.character) if player else ListOwner()


def build_registration_forms(request: PrintRequest) -> FilledContext:
    """Registered lists zone by zone; who has none gets lines to fill in."""
    zones = get_game(request.event).zones
    most = REGISTRATION_LAYOUT.rows[request.paper] - 1
    shared = find_namesakes(request.event.game)
    lists = (
        _registration_form(player, zones, request.event, most, shared) for player in _iterate_players(request)
    )
    asks = character_field(request.event) is not None
    return {
        "pages": build_card_pages(REGISTRATION_LAYOUT, request.paper, lists, asks_character=asks),
        "asks_character": asks,
    }


def _registration_form(
    player: Player | None, zones: tuple[str, ...], event: Event, most: int, shared: NamesakePlaces
) -> tuple[ListOwner, list[CardRow], str]:
    version = _version(player)
    rows = [row for zone in _list_zones(zones, version) for row in _zone_rows(zone, version, most, shared)]
    return _list_owner(player), rows, _version_note(version, event)


def _version_note(version: DeckVersion | None, event: Event) -> str:
    if version is None:
        return ""
    return say_reason(
        reason(
            "version_note",
            number=version.number,
            code=version.short_hash,
            time=date_format(version.submitted_at.astimezone(event.zone), "DATETIME_FORMAT"),
            outcome=version.outcome,
        )
    )


def _list_zones(zones: tuple[str, ...], version: DeckVersion | None) -> list[str]:
    if version is None:
        return list(zones)
    used = {entry["zone"] for entry in version.entries}
    return [zone for zone in ZONE_WORDS if zone in used or zone in zones]


def _zone_rows(zone: str, version: DeckVersion | None, most: int, shared: NamesakePlaces) -> list[CardRow]:
    """A zone: its heading, with the number of cards where they are known, and its cards or empty lines.

    Of empty lines there are at most as many as a strip holds below the heading.
    """
    if version is None:
        words = say_reason(reason("zone_heading.blank", zone=zone, name=zone.capitalize()))
        return [CardRow(words), *[EMPTY_ROW] * min(BLANK_LINES.get(zone, 8), most)]
    zone_entries = [entry for entry in version.entries if entry["zone"] == zone]
    cards = sum(entry["qty"] or 0 for entry in zone_entries)
    entries = [
        CardRow(qty=str(entry["qty"] or "?"), card=disambiguate_name(entry, shared)) for entry in zone_entries
    ]
    return [
        CardRow(say_reason(reason("zone_heading", zone=zone, name=zone.capitalize(), cards=cards))),
        *(entries or [CardRow(card=pgettext("cards", "None"))]),
    ]


def build_deck_check_forms(request: PrintRequest) -> FilledContext:
    """Lists in the order in which a judge counts a deck, a box for every copy."""
    shared = find_namesakes(request.event.game)
    lists = (_deck_check_form(player, shared) for player in _iterate_players(request))
    asks = character_field(request.event) is not None
    return {
        "pages": build_card_pages(CHECK_LAYOUT, request.paper, lists, asks_character=asks),
        "asks_character": asks,
        "check_lines": [fit_line(BETWEEN_BLANKS.join(map(str, line)), LINE_ROOM, 10) for line in CHECK_LINES],
    }


def _deck_check_form(player: Player | None, shared: NamesakePlaces) -> tuple[ListOwner, list[CardRow], str]:
    version = _version(player)
    if version is None:
        words = (
            gettext("No decklist was submitted. Cards as found:") if player else gettext("Cards as found:")
        )
        return _list_owner(player), [CardRow(words), *[EMPTY_ROW] * BLANK_CHECK_LINES], ""
    check_sheet = build_check_sheet(version, namesake_places=shared)
    rows = [row for group in check_sheet.groups for row in _group_rows(group)]
    open_count = len(check_sheet.open_questions)
    question = gettext("Questions without an answer: %(count)s")
    asked = [CardRow(question % {"count": open_count})] if open_count else []
    return (
        _list_owner(player),
        [*asked, *rows],
        say_reason(
            reason("check_note", cards=check_sheet.cards, number=version.number, code=version.short_hash)
        ),
    )


def _group_rows(group: CheckGroup) -> list[CardRow]:
    rows = [CardRow(qty=str(row.qty), card=row.name, boxes=format_copy_boxes(row.qty)) for row in group.rows]
    return [CardRow(f"{group.words}, {group.cards}"), *rows]


def format_copy_boxes(quantity: int) -> str:
    """A box for every copy, or their number for many."""
    return " ".join("☐" * quantity) if quantity <= MAX_COPY_BOXES else f"☐ × {quantity}"


def build_gem_sheets(request: PrintRequest) -> dict[str, object]:
    """Persona and weapons as registered, an altered assignment, and what the gems allow."""
    gem_rules = get_game(request.event).gem_sheet
    if gem_rules is None:
        raise Http404(gettext("This game has no gem sheet."))
    forms = [_gem_form(player, gem_rules) for player in _iterate_players(request)]
    return {
        "pages": pair_half_pages(forms * FORMS_PER_PAGE if request.is_blank else forms),
        "gem_rules": gem_rules,
    }


def _gem_form(player: Player | None, gem_rules: GemRules) -> GemForm:
    version = _version(player)
    names_by_type = card_names_by_type(version)
    return GemForm(
        player,
        version,
        _gems(version, gem_rules),
        names_by_type.get("persona", []),
        names_by_type.get("weapon of choice", []),
    )


def _gems(version: DeckVersion | None, gem_rules: GemRules) -> list[tuple[str, str]]:
    altered = (version.options.get("gem_assignment") if version else None) or {}
    return [
        (name, str(altered[letter]) if letter in altered else "") for letter, name in gem_rules.gems.items()
    ]


@dataclass(frozen=True, slots=True)
class HalfPage:
    """A form that takes half a page: what it is about, its place in the pile, and the page it stands on."""

    about: Any
    number: int
    count: int
    page: int
    pages: int


def pair_half_pages(forms: Sequence[Any]) -> list[list[HalfPage]]:
    """Forms two to a page, so that both piles lie in order when they are cut apart."""
    sheets = stack_for_cutting(list(enumerate(forms, 1)), FORMS_PER_PAGE)
    return [
        [HalfPage(about, number, len(forms), page, len(sheets)) for number, about in sheet]
        for page, sheet in enumerate(sheets, 1)
    ]


def build_match_sheets(request: PrintRequest) -> dict[str, object]:
    """Street Fighter: one sheet a table, from the dice to the last round."""
    pairs = [pair for pair in list_pairings(request.shown) if pair.p2 is not None] if request.round else []
    to_win = get_match_form(request.event).games_to_win
    return {
        "pages": pair_half_pages([None] * FORMS_PER_PAGE if request.is_blank or not pairs else pairs),
        "rounds": range(1, 2 * to_win),
        "spare": range(1 if to_win > 1 else 0),
    }
