"""One part of a recheck: its lists are read, judged and answered with new rows, a slice in a transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import structlog
from django.db import transaction
from django.utils import timezone

import rules
from decks.catalogue.selectors.catalogue import catalogue
from decks.checking.judge import Judge, Judged, Terms
from decks.checking.result import verdict_from_json
from decks.checking.verdict_change import difference
from decks.editions.selectors.editions import published
from decks.rechecks import upcoming as coming
from decks.rechecks.models import Recheck, RecheckPart
from decks.rechecks.services.rechecks import concerned, end_if_done
from decks.rechecks.services.rows import insert, prepared
from decks.rechecks.upcoming import ComingList, Occasion
from decks.submissions.models import DeckList, DeckVersion, Rechecked
from decks.submissions.stored import stored_of
from rules import Verdict

log = structlog.get_logger(__name__)
LISTS_A_SLICE = 250
LIGHT = ("pk", "outcome", "entries", "options")
Progress = Callable[[int, int, str], None]

_judges: dict[str, tuple[object, Judge]] = {}


class Before(NamedTuple):
    """What counted until now: `verdict` is None where it was legal, for then there is nothing to compare."""

    outcome: str
    verdict: Verdict | None


def judge_of(game: str) -> Judge:
    """A judge under everything published, kept by the worker as long as catalogue and editions stay."""
    known, editions = catalogue(game), published(game)
    state, judge = _judges.get(game, (None, None))
    if judge is None or state != (known.stamp, editions):
        judge = Judge(known, editions)
        _judges[game] = ((known.stamp, editions), judge)
    return judge


def check_part(part_id: int, progress: Progress) -> int:
    """Check the lists of a part, without those that were checked before it was broken off; returns its size.

    `progress` hears after each slice how many lists are behind us, of how many, in words; what it raises
    ends the part where it stands.
    """
    part = RecheckPart.objects.select_related("recheck__edition").get(pk=part_id)
    recheck = part.recheck
    if part.done_at is None and recheck.ended_at is None:
        occasions = {occasion.key: occasion for occasion in concerned(recheck)}
        lists = list(coming.source().lists(occasions, first=part.first, last=part.last))
        judge = judge_of(recheck.game)
        for start in range(0, len(lists), LISTS_A_SLICE):
            behind = min(start + LISTS_A_SLICE, len(lists))
            _check_slice(part, lists[start:behind], occasions, judge, behind)
            progress(behind, len(lists), f"{behind} of {len(lists)} lists")
        RecheckPart.objects.filter(pk=part_id).update(done_at=timezone.now(), checked=len(lists))
    end_if_done(recheck.pk)
    return part.lists


def _check_slice(
    part: RecheckPart,
    lists: Sequence[ComingList],
    occasions: Mapping[int, Occasion],
    judge: Judge,
    behind: int,
) -> None:
    ids = {each.version_id: each for each in lists}
    done = Rechecked.objects.filter(recheck=part.recheck_id, version__in=ids)
    left = ids.keys() - set(done.values_list("version_id", flat=True))
    terms = {pk: occasions[ids[pk].occasion].terms for pk in left}
    rows = prepared(_rows(part.recheck, judge, terms))
    with transaction.atomic():
        counting = _counting(lists)
        insert([values for version_id, values in rows if version_id in counting])
        RecheckPart.objects.filter(pk=part.pk, done_at__isnull=True).update(checked=behind)


def _counting(lists: Sequence[ComingList]) -> set[int]:
    """The versions that still count in open lists, locked until the transaction ends.

    No round 1 starts before their verdicts stand: a list that is locked keeps what it had.
    """
    still_open = DeckList.objects.select_for_update().filter(locked_at__isnull=True).order_by("pk")
    held = still_open.filter(pk__in=[each.list_id for each in lists])
    return set(held.values_list("current_id", flat=True))


def _rows(recheck: Recheck, judge: Judge, terms: Mapping[int, Terms]) -> Iterator[Rechecked]:
    before = _later_verdicts(recheck, terms)
    under = _Under(judge)
    now = timezone.now()
    for version in stored_versions(list(terms)):
        asked = terms[version.pk]
        try:
            judged = judge.judge(stored_of(version), asked)
        except (rules.UnknownFormat, rules.BadOverlay) as error:
            log.warning("A list could not be checked again.", version=version.pk, why=str(error))
            continue
        was = before.get(version.pk) or _before(version)
        yield Rechecked(
            recheck=recheck,
            version=version,
            cause=recheck.cause,
            since=recheck.since,
            day=asked.on,
            outcome=judged.outcome,
            verdict=judged.verdict.to_json(),
            judged_under=under.of(asked),
            brings_news=_brings_news(was, judged),
            mends=judged.outcome == "legal" != was.outcome,
            checked_at=now,
        )


def stored_versions(ids: Sequence[int]) -> Iterator[DeckVersion]:
    """The versions with what judging needs: without the lines where they were legal. Two queries."""
    rows = DeckVersion.objects.filter(pk__in=ids)
    yield from rows.filter(outcome="legal").only(*LIGHT).iterator()
    yield from rows.exclude(outcome="legal").defer("source_text").iterator()


def _before(version: DeckVersion) -> Before:
    is_legal = version.outcome == "legal"
    return Before(version.outcome, None if is_legal else verdict_from_json(version.verdict))


def _later_verdicts(recheck: Recheck, ids: Mapping[int, Any]) -> dict[int, Before]:
    """The newest verdict of an earlier recheck on each version that has one. One query."""
    rows = Rechecked.objects.filter(version__in=ids).exclude(recheck=recheck).order_by("pk")
    return {
        pk: Before(outcome, None if outcome == "legal" else verdict_from_json(verdict))
        for pk, outcome, verdict in rows.values_list("version_id", "outcome", "verdict")
    }


def _brings_news(was: Before, judged: Judged) -> bool:
    if judged.outcome == "legal":
        return False
    return was.verdict is None or difference(was.verdict, judged.verdict).is_worse


class _Under:
    """What verdicts rest on: one and the same object for all lists that are held to the same terms."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.found: tuple[Terms | None, dict[str, Any]] = (None, {})

    def of(self, terms: Terms) -> dict[str, Any]:
        """What a verdict under these terms rests on."""
        if terms is not self.found[0]:
            self.found = (terms, judged_under(self.judge, terms))
        return self.found[1]


def judged_under(judge: Judge, terms: Terms) -> dict[str, Any]:
    """What a verdict under these terms rests on, in the shape in which submitted versions keep it."""
    form = judge.format(terms)
    return {
        "format": form.key,
        "format_name": form.name,
        "rules": form.version,
        "document": form.document,
        "editions": list(form.editions_in_words),
        "overlay": dict(terms.overlay) if terms.overlay else None,
        "local_rules": list(form.overlay_in_words()),
    }
