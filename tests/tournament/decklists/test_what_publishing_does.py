"""Publishing a ban list does to stored decklists what its publish box says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from decks.editions.models import ListEdition
from decks.submissions.models import DeckList, Rechecked
from decks.submissions.selectors import current_outcome
from tests.scenarios.catalogue import LEGAL, list_of, small_catalogue
from tests.scenarios.editions import draft
from tests.scenarios.factories import add_players, built_once, make_event, make_user, organizer
from tests.scenarios.html import html_of
from tests.scenarios.sentences import IS_CHECKED_AGAIN, IS_NOTIFIED, KEEPS_VERDICT
from tournament.access.permissions import Actor
from tournament.decklists.models import ListNotice
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.setup.services import events

pytestmark = pytest.mark.django_db

WITHOUT_ANVIL = list_of("1 Mara ●", "4 Paper Tiger").replace("4 Anvil Stance\n", "")
NOON = timezone.now().replace(hour=12, minute=0, second=0, microsecond=0)
DAY = (NOON + timedelta(days=20)).date()


@dataclass(frozen=True)
class PublishingState:
    """A state of an event with a list that the edition breaks.

    It also holds what the box says of the state.
    """

    reach: Callable[[Event], object]
    days_after: int
    verdict: str
    claim: str


def lock(event: Event) -> None:
    DeckList.objects.filter(player__event=event).update(locked_at=timezone.now())


def start(event: Event) -> None:
    events.start_event(event, organizer())


def finish(event: Event) -> None:
    start(event)
    Event.objects.filter(pk=event.pk).update(phase=Event.Phase.FINISHED)


STATES = {
    "open": PublishingState(lambda event: None, 0, "illegal", IS_CHECKED_AGAIN),
    "open later": PublishingState(lambda event: None, 30, "illegal", IS_CHECKED_AGAIN),
    "before that day": PublishingState(lambda event: None, -1, "legal", IS_CHECKED_AGAIN),
    "locked": PublishingState(lock, 0, "legal", KEEPS_VERDICT),
    "begun": PublishingState(start, 0, "legal", KEEPS_VERDICT),
    "over": PublishingState(finish, 0, "legal", KEEPS_VERDICT),
}


@pytest.fixture
def keeper(client: Client) -> Client:
    """An account of the group “Ban list editors”, signed in."""
    lena = make_user("lena@example.org")
    lena.groups.add(Group.objects.get(name="Ban list editors"))
    client.force_login(lena)
    return client


@built_once
def event_of_two_lists(days_after: int) -> Event:
    """Return an event so many days after the edition.

    The edition breaks the first of its two lists.
    """
    small_catalogue()
    event = make_event(starts_at=NOON + timedelta(days=20 + days_after))
    for player, text in zip(add_players(event, 2), (LEGAL, WITHOUT_ANVIL), strict=True):
        decklists.submit_list(player, Actor.of_player(player), text)
    return event


@pytest.fixture
def event(state: PublishingState) -> Event:
    return event_of_two_lists(state.days_after)


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_stored_lists_get_what_the_publish_box_says(
    event: Event, keeper: Client, run_jobs: Callable[[], object], state: PublishingState
) -> None:
    broken_player = event.players.get(number=1)
    state.reach(event)
    row = draft("Anvil Stance", in_force=DAY)
    box = html_of(keeper.get(reverse("list_draft", args=[row.pk]))).split('id="publish"')[1]
    assert [
        claim
        for claim in (IS_CHECKED_AGAIN, IS_NOTIFIED, KEEPS_VERDICT)
        if claim not in " ".join(box.split())
    ] == []
    assert state.claim in " ".join(box.split())

    keeper.post(reverse("list_publish", args=[row.pk]), {"revision": row.revision, "accept_warnings": "on"})
    for _ in ("plan", "part", "tell", "mail"):
        run_jobs()
    assert ListEdition.objects.get(pk=row.pk).state == "published"
    is_checked = state.verdict == "illegal"
    outcomes = [current_outcome(each.deck_list.current) for each in event.players.order_by("number")]
    assert outcomes == [state.verdict, "legal"]
    assert Rechecked.objects.count() == (2 if is_checked else 0)
    list_notice_rows = ListNotice.objects.filter(event=event).values_list("player__name", "user__email")
    told_if_checked = {(broken_player.name, None), (None, "olga@example.org")}
    assert set(list_notice_rows) == (told_if_checked if is_checked else set())
