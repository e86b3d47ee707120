"""Every printed sheet of the venue as a page, in every moment of an event.

Forms that are blank or show only what a game says of its players look the same in each; one moment is enough.
What people and data wrote is included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from django.contrib.auth.models import User

from decks.catalogue.models import Card
from decks.submissions.models import DeckVersion
from rules import get_game, load_format
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.leagues.models import League
from tournament.printing.registry import ALL_SHEETS, Sheet, list_sheets
from tournament.printing.render import render_league_html, render_sheet_html
from tournament.printing.request import PrintRequest
from tournament.printing.sheets.standings import build_league_table

GAMES_WITH_SHEETS = ("highlander", "sf_miniatures")
FULL_MOMENT = "playing"
NOW = datetime(2027, 3, 6, 12, 0, tzinfo=UTC)


def render_sheets(moments: Mapping[str, Event]) -> Iterator[tuple[str, str]]:
    """Yield every sheet by its key and moment; forms of players filled in and blank."""
    for moment, sheet_event in moments.items():
        event = Event.objects.get(pk=sheet_event.pk)
        last = Round.objects.filter(stage__event=event).select_related("stage__event").last()
        print_request = PrintRequest(event, last, "A4", NOW, "https://a.example", for_browser=True)
        yield from _render(moment, print_request, [sheet for sheet in ALL_SHEETS if sheet.fits(event)])
        for key in GAMES_WITH_SHEETS if moment == FULL_MOMENT else ():
            game = get_game(key)
            event.game, event.format, event.match_form = key, game.formats[0], game.match_forms[0].key
            own = list_sheets(game)[len(ALL_SHEETS) :]
            yield from _render(f"{moment}, {key}", print_request, own)
    for league in League.objects.all():
        yield f"league--{league.slug}", render_league_html(build_league_table(league, "A4", NOW))


def _render(moment: str, print_request: PrintRequest, sheets: Iterable[Sheet]) -> Iterator[tuple[str, str]]:
    for sheet in sheets:
        if sheet.is_pack:
            continue
        if print_request.round is not None or not sheet.of_a_round:
            yield f"{sheet.key}--{moment}", render_sheet_html(sheet, print_request)
        if sheet.can_be_blank and moment.startswith(FULL_MOMENT):
            yield (
                f"{sheet.key}--{moment}, blank",
                render_sheet_html(sheet, replace(print_request, is_blank=True)),
            )


def list_names() -> Iterator[str]:
    """Yield what people and data wrote.

    These are names of events, players, cards, lists and accounts.
    """
    for event in Event.objects.all():
        yield from (event.name, event.place)
    for player in Player.objects.all():
        # A button names a player by the first name.
        yield from (player.name, player.name.split()[0], player.character)
    for user in User.objects.all():
        yield from (user.get_full_name(), user.first_name, user.username)
    for card in Card.objects.all():
        yield from (card.name, str(card.attributes.get("type") or card.attributes.get("kind") or ""))
    for version in DeckVersion.objects.all():
        yield from (version.short_hash, *(str(entry["name"]) for entry in version.entries))
    yield from League.objects.values_list("name", flat=True)
    for edition in load_format("ufs", "constructed").lists.editions.values():
        yield edition.name
        yield from (str(entry.get("says")) for entry in edition.entries)
