"""An extra Swiss round while rounds are played.

Its effects are said in advance, and it can be undone.
"""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from decks.shared.refusals import Refused
from tests.scenarios.event_rows import state_of
from tests.scenarios.factories import organizer, play_round, sign_in_organizer, started_event
from tests.scenarios.log_words import words_of
from tournament.brackets.services import cut as cuts
from tournament.events.models.event import Event
from tournament.log.services import undo_step
from tournament.setup.services.extra_round import add_round, list_extra_round_effects

pytestmark = pytest.mark.django_db


def test_an_extra_round_is_played_before_the_cut_and_undone() -> None:
    event = started_event(6, swiss_rounds=1, cut="top", cut_size=2)
    play_round(event)
    before = state_of(event)
    assert add_round(event, organizer(), why="time is left") == 2
    with pytest.raises(Refused) as excinfo:
        cuts.make_cut(event, organizer())
    assert excinfo.value.code == "swiss_unfinished"
    line = event.log.get(action="round_added")
    assert (words_of(line), line.reason) == ("olga@example.org added round 2.", "time is left")
    undo_step(line, organizer())
    assert state_of(event) == before


def test_an_extra_round_of_an_event_of_several_stages_stays_in_its_plan() -> None:
    plan = [{"kind": "swiss", "rounds": 2}, {"kind": "single", "size": 2}]
    event = started_event(6, plan=plan)
    add_round(event, organizer())
    fresh = Event.objects.get(pk=event.pk)
    assert (fresh.swiss_rounds, fresh.stages.get(position=1).planned_rounds) == (3, 3)
    play_round(fresh)


def test_a_second_press_adds_no_second_round() -> None:
    event = started_event(6, swiss_rounds=2)
    assert [add_round(event, organizer(), seen_number=3) for _ in range(2)] == [3, 3]
    assert Event.objects.get(pk=event.pk).swiss_rounds == 3


def test_effects_name_the_cut_and_forced_rematches() -> None:
    event = started_event(4, swiss_rounds=3, cut="top", cut_size=2)
    codes = [effect.code for effect in list_extra_round_effects(event, 4)]
    assert codes == ["extra_round", "extra_round.waits", "extra_round.rematches", "extra_round.kept"]


def test_no_round_is_added_while_the_bracket_is_played() -> None:
    event = started_event(6, swiss_rounds=1, cut="top", cut_size=2)
    play_round(event)
    cuts.make_cut(event, organizer())
    with pytest.raises(Refused) as excinfo:
        add_round(event, organizer())
    assert excinfo.value.code == "no_extra_round"


def test_the_page_says_the_effects_and_adds_the_round(client: Client) -> None:
    event = started_event(6, swiss_rounds=2)
    play_round(event)
    sign_in_organizer(client)
    address = reverse("console_extra_round", args=[event.slug])
    assert address in client.get(reverse("console_event", args=[event.slug])).content.decode()
    page = client.get(address).content.decode()
    assert "The event continues until round 3 is finished." in page
    client.post(address, {"number": "3"})
    assert Event.objects.get(pk=event.pk).swiss_rounds == 3


def test_overview_shows_the_extra_round_as_a_button_once_all_rounds_are_played(client: Client) -> None:
    event = started_event(6, swiss_rounds=1)
    sign_in_organizer(client)
    overview = reverse("console_event", args=[event.slug])
    link = f'<a class="button button-quiet" href="{reverse("console_extra_round", args=[event.slug])}">'
    assert link not in client.get(overview).content.decode()
    play_round(event)
    assert link in client.get(overview).content.decode()


def test_api_adds_a_round_once_for_each_number() -> None:
    event = started_event(6, swiss_rounds=1)
    play_round(event)
    client, address = Client(), reverse("api_extra_round", args=[event.slug])
    assert client.post(address, {}, "application/json").status_code == 403
    sign_in_organizer(client)
    bodies = [{"number": 2, "reason": "time is left"}, {"number": 2}, {}]
    answers = [client.post(address, body, "application/json") for body in bodies]
    assert [(answer.status_code, answer.json()["swiss_rounds"]) for answer in answers] == [
        (200, 2), (200, 2), (200, 3),
    ]  # fmt: skip
    assert [line.reason for line in event.log.filter(action="round_added").order_by("pk")] == [
        "time is left",
        "",
    ]


def test_api_refuses_an_extra_round_of_a_bracket() -> None:
    event = started_event(4, plan=[{"kind": "single"}])
    client = sign_in_organizer()
    answer = client.post(reverse("api_extra_round", args=[event.slug]), {}, "application/json")
    assert (answer.status_code, answer.json()["problems"][0]["code"]) == (400, "no_extra_round")
