"""Cards that an organizer adds for one event.

They are used there, marked, undone, archived, and nowhere else.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from decks.catalogue.models import Card
from decks.catalogue.services.catalogue import import_catalogue
from decks.checking.check import check_text
from decks.shared.refusals import Refused
from decks.submissions.selectors import current_outcome
from tests.scenarios.catalogue import list_of, small_catalogue, write
from tests.scenarios.factories import (
    add_players,
    built_once,
    make_event,
    make_user,
    organizer,
    sign_in_organizer,
)
from tests.scenarios.html import html_of
from tests.scenarios.log_words import words_of
from tournament.access.permissions import Actor
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.decklists.models import AddedCard
from tournament.decklists.services import added_cards
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event, StaffRole
from tournament.events.models.player import Player
from tournament.log import services as undo
from tournament.registration import services as registration
from tournament.setup.services import events

pytestmark = pytest.mark.django_db
STARTS = datetime(2026, 12, 12, 9, 0, tzinfo=UTC)
OATH = {"name": "Quartz Oath", "set": "HM1", "number": "7", "type": "foundation", "dots": 0, "split": []}
DECK = list_of("1 Mara ●", "4 Quartz Oath", fillers=55)


@pytest.fixture
@built_once
def event(db) -> Event:
    """Return an event of one player.

    The player's submitted list needs a card that no catalogue has.
    """
    small_catalogue()
    event = make_event(starts_at=STARTS)
    add_players(event, 1)
    submit(event)
    return event


def submit(event: Event) -> Player:
    player = event.players.select_related("event", "deck_list").get(number=1)
    decklists.submit_list(player, Actor.of_player(player), DECK)
    return player


def outcome_of(event: Event) -> str:
    return current_outcome(event.players.get(number=1).deck_list.current)


def causes_of(event: Event) -> list[str]:
    """Return why lists were checked again the last time."""
    entry = event.log.filter(action="lists_checked_again").order_by("pk").last()
    return [cause["code"] for cause in entry.params["causes"]]


def recheck(run_jobs) -> None:
    for _ in ("plan", "part", "tell", "mail"):
        run_jobs()


def test_list_that_needs_the_card_is_checked_again_when_it_is_added(event, run_jobs) -> None:
    assert outcome_of(event) == "unknown"
    added_cards.add_card(event, organizer(), OATH)
    recheck(run_jobs)
    assert outcome_of(event) == "legal"
    assert causes_of(event) == ["event_cards_changed"]


@pytest.mark.both_databases
def test_undo_takes_the_card_back_and_the_list_with_it(event, run_jobs) -> None:
    added_cards.add_card(event, organizer(), OATH)
    recheck(run_jobs)
    undo.undo_step(event.log.get(action="card_added"), organizer())
    recheck(run_jobs)
    assert (AddedCard.objects.count(), outcome_of(event)) == (0, "unknown")


@pytest.mark.both_databases
def test_removed_card_leaves_the_legal_list_unknown(event, run_jobs) -> None:
    card = added_cards.add_card(event, organizer(), OATH)
    submit(event)
    recheck(run_jobs)
    assert outcome_of(event) == "legal"
    added_cards.remove_card(card, organizer())
    recheck(run_jobs)
    assert outcome_of(event) == "unknown"
    assert words_of(event.log.get(action="card_removed")).endswith(
        "removed the card Quartz Oath of this event."
    )


def test_renamed_card_no_longer_answers_for_the_list(event, run_jobs) -> None:
    card = added_cards.add_card(event, organizer(), OATH)
    recheck(run_jobs)
    added_cards.change_card(card, organizer(), {**OATH, "name": "Quartz Vow"})
    recheck(run_jobs)
    assert outcome_of(event) == "unknown"


def test_other_day_is_no_change_of_the_cards_that_were_there_before(event, run_jobs) -> None:
    added_cards.add_card(event, organizer(), OATH)
    recheck(run_jobs)
    events.update_event(event, organizer(), {"starts_at": STARTS + timedelta(days=1)})
    recheck(run_jobs)
    assert causes_of(event) == ["event_day_changed"]


def test_card_removed_during_play_is_the_cause_of_a_recheck_once_the_start_is_undone(event, run_jobs) -> None:
    card = added_cards.add_card(event, organizer(), OATH)
    recheck(run_jobs)
    for name in ("Bob", "Carol"):
        registration.add_player(event, organizer(), name=name)
    events.start_event(event, organizer())
    added_cards.remove_card(card, organizer())
    recheck(run_jobs)
    assert outcome_of(event) == "legal"
    undo.undo_step(event.log.get(action="event_started"), organizer())
    recheck(run_jobs)
    assert (outcome_of(event), causes_of(event)) == ("unknown", ["event_cards_changed"])


def test_submitted_version_keeps_the_cards_it_was_judged_with(event) -> None:
    added_cards.add_card(event, organizer(), OATH)
    version = submit(event).deck_list.current
    assert version.outcome == "legal"
    assert [card["key"] for card in version.judged_under["cards"]] == ["organizer:HM1-007-quartz-oath"]


def test_added_card_is_unknown_in_other_events_and_in_the_catalogue(event) -> None:
    added_cards.add_card(event, organizer(), OATH)
    other = make_event(name="Other Open", starts_at=STARTS)
    assert decklists.check_list(event, DECK).outcome == "legal"
    assert decklists.check_list(other, DECK).outcome == "unknown"
    assert check_text("ufs", "constructed", DECK).outcome == "unknown"
    assert not Card.objects.filter(name="Quartz Oath").exists()


def test_typed_line_says_that_the_organizer_added_the_card(event) -> None:
    added_cards.add_card(event, organizer(), OATH)
    lines = decklists.check_list(event, DECK).lines
    assert [line.name for line in lines if line.is_added] == ["Quartz Oath"]


@pytest.mark.parametrize("name", ["Anvil Stance", "anvil  stance", "Mara ●"])
def test_name_of_the_catalogue_is_refused(event, name: str) -> None:
    with pytest.raises(Refused) as excinfo:
        added_cards.add_card(event, organizer(), {"name": name, "type": "foundation"})
    assert (excinfo.value.code, excinfo.value.field) == ("card_in_catalogue", "name")


def test_second_card_of_one_name_set_and_number_is_refused(event) -> None:
    added_cards.add_card(event, organizer(), OATH)
    with pytest.raises(Refused) as excinfo:
        added_cards.add_card(event, organizer(), OATH)
    assert excinfo.value.code == "card_added_already"


def test_catalogue_wins_when_it_learns_the_name_later(event) -> None:
    added_cards.add_card(event, organizer(), OATH)
    import_catalogue(write({"HM1-007": {**OATH, "number": 7}}))
    lines = decklists.check_list(event, DECK).lines
    assert {line.card_key for line in lines if line.name == "Quartz Oath"} == {"quartz-oath"}


def test_archive_brings_the_cards_along(event) -> None:
    added_cards.add_card(event, organizer(), OATH)
    submit(event)
    archive = export_event(event)
    back = restore_event(json.dumps(archive), organizer())
    assert [card.name for card in back.added_cards.all()] == ["Quartz Oath"]
    assert export_event(back)["added_cards"] == archive["added_cards"]
    assert decklists.check_list(back, DECK).outcome == "legal"


def test_organizer_adds_the_card_from_the_list_that_needs_it(event, client: Client) -> None:
    sign_in_organizer(client)
    page = html_of(client.get(reverse("console_list", args=[event.slug, 1])))
    address = f"{reverse('console_added_cards', args=[event.slug])}?list=1"
    assert f"{address}&amp;name=Quartz%20Oath" in page
    form = client.get(f"{address}&name=Quartz Oath").context["form"]
    assert form["name"].value() == "Quartz Oath"
    facts = {"fact:type": "foundation", "fact:dots": "0", "fact:split": "-"}
    answer = client.post(address, {"name": "Quartz Oath", **facts})
    assert (answer.status_code, AddedCard.objects.get().facts) == (
        302,
        {"type": "foundation", "dots": 0, "split": []},
    )


def test_fact_that_cannot_be_read_is_refused_beside_its_field(event, client: Client) -> None:
    sign_in_organizer(client)
    address = reverse("console_added_cards", args=[event.slug])
    answer = client.post(address, {"name": "Quartz Oath", "fact:dots": "many"})
    errors = answer.context["form"].errors.get_json_data()
    assert (answer.status_code, errors["fact:dots"][0]["code"]) == (422, "fact_unreadable")


def test_scorekeeper_may_not_add_cards(event, client: Client) -> None:
    helper = make_user("sam@example.org")
    StaffRole.objects.create(event=event, user=helper, kind=StaffRole.Kind.SCOREKEEPER)
    client.force_login(helper)
    assert client.get(reverse("console_added_cards", args=[event.slug])).status_code == 403
