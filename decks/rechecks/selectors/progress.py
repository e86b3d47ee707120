"""How far a recheck has come, for pages and programs."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q, Sum

from decks.jobs.models import Job
from decks.rechecks.models import Recheck
from decks.rechecks.services.rechecks import PART, PLAN
from decks.submissions.models import Rechecked


@dataclass(frozen=True, slots=True)
class Progress:
    """How many lists are checked, how many of these are broken or mended by it, how many parts stopped."""

    recheck: Recheck
    done: int
    news: int
    mended: int
    failed: int

    @property
    def is_open(self) -> bool:
        """Whether workers may still be at it."""
        return self.recheck.ended_at is None

    @property
    def state(self) -> str:
        """In a word: open, done or cancelled."""
        if self.is_open:
            return "open"
        return "cancelled" if self.recheck.cancelled_at else "done"

    @property
    def percent(self) -> int | None:
        """From 0 to 100; None until the lists have been counted."""
        total = self.recheck.total
        return None if total is None else 100 if not total else min(100, 100 * self.done // total)

    @property
    def words(self) -> str:
        """Where it stands, in a sentence."""
        total = self.recheck.total
        if self.recheck.cancelled_at is not None:
            return f"Cancelled after {self.done} of {total or 0} lists."
        if total is None:
            return "The lists are being counted."
        if self.is_open:
            return f"{self.done} of {total} lists are checked."
        need = "1 needs" if self.news == 1 else f"{self.news} need"
        mended = f", {self.mended} {'is' if self.mended == 1 else 'are'} legal again" if self.mended else ""
        return f"{total} list{'' if total == 1 else 's'} checked, {need} mending{mended}."


def progress(recheck: Recheck) -> Progress:
    """How far the recheck has come. Three queries."""
    done = recheck.parts.aggregate(done=Sum("checked"))["done"] or 0
    rows = Rechecked.objects.filter(recheck=recheck)
    told = rows.aggregate(
        news=Count("pk", filter=Q(brings_news=True)), mended=Count("pk", filter=Q(mends=True))
    )
    parts = [str(pk) for pk in recheck.parts.filter(done_at__isnull=True).values_list("pk", flat=True)]
    stopped = Job.objects.filter(
        Q(kind=PART, key__in=parts) | Q(kind=PLAN, key=str(recheck.pk)), state=Job.State.FAILED
    )
    failed = stopped.aggregate(failed=Count("key", distinct=True))["failed"]
    return Progress(recheck, done, told["news"], told["mended"], failed)
