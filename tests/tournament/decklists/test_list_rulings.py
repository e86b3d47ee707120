"""Corrections and rulings of staff on a list, and the responses of its player."""

from __future__ import annotations

import pytest
from django.test import Client

from decks.shared.refusals import Refused
from decks.submissions.models import DeckVersion
from rules.rendering import say
from tests.scenarios.catalogue import LEGAL, list_of, small_catalogue
from tests.scenarios.factories import add_players, built_once, make_event, organizer
from tests.scenarios.log_words import words_of
from tests.scenarios.public_pages import text_of
from tests.tournament.desk.test_console_pages import signed_in
from tournament.access.permissions import Actor
from tournament.decklists import selectors
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.registration import services as registration

pytestmark = pytest.mark.django_db
ILLEGAL = list_of("1 Mara ●", fillers=58)


@pytest.fixture
def event() -> Event:
    small_catalogue()
    return make_event(decklists_required=True)


@pytest.fixture
@built_once
def alice(event: Event) -> Player:
    """Alice, who submitted a list with one card too few."""
    player = add_players(event, 2)[0]
    decklists.submit_list(player, Actor.of_player(player), ILLEGAL)
    return player


def again(player: Player) -> Player:
    return Player.objects.select_related("event", "deck_list__current").get(pk=player.pk)


def correct(player: Player, text: str = LEGAL) -> DeckVersion:
    return decklists.submit_list(again(player), organizer(), text, by_staff=True, reason="miscounted")


def last_line(event: Event) -> tuple[str, str, str]:
    entry = event.log.order_by("-pk").first()
    return entry.action, words_of(entry), entry.reason


def test_the_log_names_version_mark_and_verdict_of_a_submission(event: Event, alice: Player) -> None:
    mark = DeckVersion.objects.get().short_hash
    sentence = f"Alice submitted version 1 of the decklist ({mark}): not legal."
    assert last_line(event) == ("list_submitted", sentence, "")


def test_the_log_knows_which_version_counted_before_and_holds_no_card(event: Event, alice: Player) -> None:
    first = DeckVersion.objects.get()
    second = correct(alice)
    changes = event.log.order_by("-pk").first().changes
    assert [(change["table"], change["before"], change["after"]) for change in changes] == [
        ("decklist", {"current_id": first.pk}, {"current_id": second.pk})
    ]


def test_another_list_in_the_place_of_one_needs_a_reason(alice: Player) -> None:
    with pytest.raises(Refused) as excinfo:
        decklists.submit_list(again(alice), organizer(), LEGAL, by_staff=True)
    assert (excinfo.value.code, excinfo.value.field) == ("reason_needed", "reason")
    assert DeckVersion.objects.count() == 1


def test_a_first_list_handed_in_by_staff_before_the_deadline_needs_none(event: Event, alice: Player) -> None:
    bob = event.players.get(name="Bob")
    assert decklists.submit_list(bob, organizer(), LEGAL, by_staff=True).number == 1


def test_correction_is_new_to_the_player_until_they_answer(client: Client, alice: Player) -> None:
    correct(alice)
    home = text_of(client.get(f"/p/{alice.token}/"))
    assert "olga@example.org submitted a decklist for you" in home
    page = text_of(client.get(f"/p/{alice.token}/list/"))
    assert "olga@example.org corrected your decklist" in page
    assert "Reason: miscounted" in page
    assert "+1 Oaken Will 2 → 3" in page
    client.post(f"/p/{alice.token}/list/answer/", {"number": "2", "agrees": "yes"})
    assert "corrected your decklist" not in text_of(client.get(f"/p/{alice.token}/list/"))


def test_staff_sees_who_has_not_seen_a_correction_and_who_does_not_agree(event: Event, alice: Player) -> None:
    correct(alice)
    row = next(row for row in selectors.list_rows(event) if row.player == alice)
    assert (row.is_unseen, row.answer) == (True, None)
    decklists.record_answer(alice, Actor.of_player(alice), number=2, agrees=False, words="I play 59.")
    row = next(row for row in selectors.list_rows(event) if row.player == alice)
    assert (row.is_unseen, row.answer.agrees, row.answer.words) == (False, False, "I play 59.")
    mark = DeckVersion.objects.get(number=2).short_hash
    sentence = f"Alice does not agree with version 2 of the decklist ({mark})."
    assert last_line(event) == ("list_answered", sentence, "I play 59.")


def test_who_does_not_agree_says_why(client: Client, alice: Player) -> None:
    correct(alice)
    answer = client.post(f"/p/{alice.token}/list/answer/", {"number": "2", "agrees": "no"}, follow=True)
    assert say("refusal", "words_needed") in text_of(answer)
    assert selectors.unanswered_changes(again(alice)) is not None


def test_an_answer_to_a_version_that_is_not_there_is_refused(client: Client, alice: Player) -> None:
    for number in ("7", "0", "x", "9" * 30, ""):
        answer = client.post(f"/p/{alice.token}/list/answer/", {"number": number, "agrees": "yes"})
        assert answer.status_code == 302
    assert DeckVersion.objects.get().answers.count() == 0


def test_a_ruling_stands_and_the_verdict_stays_beside_it(client: Client, event: Event, alice: Player) -> None:
    decklists.overrule_verdict(alice, organizer(), "legal", number=1, reason="A card was eaten by a dog.")
    version = DeckVersion.objects.get()
    assert (version.outcome, selectors.version_page(again(alice), 1).current.outcome) == ("illegal", "legal")
    mark = version.short_hash
    sentence = (
        f"olga@example.org overruled version 1 of the decklist of Alice ({mark}): legal. "
        "The original verdict was: not legal."
    )
    assert last_line(event) == ("verdict_overruled", sentence, "A card was eaten by a dog.")
    page = text_of(client.get(f"/p/{alice.token}/list/"))
    assert "Ruling: Legal. A card was eaten by a dog. Original verdict (overruled): Not legal." in page
    assert client.get(f"/p/{alice.token}/").context["task"].kind == "ready"


def test_a_later_ruling_takes_the_place_of_the_first_and_both_stay(alice: Player) -> None:
    decklists.overrule_verdict(alice, organizer(), "legal", number=1, reason="First thought.")
    decklists.overrule_verdict(alice, organizer(), "illegal", number=1, reason="Second thought.")
    page = selectors.version_page(again(alice), 1)
    assert page.current.outcome == "illegal"
    assert [ruling.reason for ruling in page.rulings] == ["Second thought.", "First thought."]


def test_the_console_rules_with_a_reason_only(event: Event, alice: Player) -> None:
    desk = signed_in(event, "owner")
    address = f"/console/{event.slug}/lists/1/1/overrule/"
    assert desk.post(address, {"outcome": "legal", "reason": "  "}).status_code == 422
    assert desk.post(address, {"outcome": "splendid", "reason": "Because."}).status_code == 422
    assert desk.post(address, {"outcome": "legal", "reason": "Because."}).status_code == 302
    assert (
        desk.post(
            f"/console/{event.slug}/lists/1/9/overrule/", {"outcome": "legal", "reason": "x"}
        ).status_code
        == 404
    )
    assert [ruling.reason for ruling in DeckVersion.objects.get().rulings.all()] == ["Because."]


@pytest.mark.parametrize(
    ("kind", "status"), [("owner", 302), ("organizer", 302), ("judge", 403), ("scorekeeper", 403)]
)
def test_rulings_are_for_those_who_manage_the_event(
    event: Event, alice: Player, kind: str, status: int
) -> None:
    answer = signed_in(event, kind).post(
        f"/console/{event.slug}/lists/1/1/overrule/", {"outcome": "legal", "reason": "Because."}
    )
    assert answer.status_code == status


def test_withdrawn_player_submits_nothing_until_they_are_back(event: Event, alice: Player) -> None:
    registration.withdraw(alice, organizer())
    for values in ({}, {"by_staff": True, "reason": "late"}):
        with pytest.raises(Refused) as excinfo:
            decklists.submit_list(again(alice), organizer(), LEGAL, **values)
        assert excinfo.value.code == "player_withdrawn"
    registration.undo_withdrawal(again(alice), organizer())
    assert decklists.submit_list(again(alice), Actor.of_player(alice), LEGAL).number == 2


def test_who_waits_may_hand_in_and_is_shown_to_staff_as_waiting(event: Event) -> None:
    event.capacity = 1
    event.save()
    waiting_player = add_players(event, 2)[1]
    assert waiting_player.status == "waiting"
    decklists.submit_list(waiting_player, Actor.of_player(waiting_player), LEGAL)
    page = text_of(signed_in(event, "judge").get(f"/console/{event.slug}/lists/"))
    assert "Bob Waiting list" in page


def test_a_corrected_list_is_kept_when_the_character_changed_meanwhile(event: Event, alice: Player) -> None:
    event.cut, event.cut_size = "diversity", 2
    event.save()
    stale = again(alice)
    Player.objects.filter(pk=alice.pk).update(character="Mara")
    version = decklists.submit_list(stale, Actor.of_player(stale), LEGAL)
    assert version.options == {"diversity": True, "declared_character": "Mara"}
