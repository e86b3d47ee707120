"""Phones are notified of what changes for their player, and of nothing else."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from decks.jobs.models import Job
from decks.shared.refusals import Refused
from tests.fixtures.senders import sender
from tests.fixtures.workers import wait_for
from tests.scenarios.factories import open_matches, organizer, publish_next, started_event, win
from tests.tournament.notifications.push_service import Browser, PushService, push_service
from tournament.archive.export import export_event
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.notifications import services
from tournament.notifications.endpoints import AddressRefused, find_public_address, is_allowed_endpoint
from tournament.notifications.models import PushSubscription
from tournament.privacy.services import remove_personal_data
from tournament.registration.services.contact import renew_private_link

pytestmark = pytest.mark.django_db


@pytest.fixture
def service(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[PushService]:
    settings.PUSH_HOSTS = ["localhost"]
    with push_service(tmp_path) as service:
        monkeypatch.setenv("SSL_CERT_FILE", str(service.certificate))
        yield service


def follow(player: Player, service: PushService) -> Browser:
    """Let a browser ask for notifications on the page of a player."""
    browser = Browser(service.endpoint)
    answer = Client().post(f"/p/{player.token}/push/", browser.subscription)
    assert answer.status_code == 200, answer.content
    return browser


def tell(run_jobs: Callable[[], list[Job]]) -> int:
    """Return how many notifications are sent now."""
    services.queue_news()
    return sum(job.result["sent"] for job in run_jobs())


@pytest.mark.both_databases
def test_phone_is_notified_of_the_own_table_and_of_no_other_result(
    service: PushService, run_jobs: Callable[[], list[Job]]
) -> None:
    event = started_event(6, swiss_rounds=2)
    player = event.players.get(number=1)
    browser = follow(player, service)
    assert tell(run_jobs) == 0
    matches = open_matches(publish_next(event))
    assert tell(run_jobs) == 1
    message = browser.read(service.received_messages[0][1])
    own = next(match for match in matches if player.pk in (match.p1_id, match.p2_id))
    opponent = own.p2 if own.p1_id == player.pk else own.p1
    assert message == {
        "title": event.name,
        "body": f"Round 1: table {own.table} vs. {opponent.name}.",
        "page": f"/p/{player.token}/",
    }
    win(next(match for match in matches if match != own))
    assert tell(run_jobs) == 0
    assert not PushSubscription.objects.exclude(version=Event.objects.get().version).exists()
    assert services.queue_news() == 0


def test_notification_is_signed_for_the_service_with_the_key_that_the_page_gets(
    service: PushService, run_jobs: Callable[[], list[Job]]
) -> None:
    event = started_event(2, swiss_rounds=1)
    player = event.players.get(number=1)
    follow(player, service)
    publish_next(event)
    tell(run_jobs)
    headers = service.received_messages[0][0]
    parts = dict(part.split("=", 1) for part in headers["Authorization"].removeprefix("vapid ").split(","))
    assert parts["k"] == Client().get(f"/p/{player.token}/push/").json()["key"]
    claims = json.loads(urlsafe_b64decode(parts["t"].split(".")[1] + "=="))
    assert claims["aud"] == service.endpoint.removesuffix("/send/1")
    assert headers["Content-Encoding"] == "aes128gcm"
    assert headers["Urgency"] == "high"


def test_notifications_end_with_the_event(service: PushService, run_jobs: Callable[[], list[Job]]) -> None:
    event = started_event(2, swiss_rounds=1)
    player = event.players.get(number=1)
    follow(player, service)
    Event.objects.filter(pk=event.pk).update(phase=Event.Phase.FINISHED, version=event.version + 1)
    assert tell(run_jobs) == 1
    assert not PushSubscription.objects.exists()
    answer = Client().post(f"/p/{player.token}/push/", Browser(service.endpoint).subscription)
    assert (answer.status_code, answer.json()["code"]) == (400, "push_event_over")


@pytest.mark.parametrize(("status", "is_kept"), [(410, False), (403, False), (503, True)])
def test_refused_notification_ends_the_subscription_or_is_sent_again_later(
    service: PushService, run_jobs: Callable[[], list[Job]], status: int, is_kept: bool
) -> None:
    event = started_event(2, swiss_rounds=1)
    follow(event.players.get(number=1), service)
    publish_next(event)
    service.status = status
    assert tell(run_jobs) == 0
    assert PushSubscription.objects.exists() is is_kept
    service.status = 201
    assert tell(run_jobs) == 0
    PushSubscription.objects.update(retry_at=timezone.now() - timedelta(seconds=1))
    assert tell(run_jobs) == int(is_kept)


def test_browser_that_turns_notifications_off_gets_none(
    service: PushService, run_jobs: Callable[[], list[Job]]
) -> None:
    event = started_event(2, swiss_rounds=1)
    player = event.players.get(number=1)
    follow(player, service)
    Client().post(f"/p/{player.token}/push/", {"endpoint": service.endpoint, "off": "1"})
    publish_next(event)
    assert tell(run_jobs) == 0


def test_new_private_link_ends_the_subscriptions_of_the_old_one(
    service: PushService, run_jobs: Callable[[], list[Job]]
) -> None:
    event = started_event(2, swiss_rounds=1)
    player = event.players.get(number=1)
    follow(player, service)
    renew_private_link(player, organizer())
    publish_next(event)
    assert tell(run_jobs) == 0
    assert not PushSubscription.objects.exists()


def test_subscription_is_in_no_archive_and_goes_with_the_data_of_the_player(service: PushService) -> None:
    event = started_event(2, swiss_rounds=1)
    player = event.players.get(number=1)
    follow(player, service)
    assert service.endpoint not in json.dumps(export_event(event), default=str)
    remove_personal_data(player, organizer())
    assert not PushSubscription.objects.exists()


HOSTILE = [
    "http://push.example.org/1",
    "https://localhost/1",
    "https://127.0.0.1/1",
    "https://[::1]/1",
    "https://[::ffff:10.0.0.1]/1",
    "https://192.168.1.7/1",
    "https://169.254.169.254/latest",
    "https://2130706433/1",
    "https://0x7f.1/1",
    "https://router/1",
    "https://printer.local/1",
    "https://push.example.org:8443/1",
    "https://user:secret@push.example.org/1",
    "https://push.example.org\\@127.0.0.1/",
    "file:///etc/passwd",
    "https://push.example.org/" + "a" * 1000,
    "",
]


@pytest.mark.parametrize("endpoint", HOSTILE)
def test_hostile_endpoint_is_refused(endpoint: str) -> None:
    assert not is_allowed_endpoint(endpoint)
    event = started_event(2, swiss_rounds=1)
    browser = Browser(endpoint)
    answer = Client().post(f"/p/{event.players.get(number=1).token}/push/", browser.subscription)
    assert answer.status_code == 400
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc:def",
        "https://updates.push.services.mozilla.com/wpush/v2/abc",
        "https://web.push.apple.com/abc",
        "https://wns2-par02p.notify.windows.com/w/?token=abc",
    ],
)
def test_endpoint_of_a_push_service_is_taken(endpoint: str) -> None:
    assert is_allowed_endpoint(endpoint)


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.1.2.3", "::1", "fd00::1", "::ffff:192.168.0.1", "0.0.0.0"]
)
def test_name_that_leads_to_the_own_network_is_not_connected_to(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    address_infos = [(0, 0, 0, "", ("93.184.215.14", 443)), (0, 0, 0, "", (address, 443))]
    monkeypatch.setattr("socket.getaddrinfo", lambda *arguments, **options: address_infos)
    with pytest.raises(AddressRefused):
        find_public_address("rebound.example.org", 443)


def test_wrong_keys_are_refused(service: PushService) -> None:
    player = started_event(2, swiss_rounds=1).players.get(number=1)
    right = Browser(service.endpoint).subscription
    for wrong in ({"p256dh": "AAAA"}, {"auth": "AAAA"}, {"p256dh": "é"}):
        with pytest.raises(Refused) as refusal:
            services.subscribe(player, **{**right, **wrong}, language="en")
        assert refusal.value.code == "push_keys_wrong"


def test_player_has_five_phones_at_most(service: PushService) -> None:
    player = started_event(2, swiss_rounds=1).players.get(number=1)
    for number in range(services.MAX_BROWSERS + 2):
        browser = Browser(f"{service.endpoint}{number}")
        services.subscribe(player, **browser.subscription, language="en")
    assert PushSubscription.objects.count() == services.MAX_BROWSERS


@pytest.mark.worker
@pytest.mark.whole("the job, above, and a worker at its jobs, in tests/decks/jobs/test_real_worker.py")
@pytest.mark.django_db(transaction=True)
def test_worker_sends_a_published_round_to_the_phone(
    service: PushService, start_worker: Callable[..., Any], tmp_path: Path
) -> None:
    event = started_event(2, swiss_rounds=1)
    player = event.players.get(number=1)
    browser = follow(player, service)
    publish_next(event)
    with sender("", tmp_path / "data" / "queue") as app:
        start_worker(SSL_CERT_FILE=str(service.certificate), RINGSIDE_PUSH_HOSTS="localhost")
        app.send_task("tournament.queue_news")
    wait_for(lambda: service.received_messages, 60, "no notification came")
    table = Round.objects.get().matches.get().table
    assert f"table {table}" in browser.read(service.received_messages[0][1])["body"]
