"""Lists and the rest of the event.

Tests cover the lock at round 1, undo, the archive, and concurrent changes.
"""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from decks.shared.refusals import Refused
from decks.submissions.models import DeckList, DeckVersion
from tests.decks.submissions.test_exchanges import REGISTERED
from tests.scenarios.catalogue import LEGAL, small_catalogue
from tests.scenarios.factories import add_players, built_once, make_event, organizer
from tournament.access.permissions import Actor
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.decklists.models import ExchangeCheck
from tournament.decklists.services import exchanges
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.log.services import undo_step
from tournament.setup.services import events

pytestmark = pytest.mark.both_databases

at_once = pytest.mark.django_db(transaction=True)


def alice_of(event: Event) -> Player:
    people = event.players.select_related("event", "deck_list__current__deck_list")
    return people.get(name="Alice")


@built_once
def new_event(**values: Any) -> Event:
    small_catalogue()
    event = make_event(**values)
    add_players(event, 2)
    return event


def submit(event: Event, text: str = LEGAL, **values: Any) -> DeckVersion:
    alice = alice_of(event)
    actor = organizer() if values.get("by_staff") else Actor.of_player(alice)
    return decklists.submit_list(alice, actor, text, **values)


def refusal(event: Event) -> str:
    with pytest.raises(Refused) as excinfo:
        submit(event)
    return excinfo.value.code


@pytest.mark.django_db
def test_undoing_the_start_opens_the_lists_again() -> None:
    event = new_event()
    submit(event)
    events.start_event(event, organizer())
    assert refusal(event) == "list_closed"
    undo_step(event.log.filter(action="event_started").get(), organizer())
    assert not DeckList.objects.filter(locked_at__isnull=False).exists()
    version = submit(event)
    assert (version.number, version.after_lock) == (2, False)


@pytest.mark.django_db
def test_an_undone_submission_lets_the_version_before_count_and_loses_none() -> None:
    event = new_event()
    first, second = submit(event), submit(event, LEGAL.replace("1 Mara ●", "1 Mara ●●"))
    undo_step(event.log.filter(action="list_submitted").latest("pk"), organizer())
    assert alice_of(event).deck_list.current == first
    assert list(DeckVersion.objects.order_by("number")) == [first, second]
    assert submit(event).number == 3


@pytest.mark.django_db
def test_an_undone_exchange_check_is_gone_and_can_come_back() -> None:
    event = new_event()
    submit(event, REGISTERED)
    presented = exchanges.PresentedExchange((), (), game_in_round=1)
    exchange = exchanges.record_exchange(alice_of(event), organizer(), presented)
    undo_step(event.log.filter(action="exchange_checked").get(), organizer())
    assert ExchangeCheck.objects.count() == 0
    undo_step(event.log.filter(action="undone").get(), organizer())
    again = ExchangeCheck.objects.get()
    assert (again.pk, again.verdict, again.checked_at) == (exchange.pk, exchange.verdict, exchange.checked_at)


@pytest.mark.django_db
def test_staff_corrects_a_locked_list_with_a_reason_and_the_version_says_so() -> None:
    event = new_event()
    submit(event)
    events.start_event(event, organizer())
    version = submit(event, by_staff=True, reason="deck check at table 1")
    assert (version.number, version.after_lock, version.reason) == (2, True, "deck check at table 1")
    assert alice_of(event).deck_list.current == version


@pytest.mark.django_db
def test_a_late_list_is_marked_late_and_an_extended_deadline_lets_players_in_again() -> None:
    event = new_event(decklists_due_at=timezone.now() - timedelta(minutes=1))
    assert refusal(event) == "list_closed"
    assert submit(event, by_staff=True, reason="no network").after_deadline
    events.update_event(event, organizer(), {"decklists_due_at": timezone.now() + timedelta(hours=1)})
    assert not submit(event).after_deadline


@pytest.mark.django_db
def test_pools_rulings_answers_and_checks_travel_in_the_archive() -> None:
    event = new_event(format="sealed")
    submit(event, REGISTERED, pool=REGISTERED)
    decklists.overrule_verdict(alice_of(event), organizer(), "legal", number=1, reason="Agreed beforehand.")
    alice = alice_of(event)
    decklists.record_answer(alice, Actor.of_player(alice), number=1, agrees=True, words="Thank you.")
    presented = exchanges.PresentedExchange((), (), game_in_round=2)
    exchanges.record_exchange(alice_of(event), organizer(), presented)
    document = json.loads(json.dumps(export_event(event)))
    back = restore_event(json.dumps(document), organizer())
    exported_event, players = export_event(back), ("list", "exchange_checks")
    assert [[player[part] for part in players] for player in exported_event["players"]] == [
        [player[part] for part in players] for player in document["players"]
    ]
    version = alice_of(back).deck_list.current
    assert (version.pool_text, version.answers.get().words) == (REGISTERED, "Thank you.")
    assert alice_of(back).exchange_checks.get().version == version


@pytest.mark.django_db
def test_an_archive_whose_check_names_no_version_is_refused_whole() -> None:
    event = new_event()
    submit(event, REGISTERED)
    exchanges.record_exchange(
        alice_of(event), organizer(), exchanges.PresentedExchange((), (), game_in_round=1)
    )
    document = export_event(event)
    alice = next(player for player in document["players"] if player["name"] == "Alice")
    alice["exchange_checks"][0]["list_version"] = 7
    with pytest.raises(Refused) as excinfo:
        restore_event(json.dumps(document), organizer())
    assert excinfo.value.code == "archive_incomplete"


def together(*steps: Any) -> list[str]:
    """Run steps in threads that start together.

    Returns the result of each step, or the code of its refusal.
    """
    ready = Barrier(len(steps))

    def one(step: Any) -> str:
        try:
            ready.wait()
            return step()
        except Refused as refusal:
            return refusal.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(steps)) as pool:
        return list(pool.map(one, steps))


@at_once
def test_two_devices_at_once_leave_two_versions_and_one_that_counts() -> None:
    event = new_event()
    submit(event)
    answers = together(*[lambda: str(submit(Event.objects.get(pk=event.pk)).number)] * 2)
    assert sorted(answers) == ["2", "3"]
    assert alice_of(event).deck_list.current.number == 3
    assert list(DeckVersion.objects.order_by("number").values_list("number", flat=True)) == [1, 2, 3]


@at_once
def test_a_list_in_flight_when_round_one_starts_is_in_before_it_or_refused() -> None:
    event = new_event()
    submit(event)
    actor = organizer()

    def start() -> str:
        events.start_event(Event.objects.get(pk=event.pk), actor)
        return "started"

    hand_in = [lambda: str(submit(Event.objects.get(pk=event.pk)).number)] * 4
    answers = Counter(together(start, *hand_in))
    versions = DeckVersion.objects.count()
    assert answers["started"] == 1
    assert answers["list_closed"] == 4 - (versions - 1)
    deck_list = alice_of(event).deck_list
    assert deck_list.current.number == versions
    assert not DeckVersion.objects.filter(after_lock=True).exists()
    assert not DeckVersion.objects.filter(submitted_at__gt=deck_list.locked_at).exists()
