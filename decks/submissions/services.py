"""Store submitted lists: check, version, list code, rulings and answers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

import rules
from decks.checking.check import check_text
from decks.checking.declarations import select_declarations
from decks.checking.result import CheckedList
from decks.editions.selectors.editions import load_format, used_lists
from decks.importers.decoding import decode
from decks.matching.added_cards import AddedCardRecord
from decks.shared.refusals import Refused
from decks.submissions.models import DeckList, DeckVersion, ListAnswer, Ruling, VerdictOutcome

LARGEST_LIST = 64 * 1024


def create_list(*, game: str, format_key: str, rules_version: str = "") -> DeckList:
    """Create an empty, open list.

    Raises `rules.UnknownFormat` for a game, format or version that does not exist.
    """
    return create_lists(1, game=game, format_key=format_key, rules_version=rules_version)[0]


def create_lists(count: int, *, game: str, format_key: str, rules_version: str = "") -> list[DeckList]:
    """Create so many empty, open lists in one write.

    Raises `rules.UnknownFormat` as `create_list` does.
    """
    rules.load_format(game, format_key, rules=rules_version or None)
    now = timezone.now()
    return DeckList.objects.bulk_create(
        DeckList(game=game, format_key=format_key, rules_version=rules_version or "", created_at=now)
        for _ in range(count)
    )


def check_list(
    deck_list: DeckList,
    text: str | bytes,
    *,
    overlay: Mapping[str, object] | None = None,
    cards: Sequence[AddedCardRecord] = (),
    options: Mapping[str, object] | None = None,
    on: date | None = None,
    pool: str | bytes = "",
    original: str = "",
) -> DeckVersion:
    """Check a list and return it as a version that is not stored yet; raises Refused.

    `original` is the deck file of which the list is a changed copy.
    """
    source, pool_text, file_text = _require_text(text), _decode_text(pool), _decode_text(original)
    # Checked as it came, so that what is said of its encoding is stored with it.
    checked_list = check_text(
        deck_list.game,
        deck_list.format_key,
        text,
        rules_version=deck_list.rules_version or None,
        on=on,
        overlay=overlay,
        cards=cards,
        options=options,
        pool=pool,
    )
    version = _build_version(deck_list, source, pool_text, checked_list, overlay, options)
    version.original_text = "" if file_text == source else file_text
    return version


def store_version(
    deck_list: DeckList,
    version: DeckVersion,
    *,
    actor: str,
    by_staff: bool = False,
    reason: str = "",
    due_at: datetime | None = None,
    set_current: Callable[[DeckList, DeckVersion], object] | None = None,
) -> DeckVersion:
    """Store a checked version as the current one, one submission after another.

    A verdict is computed again first when an edition was published since. `set_current` makes the version the
    current one in the caller's own way, such as through an event's recorder.
    """
    with transaction.atomic():
        locked_list = DeckList.objects.select_for_update().get(pk=deck_list.pk)
        version = _refresh_verdict(locked_list, version)
        version.submitted_by, version.by_staff = actor.strip()[:160], by_staff
        version.reason = reason.strip()[:400]
        _stamp_submission(version, locked_list, due_at)
        _refuse_closed(version)
        version.number = _next_number(locked_list)
        version.save()
        (set_current or _set_current)(locked_list, version)
    deck_list.current = version
    return version


def _stamp_submission(version: DeckVersion, locked_list: DeckList, due_at: datetime | None) -> None:
    version.submitted_at = timezone.now()
    version.after_deadline = due_at is not None and version.submitted_at > due_at
    version.after_lock = locked_list.locked_at is not None


def _next_number(deck_list: DeckList) -> int:
    versions = DeckVersion.objects.filter(deck_list=deck_list)
    return 1 + (versions.aggregate(highest=Max("number"))["highest"] or 0)


def _refresh_verdict(deck_list: DeckList, version: DeckVersion) -> DeckVersion:
    """Check the version again if other lists are in force since it was checked."""
    under = version.judged_under
    on = date.fromisoformat(under["on"]) if under["on"] else None
    form = load_format(
        deck_list.game, deck_list.format_key, rules_version=deck_list.rules_version or None, on=on
    )
    if [each.to_json() for each in used_lists(form)] == under["lists"]:
        return version
    fresh = check_list(
        deck_list,
        version.source_text,
        overlay=under["overlay"],
        cards=under.get("cards", ()),
        options=version.options,
        on=on,
        pool=version.pool_text,
        original=version.original_text,
    )
    new_notices = (each for each in fresh.judged_under["notices"] if each not in under["notices"])
    fresh.judged_under["notices"] = [*under["notices"], *new_notices]
    return fresh


def _set_current(deck_list: DeckList, version: DeckVersion) -> None:
    DeckList.objects.filter(pk=deck_list.pk).update(current=version)


def _require_text(text: str | bytes) -> str:
    source = _decode_text(text)
    if not source.strip():
        raise Refused("list_empty")
    return source


def _decode_text(text: str | bytes) -> str:
    if len(text) > LARGEST_LIST:
        raise Refused("list_too_large", kilobytes=LARGEST_LIST // 1024)
    decoded_text = decode(text)
    if decoded_text.problem:
        raise Refused.of(decoded_text.problem.reason)
    return decoded_text.text


def _refuse_closed(version: DeckVersion) -> None:
    if not (version.after_deadline or version.after_lock):
        return
    if not version.by_staff and version.after_lock:
        raise Refused("list_locked")
    if not version.by_staff:
        raise Refused("list_late")
    if not version.reason:
        raise Refused("reason_needed.closed_list")


def _build_version(
    deck_list: DeckList,
    source: str,
    pool: str,
    checked_list: CheckedList,
    overlay: Mapping[str, object] | None,
    options: Mapping[str, object] | None,
) -> DeckVersion:
    entries, verdict = checked_list.entries_json(), checked_list.verdict
    return DeckVersion(
        deck_list=deck_list,
        source_text=source,
        pool_text=pool,
        source_format=checked_list.source_format,
        lines=checked_list.line_records(),
        entries=entries,
        verdict=verdict.to_record(),
        outcome=checked_list.outcome,
        rules_version=verdict.version,
        judged_under=_judged_under(checked_list, overlay),
        options=dict(options or {}),
        short_hash=compute_list_code(
            deck_list.game,
            verdict.format,
            source,
            entries,
            pool=pool,
            declared_values=select_declarations(options or {}),
        ),
    )


def _judged_under(checked_list: CheckedList, overlay: Mapping[str, object] | None) -> dict[str, object]:
    """Return what the verdict depends on, for storing.

    This includes what was said of the file as a whole.
    """
    verdict = checked_list.verdict
    return {
        "format": verdict.format,
        "format_name": checked_list.format_name,
        "rules": verdict.version,
        "document": verdict.document,
        "editions": [each.to_json() for each in verdict.editions],
        "lists": [each.to_json() for each in checked_list.lists],
        "on": checked_list.on.isoformat() if checked_list.on else None,
        "overlay": dict(overlay) if overlay else None,
        **({"cards": list(checked_list.added_cards)} if checked_list.added_cards else {}),
        "local_rules": [each.to_json() for each in checked_list.local_rules],
        "problems": [each.to_json() for each in checked_list.problems],
        "notices": [each.to_json() for each in checked_list.notices],
    }


def record_ruling(version: DeckVersion, outcome: str, *, actor: str, reason: str) -> Ruling:
    """Let an organizer's decision overrule the verdict, which stays on record.

    Raises Refused (outcome_unknown, reason_needed).
    """
    if outcome not in VerdictOutcome.values:
        raise Refused("outcome_unknown", outcome=outcome, outcomes=tuple(VerdictOutcome.values))
    if not reason.strip():
        raise Refused("reason_needed.ruling")
    ruling = Ruling(version=version, outcome=outcome, reason=reason.strip()[:400])
    ruling.ruled_at, ruling.ruled_by = timezone.now(), actor.strip()[:160]
    ruling.save()
    return ruling


def record_answer(version: DeckVersion, *, agrees: bool | None = None, words: str = "") -> ListAnswer:
    """Store that the player has seen the changes to their list, and their answer.

    There may be no answer.
    """
    answer = ListAnswer(version=version, answered_at=timezone.now(), agrees=agrees, words=words.strip()[:400])
    answer.save()
    return answer


CONSONANTS = "bdfghjklmnprstvz"

VOWELS = "aiou"


def compute_list_code(
    game: str,
    format_key: str,
    source: str,
    entries: Sequence[Any],
    *,
    pool: str = "",
    declared_values: Mapping[str, object] | None = None,
) -> str:
    """Return eleven characters as a code of the list ("lusab-bavid").

    They change with text, card, pool or declaration.
    """
    content_parts = [
        game,
        format_key,
        source,
        entries,
        *([pool, declared_values or {}] if pool or declared_values else ()),
    ]
    content = json.dumps(content_parts, ensure_ascii=True, sort_keys=True)
    digest = hashlib.sha256(content.encode()).digest()
    return "-".join(_pronounceable(int.from_bytes(digest[start : start + 2], "big")) for start in (0, 2))


def _pronounceable(bits: int) -> str:
    """Spell sixteen bits as five letters, most significant first."""
    first, second, third = bits >> 12 & 15, bits >> 10 & 3, bits >> 6 & 15
    fourth, last = bits >> 4 & 3, bits & 15
    return "".join((CONSONANTS[first], VOWELS[second], CONSONANTS[third], VOWELS[fourth], CONSONANTS[last]))
