"""A mistyped character that the organizer corrects after the start.

The correction has a reason, and its effect is said in advance.
"""

from __future__ import annotations

from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse

from decks.shared.refusals import Refused
from rules.reason import Reason
from tests.scenarios.factories import (
    built_once,
    make_event,
    make_user,
    organizer,
    play_round,
    sign_in_organizer,
)
from tests.scenarios.log_words import words_of
from tournament.brackets.services import cut as cuts
from tournament.events.models.event import Event, StaffRole
from tournament.events.models.player import Player
from tournament.log.services import undo_step
from tournament.registration import services as registration
from tournament.setup.services import events
from tournament.standings.selectors.qualifying import select_qualifiers

pytestmark = pytest.mark.django_db


@pytest.fixture
@built_once
def event() -> Event:
    """Return a diversity event of four players after its only round.

    The two winners declared the same character.
    """
    event = make_event(cut="diversity", cut_size=2, swiss_rounds=1)
    for name in ("Alice", "Bob", "Carol", "Dave"):
        registration.add_player(event, organizer(), name=name, character="Ken")
    events.start_event(event, organizer())
    play_round(event)
    winners = [match.p1_id for match in event.stages.get().rounds.get().matches.all()]
    event.players.exclude(pk__in=winners).update(character="Ryu")
    return event


def list_qualified(event: Event) -> list[Player]:
    selection = select_qualifiers(Event.objects.get(pk=event.pk))
    return [Player.objects.select_related("event").get(pk=place.player) for place in selection.places]


def second_winner(event: Event) -> Player:
    first = list_qualified(event)[0]
    return event.players.select_related("event").exclude(pk=first.pk).get(character="Ken")


def test_a_correction_without_a_reason_says_who_would_qualify(event: Event) -> None:
    player, loser = second_winner(event), list_qualified(event)[1]
    with pytest.raises(Refused) as excinfo:
        registration.change_details(player, organizer(), character="Sagat", character_reason="")
    assert excinfo.value.code == "character_reason_missing"
    assert f"{player} would qualify instead of {loser}." in excinfo.value.sentence
    assert Player.objects.get(pk=player.pk).character == "Ken"


def test_the_organizer_corrects_a_character_with_a_reason_and_undoes_it(event: Event) -> None:
    player = second_winner(event)
    registration.change_details(player, organizer(), character="Sagat", character_reason="typo on the slip")
    assert list_qualified(event)[1] == player
    line = event.log.get(action="character_corrected")
    assert line.reason == "typo on the slip"
    assert words_of(line) == f"olga@example.org corrected the character of {player}: Sagat, not Ken."
    undo_step(line.head or line, organizer())
    assert Player.objects.get(pk=player.pk).character == "Ken"


def test_another_spelling_of_the_character_is_no_correction(event: Event) -> None:
    player = second_winner(event)
    registration.change_details(player, organizer(), character="KEN.")
    assert Player.objects.get(pk=player.pk).character == "KEN."
    assert not event.log.filter(action="character_corrected").exists()


def test_a_made_cut_stays_and_the_refusal_says_so(event: Event) -> None:
    player = second_winner(event)
    cuts.make_cut(event, organizer())
    with pytest.raises(Refused) as excinfo:
        registration.change_details(player, organizer(), character="Sagat", character_reason=" ")
    effect = excinfo.value.params["effect"]
    assert isinstance(effect, Reason)
    assert effect.code == "character_effect.made"


def test_a_scorekeeper_and_a_player_do_not_decide_it(event: Event, client: Client) -> None:
    player = second_winner(event)
    with pytest.raises(Refused) as excinfo:
        registration.declare_character(player, organizer(), "Sagat")
    assert excinfo.value.code == "character_fixed"
    scorekeeper = make_user("sam@example.org")
    StaffRole.objects.create(event=event, user=scorekeeper, kind="scorekeeper")
    client.force_login(scorekeeper)
    address = reverse("api_player", args=[event.slug, player.number])
    form_values = {"name": player.name, "character": "Sagat", "character_reason": "typo"}
    answer = client.put(address, form_values, content_type="application/json")
    assert answer.status_code == HTTPStatus.BAD_REQUEST
    assert answer.json()["problems"][0]["code"] == "character_fixed"


def test_the_page_asks_for_the_reason_and_saves_with_it(event: Event, client: Client) -> None:
    player = second_winner(event)
    sign_in_organizer(client)
    address = reverse("console_player", args=[event.slug, player.number])
    form_values = {
        "name": player.name,
        "character": "Sagat",
        "initial-name": player.name,
        "initial-character": "Ken",
    }
    page = client.post(address, form_values)
    assert "character_reason" in page.context["form"].fields
    assert client.post(address, {**form_values, "character_reason": "typo"}).status_code == HTTPStatus.FOUND
    assert Player.objects.get(pk=player.pk).character == "Sagat"
