"""Lists of coming events after a change of the catalogue.

They are checked again, and owners are notified once.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import transaction

from decks.catalogue.models import Card
from decks.catalogue.services.catalogue import import_catalogue, raise_version
from decks.rechecks.models import Recheck
from decks.submissions.models import Rechecked
from tests.scenarios.catalogue import LEGAL, small_catalogue, write
from tests.scenarios.factories import add_players, make_event
from tournament.access.permissions import Actor
from tournament.decklists.models import ListNotice
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.log.models import LogEntry

pytestmark = pytest.mark.django_db


def new_card(number: int) -> str:
    key = f"ZZ9-{number:03d}"
    return write({key: {"name": f"New Card {number}", "set": "ZZ9", "number": number, "type": "attack"}})


@pytest.fixture
def event(db: None) -> Event:
    """A coming event with one list."""
    small_catalogue()
    event = make_event(starts_at=datetime.now(UTC) + timedelta(days=60))
    add_players(event, 1)
    player = event.players.select_related("event", "deck_list").get()
    decklists.submit_list(player, Actor.of_player(player), LEGAL)
    return event


def do_jobs(run_jobs) -> None:
    for _ in range(4):
        run_jobs()


def test_a_card_that_leaves_the_catalogue_is_told_to_the_owner_of_a_list_once(event, run_jobs):
    Card.objects.get(game="ufs", name="Anvil Stance").delete()
    do_jobs(run_jobs)
    assert list(Rechecked.objects.values_list("outcome", "brings_news")) == [("unknown", True)]
    assert Recheck.objects.get().causes == [{"code": "catalogue_changed", "params": {}}]
    notice_count = ListNotice.objects.exclude(player=None).count()
    assert notice_count == 1
    import_catalogue(new_card(1))
    do_jobs(run_jobs)
    assert list(Rechecked.objects.values_list("brings_news", flat=True)) == [True, False]
    assert ListNotice.objects.exclude(player=None).count() == notice_count


def test_a_change_that_touches_no_list_is_neither_told_nor_logged(event, run_jobs):
    entries = LogEntry.objects.filter(event=event).count()
    import_catalogue(new_card(1))
    do_jobs(run_jobs)
    assert list(Rechecked.objects.values_list("outcome", "brings_news")) == [("legal", False)]
    assert (ListNotice.objects.count(), LogEntry.objects.filter(event=event).count()) == (0, entries)


def test_changes_in_a_row_share_one_recheck(event):
    with transaction.atomic():
        for _ in range(3):
            raise_version("ufs")
    assert Recheck.objects.filter(ended_at=None).count() == 1


def test_without_lists_of_coming_events_nothing_is_checked_again(db):
    small_catalogue()
    make_event(starts_at=datetime.now(UTC) + timedelta(days=60))
    import_catalogue(new_card(1))
    assert Recheck.objects.count() == 0


def test_an_event_of_another_game_is_left_alone(event):
    raise_version("cfc")
    assert Recheck.objects.count() == 0


def test_a_line_that_named_no_known_card_is_matched_once_its_card_is_known(event, run_jobs):
    player = event.players.select_related("event", "deck_list").get()
    unknown = LEGAL.replace("4 Anvil Stance", "4 New Card 7")
    version = decklists.submit_list(player, Actor.of_player(player), unknown)
    assert version.outcome == "unknown"
    import_catalogue(new_card(7))
    do_jobs(run_jobs)
    assert list(Rechecked.objects.filter(version=version).values_list("outcome", "mends")) == [
        ("legal", True)
    ]
