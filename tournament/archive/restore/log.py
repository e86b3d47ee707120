"""Bring the log of an archived event back, so that its steps can be taken back here too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils import timezone

from decks.submissions.models import DeckList
from tournament.archive.export.log import Name, mentioned, standing, translated
from tournament.events.models.event import Event
from tournament.log.bulk_rows import use_up_ids
from tournament.log.changes import model_of
from tournament.log.models import LogEntry

Values = Mapping[str, Any]


def restore_log(event: Event, lines: Sequence[Values], build: Callable[[Values, int], LogEntry]) -> None:
    """Write the lines of an archived log, with ids of this installation in what they changed.

    `build` makes an entry of a line and its place. Raises KeyError or ValueError where a line makes no sense.
    """
    entries = [build(line, place) for place, line in enumerate(lines)]
    try:
        name = _namer(event, lines)
        for entry, line in zip(entries, lines, strict=True):
            entry.changes = translated(line.get("changes", []), name)
            entry.about = _about(line.get("about", []), name)
    except LookupError as error:
        raise ValueError(f"log: {error}") from error
    made = LogEntry.objects.bulk_create(entries, batch_size=500)
    _tie(made, lines)


def _namer(event: Event, lines: Sequence[Values]) -> Name:
    ids: dict[tuple[str, int], int] = {("event", 0): event.pk}
    for table, pks in standing(event).items():
        ids.update(((table, place), pk) for place, pk in enumerate(pks, 1))
    gone: dict[str, int] = defaultdict(int)
    named = mentioned([change for line in lines for change in line.get("changes", [])])
    for line in lines:
        for word in line.get("about", []):
            named["player" if word[0] == "p" else "round"].add(int(word[1:]))
    for table, places in named.items():
        gone[table] = -min(0, *places)
    for table, count in gone.items():
        if count > 1_000_000:
            raise ValueError(f"log: {count} rows of {table}")
        fresh = use_up_ids(model_of(table), count)
        ids.update(((table, -place), pk) for place, pk in enumerate(fresh, 1))
        if table == "decklist":
            _empty_lists(event, fresh)
    return lambda table, place: ids[table, place]


def _empty_lists(event: Event, ids: Sequence[int]) -> None:
    """The lists of registrations that were taken back: their versions do not travel, their places do."""
    DeckList.objects.bulk_create(
        DeckList(
            pk=pk,
            game=event.game,
            format_key=event.format,
            rules_version=event.rules_version,
            created_at=timezone.now(),
        )
        for pk in ids
    )


def _about(words: Sequence[str], name: Name) -> str:
    said = sorted(f"{w[0]}{name('player' if w[0] == 'p' else 'round', int(w[1:]))}" for w in words)
    return f" {' '.join(said)} " if said else ""


def _tie(made: Sequence[LogEntry], lines: Sequence[Values]) -> None:
    """Point the entries to each other as the lines do by their places."""
    for entry, line in zip(made, lines, strict=True):
        head, undone_by = line.get("head"), line.get("undone_by")
        entry.head = None if head is None else made[head]
        entry.undone_by = None if undone_by is None else made[undone_by]
        entry.takes_back = [made[place].pk for place in line.get("takes_back", [])]
    tied = [e for e in made if e.head_id or e.undone_by_id or e.takes_back]
    LogEntry.objects.bulk_update(tied, ["head", "undone_by", "takes_back"], batch_size=200)
