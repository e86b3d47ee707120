"""One edition rechecked by several at once: one recheck, planned once."""

from __future__ import annotations

import pytest

from decks.jobs.models import Job
from decks.rechecks import services as rechecks
from decks.rechecks.models import Recheck
from tests.decks.submissions.test_submission_concurrency import at_once
from tests.scenarios.upcoming_decklists import ban_list

pytestmark = pytest.mark.both_databases

PEOPLE = 4


def test_an_edition_rechecked_by_several_at_once_gets_one_recheck_and_one_plan(transactional_db):
    edition = ban_list("Anvil Stance")

    answers = at_once(PEOPLE, lambda number: rechecks.start_recheck(edition, asked_by=f"keeper {number}").pk)

    assert answers == [Recheck.objects.get().pk] * PEOPLE
    assert list(Job.objects.values_list("kind", flat=True)) == ["plan_recheck"]
