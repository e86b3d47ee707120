"""What counts of all that was said about a submitted version: its verdict, later verdicts, rulings."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Prefetch

from decks.checking.result import WORDS, verdict_from_json
from decks.checking.verdict_change import Difference, difference
from decks.submissions.models import DeckVersion, Rechecked, Ruling


@dataclass(frozen=True, slots=True)
class Standing:
    """The outcome that counts, and what it rests on: a ruling, a later verdict, or (both None) the first one.

    `overtaken` is a ruling that no longer counts, because a later check found what nobody had ruled about.
    """

    outcome: str
    ruling: Ruling | None = None
    later: Rechecked | None = None
    overtaken: Ruling | None = None

    @property
    def words(self) -> str:
        """The outcome for people."""
        return WORDS[self.outcome]

    @property
    def change(self) -> Difference | None:
        """How the later verdict differs from the one before it; None where none counts. A few queries."""
        return what_changed(self.later) if self.later else None


def standing(version: DeckVersion) -> Standing:
    """What stands about a version: the newest verdict, or a ruling unless a later verdict brings news.

    The organizer's ruling overrules the verdict it was made about (UFS 100.2), not what a list that was
    published afterwards says. Two queries, or none where `with_standing` fetched along.
    """
    ruled = max(version.rulings.all(), key=lambda each: each.pk, default=None)
    later = sorted(version.rechecks.all(), key=lambda each: each.pk)
    newest = later[-1] if later else None
    is_overtaken = ruled is not None and any(
        each.brings_news and each.checked_at > ruled.ruled_at for each in later
    )
    if ruled is not None and not is_overtaken:
        return Standing(ruled.outcome, ruling=ruled)
    outcome = newest.outcome if newest else version.outcome
    return Standing(outcome, later=newest, overtaken=ruled)


def with_standing(path: str = "") -> tuple[Prefetch, ...]:
    """To prefetch, so that `standing` asks nothing; `path` leads to the version ("deck_list__current")."""
    start = f"{path}__" if path else ""
    light = Rechecked.objects.defer("verdict", "judged_under")
    return Prefetch(f"{start}rulings", Ruling.objects.all()), Prefetch(f"{start}rechecks", light)


def what_changed(later: Rechecked) -> Difference:
    """How a later verdict differs from the one before it on the same version. Two queries."""
    version = later.version
    earlier = Rechecked.objects.filter(version=version, pk__lt=later.pk).order_by("pk").last()
    before = earlier.verdict if earlier else version.verdict
    return difference(verdict_from_json(before), verdict_from_json(later.verdict))
