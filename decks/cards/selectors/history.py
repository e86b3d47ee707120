"""What the dated lists say of a card, edition by edition, in the order in which they came into force."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import groupby

import rules
from decks.editions.selectors.editions import sequence
from rules import CardFacts, Edition, Lists
from rules.names import normal


@dataclass(frozen=True, slots=True)
class Said:
    """What one edition of a list says of a card; `is_over` where it is the first that no longer names it.

    `until` is the day from which another edition holds, None while this one is the last.
    """

    kind: str
    edition: str
    number: int
    versions: tuple[str, ...]
    sentence: str
    clause: str
    source: str
    in_force: date | None
    until: date | None = None
    is_over: bool = False

    def holds(self, day: date) -> bool:
        """Whether the edition is in force on the day, as far as its own kind goes."""
        begun = self.in_force is None or self.in_force <= day
        return begun and (self.until is None or day < self.until)


def history(game: rules.Game, facts: CardFacts) -> tuple[Said, ...]:
    """What every edition, shipped or published, says of the card: list by list, the oldest first."""
    editions = sorted(sequence(game.key), key=lambda each: (each.kind, each.number))
    identities = [each for each in editions if each.kind == "identities"]
    return tuple(
        said
        for kind, held in groupby(editions, key=lambda each: each.kind)
        for said in _of_kind(game, kind, list(held), identities, facts)
    )


def _of_kind(
    game: rules.Game, kind: str, editions: list[Edition], identities: list[Edition], facts: CardFacts
) -> Iterator[Said]:
    was_named: Edition | None = None
    for place, edition in enumerate(editions):
        later = next((each for each in editions[place + 1 :] if _follows(each, edition)), None)
        until = later.in_force if later else None
        told = list(_told(game, edition, identities, facts))
        for sentence, clause in told:
            yield _said(edition, sentence, clause, until)
        if was_named is not None and not told and _follows(edition, was_named):
            yield _said(edition, "No longer named.", edition.clause, until, is_over=True)
        was_named = edition if told else None if was_named and _follows(edition, was_named) else was_named


def _follows(later: Edition, earlier: Edition) -> bool:
    """Whether an edition takes the place of another: both belong to some version of the rules."""
    if not later.versions or not earlier.versions:
        return True
    return bool(set(later.versions) & set(earlier.versions))


def _said(edition: Edition, sentence: str, clause: str, until: date | None, *, is_over: bool = False) -> Said:
    return Said(
        kind=edition.kind,
        edition=edition.name,
        number=edition.number,
        versions=edition.versions,
        sentence=sentence,
        clause=clause,
        source=edition.document,
        in_force=edition.in_force,
        until=until,
        is_over=is_over,
    )


def _told(
    game: rules.Game, edition: Edition, identities: Iterable[Edition], facts: CardFacts
) -> Iterator[tuple[str, str]]:
    """What an edition says of the card, each with its clause."""
    if edition.kind == "identities":
        yield from _identity(edition, facts)
        return
    # Named by the identities of its time, so that a ban of one name of a card is a ban of the other.
    named_by = [each for each in identities if _follows(each, edition)]
    held = {"identities": named_by[-1]} if named_by else {}
    lists = Lists({**held, edition.kind: edition}, game.rank_attribute, game.ranked_types)
    for entry, answer in lists.entries_of(edition.kind, facts):
        said = str(entry.get("says", "")) or ("Banned." if edition.kind == "bans" else "Listed.")
        perhaps = "" if answer == "yes" else "One version of this name: "
        yield perhaps + said, str(entry.get("clause", edition.clause))


def _identity(edition: Edition, facts: CardFacts) -> Iterator[tuple[str, str]]:
    name = normal(facts.name)
    for entry in edition.entries:
        clause = str(entry.get("clause", edition.clause))
        same, distinct = entry.get("same"), entry.get("distinct")
        if isinstance(same, list) and name in (normal(str(part)) for part in same):
            others = [str(part) for part in same if normal(str(part)) != name]
            yield f"Counts as one card together with {', '.join(others)}.", clause
        elif isinstance(distinct, list) and normal(str(entry.get("name", ""))) == name:
            places = " and ".join(_place(part) for part in distinct if isinstance(part, Mapping))
            yield f"Two cards bear this name ({places}); each has its own limit of copies.", clause


def _place(facts: Mapping[str, object]) -> str:
    return f"{facts.get('set', '')} {facts.get('number_as_printed') or facts.get('number') or ''}".strip()
