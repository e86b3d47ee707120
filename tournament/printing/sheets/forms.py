"""Forms to fill in by hand: deck registration, deck check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from gc import collect

from django.db.models import QuerySet
from django.db.models.functions import Coalesce
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_lazy, pgettext, pgettext_lazy

from decks.catalogue.selectors import NamesakePlaces, disambiguate_name, find_namesakes
from decks.shared.wording import say_reason
from decks.submissions.models import DeckVersion
from rules.deck import ZONE_WORDS
from rules.reason import reason
from tournament.decklists.selectors import CheckGroup, build_check_sheet
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.name_order import get_name_order
from tournament.events.seats import list_registered_owners
from tournament.events.settings import get_game
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
from tournament.registration.fields import character_field
from tournament.shared.names import make_name_key

MAX_COPY_BOXES = 4
# Number of lines of a zone on an empty form; eight if a zone has no entry.
BLANK_LINES: Mapping[str, int] = {"main": 38, "sideboard": 10, "pregame": 12}
BLANK_CHECK_LINES = 60
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
        gettext_lazy("☐ Passed"),
        gettext_lazy("☐ Sleeves"),
        gettext_lazy("☐ Problem, penalty: ______________________________"),
    ),
)
BETWEEN_BLANKS = " " * 5
LINE_ROOM = 182.0
# Facts that forms leave out, and the parts that take the most room.
DEFERRED_FIELDS = [
    f"deck_list__current__{name}" for name in ("source_text", "pool_text", "lines", "verdict", "judged_under")
]


def iterate_players(request: PrintRequest) -> Iterator[Player | None]:
    """Yield whose forms they are, by name; None for an empty one.

    Many are read some at a time.
    """
    if request.is_blank or request.player is not None:
        yield request.player if not request.is_blank else None
        return
    players = list_registered_owners(request.event)
    order = get_name_order(request.event)
    names_by_key = sorted(
        players.values_list("pk", Coalesce("team__name", "name"), "seat"),
        key=lambda row: (make_name_key(row[1], order), row[2], row[0]),
    )
    if not names_by_key:
        yield None
    for at in range(0, len(names_by_key), AT_A_TIME):
        yield from _read_players(players, [pk for pk, *_ in names_by_key[at : at + AT_A_TIME]])
        # A player and their list hold each other, and the collector is paused while a sheet is made.
        collect(YOUNGEST_GENERATION)


def _read_players(players: QuerySet[Player], keys: Sequence[int]) -> Iterator[Player]:
    """Yield these players with their lists, in this order."""
    players_by_pk = players.select_related("deck_list__current", "team").defer(*DEFERRED_FIELDS).in_bulk(keys)
    yield from map(players_by_pk.__getitem__, keys)


def get_version(player: Player | None) -> DeckVersion | None:
    """Return the version of a player's list that counts."""
    return player.deck_list.current if player is not None and player.deck_list else None


def _list_owner(player: Player | None) -> ListOwner:
    if player is None:
        return ListOwner()
    number = f"{player.entrant.number}{player.seat_letter}"
    return ListOwner(player.full_name, number, player.entrant.character)


def build_registration_forms(request: PrintRequest) -> FilledContext:
    """Print registered lists zone by zone.

    A player without a list gets lines to fill in.
    """
    zones = get_game(request.event).zones
    most = REGISTRATION_LAYOUT.rows[request.paper] - 1
    namesake_places = find_namesakes(request.event.game)
    lists = (
        _registration_form(player, zones, request.event, most, namesake_places)
        for player in iterate_players(request)
    )
    asks = character_field(request.event) is not None
    return {
        "pages": build_card_pages(REGISTRATION_LAYOUT, request.paper, lists, asks_character=asks),
        "asks_character": asks,
    }


def _registration_form(
    player: Player | None, zones: tuple[str, ...], event: Event, most: int, namesake_places: NamesakePlaces
) -> tuple[ListOwner, list[CardRow], str]:
    version = get_version(player)
    rows = [
        row
        for zone in _list_zones(zones, version)
        for row in _zone_rows(zone, version, most, namesake_places)
    ]
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
    used_zones = {entry["zone"] for entry in version.entries}
    return [zone for zone in ZONE_WORDS if zone in used_zones or zone in zones]


def _zone_rows(
    zone: str, version: DeckVersion | None, most: int, namesake_places: NamesakePlaces
) -> list[CardRow]:
    """Return the heading and the rows of a zone.

    The heading has the number of cards where it is known. The rows are the cards or empty lines. Of empty
    lines there are at most as many as a strip holds below the heading.
    """
    if version is None:
        words = say_reason(reason("zone_heading.blank", zone=zone, name=zone.capitalize()))
        return [CardRow(words), *[EMPTY_ROW] * min(BLANK_LINES.get(zone, 8), most)]
    zone_entries = [entry for entry in version.entries if entry["zone"] == zone]
    cards = sum(entry["qty"] or 0 for entry in zone_entries)
    entries = [
        CardRow(qty=str(entry["qty"] or "?"), card=disambiguate_name(entry, namesake_places))
        for entry in zone_entries
    ]
    return [
        CardRow(say_reason(reason("zone_heading", zone=zone, name=zone.capitalize(), cards=cards))),
        *(entries or [CardRow(card=pgettext("cards", "None"))]),
    ]


def build_deck_check_forms(request: PrintRequest) -> FilledContext:
    """Return lists in the order in which a judge counts a deck, a box for every copy."""
    namesake_places = find_namesakes(request.event.game)
    lists = (_deck_check_form(player, namesake_places) for player in iterate_players(request))
    asks = character_field(request.event) is not None
    return {
        "pages": build_card_pages(CHECK_LAYOUT, request.paper, lists, asks_character=asks),
        "asks_character": asks,
        "check_lines": [fit_line(BETWEEN_BLANKS.join(map(str, line)), LINE_ROOM, 10) for line in CHECK_LINES],
    }


def _deck_check_form(
    player: Player | None, namesake_places: NamesakePlaces
) -> tuple[ListOwner, list[CardRow], str]:
    version = get_version(player)
    if version is None:
        words = (
            gettext("No decklist was submitted. Cards as found:") if player else gettext("Cards as found:")
        )
        return _list_owner(player), [CardRow(words), *[EMPTY_ROW] * BLANK_CHECK_LINES], ""
    check_sheet = build_check_sheet(version, namesake_places=namesake_places)
    rows = [row for group in check_sheet.groups for row in _group_rows(group)]
    open_count = len(check_sheet.open_questions)
    question = gettext("Questions without an answer: %(count)s")
    question_rows = [CardRow(question % {"count": open_count})] if open_count else []
    return (
        _list_owner(player),
        [*question_rows, *rows],
        say_reason(
            reason("check_note", cards=check_sheet.cards, number=version.number, code=version.short_hash)
        ),
    )


def _group_rows(group: CheckGroup) -> list[CardRow]:
    rows = [CardRow(qty=str(row.qty), card=row.name, boxes=format_copy_boxes(row.qty)) for row in group.rows]
    return [CardRow(f"{group.words}, {group.cards}"), *rows]


def format_copy_boxes(quantity: int) -> str:
    """Return a box for every copy, or their number for many."""
    return " ".join("☐" * quantity) if quantity <= MAX_COPY_BOXES else f"☐ × {quantity}"
