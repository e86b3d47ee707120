"""Why lists are checked again: reasons in rows, words where they are read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from django.utils import timezone

from decks.rechecks import services as rechecks
from decks.rechecks.models import Recheck
from decks.shared.causes import describe_day, render_causes
from decks.shared.wording import format_reason
from rules.reason import plain_reason, reason, reasons_to_json
from tests.scenarios.migrations import migrate, migrate_to_newest
from tests.scenarios.upcoming_decklists import DAY, ban_list

pytestmark = pytest.mark.both_databases


@pytest.mark.parametrize("month", range(1, 13))
def test_day_is_said_with_the_name_of_its_month_and_without_a_leading_zero(month: int):
    day = date(2026, month, 1)
    assert format_reason("reason", describe_day(day)) == f"{day:%a} 1 {day:%b} 2026"


@pytest.mark.django_db
def test_cause_of_an_edition_is_a_reason_with_its_day():
    recheck = rechecks.start_recheck(ban_list("Anvil Stance"))
    cause = reason("edition_published", name="Banned list", number=2, since=describe_day(DAY))
    assert Recheck.objects.get(pk=recheck.pk).causes == reasons_to_json([cause])
    assert recheck.cause == str(recheck) == "Banned list 2, in force from Tue 1 Dec 2026"


def test_several_causes_are_several_sentences():
    causes = [reason("event_format_changed"), reason("event_local_rules_changed")]
    assert render_causes(reasons_to_json(causes)) == (
        "The event now has another format or rules version. The local rules of the event changed"
    )


def test_cause_without_a_day_names_the_edition_alone():
    cause = reason("edition_published", name="Banned list", number=2, since=None)
    assert render_causes(reasons_to_json([cause])) == "Banned list 2"


# -- the migration

BEFORE, AFTER = ("decks", "0010_progress_as_reason"), ("decks", "0011_causes_as_reasons")


@pytest.fixture
def old_tables() -> Iterator[Any]:
    """The tables as they were, and afterwards as they are."""
    yield migrate(*BEFORE)
    migrate_to_newest()


@pytest.mark.whole("a migration that is out changes no more; all run forward in each test run")
@pytest.mark.django_db(transaction=True)
def test_sentences_from_before_are_kept_and_come_back(old_tables: Any):
    old_rows = old_tables.get_model("decks", "Recheck").objects
    pks = {
        cause: old_rows.create(game="ufs", cause=cause, asked_at=timezone.now()).pk
        for cause in ("List 2", "List 3, in force")
    }
    rows = migrate(*AFTER).get_model("decks", "Recheck").objects
    causes_by_row = dict(rows.values_list("pk", "causes"))
    assert causes_by_row == {pk: reasons_to_json([plain_reason(cause)]) for cause, pk in pks.items()}
    rows.filter(pk=pks["List 2"]).update(causes=reasons_to_json([reason("event_format_changed")]))
    old_rows = migrate(*BEFORE).get_model("decks", "Recheck").objects
    assert dict(old_rows.values_list("pk", "cause")) == {
        pks["List 2"]: render_causes(reasons_to_json([reason("event_format_changed")])),
        pks["List 3, in force"]: "List 3, in force",
    }
