"""Subscribe phones to the news of a player, and send them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import islice

from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils import timezone

from decks.jobs.queue import enqueue
from decks.shared.rows import save_fields
from tournament.access.models import hash_token
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.languages.choice import speak
from tournament.my_page.announcements import say_news
from tournament.my_page.digests import load_digests
from tournament.notifications.endpoints import check_subscription
from tournament.notifications.models import PushSubscription
from tournament.notifications.sending import SendOutcome, send

NEWS_JOB = "send-player-news"
MAX_BROWSERS = 5
MAX_FAILURES = 5
MAX_DAYS = 30
FIRST_PAUSE = timedelta(seconds=10)
AT_ONCE = 16

News = tuple[PushSubscription, str]


def subscribe(player: Player, *, endpoint: str, p256dh: str, auth: str, language: str) -> None:
    """Notify a browser of what changes for a player.

    Raises Refused for a wrong address or key.
    """
    check_subscription(endpoint, p256dh, auth)
    now = timezone.now()
    version = player.event.version
    PushSubscription.objects.update_or_create(
        player=player,
        endpoint=endpoint,
        defaults={
            "p256dh": p256dh,
            "auth": auth,
            "link": hash_token(player.token),
            "language": language,
            "created_at": now,
            "version": version,
            "digest": load_digests(player.event_id, version).by_player.get(player.pk, ""),
            "words": _say(player, language),
            "failures": 0,
            "retry_at": now,
        },
    )
    subscriptions = PushSubscription.objects.filter(player=player).order_by("-created_at", "-pk")
    PushSubscription.objects.filter(
        pk__in=list(subscriptions.values_list("pk", flat=True)[MAX_BROWSERS:])
    ).delete()


def unsubscribe(player: Player, endpoint: str) -> None:
    """Notify a browser of this player no more."""
    PushSubscription.objects.filter(player=player, endpoint=endpoint).delete()


def queue_news() -> int:
    """Queue a job for each event changed since its phones were notified.

    Returns the number of these events.
    """
    behind = PushSubscription.objects.exclude(version=F("player__event__version"))
    behind = behind.filter(retry_at__lte=timezone.now())
    events = list(behind.values_list("player__event", flat=True).distinct())
    for event in events:
        enqueue(NEWS_JOB, {"event": event}, key=str(event), max_tries=1)
    return len(events)


def forget_old_subscriptions() -> int:
    """Delete what an event that no one ended left behind."""
    until = timezone.now() - timedelta(days=MAX_DAYS)
    return PushSubscription.objects.filter(created_at__lt=until).delete()[0]


def send_news(event: Event, keep_going: Callable[[int, int], None]) -> int:
    """Notify the phones of all players for whom something changed.

    Returns the number of notifications sent. A lost worker may cause a second notification with the same
    words, which replaces the first.
    """
    version = event.version
    news = list(_list_news(event, version))
    sent_count = done_count = 0
    with ThreadPoolExecutor(AT_ONCE) as threads:
        news_left = iter(news)
        while some := list(islice(news_left, AT_ONCE)):
            outcomes = list(threads.map(_send, some))
            sent_count += sum(
                _record(each, outcome, version) for each, outcome in zip(some, outcomes, strict=True)
            )
            done_count += len(some)
            keep_going(done_count, len(news))
    if event.phase == Event.Phase.FINISHED:
        _of_event(event).filter(failures=0).delete()
    return sent_count


def _of_event(event: Event) -> QuerySet[PushSubscription]:
    return PushSubscription.objects.filter(player__event=event)


def _list_news(event: Event, version: int) -> Iterator[News]:
    """Yield what is to be said to which phone. Marks those to whom nothing is said."""
    digests = load_digests(event.pk, version).by_player
    due = _of_event(event).exclude(version=version).filter(retry_at__lte=timezone.now())
    unchanged_rows = []
    for subscription in due.select_related("player").order_by("pk"):
        player = subscription.player
        player.event = event
        if subscription.link != hash_token(player.token):
            subscription.delete()
            continue
        digest = digests.get(player.pk, "")
        words = subscription.words if digest == subscription.digest else _say(player, subscription.language)
        subscription.digest = digest
        if words and words != subscription.words:
            yield subscription, words
        else:
            unchanged_rows.append(subscription)
    for subscription in unchanged_rows:
        subscription.version = version
    save_fields(unchanged_rows, ["version", "digest"])


def _say(player: Player, language: str) -> str:
    with speak(language), timezone.override(player.event.zone):
        return say_news(player)[:400]


def _send(news: News) -> SendOutcome:
    subscription, words = news
    page = reverse("player", args=[subscription.player.token])
    return send(subscription, {"title": subscription.player.event.name, "body": words, "page": page})


def _record(news: News, outcome: SendOutcome, version: int) -> bool:
    """Note what became of a notification; whether it was sent."""
    subscription, words = news
    row = PushSubscription.objects.filter(pk=subscription.pk)
    failures = subscription.failures + 1
    if outcome is SendOutcome.SENT:
        row.update(version=version, digest=subscription.digest, words=words, failures=0)
    elif outcome is SendOutcome.GONE or failures >= MAX_FAILURES:
        row.delete()
    else:
        row.update(failures=failures, retry_at=timezone.now() + FIRST_PAUSE * 2**failures)
    return outcome is SendOutcome.SENT
