"""Permanent deletion of an event after its archive was downloaded.

Nothing of it is left, and everything else stays.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from decks.jobs.models import Job
from decks.jobs.queue import enqueue
from decks.shared.refusals import Conflict, Refused
from tests.scenarios.factories import make_event, make_user, organizer, play_round, started_event
from tests.tournament.privacy.planted_event import PlantedEvent
from tournament.archive.deletion import delete_event, mark_exported, preview_deletion
from tournament.archive.restore import restore_event
from tournament.events.models.event import Event, StaffRole
from tournament.leagues import services as leagues
from tournament.leagues.models import LeagueEvent
from tournament.log.models import EVENT_TABLES, LogEntry, get_table_model
from tournament.log.ownership import get_event_path
from tournament.notifications.models import PushSubscription
from tournament.registration import services as registration

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


def create_exported_event(event: Event) -> Event:
    event.refresh_from_db()
    mark_exported(event)
    event.refresh_from_db()
    return event


def count_rows(event: Event | None = None) -> dict[str, int]:
    """Return rows of every table of events, in all or of one event."""
    models = {name: get_table_model(name) for name in EVENT_TABLES} | {"logentry": LogEntry}
    return {
        name: model._default_manager.filter(
            **({} if event is None else {get_event_path(model) or "pk": event.pk})
        ).count()
        for name, model in models.items()
    }


def refusal_of(run: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refusal:
        run()
    return refusal.value.code


@pytest.mark.daily_on_postgres
def test_everything_of_the_event_goes_and_other_events_stay() -> None:
    other = started_event(4, name="Another night", swiss_rounds=2)
    play_round(other)
    planted_event = PlantedEvent()
    event, player = planted_event.event, planted_event.zebedee
    PushSubscription.objects.create(
        player=player, endpoint="https://push.example/1", p256dh="a", auth="b", link="c", language="en",
        created_at=event.starts_at, retry_at=event.starts_at,
    )  # fmt: skip
    enqueue("mail_private_link", {"player": player.pk})
    for entry in LeagueEvent.objects.filter(event=event):
        leagues.remove_event(entry.league, organizer(), entry.pk)
    files = [job.file_path for job in Job.objects.exclude(result_file="")]
    owned_events, before = count_rows(event), count_rows()
    assert {
        "player",
        "match",
        "penalty",
        "deckversion",
        "rechecked",
        "ruling",
        "listanswer",
        "judgecall",
    } <= {name for name, count in owned_events.items() if count}
    delete_event(create_exported_event(event), event.name)
    assert count_rows() == {name: count - owned_events[name] for name, count in before.items()}
    assert (PushSubscription.objects.count(), [path for path in files if path and path.exists()]) == (0, [])
    payloads = list(Job.objects.values_list("payload", flat=True))
    assert not [each for each in payloads if each.get("event") == event.pk or each.get("player") == player.pk]
    assert Event.objects.filter(pk=other.pk).exists()


def test_the_deleted_event_can_be_imported_from_its_archive() -> None:
    event = started_event(4, swiss_rounds=2)
    play_round(event)
    client = Client()
    client.force_login(event.staff.get().user)
    archive = client.get(reverse("console_export", args=[event.slug])).content
    answer = client.post(reverse("console_delete", args=[event.slug]), {"confirm": "Spring Open"})
    assert (answer["Location"], Event.objects.count()) == (reverse("console"), 0)
    assert client.get(reverse("event", args=[event.slug])).status_code == 404
    restored_event = restore_event(archive, organizer())
    assert (restored_event.slug, restored_event.players.count(), restored_event.exported_version) == (
        event.slug,
        4,
        None,
    )


def test_an_event_is_kept_until_its_archive_of_now_was_downloaded() -> None:
    event = make_event()
    assert refusal_of(lambda: delete_event(event, "Spring Open")) == "deletion_not_exported"
    create_exported_event(event)
    assert preview_deletion(event).is_exported
    registration.add_player(event, organizer(), name="Ann")
    assert refusal_of(lambda: delete_event(event, "Spring Open")) == "deletion_changed_since_export"
    assert not preview_deletion(Event.objects.get(pk=event.pk)).is_exported


def test_a_wrong_name_deletes_nothing() -> None:
    event = create_exported_event(make_event())
    assert refusal_of(lambda: delete_event(event, "Spring")) == "deletion_not_confirmed"
    delete_event(event, " Spring  Open ")
    assert not Event.objects.exists()


def test_an_event_that_a_league_counts_stays() -> None:
    actor = organizer()
    event = make_event()
    assert actor.user is not None
    league = leagues.create_league(actor.user, name="Winter")
    leagues.add_event(league, actor.user, event)
    assert (
        refusal_of(lambda: delete_event(create_exported_event(event), "Spring Open")) == "deletion_in_league"
    )
    assert preview_deletion(event).leagues == ("Winter",)


def test_a_step_on_an_event_that_was_deleted_meanwhile_is_a_conflict() -> None:
    event = create_exported_event(make_event())
    late = Event.objects.get(pk=event.pk)
    delete_event(event, "Spring Open")
    with pytest.raises(Conflict) as refusal:
        registration.add_player(late, organizer(), name="Ann")
    assert refusal.value.code == "row_gone"
    with pytest.raises(Conflict):
        delete_event(late, "Spring Open")


def test_only_an_owner_sees_the_page() -> None:
    event = make_event()
    carla = make_user("carla@example.org")
    StaffRole.objects.create(event=event, user=carla, kind=StaffRole.Kind.ORGANIZER)
    client = Client()
    client.force_login(carla)
    assert client.get(reverse("console_delete", args=[event.slug])).status_code == 403
    assert (
        reverse("console_delete", args=[event.slug])
        not in client.get(reverse("console_settings", args=[event.slug])).content.decode()
    )


def test_the_api_previews_and_deletes() -> None:
    event = started_event(4, swiss_rounds=2)
    play_round(event)
    client = Client()
    client.force_login(event.staff.get().user)
    address = reverse("api_deletion", args=[event.slug])
    assert client.get(address).json() == {
        "players": 4, "matches": 2, "decklists": 0, "jobs": 0, "staff": 1, "leagues": [],
        "is_exported": False,
    }  # fmt: skip
    form_values = {"confirm": "Spring Open"}
    response = client.post(address, form_values, content_type="application/json")
    assert (response.status_code, response.json()["problems"][0]["code"]) == (400, "deletion_not_exported")
    client.get(reverse("api_archive", args=[event.slug]))
    assert client.post(address, form_values, content_type="application/json").status_code == 204
    assert not Event.objects.exists()
