"""Before publishing: which lists of coming events a draft would break, and how."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from decks.editions.selectors.editions import to_edition
from decks.jobs.models import Job
from decks.rechecks import services as rechecks
from decks.rechecks import upcoming
from decks.rechecks.consequences import AffectedEvent, Consequences
from decks.rechecks.models import Recheck
from decks.rechecks.selectors import RecheckProgress, find_consequences
from decks.submissions import services
from decks.submissions.models import DeckVersion, Rechecked
from rules.reason import reason
from rules.rendering import say
from tests import machine
from tests.scenarios.catalogue import LEGAL, list_of, small_catalogue
from tests.scenarios.decklists import submit
from tests.scenarios.editions import draft
from tests.scenarios.factories import make_user
from tests.scenarios.html import html_of
from tests.scenarios.upcoming_decklists import DAY, DayEvents, ban_list
from tournament.shared.text import format_moment

pytestmark = pytest.mark.django_db
WITHOUT_ANVIL = list_of("1 Mara ●", "4 Paper Tiger").replace("4 Anvil Stance\n", "")


@pytest.fixture
def hall(db, monkeypatch) -> DayEvents:
    """Two events on the day of the draft and one the day before."""
    small_catalogue()
    hall = DayEvents(days={1: DAY, 2: DAY, 3: DAY - timedelta(days=1)})
    monkeypatch.setattr(upcoming, "_registered", [hall])
    return hall


def hand_in(hall: DayEvents, text: str, event: int) -> DeckVersion:
    deck_list = services.create_list(game="ufs", format_key="constructed", rules_version="1.9")
    hall.held_lists.append((deck_list, event))
    return submit(deck_list, text, actor="Ada")


def look(row) -> Consequences:
    return find_consequences(to_edition(row), lambda *step: None)


def anvil_draft():
    return ban_list("Anvil Stance", state="draft", digest="")


def test_broken_lists_are_counted_by_event_and_named_with_their_findings(hall):
    hand_in(hall, LEGAL, 1)
    hand_in(hall, WITHOUT_ANVIL, 1)
    hand_in(hall, WITHOUT_ANVIL, 2)
    consequences = look(anvil_draft())
    assert [(event.name, event.lists, event.broken, event.mended) for event in consequences.events] == [
        ("Event 1", 2, 1, 0),
        ("Event 2", 1, 0, 0),
    ]
    (affected_list,) = consequences.events[0].shown
    assert (affected_list.owner, affected_list.url, affected_list.before, affected_list.after) == (
        "Player 1", "/console/1/lists/1/", "legal", "illegal",
    )  # fmt: skip
    assert affected_list.new_words == [
        "Anvil Stance is banned by Banned list (Ringside news, in force from Tue 1 Dec 2026). (502.1)"
    ]
    assert affected_list.gone == ()


def test_an_event_before_the_day_is_not_reached_and_says_why(hall):
    hand_in(hall, LEGAL, 3)
    consequences = look(anvil_draft())
    assert (consequences.lists, consequences.events) == (0, [])
    assert consequences.unaffected_words == [
        "Event 3 is held on Mon 30 Nov 2026, before the new version is in force."
    ]


def test_a_list_that_a_lifted_ban_mends_is_counted_as_mended(hall):
    hand_in(hall, list_of("1 Mara ●", "1 Kubi Ori"), 1)
    consequences = look(ban_list("Paper Lion", state="draft", digest=""))
    assert (consequences.broken_count, consequences.fixed_count) == (0, 1)
    (affected_list,) = consequences.events[0].shown
    assert (
        affected_list.before,
        affected_list.after,
        affected_list.new,
        affected_list.is_worse,
    ) == (
        "illegal",
        "legal",
        (),
        False,
    )


def test_a_list_already_broken_otherwise_is_broken_again_only_by_the_draft(hall):
    hand_in(hall, list_of("1 Mara ●", "5 Anvil Stance"), 1)
    consequences = look(anvil_draft())
    (affected_list,) = consequences.events[0].shown
    assert (affected_list.before, affected_list.after, len(affected_list.new)) == (
        "illegal",
        "illegal",
        1,
    )


def test_looking_ahead_writes_no_verdict(hall):
    hand_in(hall, LEGAL, 1)
    look(anvil_draft())
    assert Rechecked.objects.count() == 0


def test_many_lists_cost_no_more_queries_than_few(hall):
    row = anvil_draft()
    counts = []
    most = 50 if machine.whole() else 10
    for more in (1, most - 1):
        for _ in range(more):
            hand_in(hall, LEGAL, 1)
        with CaptureQueriesContext(connection) as queries:
            consequences = look(row)
        counts.append(len(queries))
    assert (consequences.lists, consequences.broken_count) == (most, most)
    assert counts[0] == counts[1]


def test_the_answer_travels_as_json(hall):
    hand_in(hall, LEGAL, 1)
    consequences = look(anvil_draft())
    record = json.loads(json.dumps(consequences.to_record()))
    assert Consequences.from_record(record) == consequences
    assert Consequences.from_record(record).to_json() == consequences.to_json()


@pytest.fixture
def keeper(client):
    user = make_user("lena@example.org")
    user.user_permissions.add(Permission.objects.get(codename="publish_lists"))
    client.force_login(user)
    return client


def test_a_keeper_asks_and_reads_the_answer(hall, keeper, run_jobs):
    hand_in(hall, LEGAL, 1)
    new_draft = draft("Anvil Stance", in_force=DAY)
    address = reverse("list_would_break", args=[new_draft.pk])
    assert "Check decklists" in html_of(keeper.get(address))
    keeper.post(address)
    assert "Waiting" in html_of(keeper.get(address))
    run_jobs()
    page = html_of(keeper.get(address))
    assert "<strong>Worse verdict: 1</strong>" in page
    assert "Player 1" in page
    part = html_of(keeper.get(address, headers={"HX-Request": "true"}))
    assert "<html" not in part


def test_a_draft_that_changed_is_looked_at_again(hall, keeper, run_jobs):
    new_draft = draft("Anvil Stance", in_force=DAY)
    address = reverse("list_would_break", args=[new_draft.pk])
    keeper.post(address)
    run_jobs()
    from decks.editions import services as editions_services

    editions_services.add_entry(
        new_draft, {"card": {"name": "Jade Focus"}, "clause": "1"}, revision=new_draft.revision
    )
    assert "Check decklists" in html_of(keeper.get(address))


def test_others_may_not_look(hall, client):
    new_draft = draft("Anvil Stance", in_force=DAY)
    client.force_login(make_user("bob@example.org"))
    assert client.get(reverse("list_would_break", args=[new_draft.pk])).status_code == 403
    assert Job.objects.count() == 0


def test_a_keeper_follows_stops_and_resumes_a_recheck(hall, keeper, run_jobs):
    hand_in(hall, LEGAL, 1)
    recheck = rechecks.start_recheck(ban_list("Anvil Stance"))
    address = reverse("list_recheck", args=[recheck.pk])
    assert say("reason", "recheck_counting") in html_of(keeper.get(address))
    run_jobs()
    assert "Checked: 0 of 1 decklist." in html_of(keeper.get(address))
    Job.objects.filter(kind="recheck_part").update(state="failed")
    assert "1 part stopped with an error" in html_of(keeper.get(address))
    keeper.post(reverse("list_recheck_resume", args=[recheck.pk]))
    run_jobs(), run_jobs()
    page = html_of(keeper.get(address))
    assert "1 decklist checked, 1 needs a correction." in page
    recheck.refresh_from_db()
    moment = format_moment(recheck.ended_at, "full")
    assert f'Finished <time datetime="{recheck.ended_at.isoformat()}" data-time-here>{moment}</time>.' in page
    second = rechecks.start_recheck(ban_list("Anvil Stance", number=3))
    keeper.post(reverse("list_recheck_cancel", args=[second.pk]))
    assert "Canceled after" in html_of(keeper.get(reverse("list_recheck", args=[second.pk])))


OLD_RESULT = {
    "revision": 1,
    "events": [
        {
            "name": "Event 1", "day": "2026-12-01", "url": "/console/1/",
            "lists": 1, "broken": 1, "mended": 0,
            "shown": [
                {
                    "owner": "Player 1", "url": "/console/1/lists/1/", "before": "legal", "after": "illegal",
                    "new": ["Anvil Stance is banned. (502.1)"], "gone": [], "is_worse": True,
                }
            ],
        }
    ],
    "unaffected": ["Event 3 is held on Mon 30 Nov 2026, before the new version is in force."],
    "unjudged": 0,
}  # fmt: skip


def test_result_of_a_job_holds_codes_and_no_sentence(hall):
    hand_in(hall, LEGAL, 1)
    hand_in(hall, LEGAL, 3)
    record = look(anvil_draft()).to_record()
    [finding] = record["events"][0]["shown"][0]["new"]
    assert ([each["code"] for each in finding["reasons"]], finding["clause"]) == (["banned-card"], "502.1")
    day = {"code": "calendar_day", "params": {"weekday": 1, "day": 30, "month": 11, "year": 2026}}
    assert record["unaffected"] == [
        {"code": "event_before_edition", "params": {"event": "Event 3", "day": day}}
    ]


def tell(sentence):
    return {"code": "told", "params": {"told": sentence}, "sentence": sentence}


def test_result_from_before_the_codes_reads_as_it_was_written():
    consequences = Consequences.from_record(OLD_RESULT)
    (event,) = OLD_RESULT["events"]
    (affected_list,) = event["shown"]
    findings = [{"reasons": [tell(sentence)], "clause": ""} for sentence in affected_list["new"]]
    assert consequences.to_json() == {
        "events": [{**event, "shown": [{**affected_list, "new": findings}]}],
        "unaffected": [tell(sentence) for sentence in OLD_RESULT["unaffected"]],
        "unjudged": 0,
    }
    assert Consequences.from_record(json.loads(json.dumps(consequences.to_record()))) == consequences


def test_event_under_other_rules_is_named_with_them(hall):
    hand_in(hall, LEGAL, 1)
    consequences = look(ban_list("Anvil Stance", state="draft", digest="", versions=["1.8"]))
    assert consequences.unaffected[0] == reason("event_under_other_rules", event="Event 1", rules="1.9")
    assert consequences.unaffected_words[0] == "Event 1 uses rules 1.9, which the new version does not cover."


@pytest.mark.parametrize(
    ("broken_count", "mended_count", "words"),
    [
        (2, 1, "2 of 9 would need a correction, 1 would be legal again"),
        (0, 0, "none of 9 would need a correction"),
        (1, 0, "1 of 9 would need a correction"),
    ],
)
def test_lists_of_an_event_are_counted_in_words(broken_count, mended_count, words):
    assert (
        AffectedEvent("Event 1", DAY, "/", lists=9, broken=broken_count, mended=mended_count).words == words
    )


@pytest.mark.parametrize(
    ("total", "news", "mended_count", "words"),
    [
        (1, 1, 0, "1 decklist checked, 1 needs a correction."),
        (9, 0, 1, "9 decklists checked, 0 need a correction, 1 is legal again."),
        (9, 2, 3, "9 decklists checked, 2 need a correction, 3 are legal again."),
    ],
)
def test_recheck_that_ended_says_what_came_of_it(total, news, mended_count, words):
    recheck = Recheck(total=total, ended_at=timezone.now())
    assert RecheckProgress(recheck, total, news, mended_count, 0).words == words
