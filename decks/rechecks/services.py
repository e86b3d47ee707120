"""Rechecks of lists of upcoming events.

They are started, split into parts and checked, and verdicts are stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import structlog
from django.db import connection, transaction
from django.db.models import Field
from django.utils import timezone

import rules
from decks import jobs
from decks.catalogue.selectors import get_catalogue
from decks.checking.check import CheckTerms, StoredListChecker
from decks.checking.records import verdict_from_json
from decks.checking.result import compare_verdicts
from decks.editions.models import ListEdition
from decks.editions.selectors.editions import published_editions, to_edition
from decks.jobs.handlers import ProgressCallback
from decks.jobs.models import Job
from decks.rechecks import chain, upcoming
from decks.rechecks.models import CONSEQUENCES_JOB, Recheck, RecheckPart
from decks.rechecks.upcoming import UpcomingEvent, UpcomingList
from decks.shared.cache import CurrentValueCache
from decks.shared.causes import describe_day
from decks.submissions.models import DeckList, DeckVersion, Rechecked
from decks.submissions.selectors import load_versions, to_reread_list
from rules import Edition, Verdict
from rules.reason import Reason, reason, reasons_to_json

RECHECKED_FIELDS = [field for field in Rechecked._meta.concrete_fields if not field.primary_key]

ColumnValues = Sequence[Any]


def prepare_rows(rows: Iterable[Rechecked]) -> list[tuple[int, ColumnValues]]:
    """Return each row as the values of its columns, with the id of its version."""
    columns = [_Column(field) for field in RECHECKED_FIELDS]
    return [(row.version_id, [column.of(row) for column in columns]) for row in rows]


class _Column:
    """A column, and what its last value became.

    The rows of one recheck share most of their values.
    """

    def __init__(self, field: Field[Any, Any]) -> None:
        self.field, self.name = field, field.attname
        self.last_value: object = self
        self.last_prepared: object = None

    def of(self, row: Rechecked) -> object:
        """Return the value of this column in a row, as the database takes it."""
        value = getattr(row, self.name)
        if value is not self.last_value:
            self.last_value, self.last_prepared = value, self.field.get_db_prep_save(value, connection)
        return self.last_prepared


def insert_rows(rows: Sequence[ColumnValues]) -> None:
    """Store the rows.

    One that is there already stays: a worker taken for lost may have been faster.
    """
    if not rows:
        return
    columns = ", ".join(connection.ops.quote_name(str(field.column)) for field in RECHECKED_FIELDS)
    places = ", ".join(["%s"] * len(RECHECKED_FIELDS))
    table = connection.ops.quote_name(Rechecked._meta.db_table)
    with connection.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO {table} ({columns}) VALUES ({places}) ON CONFLICT DO NOTHING",  # noqa: S608 - names only
            rows,
        )


LISTS_A_PART = 2_000


def start_recheck(edition: ListEdition, *, asked_by: str = "") -> Recheck:
    """Recheck the lists of coming events in the background after a publication.

    Returns the recheck of this edition that is under way, if there is one.
    """
    since = describe_day(edition.in_force) if edition.in_force else None
    cause = reason("edition_published", name=edition.name, number=edition.number, since=since)
    values = {
        "game": edition.game,
        "causes": reasons_to_json([cause]),
        "since": edition.in_force,
        "asked_by": asked_by[:160],
        "asked_at": timezone.now(),
    }
    recheck, _ = Recheck.objects.get_or_create(edition=edition, ended_at=None, defaults=values)
    chain.request_plan(recheck, asked_by=asked_by)
    return recheck


def start_event_recheck(occasion: int, game: str, causes: Sequence[Reason], *, asked_by: str = "") -> Recheck:
    """Recheck a coming event in the background because its terms have changed."""
    recheck = Recheck.objects.create(
        game=game,
        occasion=occasion,
        causes=reasons_to_json(causes),
        asked_by=asked_by[:160],
        asked_at=timezone.now(),
    )
    chain.request_plan(recheck, asked_by=asked_by)
    return recheck


def start_catalogue_recheck(game: str) -> Recheck | None:
    """Recheck a game's coming events in the background as its catalogue changed.

    Changes that follow each other before the lists are counted share one recheck. None without lists.
    """
    waiting_rechecks = Recheck.objects.filter(
        game=game, edition=None, occasion=None, total=None, ended_at=None
    ).first()
    if waiting_rechecks is not None:
        return waiting_rechecks
    source = upcoming.get_source()
    if not source.list_ids([occasion.key for occasion in source.events(game)]):
        return None
    causes = reasons_to_json([reason("catalogue_changed")])
    recheck = Recheck.objects.create(game=game, causes=causes, asked_at=timezone.now())
    chain.request_plan(recheck)
    return recheck


def request_consequences(draft: ListEdition, *, asked_by: str = "") -> Job:
    """Request the `Consequences` that a draft has for lists of coming events."""
    payload, key = {"draft": draft.pk}, consequences_key(draft)
    return jobs.enqueue(CONSEQUENCES_JOB, payload, key=key, requested_by=asked_by[:200])


def consequences_key(draft: ListEdition) -> str:
    """Return the key under which the job for this state of the draft is found."""
    return f"{draft.pk}:{draft.revision}"


@transaction.atomic
def plan_recheck(recheck_id: int) -> Recheck:
    """Divide the recheck into parts, if it has none, and request those not done."""
    recheck = Recheck.objects.select_for_update().get(pk=recheck_id)
    if recheck.ended_at is not None:
        return recheck
    if recheck.total is None:
        _split_into_parts(recheck)
    for part in chain.open_parts(recheck):
        chain.request_part(part)
    end_if_done(recheck_id)
    return recheck


def _split_into_parts(recheck: Recheck) -> None:
    event_keys = [occasion.key for occasion in concerned_events(recheck)]
    ids = upcoming.get_source().list_ids(event_keys)
    shares = [ids[start : start + LISTS_A_PART] for start in range(0, len(ids), LISTS_A_PART)]
    RecheckPart.objects.bulk_create(
        RecheckPart(recheck=recheck, number=number, first=share[0], last=share[-1], lists=len(share))
        for number, share in enumerate(shares, start=1)
    )
    recheck.total = len(ids)
    recheck.save(update_fields=["total"])


def concerned_events(recheck: Recheck) -> list[UpcomingEvent]:
    """Return the coming events of the recheck: those of its edition, one, or all."""
    events = upcoming.get_source().events(recheck.game)
    if recheck.is_of_catalogue:
        return list(events)
    if recheck.edition is None:
        return [occasion for occasion in events if occasion.key == recheck.occasion]
    return list(events_under(to_edition(recheck.edition), events))


def events_under(edition: Edition, events: Iterable[UpcomingEvent]) -> Iterable[UpcomingEvent]:
    """Yield the events that have an edition in force by their day and version."""
    for occasion in events:
        terms = occasion.terms
        if edition.holds(terms.rules_version, terms.on):
            yield occasion


def end_if_done(recheck_id: int) -> bool:
    """End the recheck once all of its parts are done; whether this call ended it."""
    with transaction.atomic():
        if RecheckPart.objects.filter(recheck=recheck_id, done_at__isnull=True).exists():
            return False
        return _end_recheck(recheck_id)


def resume_recheck(recheck_id: int, *, asked_by: str = "") -> Job:
    """Request once more what is not done, for example after an error.

    This may be the parts, or telling the events.
    """
    recheck = Recheck.objects.get(pk=recheck_id)
    request = chain.request_plan if recheck.ended_at is None else chain.request_telling
    return request(recheck, asked_by=asked_by)


def cancel_recheck(recheck_id: int) -> bool:
    """Stop the recheck, but keep its results; return whether it was under way."""
    with transaction.atomic():
        now = timezone.now()
        is_ended = _end_recheck(recheck_id, cancelled_at=now)
        chain.cancel_parts(Recheck.objects.get(pk=recheck_id))
    return is_ended


def _end_recheck(recheck_id: int, **more: object) -> bool:
    # Conditional, so that of two workers with the last two parts only one tells the events.
    under_way = Recheck.objects.filter(pk=recheck_id, ended_at__isnull=True)
    if not under_way.update(ended_at=timezone.now(), **more):
        return False
    chain.request_telling(Recheck.objects.get(pk=recheck_id))
    return True


log = structlog.get_logger(__name__)

LISTS_A_SLICE = 250

_checkers: CurrentValueCache[str, StoredListChecker] = CurrentValueCache()


@dataclass(frozen=True, slots=True)
class PreviousOutcome:
    """The outcome until now; `verdict` is None if legal, with nothing to compare."""

    outcome: str
    verdict: Verdict | None


def get_checker(game: str) -> StoredListChecker:
    """Return a judge under everything published.

    The worker keeps it as long as catalogue and editions stay the same.
    """
    catalogue, editions = get_catalogue(game), published_editions(game)
    version = (catalogue.stamp, editions)
    return _checkers.get_or_compute(game, version, lambda: StoredListChecker(catalogue, editions))


def check_part(part_id: int, progress: ProgressCallback) -> int:
    """Check the lists of a part and return its size.

    Lists that were checked before it was interrupted are skipped.

    `progress` hears after each slice how many lists are behind us, of how many; what it raises ends the part
    if it is.
    """
    part = RecheckPart.objects.select_related("recheck__edition").get(pk=part_id)
    recheck = part.recheck
    if part.done_at is None and recheck.ended_at is None:
        events = {occasion.key: occasion for occasion in concerned_events(recheck)}
        lists = list(upcoming.get_source().lists(events, first=part.first, last=part.last))
        judge = get_checker(recheck.game)
        for start in range(0, len(lists), LISTS_A_SLICE):
            behind = min(start + LISTS_A_SLICE, len(lists))
            _check_slice(part, lists[start:behind], events, judge, behind)
            progress(behind, len(lists), reason("lists_done", done=behind, total=len(lists)))
        RecheckPart.objects.filter(pk=part_id).update(done_at=timezone.now(), checked_count=len(lists))
    end_if_done(recheck.pk)
    return part.lists


def _check_slice(
    part: RecheckPart,
    lists: Sequence[UpcomingList],
    events: Mapping[int, UpcomingEvent],
    judge: StoredListChecker,
    behind: int,
) -> None:
    ids = {each.version_id: each for each in lists}
    checked_versions = Rechecked.objects.filter(recheck=part.recheck_id, version__in=ids)
    unchecked_ids = ids.keys() - set(checked_versions.values_list("version_id", flat=True))
    terms = {pk: events[ids[pk].occasion].terms for pk in unchecked_ids}
    rows = prepare_rows(_recheck_rows(part.recheck, judge, terms))
    with transaction.atomic():
        counting = _lock_open_versions(lists)
        insert_rows([values for version_id, values in rows if version_id in counting])
        RecheckPart.objects.filter(pk=part.pk, done_at__isnull=True).update(checked_count=behind)


def _lock_open_versions(lists: Sequence[UpcomingList]) -> set[int]:
    """Return the versions that still count in open lists, and lock them.

    They stay locked until the transaction ends.

    No round 1 starts before their verdicts are stored: a locked list keeps its verdict.
    """
    still_open = DeckList.objects.select_for_update().filter(locked_at__isnull=True).order_by("pk")
    open_lists = still_open.filter(pk__in=[each.list_id for each in lists])
    return set(open_lists.values_list("current_id", flat=True))


def _recheck_rows(
    recheck: Recheck, judge: StoredListChecker, terms: Mapping[int, CheckTerms]
) -> Iterator[Rechecked]:
    before = _previous_outcomes(recheck, terms)
    under = _JudgedUnder(judge)
    now = timezone.now()
    for version in load_versions(list(terms)):
        version_terms = terms[version.pk]
        try:
            new_verdict = judge.check(to_reread_list(version), version_terms)
        except (rules.UnknownFormat, rules.BadOverlay) as error:
            log.warning("A list could not be checked again.", version=version.pk, why=str(error))
            continue
        was = before.get(version.pk) or _first_outcome(version)
        yield Rechecked(
            recheck=recheck,
            version=version,
            causes=recheck.causes,
            since=recheck.since,
            day=version_terms.on or timezone.localdate(),
            outcome=new_verdict.outcome,
            verdict=new_verdict.to_record(),
            judged_under=under.of(version_terms),
            brings_news=_brings_news(was, new_verdict),
            mends=new_verdict.outcome == "legal" != was.outcome,
            checked_at=now,
        )


def _first_outcome(version: DeckVersion) -> PreviousOutcome:
    is_legal = version.outcome == "legal"
    return PreviousOutcome(version.outcome, None if is_legal else verdict_from_json(version.verdict))


def _previous_outcomes(recheck: Recheck, ids: Iterable[int]) -> dict[int, PreviousOutcome]:
    """Return the newest verdict of an earlier recheck by version, in one query."""
    rows = Rechecked.objects.filter(version__in=ids).exclude(recheck=recheck).order_by("pk")
    return {
        pk: PreviousOutcome(outcome, None if outcome == "legal" else verdict_from_json(verdict))
        for pk, outcome, verdict in rows.values_list("version_id", "outcome", "verdict")
    }


def _brings_news(was: PreviousOutcome, new_verdict: Verdict) -> bool:
    if new_verdict.outcome == "legal":
        return False
    return was.verdict is None or compare_verdicts(was.verdict, new_verdict).is_worse


class _JudgedUnder:
    """Terms of verdicts: lists judged under the same terms share one object."""

    def __init__(self, judge: StoredListChecker) -> None:
        self.judge = judge
        self.current_terms: tuple[CheckTerms | None, dict[str, object]] = (None, {})

    def of(self, terms: CheckTerms) -> dict[str, object]:
        """Return what a verdict under these terms depends on."""
        if terms is not self.current_terms[0]:
            self.current_terms = (terms, judged_under(self.judge, terms))
        return self.current_terms[1]


def judged_under(judge: StoredListChecker, terms: CheckTerms) -> dict[str, object]:
    """Return what a verdict under these terms depends on.

    It has the format in which submitted versions keep it.
    """
    form = judge.format(terms)
    return {
        "format": form.key,
        "format_name": form.name,
        "rules": form.version,
        "document": form.document,
        "editions": [each.to_json() for each in form.edition_names],
        "overlay": dict(terms.overlay) if terms.overlay else None,
        **({"cards": list(terms.cards)} if terms.cards else {}),
        "local_rules": [each.to_json() for each in form.local_rules()],
    }
