"""Draft, edit and publish editions of lists; read documents into drafts.

A draft has a revision number. A change or publication names the revision that the user saw, so no one
overwrites or publishes what another has changed meanwhile.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.dispatch import Signal
from django.utils import timezone

import rules
from decks.catalogue.selectors import get_catalogue
from decks.editions.domain.content import describe_entry, edition_digest, name_source, translate_entry
from decks.editions.domain.document_reader import ParsedList, parse_lists
from decks.editions.domain.kinds import ListKind, find_kind
from decks.editions.models import ListEdition
from decks.editions.selectors import pages
from decks.editions.selectors.editions import all_editions, to_edition
from decks.importers.decoding import decode
from decks.shared.fingerprints import make_fingerprint
from decks.shared.json_shapes import to_json
from decks.shared.refusals import Conflict, Refused, refuse_all
from rules import Edition
from rules.documents import Document, find_reader
from rules.lint_lists import SECTION as EDITION_MESSAGES
from rules.lint_lists import ListProblem

MOST_ENTRIES = 2000

LONGEST_ENTRY = 8 * 1024

edition_published = Signal()

"""Sent with `edition` (the stored row) inside the transaction that publishes it."""


def create_draft(game: str, kind: str, *, actor: str, based_on: int | None = None) -> ListEdition:
    """Create a draft of the next edition with all that an earlier one says.

    That is the last edition, or the one of the number `based_on`. The entries keep their documents and
    clauses; the draft has to name its own for those that are added.

    Raises Refused (unknown_list, unknown_edition, draft_exists).
    """
    list_kind = _require_kind(game, kind)
    earlier = [edition for edition in all_editions(game) if edition.kind == kind]
    base = next((edition for edition in reversed(earlier) if based_on in (None, edition.number)), None)
    if base is None and based_on is not None:
        raise Refused("unknown_edition", based_on=based_on, name=list_kind.name)
    draft = ListEdition(game=game, kind=kind, name=base.name if base else list_kind.name)
    if base is not None:
        draft.based_on, draft.versions = base.number, list(base.versions)
        draft.entries = [to_json(name_source(entry, base)) for entry in base.entries]
    return _save_draft(draft, actor)


def create_draft_from_entries(
    game: str,
    kind: str,
    entries: Sequence[Mapping[str, object]],
    *,
    actor: str,
    document: str,
    clause: str = "",
    versions: Sequence[str] | None = None,
    unread: Sequence[Mapping[str, object]] = (),
) -> ListEdition:
    """Create a draft of the next edition with exactly these entries.

    Without `versions` it belongs to those of the last edition. `unread` are paragraphs that are not settled
    yet. Raises Refused (unknown_list, draft_exists, too_many_entries, entry_too_long, bad_characters).
    """
    list_kind = _require_kind(game, kind)
    earlier = [edition for edition in all_editions(game) if edition.kind == kind]
    draft = ListEdition(game=game, kind=kind, name=earlier[-1].name if earlier else list_kind.name)
    draft.document, draft.clause = document.strip()[:200], clause.strip()[:120]
    draft.based_on = earlier[-1].number if earlier else None
    draft.versions = list(versions if versions is not None else earlier[-1].versions if earlier else ())
    draft.entries = validate_entries([dict(entry) for entry in entries])
    draft.unread = [dict(paragraph) for paragraph in unread]
    return _save_draft(draft, actor)


def _require_kind(game: str, key: str) -> ListKind:
    try:
        list_kind = find_kind(game, key)
    except rules.UnknownFormat as error:
        raise Refused("unknown_list.game", why=error.reasons) from error
    if list_kind is None:
        raise Refused("unknown_list", kind=key)
    return list_kind


def _save_draft(draft: ListEdition, actor: str) -> ListEdition:
    draft.number = next_edition_number(draft.game, draft.kind)
    draft.drafted_by, draft.drafted_at = actor.strip()[:160], timezone.now()
    try:
        with transaction.atomic():
            draft.save(force_insert=True)
    except IntegrityError as error:
        raise Refused("draft_exists") from error
    return draft


def next_edition_number(game: str, kind: str) -> int:
    """Return the number after the highest of the shipped and published editions."""
    return 1 + max((edition.number for edition in all_editions(game) if edition.kind == kind), default=0)


def change_details(
    draft: ListEdition,
    *,
    revision: int,
    name: str,
    document: str,
    clause: str = "",
    versions: Sequence[str] = (),
    in_force: date | None = None,
    note: str = "",
) -> None:
    """Change what a draft says of itself.

    Raises Refused (draft_changed, name_missing, unknown_version).
    """
    refuse_all(_detail_problems(draft.game, name, versions))
    _update_draft(
        draft,
        revision,
        name=name.strip()[:120],
        document=document.strip()[:200],
        clause=clause.strip()[:120],
        versions=list(versions),
        in_force=in_force,
        note=note.strip()[:1000],
    )


def _detail_problems(game: str, name: str, versions: Sequence[str]) -> list[Refused]:
    problems = []
    if not name.strip():
        problems.append(Refused("name_missing.edition", field="name"))
    known_versions = {version.number for version in rules.get_game(game).versions}
    if strange := [number for number in versions if number not in known_versions]:
        problems.append(Refused("unknown_version", field="versions", versions=tuple(strange)))
    return problems


def add_entry(
    draft: ListEdition, entry: Mapping[str, object], *, revision: int, place: int | None = None
) -> None:
    """Put an entry at a place or the end. Raises Refused (draft_changed, entry_…)."""
    entries = list(draft.entries)
    entries.insert(len(entries) if place is None else place, dict(entry))
    _update_draft(draft, revision, entries=validate_entries(entries))


def change_entry(
    draft: ListEdition, place: int, entry: Mapping[str, object], *, revision: int, was: str | None = None
) -> None:
    """Let an entry say something else; `place` counts from 0.

    Raises Refused (draft_changed, …; entry_changed where another is there than that of the mark `was`).
    """
    entries = list(draft.entries)
    stored_entry = _entry_at(draft, place)
    if was and was != entry_fingerprint(stored_entry):
        now, clause = describe_entry(draft.kind, translate_entry(stored_entry)), stored_entry.get("clause")
        raise Conflict("entry_changed", place=place + 1, now=now, clause=str(clause) if clause else None)
    entries[place] = dict(entry)
    _update_draft(draft, revision, entries=validate_entries(entries))


def entry_fingerprint(entry: Mapping[str, object]) -> str:
    """Return a fingerprint of an entry; it changes with the entry."""
    return make_fingerprint(json.dumps(entry, sort_keys=True, default=str))


def find_entry(draft: ListEdition, mark: str, place: int) -> int:
    """Return the position, from 0, of the entry with a mark; `place` if it is gone."""
    places = (
        [at for at, entry in enumerate(draft.entries) if entry_fingerprint(entry) == mark] if mark else []
    )
    return min(places, key=lambda at: abs(at - place), default=place)


def remove_entry(draft: ListEdition, place: int, *, revision: int) -> dict[str, object]:
    """Remove an entry and return it. Raises Refused (draft_changed, no_such_entry)."""
    removed_entry = _entry_at(draft, place)
    _update_draft(draft, revision, entries=[e for number, e in enumerate(draft.entries) if number != place])
    return removed_entry


def _entry_at(draft: ListEdition, place: int) -> dict[str, object]:
    if not 0 <= place < len(draft.entries):
        raise Refused("no_such_entry")
    return dict(draft.entries[place])


def resolve_paragraph(draft: ListEdition, place: int, *, revision: int) -> None:
    """Remove a paragraph from those that could not be read.

    Raises Refused (draft_changed, no_such_entry).
    """
    if not 0 <= place < len(draft.unread):
        raise Refused("no_such_entry.paragraph")
    _update_draft(draft, revision, unread=[p for number, p in enumerate(draft.unread) if number != place])


def discard_draft(draft: ListEdition, *, revision: int) -> None:
    """Delete a draft and free its number. Raises Refused (draft_changed)."""
    deleted_count, _ = ListEdition.objects.drafts().filter(pk=draft.pk, revision=revision).delete()
    if not deleted_count:
        raise _draft_changed_error(draft)


@transaction.atomic
def publish_draft(
    draft: ListEdition,
    *,
    revision: int,
    actor: str,
    accept_warnings: bool = False,
    announced_before: bool = False,
    today: date | None = None,
) -> ListEdition:
    """Publish a draft for good, with the day from which it holds.

    Of two people who do so at once, one does.

    `announced_before` says that an update was announced elsewhere, a waiting time of its game before its day.
    Raises Refused with every problem: draft_changed, those of `pages.draft_problems`, warnings_unread.
    """
    if draft.revision != revision:
        raise _draft_changed_error(draft)
    problems = pages.draft_problems(draft, today or timezone.localdate(), announced_before=announced_before)
    _refuse_problems(problems, accept_warnings=accept_warnings)
    edition = _final_edition(draft)
    _update_draft(
        draft,
        revision,
        state=ListEdition.State.PUBLISHED,
        number=edition.number,
        published_by=actor.strip()[:160],
        published_at=timezone.now(),
        digest=edition_digest(edition),
        unread=[],
    )
    edition_published.send(sender=ListEdition, edition=draft)
    return draft


def _refuse_problems(problems: Sequence[ListProblem], *, accept_warnings: bool) -> None:
    """Raise every error that prevents publishing, else warnings not accepted."""
    faults = [problem for problem in problems if problem.severity == "error"]
    refuse_all([Refused.of(problem.reason, section=EDITION_MESSAGES) for problem in faults])
    if problems and not accept_warnings:
        raise Refused("warnings_unread", field="accept_warnings", count=len(problems))


def _final_edition(draft: ListEdition) -> Edition:
    """Return the edition as it will be published.

    Its number is increased if the rules have shipped that number meanwhile.
    """
    edition = to_edition(draft)
    return replace(edition, number=max(edition.number, next_edition_number(draft.game, draft.kind)))


def _update_draft(draft: ListEdition, revision: int, **values: Any) -> None:
    """Change a draft, if it is still as it was seen."""
    if draft.revision != revision:
        raise _draft_changed_error(draft)
    same = ListEdition.objects.drafts().filter(pk=draft.pk, revision=revision)
    if not same.update(**values, revision=F("revision") + 1):
        raise _draft_changed_error(draft)
    draft.refresh_from_db()


def _draft_changed_error(draft: ListEdition) -> Conflict:
    """Return why a draft is no longer as it was seen."""
    state = ListEdition.objects.filter(pk=draft.pk).values_list("state", flat=True).first()
    if state is None:
        return Conflict("draft_gone")
    if state == ListEdition.State.PUBLISHED:
        return Conflict("draft_published")
    return Conflict("draft_changed")


def validate_entries(entries: list[dict[str, object]]) -> list[dict[str, object]]:
    """Return entries that can be stored.

    Raises Refused (too_many_entries, entry_too_long, bad_characters).
    """
    if len(entries) > MOST_ENTRIES:
        raise Refused("too_many_entries", most_entries=MOST_ENTRIES)
    for place, entry in enumerate(entries, 1):
        entry_text = json.dumps(entry, default=str)
        if len(entry_text) > LONGEST_ENTRY:
            raise Refused("entry_too_long", place=place, kilobytes=LONGEST_ENTRY // 1024)
        if "\\u0000" in entry_text:
            raise Refused("bad_characters", place=place)
    return entries


LARGEST_DOCUMENT = 512 * 1024


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A document as it was read, with the lists that it gives, by kind."""

    document: Document
    lists: dict[str, ParsedList]


def readable_games() -> list[rules.Game]:
    """Return the games whose documents can be read in, in their order."""
    return list(filter(find_reader, rules.games()))


def read_document(game: str, data: str | bytes) -> ParsedDocument:
    """Return what a document says of cards, matched against the catalogue.

    Writes nothing.

    Raises Refused (document_not_known, document_too_large, document_empty, not_text).
    """
    game_rules = next((each for each in readable_games() if each.key == game), None)
    reader = find_reader(game_rules) if game_rules else None
    if game_rules is None or reader is None:
        names = tuple(each.short_name for each in readable_games())
        raise Refused("document_not_known", field="game", games=names)
    if len(data) > LARGEST_DOCUMENT:
        raise Refused("document_too_large", field="text", kilobytes=LARGEST_DOCUMENT // 1024)
    decoded_text = decode(data)
    if decoded_text.problem:
        raise Refused.of(decoded_text.problem.reason, field="text")
    if not decoded_text.text.strip():
        raise Refused("document_empty", field="text")
    parsed_document = reader(decoded_text.text)
    prefix = game_rules.cards.lists.errata_prefix
    return ParsedDocument(parsed_document, parse_lists(parsed_document, get_catalogue(game).index, prefix))


@transaction.atomic
def create_drafts_from_document(
    game: str, data: str | bytes, *, actor: str, kinds: Sequence[str], document: str = ""
) -> list[ListEdition]:
    """Draft the lists that a document gives, for the kinds chosen.

    Either all of them are drafted or none.

    `document` names the document where it does not say so itself. Raises Refused as `read_document`, and
    (nothing_to_draft, draft_exists) for every kind at once.
    """
    parsed_document = read_document(game, data)
    wanted_lists = [
        each
        for each in parsed_document.lists.values()
        if each.kind in kinds and (each.entries or each.unread)
    ]
    if not wanted_lists:
        raise Refused("nothing_to_draft", field="kinds")
    taken_kinds = set(ListEdition.objects.drafts().filter(game=game).values_list("kind", flat=True))
    existing = (each.kind for each in wanted_lists if each.kind in taken_kinds)
    refuse_all([Refused("draft_exists.of_kind", field="kinds", kind=kind) for kind in existing])
    name = document.strip() or parsed_document.document.title
    return [_create_draft_of_list(game, each, actor, name, parsed_document.document) for each in wanted_lists]


def _create_draft_of_list(
    game: str, parsed_list: ParsedList, actor: str, document: str, source: Document
) -> ListEdition:
    entries = [each.entry for each in parsed_list.entries]
    clause = str(entries[0]["clause"]).partition(".")[0] if entries else ""
    known_versions = {version.number for version in rules.get_game(game).versions}
    return create_draft_from_entries(
        game,
        parsed_list.kind,
        entries,
        actor=actor,
        document=document,
        clause=clause,
        versions=[source.version] if source.version in known_versions else None,
        unread=[each.to_json() for each in parsed_list.unread],
    )
