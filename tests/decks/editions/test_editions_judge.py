"""A published edition counts everywhere from its day on, and never before."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from decks.checking.check import check_text
from decks.editions import services as edition_services
from decks.editions.models import ListEdition
from decks.editions.selectors import editions
from decks.submissions import services as submissions_services
from rules import load_format
from tests.scenarios.catalogue import LEGAL, list_of, small_catalogue
from tests.scenarios.decklists import submit
from tests.scenarios.editions import TODAY, TOMORROW, draft, publish

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def cards():
    small_catalogue()


def outcome(text: str, on: date, version: str = "1.9") -> str:
    return check_text("ufs", "constructed", text, rules_version=version, on=on).outcome


def test_a_ban_counts_from_its_day_on_and_not_before():
    assert outcome(LEGAL, TOMORROW) == "legal"
    publish(draft("Anvil Stance", in_force=TOMORROW))

    assert [outcome(LEGAL, day) for day in (TODAY, TOMORROW, TOMORROW + timedelta(days=400))] == [
        "legal",
        "illegal",
        "illegal",
    ]


def test_a_ban_that_is_lifted_counts_until_then():
    free = list_of("1 Mara ●", "1 Kubi Ori", fillers=58)
    new_draft = draft(in_force=TOMORROW)
    new_draft.entries = [entry for entry in new_draft.entries if entry["card"]["name"] != "Kubi Ori"]
    ListEdition.objects.filter(pk=new_draft.pk).update(entries=new_draft.entries)
    publish(new_draft)

    assert (outcome(free, TODAY), outcome(free, TOMORROW)) == ("illegal", "legal")


def test_an_edition_of_one_version_of_the_rules_leaves_the_other_alone():
    publish(draft("Anvil Stance"))

    assert (outcome(LEGAL, TODAY, "1.9"), outcome(LEGAL, TODAY, "1.8")) == ("illegal", "legal")


def test_an_identity_made_here_adds_copies_together():
    new_draft = draft(kind="identities")
    same = {"same": ["Anvil Stance", "Brass Knuckle"], "clause": "News 2"}
    edition_services.add_entry(new_draft, same, revision=new_draft.revision)
    publish(new_draft)

    checked_list = check_text("ufs", "constructed", LEGAL, rules_version="1.9", on=TODAY)
    assert [finding.rule for finding in checked_list.verdict.errors] == ["UFS-L03"]


def test_without_a_day_todays_lists_count(time_machine_at_today):
    publish(draft("Anvil Stance", in_force=TOMORROW))

    assert check_text("ufs", "constructed", LEGAL, rules_version="1.9").outcome == "legal"


@pytest.fixture
def time_machine_at_today():
    import time_machine

    with time_machine.travel("2026-11-21 12:00:00+00:00", tick=False):
        yield


def test_a_verdict_names_the_lists_that_it_rests_on():
    publish(draft("Anvil Stance"))
    checked_list = check_text("ufs", "constructed", LEGAL, rules_version="1.9", on=TODAY)

    assert [(each.kind, each.number, each.source, each.in_force) for each in checked_list.lists] == [
        ("bans", 2, "published", "2026-11-21"),
        ("errata", 1, "shipped", "2008-02-27"),
        ("identities", 2, "shipped", "2008-02-27"),
    ]
    assert checked_list.lists[0].digest == ListEdition.objects.get().digest


def test_a_verdict_that_stands_keeps_when_a_list_changes():
    deck_list = submissions_services.create_list(game="ufs", format_key="constructed", rules_version="1.9")
    before = submit(deck_list, LEGAL, actor="Ada", on=TODAY)
    publish(draft("Anvil Stance"))
    after = submit(deck_list, LEGAL, actor="Ada", on=TODAY)
    before.refresh_from_db()

    assert (before.outcome, after.outcome) == ("legal", "illegal")
    assert [
        [(each["kind"], each["number"]) for each in version.judged_under["lists"]]
        for version in (before, after)
    ] == [
        [("bans", 1), ("errata", 1), ("identities", 2)],
        [("bans", 2), ("errata", 1), ("identities", 2)],
    ]
    assert after.judged_under["on"] == "2026-11-21"


def test_a_draft_changes_no_verdict():
    draft("Anvil Stance")

    assert outcome(LEGAL, TODAY) == "legal"


def test_days_under_the_same_lists_share_one_format():
    publish(draft("Anvil Stance"))
    one, other = (editions.load_format("ufs", "constructed", on=day) for day in (TODAY, TOMORROW))

    assert one is other
    assert editions.load_format("ufs", "constructed", on=date(2026, 1, 1)) is not one


def test_without_editions_of_ones_own_the_shipped_format_is_used_as_it_is():
    assert editions.load_format("ufs", "constructed", on=TODAY) is load_format("ufs", "constructed", on=TODAY)


def test_asking_for_a_format_costs_one_small_query(django_assert_num_queries):
    publish(draft("Anvil Stance"))
    editions.load_format("ufs", "constructed", on=TODAY)
    with django_assert_num_queries(1):
        editions.load_format("ufs", "constructed", on=TODAY)


def test_another_process_that_publishes_is_noticed():
    publish(draft("Anvil Stance"))
    first = editions.published_editions("ufs")
    ListEdition.objects.bulk_create(
        [
            ListEdition(
                game="ufs",
                kind="bans",
                number=3,
                name="From elsewhere",
                state="published",
                in_force=TODAY,
                drafted_at="2026-11-21T12:00Z",
                published_at="2026-11-21T12:00Z",
                digest="0" * 64,
            )
        ]
    )

    assert [each.number for each in (*first, *editions.published_editions("ufs"))] == [2, 2, 3]
