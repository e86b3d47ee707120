"""An exchange with the sideboard, as it is presented for a game, held against the registered list.

Cards that go out and come in are told from the list as it was registered, not from the game before: that is
how the documents count (UFS 101.4, 101.5).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from decks.catalogue.selectors.catalogue import Catalogue, catalogue
from decks.catalogue.selectors.namesakes import namesakes, told_apart
from decks.importers.model import Line
from decks.importers.parsing import parse
from decks.shared.refusals import Refused, refuse_all
from decks.submissions.models import DeckVersion
from decks.submissions.selectors.lists import as_deck, deck_from
from rules import Format, Verdict, check_exchange
from rules.names import normal

MAIN, SIDEBOARD, POOL = "main", "sideboard", "pool"


@dataclass(frozen=True, slots=True)
class Moved:
    """So many copies of a card that change places; `card` is None for one that no catalogue holds."""

    card: str | None
    name: str
    qty: int

    def to_json(self) -> dict[str, Any]:
        return {"card": self.card, "name": self.name, "qty": self.qty}


class Held(NamedTuple):
    """A card of one part of a list; `key` tells it apart there."""

    key: str
    card: str | None
    name: str
    qty: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """A judged exchange."""

    verdict: Verdict
    taken_out: tuple[Moved, ...]
    brought_in: tuple[Moved, ...]
    main: int
    sideboard: int


def allows_exchange(format: Format) -> bool:
    """Whether the game knows a sideboard, and so cards that change places between games."""
    return SIDEBOARD in format.game.zones


def main_deck(version: DeckVersion) -> list[Held]:
    """The cards that can go out."""
    return cards_in(version.entries, MAIN)


def reserve(version: DeckVersion) -> list[Held]:
    """The cards that can come in: the sideboard, and what else was opened and lies in no deck."""
    sideboard, pool = cards_in(version.entries, SIDEBOARD), cards_in(version.entries, POOL)
    if not pool:
        return sideboard
    in_deck = {card.key: card.qty for card in main_deck(version)}
    left = {card.key: card.qty - in_deck.get(card.key, 0) for card in pool}
    at_hand = {card.key: card.qty for card in sideboard} | left
    both = {card.key: card for card in (*pool, *sideboard)}
    return [both[key]._replace(qty=qty) for key, qty in at_hand.items() if qty > 0]


def cards_in(entries: Iterable[Mapping[str, Any]], zone: str) -> list[Held]:
    """The cards of one part of a list, each once, in the order of the list."""
    held: dict[str, Held] = {}
    for entry in entries:
        if entry["zone"] == zone and entry["qty"]:
            key = entry["card"] or f"?{normal(entry['name'])}"
            before = held[key].qty if key in held else 0
            held[key] = Held(key, entry["card"], entry["name"], before + entry["qty"])
    return list(held.values())


def told_apart_in(game: str, cards: Sequence[Held]) -> list[Held]:
    """The same cards for people to read: those that share a name bear set and number. Two queries."""
    shared = namesakes(game)
    return [card._replace(name=told_apart({"card": card.card, "name": card.name}, shared)) for card in cards]


def read_lines(version: DeckVersion, text: str, *, field: str, among: Sequence[Held]) -> list[Moved]:
    """Typed lines ("2 Ken ●●") as cards. A name that fits one card of the list's part is that card.

    Raises Refused, with every line that cannot be read or fits several cards.
    """
    known = catalogue(version.deck_list.game)
    problems: list[Refused] = []
    moved = [_moved(line, known, among, problems, field) for line in parse(text).lines if _says(line)]
    refuse_all(problems)
    return [each for each in moved if each]


def _says(line: Line) -> bool:
    return line.kind in ("card", "problem")


def _moved(
    line: Line, known: Catalogue, among: Sequence[Held], problems: list[Refused], field: str
) -> Moved | None:
    if line.kind == "problem" and line.problem:
        problems.append(
            Refused(line.problem.code, f"Line {line.number}: {line.problem.sentence}", field=field)
        )
        return None
    found = known.index.resolve(line)
    if found.card_key:
        card = known.cards[found.card_key]
        return Moved(card.key, card.label, line.qty or 0)
    alike = [held for held in among if normal(held.name.rstrip("● ")) == normal(line.name)]
    if len(alike) == 1 and not line.dots:
        return Moved(alike[0].card, alike[0].name, line.qty or 0)
    sentence = f"Line {line.number}: it is not clear which card “{line.text.strip()[:80]}” is."
    meant = [held.name for held in alike] or [each.label for each in found.suggestions]
    fix = f"Write {' or '.join(meant[:4])}." if meant else "Write its name as it stands in the list."
    problems.append(Refused("card_unclear", sentence, fix=fix, field=field))
    return None


def judge_exchange(
    version: DeckVersion,
    format: Format,
    *,
    taken_out: Iterable[Moved],
    brought_in: Iterable[Moved],
    game_in_round: int,
    first_round: bool | None = None,
) -> Exchange:
    """The verdict on the lists that come of an exchange.

    Raises Refused (no_exchange, not_in_main) where the game knows no exchange, or more copies would go out
    than the main deck holds.
    """
    if not allows_exchange(format):
        sentence = f"The rules of {format.game.name} know no sideboard, and so no exchange between games."
        raise Refused("no_exchange", sentence)
    out, into = _joined(taken_out), _joined(brought_in)
    _refuse_absent(out, main_deck(version))
    rows = _brought_in(_taken_out(version.entries, out), into)
    presented = deck_from(version, rows)
    verdict = check_exchange(
        as_deck(version), presented, format, game_in_round=game_in_round, first_round=first_round
    )
    return Exchange(verdict, out, into, presented.size(MAIN), presented.size(SIDEBOARD))


def _joined(moved: Iterable[Moved]) -> tuple[Moved, ...]:
    joined: dict[str, Moved] = {}
    for each in moved:
        key = each.card or normal(each.name)
        joined[key] = Moved(each.card, each.name, each.qty + (joined[key].qty if key in joined else 0))
    return tuple(each for each in joined.values() if each.qty > 0)


def _refuse_absent(out: Iterable[Moved], held: Sequence[Held]) -> None:
    there = {card.card or normal(card.name): card.qty for card in held}
    lacking = [(each, there.get(each.card or normal(each.name), 0)) for each in out]
    refuse_all(
        [
            Refused(
                "not_in_main",
                f"{each.qty} {each.name} cannot go out: the registered main deck holds {number}.",
                fix="Count the cards against the list as it was registered.",
                field="out",
            )
            for each, number in lacking
            if each.qty > number
        ]
    )


Row = dict[str, Any]


def _taken_out(entries: Iterable[Mapping[str, Any]], out: Iterable[Moved]) -> list[Row]:
    """The entries with the cards that go out in the sideboard."""
    rows = [dict(entry) for entry in entries]
    for each in out:
        rows += _moved_between(rows, each, MAIN, SIDEBOARD)
    return rows


def _brought_in(rows: list[Row], into: Iterable[Moved]) -> list[Row]:
    """The entries with the cards that come in; one that lay in no sideboard is in the deck none the less."""
    for each in into:
        came = _moved_between(rows, each, SIDEBOARD, MAIN)
        new = each.qty - sum(row["qty"] for row in came)
        fresh = {
            "zone": MAIN,
            "card": each.card,
            "printing": None,
            "name": each.name,
            "qty": new,
            "line": None,
        }
        rows += [*came, *([fresh] if new else [])]
    return [row for row in rows if row["qty"]]


def _moved_between(rows: Iterable[Row], each: Moved, zone: str, to: str) -> list[Row]:
    """Take copies out of the rows of a part; gives them back as rows of another."""
    left, moved = each.qty, []
    for row in rows:
        if row["zone"] == zone and left and _is(row, each):
            taken = min(left, row["qty"])
            row["qty"], left = row["qty"] - taken, left - taken
            moved.append({**row, "zone": to, "qty": taken})
    return moved


def _is(row: Mapping[str, Any], each: Moved) -> bool:
    return row["card"] == each.card if each.card else normal(row["name"]) == normal(each.name)
