"""Search cards; facts, list history and legality of one card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from django.utils.formats import date_format
from django.utils.translation import gettext, pgettext_lazy

import rules
from decks.catalogue.models import Card, Printing
from decks.catalogue.selectors import LoadedCatalogue, get_catalogue, get_ready_catalogue
from decks.editions.domain.content import describe_number
from decks.editions.domain.kinds import EntryData, share_a_version
from decks.editions.selectors.editions import all_editions, formats_on
from decks.matching.catalogue import format_place
from decks.shared.json_shapes import Published
from decks.shared.wording import format_reason
from rules import CardFacts, Deck, Edition, Entry, Format, Lists
from rules.lists import Citation
from rules.names import normalize_name
from rules.reason import reason
from rules.rendering import get_messages, render, translate_text

PRINTING_FIELDS = frozenset(
    {"name", "printed_name", "set", "set_size", "number", "number_as_printed", "variant"}
)


@dataclass(frozen=True, slots=True)
class CardFact:
    """A fact by its name in words; `value` is None if no one has entered it."""

    name: str
    value: str | None


def list_facts(game: str, attributes: Mapping[str, object]) -> tuple[CardFact, ...]:
    """List every known fact of a card, then those that are missing.

    The missing facts are those that the game asks for and no one has entered.
    """
    game_rules = rules.get_game(game)
    shown_facts = {
        name: value
        for name, value in attributes.items()
        if name not in PRINTING_FIELDS and (name, value) != (game_rules.rank_attribute, 0)
    }
    kind = str(attributes.get("type", attributes.get("kind", ""))).casefold()
    label = game_rules.cards.label
    card_facts = [
        CardFact(translate_text(label(name)), format_fact(value)) for name, value in shown_facts.items()
    ]
    expected_facts = (name for name in game_rules.cards.expected_facts(kind) if name not in attributes)
    return (*card_facts, *(CardFact(translate_text(label(name)), None) for name in expected_facts))


def format_fact(value: object) -> str:
    """Return a stored fact for people."""
    if isinstance(value, bool) or value == []:
        return format_reason("reason", reason("fact_value", value=None if value == [] else bool(value)))
    if isinstance(value, list):
        return _list_facts(tuple(format_fact(part) for part in value))
    if isinstance(value, Mapping):
        return _list_facts(
            tuple(f"{translate_text(str(name))} {format_fact(part)}" for name, part in value.items())
        )
    return translate_text(str(value))


def _list_facts(facts: tuple[str, ...]) -> str:
    return format_reason("reason", reason("fact_list", facts=facts))


@dataclass(frozen=True, slots=True)
class EditionStatement:
    """An entry of one edition about a card.

    `is_over` is set if the edition is the first that no longer names the card. `until` is the day from which
    another edition holds, None while this one is the last.
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

    @property
    def period_words(self) -> str:
        """Its first day, and the rules versions it applies to."""
        since = date_format(self.in_force, "DATE_FORMAT") if self.in_force else None
        return format_reason("reason", reason("ban_period", since=since, versions=self.versions))

    def holds(self, day: date) -> bool:
        """Return whether the edition is in force on the day, as far as its own kind goes."""
        has_begun = self.in_force is None or self.in_force <= day
        return has_begun and (self.until is None or day < self.until)


def card_history(game: rules.Game, facts: CardFacts) -> tuple[EditionStatement, ...]:
    """Return what every edition says of the card, list by list, oldest first.

    The editions are shipped or published.
    """
    editions = sorted(all_editions(game.key), key=lambda each: (each.kind, each.number))
    identities = [each for each in editions if each.kind == "identities"]
    return tuple(
        statement
        for kind, editions_of_kind in groupby(editions, key=lambda each: each.kind)
        for statement in _statements_of_kind(game, kind, list(editions_of_kind), identities, facts)
    )


def _statements_of_kind(
    game: rules.Game, kind: str, editions: list[Edition], identities: list[Edition], facts: CardFacts
) -> Iterator[EditionStatement]:
    was_named: Edition | None = None
    for place, edition in enumerate(editions):
        later = next((each for each in editions[place + 1 :] if share_a_version(each, edition)), None)
        until = later.in_force if later else None
        statements = list(_statements_of_edition(game, edition, identities, facts))
        for sentence, citation in statements:
            yield _statement(edition, sentence, citation, until)
        if was_named is not None and not statements and share_a_version(edition, was_named):
            yield _statement(edition, gettext("No longer named."), edition.cite({}), until, is_over=True)
        was_named = (
            edition
            if statements
            else None
            if was_named and share_a_version(edition, was_named)
            else was_named
        )


def _statement(
    edition: Edition, sentence: str, citation: Citation, until: date | None, *, is_over: bool = False
) -> EditionStatement:
    return EditionStatement(
        kind=edition.kind,
        edition=edition.name,
        number=edition.number,
        versions=edition.versions,
        sentence=sentence,
        clause=citation.clause,
        source=citation.document,
        in_force=edition.in_force,
        until=until,
        is_over=is_over,
    )


def _statements_of_edition(
    game: rules.Game, edition: Edition, identities: Iterable[Edition], facts: CardFacts
) -> Iterator[tuple[str, Citation]]:
    """Yield what an edition says of the card, each with its clause."""
    if edition.kind == "identities":
        yield from _identity_statements(edition, facts)
        return
    # Named by the identities of its time, so that a ban of one name of a card is a ban of the other.
    named_by = [each for each in identities if share_a_version(each, edition)]
    listed_editions = {"identities": named_by[-1]} if named_by else {}
    lists = Lists({**listed_editions, edition.kind: edition}, game.rank_attribute, game.ranked_types)
    for entry, answer in lists.entries_of(edition.kind, facts):
        sentence = translate_text(str(entry.get("says", ""))) or _format_entry_kind(edition.kind, entry)
        if answer != "yes":
            sentence = gettext("One version of this name: %(sentence)s") % {"sentence": sentence}
        yield sentence, edition.cite(entry)


def _format_entry_kind(kind: str, entry: EntryData) -> str:
    if number := describe_number(entry):
        return gettext("Limited: %(number)s.") % {"number": render("reason", number)}
    return gettext("Banned.") if kind == "bans" else gettext("Listed.")


def _identity_statements(edition: Edition, facts: CardFacts) -> Iterator[tuple[str, Citation]]:
    name = normalize_name(facts.name)
    for entry in edition.entries:
        citation = edition.cite(entry)
        same, distinct = entry.get("same"), entry.get("distinct")
        if isinstance(same, list) and name in (normalize_name(str(part)) for part in same):
            others = [str(part) for part in same if normalize_name(str(part)) != name]
            cards = get_messages().join(others)
            yield gettext("Counts as one card together with %(cards)s.") % {"cards": cards}, citation
        elif isinstance(distinct, list) and normalize_name(str(entry.get("name", ""))) == name:
            places = get_messages().join(
                [_format_place(part) for part in distinct if isinstance(part, Mapping)]
            )
            sentence = gettext("Two cards have this name (%(places)s). Each has its own limit of copies.")
            yield sentence % {"places": places}, citation


def _format_place(facts: Mapping[str, object]) -> str:
    return f"{facts.get('set', '')} {facts.get('number_as_printed') or facts.get('number') or ''}".strip()


SEARCH_LIMIT = 30

BAN_CODES = {"banned-card": "illegal", "ban-unknown": "unknown"}

STATUS_LABELS = {
    "legal": pgettext_lazy("verdict", "Allowed"),
    "illegal": pgettext_lazy("verdict", "Banned"),
    "unknown": pgettext_lazy("verdict", "Cannot be checked"),
}


@dataclass(frozen=True, slots=True)
class CardResult(Published):
    """One result of a search.

    It is a card with the facts that distinguish it from others. `score` runs to 100.
    """

    PUBLISHED = ("game", "key", "label", "type", "places", "score")

    game: str
    game_name: str
    key: str
    label: str
    type: str
    places: tuple[str, ...]
    score: int


@dataclass(frozen=True, slots=True)
class FormatStatus:
    """Whether one format lets a card be played on a day.

    It applies to one version of the rules.
    """

    format_name: str
    version: str
    outcome: str
    words: str
    sentence: str = ""
    clause: str = ""
    document: str = ""


@dataclass(frozen=True, slots=True)
class CardPage:
    """A card, its printings and every known fact.

    Also holds what lists say of it, and where it may be played on the day.
    """

    card: Card
    game: rules.Game
    printings: tuple[Printing, ...]
    facts: tuple[CardFact, ...]
    standings: tuple[FormatStatus, ...]
    history: tuple[EditionStatement, ...]
    day: date

    @property
    def current_statements(self) -> tuple[EditionStatement, ...]:
        """Return what the lists in force on the day say."""
        return tuple(
            statement for statement in self.history if statement.holds(self.day) and not statement.is_over
        )


def search_cards(text: str, *, game: str | None = None, limit: int = SEARCH_LIMIT) -> tuple[CardResult, ...]:
    """Return the cards that match what was typed so far, best first.

    Names with typing errors, rank dots, set and number are matched.
    """
    if not text.strip():
        return ()
    games = [each for each in rules.games() if game in (None, each.key)]
    hits = [
        hit for each in games for hit in _search_game(get_ready_catalogue(each.key)[0], each, text, limit)
    ]
    return tuple(sorted(hits, key=lambda hit: -hit.score)[:limit])


def _search_game(catalogue: LoadedCatalogue, game: rules.Game, text: str, limit: int) -> Iterator[CardResult]:
    for hit in catalogue.index.search(text, limit):
        card = catalogue.cards[hit.card_key]
        places = tuple(place for facts in card.printings.values() if (place := format_place(facts)))
        kind = str(card.facts(None).get("type", ""))
        yield CardResult(game.key, game.name, card.key, card.label, kind, places, hit.score)


def get_card_page(game: str, key: str, day: date) -> CardPage:
    """Return everything about one card on a day. Raises `Card.DoesNotExist`."""
    card = Card.objects.get(game=game, key=key)
    printings = tuple(card.printings.select_related("card_set"))
    known_game = rules.get_game(game)
    facts = get_catalogue(game).card_facts(key) or CardFacts(key, card.name)
    return CardPage(
        card=card,
        game=known_game,
        printings=printings,
        facts=list_facts(game, facts.attributes or card.attributes),
        standings=tuple(_format_status(form, facts) for form in formats_on(known_game, day)),
        history=card_history(known_game, facts),
        day=day,
    )


def _format_status(format: Format, facts: CardFacts) -> FormatStatus:
    """Judge one copy in every zone.

    Only what lists say of the card counts, not the rest of a deck.
    """
    main, sideboard, pregame = (
        (Entry(facts, 1),) if zone in format.game.zones else () for zone in ("main", "sideboard", "pregame")
    )
    verdict = rules.check_deck(Deck(format.game.key, main, sideboard, pregame), format)
    ban_findings = [finding for finding in verdict.findings if finding.code in BAN_CODES]
    outcome = BAN_CODES[ban_findings[0].code] if ban_findings else "legal"
    source = (
        (ban_findings[0].message, ban_findings[0].clause, ban_findings[0].document)
        if ban_findings
        else ("", "", format.document)
    )
    return FormatStatus(format.name, format.version, outcome, str(STATUS_LABELS[outcome]), *source)
