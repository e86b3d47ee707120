"""Check an exchange with the sideboard against the registered list.

Cards that go out and come in are counted from the registered list, not from the previous game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from decks.catalogue.selectors import LoadedCatalogue, disambiguate_name, find_namesakes
from decks.importers.model import DeckLine
from decks.importers.parsing import parse
from decks.matching.model import SearchBudget
from decks.matching.records import EntryRecord
from decks.shared.json_shapes import Published
from decks.shared.refusals import Refused, refuse_all
from decks.submissions.models import DeckVersion
from decks.submissions.selectors import build_version_deck, get_version_catalogue, to_deck
from rules import Format, Verdict, check_exchange
from rules.names import normalize_name
from rules.reason import reason

MAIN, SIDEBOARD, POOL = "main", "sideboard", "pool"


@dataclass(frozen=True, slots=True)
class MovedCard(Published):
    """A number of copies of a card that change places.

    `card` is None for one that no catalogue holds.
    """

    card: str | None
    name: str
    qty: int


@dataclass(frozen=True, slots=True)
class ZoneCard:
    """A card of one part of a list; `key` tells it apart there."""

    key: str
    card: str | None
    name: str
    qty: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """A judged exchange."""

    verdict: Verdict
    taken_out: tuple[MovedCard, ...]
    brought_in: tuple[MovedCard, ...]
    main: int
    sideboard: int


def allows_exchange(format: Format) -> bool:
    """Return whether the game knows a sideboard.

    Then it has cards that change places between games.
    """
    return SIDEBOARD in format.game.zones


def main_deck_cards(version: DeckVersion) -> list[ZoneCard]:
    """Return the cards that can go out."""
    return cards_of_zone(version.entries, MAIN)


def reserve_cards(version: DeckVersion) -> list[ZoneCard]:
    """Return the cards that can come in.

    These are the sideboard, and cards that were opened and are in no deck.
    """
    sideboard, pool = cards_of_zone(version.entries, SIDEBOARD), cards_of_zone(version.entries, POOL)
    if not pool:
        return sideboard
    in_deck = {card.key: card.qty for card in main_deck_cards(version)}
    reserve_counts = {card.key: card.qty - in_deck.get(card.key, 0) for card in pool}
    at_hand = {card.key: card.qty for card in sideboard} | reserve_counts
    both = {card.key: card for card in (*pool, *sideboard)}
    return [replace(both[key], qty=qty) for key, qty in at_hand.items() if qty > 0]


def cards_of_zone(entries: Iterable[EntryRecord], zone: str) -> list[ZoneCard]:
    """Return the cards of one part of a list, each once, in the order of the list."""
    cards_by_key: dict[str, ZoneCard] = {}
    for entry in entries:
        if entry["zone"] == zone and entry["qty"]:
            key = entry["card"] or f"?{normalize_name(entry['name'])}"
            before = cards_by_key[key].qty if key in cards_by_key else 0
            cards_by_key[key] = ZoneCard(key, entry["card"], entry["name"], before + entry["qty"])
    return list(cards_by_key.values())


def disambiguate_names(game: str, cards: Sequence[ZoneCard]) -> list[ZoneCard]:
    """Return the same cards for people to read.

    Those that share a name have set and number. Two queries.
    """
    namesake_places = find_namesakes(game)
    return [
        replace(card, name=disambiguate_name({"card": card.card, "name": card.name}, namesake_places))
        for card in cards
    ]


def read_card_lines(
    version: DeckVersion, text: str, *, field: str, among: Sequence[ZoneCard]
) -> list[MovedCard]:
    """Read typed lines ("2 Ken ●●") as cards.

    A name that fits one card of the list's part is that card. Raises Refused, with every line that cannot be
    read or fits several cards.
    """
    catalogue = get_version_catalogue(version)
    parsed_deck = parse(text)
    problems = [
        Refused("card_unclear.question", field=field, line=line.number, why=line.question.reason)
        for line in parsed_deck.questions
        if line.question
    ]
    moved_cards = [
        _read_moved_card(line, catalogue, among, problems, field)
        for line in parsed_deck.lines
        if _is_content(line)
    ]
    refuse_all(problems)
    return [each for each in moved_cards if each]


def _is_content(line: DeckLine) -> bool:
    return line.kind in ("card", "problem")


def _read_moved_card(
    line: DeckLine, catalogue: LoadedCatalogue, among: Sequence[ZoneCard], problems: list[Refused], field: str
) -> MovedCard | None:
    if line.kind == "problem" and line.problem:
        refusal = Refused.of(line.problem.reason, field=field)
        problems.append(refusal.at_place(reason("line", line=line.number)))
        return None
    resolution = catalogue.index.resolve(line, SearchBudget(0))
    if resolution.card_key:
        card = catalogue.cards[resolution.card_key]
        return MovedCard(card.key, card.label, line.qty or 0)
    alike = [
        card_in_zone
        for card_in_zone in among
        if normalize_name(card_in_zone.name.rstrip("● ")) == normalize_name(line.name)
    ]
    if len(alike) == 1 and not line.dots:
        return MovedCard(alike[0].card, alike[0].name, line.qty or 0)
    card_names = [card_in_zone.name for card_in_zone in alike] or [
        each.label for each in resolution.suggestions
    ]
    written_name = line.text.strip()[:80]
    problems.append(
        Refused(
            "card_unclear", field=field, line=line.number, written=written_name, meant=tuple(card_names[:4])
        )
    )
    return None


def evaluate_exchange(
    version: DeckVersion,
    format: Format,
    *,
    taken_out: Iterable[MovedCard],
    brought_in: Iterable[MovedCard],
    game_in_round: int,
    first_round: bool | None = None,
) -> Exchange:
    """Return the verdict on the lists that come of an exchange.

    Raises Refused (no_exchange, not_in_main) if the game knows no exchange, or more copies would go out than
    the main deck holds.
    """
    if not allows_exchange(format):
        raise Refused("no_exchange", game=format.game.name)
    out, into = _merge_moves(taken_out), _merge_moves(brought_in)
    _refuse_absent(out, main_deck_cards(version))
    rows = _bring_in(_take_out(version.entries, out), into)
    presented_deck = build_version_deck(version, rows, format.lists)
    registered_deck = to_deck(version, format.lists)
    verdict = check_exchange(
        registered_deck, presented_deck, format, game_in_round=game_in_round, first_round=first_round
    )
    return Exchange(verdict, out, into, presented_deck.size(MAIN), presented_deck.size(SIDEBOARD))


def _merge_moves(moved_cards: Iterable[MovedCard]) -> tuple[MovedCard, ...]:
    moves_by_card: dict[str, MovedCard] = {}
    for each in moved_cards:
        key = each.card or normalize_name(each.name)
        moves_by_card[key] = MovedCard(
            each.card, each.name, each.qty + (moves_by_card[key].qty if key in moves_by_card else 0)
        )
    return tuple(each for each in moves_by_card.values() if each.qty > 0)


def _refuse_absent(out: Iterable[MovedCard], zone_cards: Sequence[ZoneCard]) -> None:
    there = {card.card or normalize_name(card.name): card.qty for card in zone_cards}
    lacking = [(each, there.get(each.card or normalize_name(each.name), 0)) for each in out]
    refuse_all(
        [
            Refused("not_in_main", field="out", qty=each.qty, name=each.name, number=number)
            for each, number in lacking
            if each.qty > number
        ]
    )


def _take_out(entries: Iterable[EntryRecord], out: Iterable[MovedCard]) -> list[EntryRecord]:
    """Return the entries with the cards that go out in the sideboard."""
    rows = [entry.copy() for entry in entries]
    for each in out:
        rows += _move_copies(rows, each, MAIN, SIDEBOARD)
    return rows


def _bring_in(rows: list[EntryRecord], into: Iterable[MovedCard]) -> list[EntryRecord]:
    """Return the entries with the cards that come in.

    A card that was in no sideboard is in the deck all the same.
    """
    for each in into:
        came = _move_copies(rows, each, SIDEBOARD, MAIN)
        new = each.qty - sum(row["qty"] or 0 for row in came)
        fresh: EntryRecord = {
            "zone": MAIN,
            "card": each.card,
            "printing": None,
            "name": each.name,
            "qty": new,
            "line": None,
        }
        rows += [*came, *([fresh] if new else [])]
    return [row for row in rows if row["qty"]]


def _move_copies(
    rows: Iterable[EntryRecord], each: MovedCard, zone: str, target_zone: str
) -> list[EntryRecord]:
    """Take copies out of the rows of a part; gives them back as rows of another."""
    open_count = each.qty
    moved_entries: list[EntryRecord] = []
    for row in rows:
        copies = row["qty"] or 0
        if row["zone"] == zone and open_count and _is_same_card(row, each):
            moved_copies = min(open_count, copies)
            row["qty"], open_count = copies - moved_copies, open_count - moved_copies
            moved_entries.append({**row, "zone": target_zone, "qty": moved_copies})
    return moved_entries


def _is_same_card(row: EntryRecord, each: MovedCard) -> bool:
    return row["card"] == each.card if each.card else normalize_name(row["name"]) == normalize_name(each.name)
