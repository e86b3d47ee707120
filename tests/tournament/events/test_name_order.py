"""The order of names wherever they are listed.

Names are sorted as people sort them, and by the setting of the event.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.everyday import each_case
from tests.scenarios.factories import make_event, organizer, publish_next
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.name_order import get_name_order
from tournament.pairing.selectors.pairings import list_by_player, list_pairings
from tournament.printing.request import PrintRequest
from tournament.printing.sheets.badges import Badge, build_badges
from tournament.printing.sheets.lists import build_check_in, build_pairings_by_name
from tournament.registration.selectors import check_in_overview, public_players, search_players
from tournament.setup.services import events
from tournament.shared.names import AS_WRITTEN, BY_BARE_SURNAME, BY_SURNAME, make_name_key

NAMES = ("zoë de Jong", "Ángel Øre", "Anna O’Connor", "Bert OConnell", "Anke van der Berg", "李 小明")
# The same by their places above.
SORTED = {
    AS_WRITTEN: [NAMES[at] for at in (1, 4, 2, 3, 0, 5)],
    BY_SURNAME: [NAMES[at] for at in (0, 3, 2, 1, 4, 5)],
    BY_BARE_SURNAME: [NAMES[at] for at in (4, 0, 3, 2, 1, 5)],
}


@pytest.mark.parametrize("order", SORTED)
def test_names_sort_without_case_accents_and_signs(order: str) -> None:
    assert sorted(NAMES, key=lambda name: make_name_key(name, order)) == SORTED[order]


@each_case(
    ("one", "other"),
    [
        ("Player 2", "Player 10"),
        ("Smith Zed", "Smithers Al"),
        ("Ann Abel", "ann abel"),
        ("Lukasz", "Łukasz"),
        ("Straße", "Strassen"),
    ],
)
def test_the_first_of_two_names_stands_first(one: str, other: str) -> None:
    assert make_name_key(one) < make_name_key(other)


@each_case(
    ("name", "key"),
    [
        ("Anneke van der Berg", "berg anneke van der"),
        ("van der Berg, Anneke", "berg anneke van der"),
        ("Al Smith-Jones Jr.", "smith jones jr al"),
        ("Cher", "cher"),
        ("Player 7", "player 00000007"),
        ("佐藤 健", "佐藤 健"),
    ],
)
def test_the_surname_without_particles_comes_first(name: str, key: str) -> None:
    assert make_name_key(name, BY_BARE_SURNAME)[0] == key


def event_of(order: str) -> Event:
    """Return a started event of these players."""
    event = make_event(name_order=order)
    Player.objects.bulk_create(
        Player(event=event, number=n, name=name, folded_name=str(n), lot=n, registered_at=datetime.now(UTC))
        for n, name in enumerate(NAMES, 1)
    )
    events.start_event(event, organizer())
    return Event.objects.get(pk=event.pk)


def _join_lines(badge: Badge) -> str:
    return " ".join(line.text for line in badge.names[0].lines)


@pytest.mark.both_databases
@pytest.mark.django_db
@pytest.mark.parametrize("order", [AS_WRITTEN, BY_BARE_SURNAME])
def test_all_lists_of_an_event_have_one_order(order: str) -> None:
    event = event_of(order)
    published_round = publish_next(event)
    print_request = PrintRequest(event, published_round, "A4", datetime(2026, 5, 2, tzinfo=UTC))
    lists = [
        [place.player.name for place in list_by_player(event, list_pairings(published_round))],
        [player.name for player in search_players(event)],
        [player.name for player in public_players(event)],
        [player.name for player in check_in_overview(event).rows],
        [line.text for line in build_pairings_by_name(print_request)["pages"][0].blocks[0].lines],
        [line.text for line in build_check_in(print_request)["pages"][0].blocks[2].lines],
        [_join_lines(badge) for badge in build_badges(print_request)["pages"][0].badges],
    ]
    assert lists == [SORTED[order]] * len(lists)


@pytest.mark.django_db
def test_names_of_teams_have_no_surname() -> None:
    event = make_event(name_order=BY_SURNAME)
    event.team_size = 2
    assert get_name_order(event) == AS_WRITTEN
