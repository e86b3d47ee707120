"""Background jobs of notifications: look for news, send them, forget old phones."""

from __future__ import annotations

from celery import shared_task

from decks.jobs.handlers import Run, job
from tournament.events.models.event import Event
from tournament.notifications import services


@shared_task(name="tournament.queue_news")
def queue_news() -> None:
    """Queue the notifications for phones of players."""
    services.queue_news()


@shared_task(name="tournament.forget_subscriptions")
def forget_subscriptions() -> None:
    """Delete subscriptions of long ago."""
    services.forget_old_subscriptions()


@job(services.NEWS_JOB)
def send_player_news(run: Run) -> dict[str, object]:
    """Notify the phones of an event; sent twice, a notification replaces the first."""
    event = Event.objects.filter(pk=run.read_number("event")).first()
    return {"sent": services.send_news(event, run.progress) if event else 0}
