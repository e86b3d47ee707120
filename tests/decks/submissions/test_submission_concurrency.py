"""Many devices submitting lists at once: every version is kept, one counts."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from decks.catalogue.selectors import get_catalogue
from decks.catalogue.services import catalogue as catalogue_catalogue
from decks.shared.refusals import Refused
from decks.submissions import services
from decks.submissions.models import DeckList, DeckVersion
from tests.scenarios.catalogue import LEGAL, small_catalogue, write
from tests.scenarios.decklists import lock, submit

pytestmark = pytest.mark.both_databases

DEVICES = 8


def at_once(count: int, call) -> list[object]:
    """Run `call(number)` in several threads that start together.

    Each closes its own connection.
    """
    barrier = Barrier(count)

    def run(number: int) -> object:
        try:
            barrier.wait(timeout=60)
            return call(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


@pytest.fixture
def deck_list(transactional_db) -> DeckList:
    small_catalogue()
    deck_list = services.create_list(game="ufs", format_key="constructed", rules_version="1.9")
    submit(deck_list, LEGAL, actor="warm-up")
    return deck_list


def test_two_devices_at_once_leave_two_versions_and_one_that_counts(deck_list):
    answers = at_once(2, lambda number: submit(deck_list, LEGAL, actor=f"device {number}"))
    assert sorted(version.number for version in answers) == [2, 3]
    deck_list.refresh_from_db()
    assert deck_list.current.number == 3
    assert DeckVersion.objects.count() == 3


@pytest.mark.postgres
def test_many_devices_at_once_leave_every_version_and_the_last_counts(deck_list):
    at_once(DEVICES, lambda number: submit(deck_list, LEGAL, actor=f"device {number}"))
    numbers = list(DeckVersion.objects.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, DEVICES + 2))
    deck_list.refresh_from_db()
    assert deck_list.current.number == DEVICES + 1


@pytest.mark.postgres
def test_a_lock_lets_no_submission_slip_in_behind_it(deck_list):
    def step(number: int) -> str:
        if number == 0:
            lock(DeckList.objects.get(pk=deck_list.pk))
            return "locked"
        try:
            return submit(deck_list, LEGAL, actor=f"device {number}").submitted_by
        except Refused as refusal:
            return refusal.code

    at_once(DEVICES, step)
    deck_list.refresh_from_db()
    late = DeckVersion.objects.filter(submitted_at__gt=deck_list.locked_at)
    assert list(late) == []
    assert not DeckVersion.objects.filter(after_lock=True).exists()


@pytest.mark.postgres
def test_imports_at_once_take_turns(deck_list):
    file = write({f"ZZ5-{n:03d}": {"name": f"Crowd {n}", "set": "ZZ5", "number": n} for n in range(50)})
    plans = at_once(4, lambda number: catalogue_catalogue.import_catalogue(file))
    assert sorted(len(plan.new_cards) for plan in plans) == [0, 0, 0, 50]


def test_threads_that_ask_at_once_share_one_catalogue(deck_list):
    catalogue_catalogue.import_catalogue(write({"ZZ6-001": {"name": "Fresh Ink"}}))
    catalogues = at_once(4, lambda number: get_catalogue("ufs"))
    assert len({id(each) for each in catalogues}) == 1
    assert "fresh-ink" in catalogues[0].cards
