"""Forms that are filled by hand: deck registration, deck check, gem sheet, match sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from gc import collect
from typing import Any

from django.db.models import QuerySet
from django.utils import dateformat

from decks.catalogue.selectors.namesakes import Places, namesakes, told_apart
from decks.submissions.models import DeckVersion
from rules.deck import ZONE_WORDS
from rules.games.highlander.gem_sheet import CAP, FACTOR
from rules.games.highlander.names import GEMS
from tournament.decklists.selectors.check_sheet import CheckGroup, check_sheet, names_by_type
from tournament.events.game_terms import game_of, match_form_of
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.printing.layout.card_pages import CHECK, EMPTY, FORM, Row, Whose, card_pages
from tournament.printing.request import Asked
from tournament.printing.sheets.lists import tables
from tournament.printing.sheets.slips import stacked

MOST_BOXES = 4
# How many lines of an empty form a zone gets; a zone without an entry gets eight.
BLANK_LINES: Mapping[str, int] = {"main": 38, "sideboard": 10, "pregame": 12}
FOUND_LINES = 60
HALVES = 2
AT_A_TIME = 100
YOUNGEST = 0
# What forms do not say of a list, and what takes the most room.
UNREAD = [
    f"deck_list__current__{name}" for name in ("source_text", "pool_text", "lines", "verdict", "judged_under")
]


@dataclass(frozen=True, slots=True)
class Form:
    """The gem sheet of one player, or an empty one (`player` None)."""

    player: Player | None
    version: DeckVersion | None
    gems: list[tuple[str, str]] = field(default_factory=list)
    personas: list[str] = field(default_factory=list)
    weapons: list[str] = field(default_factory=list)


def _players(asked: Asked) -> Iterator[Player | None]:
    """Whose forms they are, by name; None for an empty one. Many are read some at a time."""
    if asked.is_blank or asked.player is not None:
        yield asked.player if not asked.is_blank else None
        return
    held = asked.event.players.filter(status=Player.Status.REGISTERED)
    found = sorted(held.values_list("pk", "name"), key=lambda row: (row[1].casefold(), row[0]))
    if not found:
        yield None
    for at in range(0, len(found), AT_A_TIME):
        yield from _read(held, [pk for pk, _ in found[at : at + AT_A_TIME]])
        # A player and his list hold each other, and the collector is paused while a sheet is made.
        collect(YOUNGEST)


def _read(held: QuerySet[Player], keys: Sequence[int]) -> Iterator[Player]:
    """These players with their lists, in this order."""
    read = held.select_related("deck_list__current").defer(*UNREAD).in_bulk(keys)
    yield from map(read.__getitem__, keys)


def _version(player: Player | None) -> DeckVersion | None:
    return player.deck_list.current if player is not None and player.deck_list else None


def _whose(player: Player | None) -> Whose:
    return Whose(player.name, str(player.number), player.character) if player else Whose()


def _asks_character(event: Event) -> bool:
    return event.needs_character or event.game == "ufs"


def registration(asked: Asked) -> dict[str, Any]:
    """Registered lists zone by zone; who has none gets lines to fill in."""
    zones = game_of(asked.event).zones
    most = FORM.rows[asked.paper] - 1
    shared = namesakes(asked.event.game)
    lists = (_registered(player, zones, asked.event, most, shared) for player in _players(asked))
    asks = _asks_character(asked.event)
    return {"pages": card_pages(FORM, asked.paper, lists, asks_character=asks), "asks_character": asks}


def _registered(
    player: Player | None, zones: tuple[str, ...], event: Event, most: int, shared: Places
) -> tuple[Whose, list[Row], str]:
    version = _version(player)
    rows = [row for zone in _zones(zones, version) for row in _zone(zone, version, most, shared)]
    return _whose(player), rows, _note(version, event)


def _note(version: DeckVersion | None, event: Event) -> str:
    if version is None:
        return ""
    at = dateformat.format(version.submitted_at.astimezone(event.zone), "j F Y, H:i")
    verdict = version.get_outcome_display().lower()
    return f"Version {version.number}, {version.short_hash}, handed in {at}. Verdict then: {verdict}."


def _zones(zones: tuple[str, ...], version: DeckVersion | None) -> list[str]:
    if version is None:
        return list(zones)
    used = {entry["zone"] for entry in version.entries}
    return [zone for zone in ZONE_WORDS if zone in used or zone in zones]


def _zone(zone: str, version: DeckVersion | None, most: int, shared: Places) -> list[Row]:
    """A zone: its heading, with the number of cards where they are known, and its cards or empty lines.

    Of empty lines there are at most as many as a strip holds below the heading.
    """
    words = ZONE_WORDS.get(zone, zone).capitalize()
    if version is None:
        return [Row(f"{words}, cards in all: ____"), *[EMPTY] * min(BLANK_LINES.get(zone, 8), most)]
    held = [entry for entry in version.entries if entry["zone"] == zone]
    cards = sum(entry["qty"] or 0 for entry in held)
    entries = [Row(qty=str(entry["qty"] or "?"), card=told_apart(entry, shared)) for entry in held]
    return [Row(f"{words}, {cards} card{'' if cards == 1 else 's'}"), *(entries or [Row(card="None")])]


def deck_check(asked: Asked) -> dict[str, Any]:
    """Lists in the order in which a judge counts a deck, a box for every copy."""
    shared = namesakes(asked.event.game)
    lists = (_checked(player, shared) for player in _players(asked))
    asks = _asks_character(asked.event)
    return {"pages": card_pages(CHECK, asked.paper, lists, asks_character=asks), "asks_character": asks}


def _checked(player: Player | None, shared: Places) -> tuple[Whose, list[Row], str]:
    version = _version(player)
    if version is None:
        words = "No list was handed in. Cards as found:" if player else "Cards as found:"
        return _whose(player), [Row(words), *[EMPTY] * FOUND_LINES], ""
    held = check_sheet(version, shared=shared)
    rows = [row for group in held.groups for row in _group(group)]
    return _whose(player), rows, f"{held.cards} cards in all. Version {version.number}, {version.short_hash}."


def _group(group: CheckGroup) -> list[Row]:
    rows = [Row(qty=str(row.qty), card=row.name, boxes=boxes(row.qty)) for row in group.rows]
    return [Row(f"{group.words}, {group.cards}"), *rows]


def boxes(quantity: int) -> str:
    """A box for every copy, or their number for many."""
    return " ".join("☐" * quantity) if quantity <= MOST_BOXES else f"☐ × {quantity}"


def gem_sheet(asked: Asked) -> dict[str, Any]:
    """Highlander: persona and weapons as registered, an altered assignment, and what the gems allow."""
    forms = [_gem_form(player) for player in _players(asked)]
    return {"pages": halves(forms * HALVES if asked.is_blank else forms), "factor": FACTOR, "cap": CAP}


def _gem_form(player: Player | None) -> Form:
    version = _version(player)
    held = names_by_type(version)
    return Form(player, version, _gems(version), held.get("persona", []), held.get("weapon of choice", []))


def _gems(version: DeckVersion | None) -> list[tuple[str, str]]:
    altered = (version.options.get("gem_assignment") if version else None) or {}
    return [(name, str(altered[letter]) if letter in altered else "") for letter, name in GEMS.items()]


@dataclass(frozen=True, slots=True)
class Half:
    """A form that takes half a page: what it is about, its place in the pile, and the page it stands on."""

    about: Any
    number: int
    count: int
    page: int
    pages: int


def halves(forms: Sequence[Any]) -> list[list[Half]]:
    """Forms two to a page, so that both piles lie in order when they are cut apart."""
    sheets = stacked(list(enumerate(forms, 1)), HALVES)
    return [
        [Half(about, number, len(forms), page, len(sheets)) for number, about in sheet]
        for page, sheet in enumerate(sheets, 1)
    ]


def match_sheet(asked: Asked) -> dict[str, Any]:
    """Street Fighter: one sheet a table, from the dice to the last round."""
    pairs = [pair for pair in tables(asked.shown) if pair.p2 is not None] if asked.round else []
    to_win = match_form_of(asked.event).games_to_win
    return {
        "pages": halves([None] * HALVES if asked.is_blank or not pairs else pairs),
        "rounds": range(1, 2 * to_win),
        "spare": range(1 if to_win > 1 else 0),
    }


def is_game(*keys: str) -> Any:
    """Whether an event plays one of these games."""

    def fits(event: Event) -> bool:
        return event.game in keys

    return fits
