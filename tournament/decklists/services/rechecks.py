"""Recheck unlocked decklists of upcoming events when their rules change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from django.db.models import QuerySet
from django.urls import reverse

from decks.checking.check import CheckTerms
from decks.jobs.handlers import ProgressCallback
from decks.matching.added_cards import AddedCardRecord
from decks.rechecks import services as recheck_services
from decks.rechecks.models import Recheck
from decks.rechecks.upcoming import UpcomingEvent, UpcomingList
from decks.shared.causes import describe_day
from rules.reason import Reason, reason
from tournament.decklists.models import AddedCard
from tournament.decklists.services import notices
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.log.step import Recorder

UPCOMING_PHASES = (Event.Phase.PREPARING, Event.Phase.REGISTRATION, Event.Phase.CHECK_IN)


class UpcomingEvents:
    """Tells the lower app which lists may still be held to a new edition.

    They are those that no one has locked.
    """

    def events(self, game: str) -> Iterator[UpcomingEvent]:
        """Yield the events of a game in which round 1 has not started, by day.

        Two queries.
        """
        upcoming_events = Event.objects.filter(game=game, phase__in=UPCOMING_PHASES)
        for event in upcoming_events.order_by("starts_at", "pk").prefetch_related("added_cards"):
            yield UpcomingEvent(
                event.pk, event.name, reverse("console_lists", args=[event.slug]), list_terms_of(event)
            )

    def list_ids(self, events: Iterable[int]) -> list[int]:
        """Return the ids of all lists that count for these events, in order. One query."""
        rows = _unlocked_players(events).order_by("deck_list_id")
        return list(rows.values_list("deck_list_id", flat=True))

    def lists(
        self, events: Iterable[int], *, first: int | None = None, last: int | None = None
    ) -> Iterable[UpcomingList]:
        """Return the lists that count for these events, by event. One query."""
        rows = _unlocked_players(events).order_by("event_id", "number")
        if first is not None:
            rows = rows.filter(deck_list_id__gte=first)
        if last is not None:
            rows = rows.filter(deck_list_id__lte=last)
        columns = ("deck_list_id", "deck_list__current_id", "event_id", "name", "number")
        return (UpcomingList(*row) for row in rows.values_list(*columns))

    def list_url(self, occasion: UpcomingEvent, number: int) -> str:
        """Return the page on which staff looks at the list of one player."""
        return f"{occasion.url}{number}/"

    def notify(self, recheck: Recheck, progress: ProgressCallback) -> int:
        """Tell every event that the recheck touched; the number of people notified now."""
        return notices.notify_events(recheck, progress)

    def send_emails(self, recheck: Recheck, event: int, *, is_last_try: bool) -> tuple[int, int]:
        """Send the emails of one event that are still waiting.

        Returns how many the server took, and how many it did not.
        """
        counts = notices.send_notice_emails(recheck.pk, event, is_last_try=is_last_try)
        return counts.sent_count, counts.failed_count


def list_terms_of(event: Event) -> CheckTerms:
    """Return what a list submitted for the event today is judged under."""
    return _terms_with(event, tuple(card.to_record() for card in event.added_cards.all()))


def _terms_with(event: Event, cards: tuple[AddedCardRecord, ...]) -> CheckTerms:
    day = event.starts_local.date()
    return CheckTerms(event.format, event.rules_version, day, event.overlay or None, cards)


def _unlocked_players(events: Iterable[int]) -> QuerySet[Player]:
    # Check again whether the event is still to come: it may have started since the recheck was planned.
    rows = Player.objects.filter(event__in=list(events), event__phase__in=UPCOMING_PHASES)
    rows = rows.exclude(status=Player.Status.WITHDRAWN).exclude(team__status=Player.Status.WITHDRAWN)
    return rows.filter(deck_list__current__isnull=False, deck_list__locked_at__isnull=True)


def _recheck_if_terms_changed(recorder: Recorder, before: CheckTerms, *, was_playing: bool) -> None:
    """Ask for a recheck of the event's lists if its terms have changed.

    The terms are those under which the lists are judged. Locked lists keep their verdicts.
    """
    event = recorder.event
    now = _terms_with(event, ())
    has_other_cards = recorder.has_changed(AddedCard) or (was_playing and _may_have_changed_cards(event))
    if now == before and not has_other_cards:
        return
    if Player.objects.filter(event=event, deck_list__current__isnull=False).exists():
        causes = recheck_causes(before, now, has_other_cards=has_other_cards)
        recheck_services.start_event_recheck(event.pk, event.game, causes, asked_by=recorder.actor.label)


def _may_have_changed_cards(event: Event) -> bool:
    """Return whether a rollback to before round 1 may have changed cards.

    During play, no one reads such changes.
    """
    return event.log.filter(action__startswith="card_").exists()


def watch_terms(event: Event) -> Callable[[Recorder], None]:
    """Remember the terms before a step, and compare them at its end.

    That is inside its transaction, so that a change, its undo and the change made again are all followed.
    Events that have begun keep their verdicts. Added cards are not read: every step would pay for it, and
    the step knows whether it changed some.
    """
    was_playing = event.phase not in UPCOMING_PHASES
    before = _terms_with(event, ())

    def compare_terms(recorder: Recorder) -> None:
        if recorder.event.phase in UPCOMING_PHASES and recorder.has_changed(Event, AddedCard):
            _recheck_if_terms_changed(recorder, before, was_playing=was_playing)

    return compare_terms


def recheck_causes(before: CheckTerms, now: CheckTerms, *, has_other_cards: bool) -> list[Reason]:
    """Return what changed, for the people whose lists are checked again.

    The added cards of both terms are left out.
    """
    causes = []
    if (now.format_key, now.rules_version) != (before.format_key, before.rules_version):
        causes.append(reason("event_format_changed"))
    if now.on and now.on != before.on:
        causes.append(reason("event_day_changed", day=describe_day(now.on)))
    if now.overlay != before.overlay:
        causes.append(reason("event_local_rules_changed"))
    if has_other_cards:
        causes.append(reason("event_cards_changed"))
    return causes
