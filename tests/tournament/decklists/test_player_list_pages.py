"""A player's decklist page.

Tests cover the verdict while typing, submitting, versions and the deadline.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from decks.submissions.models import DeckVersion
from rules.rendering import say
from tests.scenarios.catalogue import LEGAL, list_of, small_catalogue
from tests.scenarios.factories import add_players, built_once, make_event, organizer, sign_in_organizer
from tests.scenarios.public_pages import get, text_of
from tests.scenarios.sentences import NO_DECKLIST, VERDICT_APPEARS
from tournament.events.models.player import Player
from tournament.setup.services import events
from tournament.shared import coded_texts

pytestmark = pytest.mark.django_db


@pytest.fixture
@built_once
def alice() -> Player:
    """A player of an event that asks for lists."""
    small_catalogue()
    return add_players(make_event(decklists_required=True), 2)[0]


def test_empty_page_says_that_the_verdict_comes_while_writing(client: Client, alice: Player) -> None:
    assert VERDICT_APPEARS in get(client, f"/p/{alice.token}/list/")


def test_legal_list_is_submitted_counts_and_is_shown_with_its_verdict(client: Client, alice: Player) -> None:
    answer = client.post(f"/p/{alice.token}/list/", {"text": LEGAL}, follow=True)
    version = DeckVersion.objects.get()
    assert (version.outcome, version.submitted_by, version.source_text) == (
        "legal",
        coded_texts.BY_PLAYER,
        LEGAL,
    )
    page = text_of(answer)
    assert f"Version 1 ({version.short_hash}) is submitted and counts." in page
    assert "No problems found" in page
    assert client.get(f"/p/{alice.token}/").context["task"].kind == "ready"


def test_illegal_list_is_kept_and_the_player_is_asked_to_mend_it(client: Client, alice: Player) -> None:
    answer = client.post(f"/p/{alice.token}/list/", {"text": list_of("1 Mara ●", fillers=58)}, follow=True)
    assert "100.3.1" in text_of(answer)
    assert client.get(f"/p/{alice.token}/").context["task"].kind == "list_mend"
    client.post(f"/p/{alice.token}/list/", {"text": LEGAL})
    assert client.get(f"/p/{alice.token}/").context["task"].kind == "ready"
    assert list(DeckVersion.objects.values_list("number", "outcome")) == [(1, "illegal"), (2, "legal")]


@pytest.mark.parametrize(
    ("text", "level", "words"),
    [
        (LEGAL, "success", "is submitted and counts."),
        (list_of("1 Mara ●", fillers=58), "warning", "is submitted, but not legal."),
        (LEGAL.replace("Anvil Stance", "Anvil Stanse"), "warning", "is submitted, but cannot be checked."),
    ],
)
def test_one_message_about_a_list_says_what_its_verdict_says(
    client: Client, alice: Player, text: str, level: str, words: str
) -> None:
    by_player = client.post(f"/p/{alice.token}/list/", {"text": text}, follow=True)
    sign_in_organizer(client)
    address = f"/console/{alice.event.slug}/lists/{alice.number}/"
    by_staff = client.post(address, {"text": f"{text}\n", "reason": "typed again"}, follow=True)
    for answer in (by_player, by_staff):
        [message] = answer.context["messages"]
        assert (message.level_tag, words in str(message)) == (level, True), str(message)


def test_misspelled_card_is_named_with_a_suggestion(client: Client, alice: Player) -> None:
    answer = client.post(
        f"/p/{alice.token}/list/check/", {"text": LEGAL.replace("Anvil Stance", "Anvil Stanse")}
    )
    assert "Anvil Stanse" in text_of(answer)
    assert "Anvil Stance" in text_of(answer)


def test_check_for_htmx_answers_with_the_verdict_alone_and_keeps_nothing(
    client: Client, alice: Player
) -> None:
    answer = client.post(f"/p/{alice.token}/list/check/", {"text": LEGAL}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert b"<html" not in answer.content
    assert "Legal" in text_of(answer)
    assert DeckVersion.objects.count() == 0


def test_check_without_scripts_answers_with_the_page_and_what_was_typed(
    client: Client, alice: Player
) -> None:
    answer = client.post(f"/p/{alice.token}/list/check/", {"text": LEGAL})
    assert b"<html" in answer.content
    assert "1 Mara" in answer.content.decode()
    assert DeckVersion.objects.count() == 0


def test_empty_list_is_refused_beside_the_field(client: Client, alice: Player) -> None:
    answer = client.post(f"/p/{alice.token}/list/", {"text": "  \n "})
    assert answer.status_code == 422
    assert answer.context["form"].errors["text"] == ["The decklist is empty. Paste your deck first."]


def test_list_far_too_long_is_refused_beside_the_field(client: Client, alice: Player) -> None:
    answer = client.post(f"/p/{alice.token}/list/", {"text": "1 Anvil Stance\n" * 5000})
    assert answer.status_code == 422
    assert answer.context["form"].errors["text"]


def test_after_the_deadline_the_list_can_be_read_but_not_replaced(client: Client, alice: Player) -> None:
    client.post(f"/p/{alice.token}/list/", {"text": LEGAL})
    past = timezone.now() - timedelta(minutes=1)
    events.update_event(alice.event, organizer(), {"decklists_due_at": past})
    page = client.get(f"/p/{alice.token}/list/")
    zone = past.astimezone(alice.event.zone).tzname()
    assert f"({zone})." in text_of(page).partition("The deadline for decklists was")[2][:60]
    assert b"<textarea" not in page.content
    assert client.post(f"/p/{alice.token}/list/", {"text": LEGAL}).status_code == 422
    assert DeckVersion.objects.count() == 1


def test_lists_are_locked_when_the_event_starts(client: Client, alice: Player) -> None:
    events.start_event(alice.event, organizer())
    assert say("reason", "list_locked") in get(client, f"/p/{alice.token}/list/")


def test_source_text_is_shown_as_text(client: Client, alice: Player) -> None:
    client.post(f"/p/{alice.token}/list/", {"text": "4 <script>alert(1)</script>"})
    assert b"<script>alert(1)" not in client.get(f"/p/{alice.token}/list/").content


def test_player_without_a_list_is_not_asked_to_submit_one_after_the_start(
    client: Client, alice: Player
) -> None:
    assert "Submit decklist" in get(client, f"/p/{alice.token}/")
    events.start_event(alice.event, organizer())
    assert "Submit decklist" not in get(client, f"/p/{alice.token}/")
    page = get(client, f"/p/{alice.token}/list/")
    assert NO_DECKLIST in page
    assert VERDICT_APPEARS not in page
