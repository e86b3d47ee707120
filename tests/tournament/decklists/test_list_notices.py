"""Notices after a new edition.

Organizers and players of coming events are notified, once, and no one else.
"""

from __future__ import annotations

import copy
import json
from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from decks.rechecks import services as rechecks
from decks.rechecks.models import Recheck
from decks.shared.refusals import Refused
from decks.submissions.models import Rechecked
from decks.submissions.selectors import current_verdict
from tests.everyday import each_case
from tests.scenarios.catalogue import LEGAL, list_of, small_catalogue
from tests.scenarios.event_cache import memory
from tests.scenarios.factories import (
    add_players,
    built_once,
    make_event,
    name_of,
    organizer,
    sign_in_organizer,
)
from tests.scenarios.html import html_of
from tests.scenarios.log_words import words_of
from tests.scenarios.rollback import rolled_back
from tests.scenarios.upcoming_decklists import ban_list
from tournament.access.permissions import Actor
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.decklists.models import ListNotice
from tournament.decklists.services import lists as decklists
from tournament.decklists.services import notices as list_mails
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.log import services as undo
from tournament.registration import services as registration
from tournament.setup.services import events
from tournament.setup.services import settings as services_settings

pytestmark = pytest.mark.django_db
STARTS = datetime(2026, 12, 12, 9, 0, tzinfo=UTC)
CAUSE = "Banned list 2, in force from Tue 1 Dec 2026"
LATER_CAUSE = CAUSE.replace("2,", "3,")
BAN = {"bans": [{"name": "Anvil Stance"}]}
WITHOUT_ANVIL = list_of("1 Mara ●", "4 Paper Tiger").replace("4 Anvil Stance\n", "")


@pytest.fixture
@built_once
def event(db) -> Event:
    """Return an event of three players, two of whom play a card to be banned.

    Alice and Bob play the card that will be banned. Carol does not.
    """
    small_catalogue()
    event = make_event(starts_at=STARTS)
    add_players(event, 3)
    for player in players(event):
        text = WITHOUT_ANVIL if player.name == "Carol" else LEGAL
        decklists.submit_list(player, Actor.of_player(player), text)
    Player.objects.filter(event=event, name="Alice").update(email="alice@example.org")
    return event


def players(event: Event) -> list[Player]:
    return list(event.players.select_related("event", "deck_list").order_by("number"))


def publish_and_wait(run_jobs, *names: str, number: int = 2) -> Recheck:
    """Publish an edition and run its jobs: plan, part, notices, emails."""
    recheck = rechecks.start_recheck(ban_list(*names, number=number), asked_by="Kim")
    for _ in ("plan", "part", "tell", "mail"):
        run_jobs()
    return recheck


@pytest.fixture
def event_with_ban(event, run_jobs):
    """The event after an edition that bans the card of Alice and Bob.

    Its emails are not in the outbox.
    """

    def publish() -> Event:
        publish_and_wait(run_jobs, "Anvil Stance")
        return event

    return memory.build_once("a card of Alice and Bob is banned", publish)


def test_the_event_gets_one_log_line_that_names_who_has_to_mend(event_with_ban):
    line = event_with_ban.log.get(action="lists_checked_again")
    assert words_of(line) == f"3 decklists were checked again ({CAUSE}): 2 need a correction: Alice and Bob."
    assert ([cause["code"] for cause in line.params["causes"]], line.actor) == (
        ["edition_published"],
        "Ringside",
    )


def test_players_with_an_address_and_the_organizer_get_one_mail_each(event, run_jobs, settings):
    settings.BASE_URL = "https://ringside.example"
    publish_and_wait(run_jobs, "Anvil Stance")
    alice = event.players.get(name="Alice")
    assert sorted((each.to, each.subject) for each in mail.outbox) == [
        (["alice@example.org"], "Action needed: your decklist for Spring Open"),
        (["olga@example.org"], "Decklists checked again: Spring Open"),
    ]
    to_alice = next(each for each in mail.outbox if each.to == ["alice@example.org"]).body
    assert CAUSE in to_alice
    assert "no longer legal for the event on Sat 12 Dec 2026" in to_alice
    assert f"https://ringside.example/p/{alice.token}/list/" in to_alice
    to_olga = next(each for each in mail.outbox if each.to == ["olga@example.org"]).body
    assert "- Alice\n- Bob\n" in to_olga
    assert alice.token not in to_olga
    assert list(ListNotice.objects.order_by("pk").values_list("player__name", "mail")) == [
        ("Alice", "sent"), ("Bob", "none"), (None, "sent"),
    ]  # fmt: skip


def test_a_repeated_notification_reaches_no_player_twice(event, run_jobs):
    recheck = publish_and_wait(run_jobs, "Anvil Stance")
    list_mails.notify_events(recheck, lambda *sent_mail: None)
    list_mails.send_notice_emails(recheck.pk, event.pk, is_last_try=False)
    assert (len(mail.outbox), event.log.filter(action="lists_checked_again").count()) == (2, 1)


def test_a_second_edition_with_the_same_ban_is_no_news(event, run_jobs):
    publish_and_wait(run_jobs, "Anvil Stance")
    publish_and_wait(run_jobs, "Anvil Stance", number=3)
    newest = event.log.filter(action="lists_checked_again").first()
    assert words_of(newest) == f"3 decklists were checked again ({LATER_CAUSE}): no new problems."
    assert len(mail.outbox) == 2


def test_a_list_that_a_lifted_ban_mends_is_told_as_one_that_broke(event, run_jobs, client, settings):
    settings.BASE_URL = "https://ringside.example"
    publish_and_wait(run_jobs, "Anvil Stance")
    mail.outbox.clear()
    publish_and_wait(run_jobs, number=3)
    newest = event.log.filter(action="lists_checked_again").first()
    assert (
        words_of(newest)
        == f"3 decklists were checked again ({LATER_CAUSE}): 2 are legal again: Alice and Bob."
    )
    assert sorted((each.to, each.subject) for each in mail.outbox) == [
        (["alice@example.org"], "Spring Open: your decklist is legal again"),
        (["olga@example.org"], "Decklists checked again: Spring Open"),
    ]
    to_olga = next(each for each in mail.outbox if each.to == ["olga@example.org"]).body
    assert "Decklists that are legal again:\n- Alice\n- Bob\n" in to_olga
    assert "need changes" not in to_olga
    alice, _, carol = players(event)
    text = "Your decklist is legal again. Reason: Banned list 3,"
    assert text in html_of(client.get(reverse("player", args=[alice.token])))
    assert "legal again" not in html_of(client.get(reverse("player", args=[carol.token])))


def test_one_edition_may_break_some_lists_and_mend_others(event, run_jobs):
    publish_and_wait(run_jobs, "Anvil Stance")
    mail.outbox.clear()
    publish_and_wait(run_jobs, "Paper Tiger", number=3)
    newest = event.log.filter(action="lists_checked_again").first()
    assert words_of(newest) == (
        f"3 decklists were checked again ({LATER_CAUSE}): 1 needs a correction: Carol. "
        "2 are legal again: Alice and Bob."
    )
    assert [each.subject for each in mail.outbox if each.to == ["olga@example.org"]] == [
        "Decklists checked again: Spring Open"
    ]


def test_a_ruling_that_stands_is_not_overtaken_by_a_list_made_legal_again(event_with_ban, run_jobs):
    event = event_with_ban
    alice = players(event)[0]
    decklists.overrule_verdict(alice, organizer(), "illegal", number=1, reason="Marked cards.")
    publish_and_wait(run_jobs, number=3)
    newest = event.log.filter(action="lists_checked_again").first()
    assert words_of(newest) == f"3 decklists were checked again ({LATER_CAUSE}): 1 is legal again: Bob."


def test_a_player_who_mended_meanwhile_hears_nothing(event):
    recheck = rechecks.plan_recheck(rechecks.start_recheck(ban_list("Anvil Stance")).pk)
    from decks.rechecks.services import check_part

    check_part(recheck.parts.get().pk, lambda *sent_mail: None)
    alice = next(player for player in players(event) if player.name == "Alice")
    decklists.submit_list(alice, Actor.of_player(alice), WITHOUT_ANVIL)
    list_mails.notify_events(recheck, lambda *sent_mail: None)
    assert list(ListNotice.objects.filter(player__isnull=False).values_list("player__name", flat=True)) == [
        "Bob"
    ]


def test_an_event_that_has_begun_keeps_its_verdicts_and_is_not_told(event, run_jobs):
    events.start_event(event, organizer())
    publish_and_wait(run_jobs, "Anvil Stance")
    assert Rechecked.objects.count() == 0
    assert not event.log.filter(action="lists_checked_again").exists()
    assert mail.outbox == []


def test_mail_trouble_is_tried_again_and_breaks_nothing(event, run_jobs, settings, monkeypatch):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    recheck = publish_and_wait(run_jobs, "Anvil Stance")
    assert set(ListNotice.objects.exclude(mail="none").values_list("mail", flat=True)) == {"waiting"}
    assert list_mails.send_notice_emails(recheck.pk, event.pk, is_last_try=True) == list_mails.EmailCounts(
        0, 2
    )
    assert set(ListNotice.objects.exclude(mail="none").values_list("mail", flat=True)) == {"failed"}
    assert Recheck.objects.get().ended_at is not None


def test_the_players_page_says_since_when_and_what_to_do(event_with_ban, client):
    alice, _, carol = players(event_with_ban)
    page = html_of(client.get(reverse("player", args=[alice.token])))
    assert "badge-illegal" in page
    assert CAUSE in page
    assert "In force from Tue 1 Dec 2026" in page
    own = html_of(client.get(reverse("player_list", args=[alice.token])))
    assert "Anvil Stance is banned" in own
    assert "no longer legal" not in html_of(client.get(reverse("player", args=[carol.token])))


def test_the_console_shows_the_newest_verdict_and_what_brought_it(event_with_ban, client):
    event = event_with_ban
    sign_in_organizer(client)
    overview = html_of(client.get(reverse("console_event", args=[event.slug])))
    assert "2 need a correction: Alice and Bob" in overview
    assert '<span class="tile-value">2</span><span class="tile-label">Decklists to review</span>' in overview
    lists = html_of(client.get(reverse("console_lists", args=[event.slug])))
    assert lists.count("badge-illegal") == 2
    assert lists.index("Alice") < lists.index("Carol")
    one = html_of(client.get(reverse("console_list", args=[event.slug, 1])))
    assert CAUSE in one
    assert "Anvil Stance is banned" in one


def wait(run_jobs) -> None:
    """Plan, part, notices, emails."""
    for _ in range(4):
        run_jobs()


def test_lists_are_checked_again_when_the_local_rules_change(event, run_jobs):
    services_settings.set_local_rules(event, organizer(), BAN)
    wait(run_jobs)
    line = event.log.get(action="lists_checked_again")
    assert words_of(line) == (
        "3 decklists were checked again (The local rules of the event changed): "
        "2 need a correction: Alice and Bob."
    )
    assert [cause["code"] for cause in line.params["causes"]] == ["event_local_rules_changed"]
    assert [each.to for each in mail.outbox] == [["alice@example.org"], ["olga@example.org"]]


def test_lists_are_checked_again_when_the_change_is_taken_back(event, run_jobs):
    services_settings.set_local_rules(event, organizer(), BAN)
    wait(run_jobs)
    undo.undo_step(event.log.get(action="local_rules_changed"), organizer())
    wait(run_jobs)
    assert [current_verdict(player.deck_list.current).outcome for player in players(event)] == ["legal"] * 3


def test_lists_are_checked_again_when_the_event_moves_behind_the_day_of_an_edition(event, run_jobs):
    ban_list("Anvil Stance", in_force=date(2026, 12, 20))
    events.update_event(event, organizer(), {"starts_at": datetime(2026, 12, 27, 9, 0, tzinfo=UTC)})
    wait(run_jobs)
    assert Recheck.objects.get().cause == "The event is now on Sun 27 Dec 2026"
    assert [current_verdict(player.deck_list.current).outcome for player in players(event)] == [
        "illegal", "illegal", "legal",
    ]  # fmt: skip


def test_a_new_name_or_hour_of_the_event_checks_nothing_again(event):
    later = STARTS.replace(hour=12)
    events.update_event(event, organizer(), {"name": "Summer Open", "starts_at": later})
    assert Recheck.objects.count() == 0


def test_another_events_lists_stay_as_they_are_when_local_rules_change(event, run_jobs):
    other = make_event(starts_at=STARTS, name="Other Open")
    add_players(other, 1)
    decklists.submit_list(players(other)[0], organizer(), LEGAL)
    services_settings.set_local_rules(event, organizer(), BAN)
    wait(run_jobs)
    assert Rechecked.objects.filter(version__deck_list__player__event=other).count() == 0


def test_the_lists_page_costs_as_much_for_many_as_for_few(event_with_ban, client):
    event = event_with_ban
    sign_in_organizer(client)
    address = reverse("console_lists", args=[event.slug])
    # What is noted once in ten minutes, such as the use of a device, is noted here.
    client.get(address)
    with CaptureQueriesContext(connection) as few:
        client.get(address)
    for n in range(3, 7):
        registration.add_player(event, organizer(), name=name_of(n))
    for player in players(event)[3:]:
        decklists.submit_list(player, Actor.of_player(player), LEGAL)
    with CaptureQueriesContext(connection) as many:
        client.get(address)
    assert len(many) == len(few)


def test_later_verdicts_and_notices_travel_in_the_archive(document):
    restored_event = restore_event(json.dumps(document), organizer())
    again = json.loads(json.dumps(export_event(restored_event)))
    lists = [[player["list"] for player in each["players"]] for each in (document, again)]
    assert lists[0] == lists[1]
    assert [
        (len(stored_list["versions"][0]["later"]), stored_list["versions"][0]["outcome"])
        for stored_list in lists[1]
    ] == [(1, "legal")] * 3
    alice = restored_event.players.get(name="Alice")
    assert current_verdict(alice.deck_list.current).outcome == "illegal"
    assert alice.list_notices.get().mail == "sent"


@pytest.fixture
def document(event_with_ban):
    """The archive of the event after an edition that breaks two lists."""
    return json.loads(json.dumps(export_event(event_with_ban)))


@each_case("cause", [CAUSE, "x"], around=rolled_back)
def test_cause_of_an_archive_from_before_the_reasons_stays_as_it_was_told(document, cause):
    document = copy.deepcopy(document)
    for player in document["players"]:
        [later] = player["list"]["versions"][0]["later"]
        del later["causes"]
        later["cause"] = cause
    restored_event = restore_event(json.dumps(document), organizer())
    assert {
        each.cause for each in Rechecked.objects.filter(version__deck_list__player__event=restored_event)
    } == {cause}


@each_case("causes", ["a sentence", [{"told": "x"}], [1], {"code": "told"}, None], around=rolled_back)
def test_archive_with_causes_that_are_no_reasons_is_refused(document, causes):
    document["players"][0]["list"]["versions"][0]["later"][0]["causes"] = causes
    with pytest.raises(Refused) as refusal:
        restore_event(json.dumps(document), organizer())
    assert refusal.value.problems[0].code == "archive_value_wrong"


def test_later_verdict_knows_the_day_since_which_it_is_in_force(event_with_ban):
    later = current_verdict(players(event_with_ban)[0].deck_list.current).later
    assert later.since == date(2026, 12, 1)


def test_mail_after_the_deadline_asks_for_no_list(event, run_jobs):
    Event.objects.filter(pk=event.pk).update(decklists_due_at=timezone.now() - timedelta(seconds=1))
    publish_and_wait(run_jobs, "Anvil Stance")
    to_alice = next(each for each in mail.outbox if each.to == ["alice@example.org"]).body
    assert "Please submit" not in to_alice
    assert "The deadline for decklists was" in to_alice


@time_machine.travel(STARTS - timedelta(days=7))
def test_mail_before_the_deadline_says_until_when(event, run_jobs):
    Event.objects.filter(pk=event.pk).update(decklists_due_at=STARTS)
    publish_and_wait(run_jobs, "Anvil Stance")
    to_alice = next(each for each in mail.outbox if each.to == ["alice@example.org"]).body
    assert "Please submit a corrected decklist by Sat 12 Dec 2026, 10:00" in to_alice
