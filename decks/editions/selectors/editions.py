"""All editions of a game, shipped and published, and the formats that use them.

Everything that judges asks here for its format, so that a published edition counts everywhere from its day.
One small query tells whether anything was published since the last look, whichever process did it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date

from django.utils import timezone

import rules
from decks.editions.domain.content import UsedList, edition_digest
from decks.editions.models import ListEdition
from decks.shared.cache import CurrentValueCache, SingleFlightCache
from rules import Edition, Format
from rules.lists import join_in_force

EditionsStamp = tuple[tuple[int, str], ...]
MOST_FORMATS = 64


@dataclass(frozen=True, slots=True)
class CachedEditions:
    """The published editions of a game as one process holds them.

    Also holds the formats made of them.
    """

    stamp: EditionsStamp
    editions: tuple[Edition, ...]
    formats: SingleFlightCache[tuple[object, ...], Format] = field(
        default_factory=lambda: SingleFlightCache(MOST_FORMATS)
    )


_editions: CurrentValueCache[str, CachedEditions] = CurrentValueCache()


def published_editions(game: str) -> tuple[Edition, ...]:
    """Return the editions that were published here, by kind and number.

    Editions that ship with the rules are not included (`rules.shipped_editions`). Editions whose day is yet
    to come are.
    """
    return _current_editions(game).editions


def all_editions(game: str) -> tuple[Edition, ...]:
    """Return every edition of a game, shipped and published, by kind and number.

    Raises `rules.UnknownFormat`.
    """
    every = (*rules.shipped_editions(game), *published_editions(game))
    return tuple(sorted(every, key=lambda edition: (edition.kind, edition.number)))


def load_format(
    game: str,
    format: str,
    *,
    rules_version: str | None = None,
    on: date | None = None,
    overlay: rules.Overlay | Mapping[str, object] | None = None,
) -> Format:
    """Return a format with the lists that are in force on a day.

    Without a day: today, as in `rules.load_format`. Raises `rules.UnknownFormat` and `rules.BadOverlay`.
    """
    plain = _load_cached(_current_editions(game), game, format, rules_version, on or timezone.localdate())
    return plain.with_overlay(overlay) if overlay else plain


def formats_on(game: rules.Game, day: date) -> Iterator[Format]:
    """Yield every format of a game as it is on a day.

    Formats whose rules were not in force by then are left out. One query.
    """
    cached_editions = _current_editions(game.key)
    for key in game.formats:
        with suppress(rules.UnknownFormat):
            yield _load_cached(cached_editions, game.key, key, None, day)


def _load_cached(
    cached_editions: CachedEditions, game: str, format: str, version: str | None, day: date
) -> Format:
    if not cached_editions.editions:
        return rules.load_format(game, format, rules=version or None, on=day)
    return _build_format(cached_editions, game, format, version, day)


def _build_format(
    cached_editions: CachedEditions, game: str, format: str, version: str | None, day: date
) -> Format:
    """Return the format of a day with what was published.

    Days under the same lists share one format.
    """
    shipped_format = rules.load_format(game, format, rules=version or None, on=day)
    editions_in_force = join_in_force(
        shipped_format.editions, cached_editions.editions, shipped_format.version, day
    )
    place = (
        format,
        shipped_format.version,
        *((kind, id(edition)) for kind, edition in editions_in_force.items()),
    )
    return cached_editions.formats.get_or_compute(
        place, lambda: replace(shipped_format, editions=editions_in_force)
    )


# The digest of each edition that takes part in judging; the edition beside it keeps its id its own.
_digests: SingleFlightCache[int, tuple[Edition, str]] = SingleFlightCache(512)


def used_lists(format: Format) -> tuple[UsedList, ...]:
    """Return the dated lists that a format judges by, without an event's own bans."""
    shipped_ids = {id(edition) for edition in rules.shipped_editions(format.game.key)}
    return tuple(
        UsedList(
            kind=edition.kind,
            number=edition.number,
            name=edition.name,
            document=edition.document,
            in_force=edition.in_force.isoformat() if edition.in_force else "",
            source="shipped" if id(edition) in shipped_ids else "published",
            digest=_digest_of(edition),
        )
        for edition in format.editions.values()
    )


def _digest_of(edition: Edition) -> str:
    return _digests.get_or_compute(id(edition), lambda: (edition, edition_digest(edition)))[1]


def _current_editions(game: str) -> CachedEditions:
    stamp = current_stamp(game)
    return _editions.get_or_compute(game, stamp, lambda: _read_editions(game, stamp))


def current_stamp(game: str) -> EditionsStamp:
    """Return what tells one state of a game's published editions from every other.

    Each row with its digest.
    """
    rows = ListEdition.objects.only_published().filter(game=game).order_by("pk")
    return tuple(rows.values_list("pk", "digest"))


def _read_editions(game: str, stamp: EditionsStamp) -> CachedEditions:
    rows = ListEdition.objects.filter(pk__in=[pk for pk, _ in stamp]).order_by("kind", "number")
    return CachedEditions(stamp, tuple(to_edition(row) for row in rows))


def to_edition(row: ListEdition) -> Edition:
    """Return a stored edition, draft or published, for the rules.

    Raises ValueError for entries that are none.
    """
    return Edition.from_mapping(
        row.game,
        {
            "kind": row.kind,
            "number": row.number,
            "name": row.name,
            "document": row.document,
            "clause": row.clause,
            "versions": row.versions,
            "in_force": row.in_force,
            "entries": row.entries,
        },
    )
