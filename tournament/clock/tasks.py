"""Background tasks of the clock: end rounds whose end is hidden."""

from __future__ import annotations

from celery import shared_task

from tournament.clock import services


@shared_task(name="tournament.call_hidden_ends")
def call_hidden_ends() -> None:
    """Notify venue screens of rounds whose hidden end has come."""
    services.call_hidden_ends()
