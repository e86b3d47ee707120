"""One line that names a card: quantity, name, rank dots, set and number, and how else it might be meant."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from decks.importers.model import Problem, Reading
from decks.importers.names import clean, split_dots
from decks.importers.quantity import Counted, assumed_one, read_quantity, split_quantity
from decks.importers.tags import Tagged, is_set_and_number, loose_set_and_number, split_tags

_QUOTED = re.compile(r'^"((?:[^"]|"")+)"(?:\s+(.*))?$')
_ATTACHED_DIGIT = re.compile(r"^(.*[^\W\d_])\s?([1-6])$")
_LETTER_X = re.compile(r"^\d+ ([xX] .+)$")
_PLAIN_COUNT = re.compile(r"^\d+ ")


@dataclass(slots=True)
class Phrase:
    """What a card phrase says. `qty` is a Problem where the quantity is wrong."""

    qty: int | Problem
    name: str
    written: str
    dots: int | None = None
    set_code: str | None = None
    number: str | None = None
    variant: str | None = None
    ignored: tuple[str, ...] = ()
    alternatives: list[Reading] = field(default_factory=list)
    notices: list[Problem] = field(default_factory=list)


def read_phrase(text: str, number: int | None) -> Phrase:
    """Read a cleaned line that is neither heading nor comment; `number` is its source line, for problems."""
    counted = Counted("", text, "missing") if is_set_and_number(text) else split_quantity(text)
    if counted.place == "missing":
        phrase = read_name(text, 1)
        phrase.notices.append(assumed_one(phrase.written, number))
        return phrase
    qty = read_quantity(counted.written, number)
    phrase = read_name(counted.rest, qty if isinstance(qty, int) else 1)
    phrase.qty = qty
    _other_meanings_of_the_number(phrase, counted, text)
    return phrase


def read_name(text: str, qty: int) -> Phrase:
    """Read the part of a line that names a card, its quantity being known already."""
    if quoted := _QUOTED.match(text):
        return _literal(quoted[1].replace('""', '"'), quoted[2] or "", qty, text)
    tagged = split_tags(text)
    ranked = split_dots(tagged.name)
    phrase = Phrase(qty, ranked.name, text, ranked.dots)
    _adopt(phrase, tagged)
    for whole in tagged.wholes:
        phrase.alternatives.append(Reading(whole, qty, why=f"'{whole}' as the whole name"))
    if not ranked.clear:
        phrase.notices.append(_unclear_dots(tagged.name))
    if ranked.soft:
        phrase.alternatives.append(_same_place(phrase, tagged.name, None, "full stops as part of the name"))
    if ranked.before_only and ranked.dots == 1:
        phrase.alternatives.append(_same_place(phrase, ranked.name, None, "the sign before it as a bullet"))
        phrase.notices.append(_dot_or_bullet(tagged.name))
    _digit_as_dots(phrase)
    _loose_set(phrase, tagged)
    _remark_behind(phrase)
    return phrase


def _literal(name: str, after: str, qty: int, written: str) -> Phrase:
    """A name in quotation marks is the name, whatever it looks like; marks and tags may follow it."""
    tagged = split_tags(f"Name {clean(after)}".strip())
    ranked = split_dots(tagged.name)
    if ranked.name != "Name":
        return Phrase(qty, written, written)
    phrase = Phrase(qty, clean(name), written, ranked.dots)
    _adopt(phrase, tagged)
    return phrase


def _adopt(phrase: Phrase, tagged: Tagged) -> None:
    phrase.set_code, phrase.number, phrase.variant = tagged.set_code, tagged.number, tagged.variant
    phrase.ignored = tuple(tagged.ignored)


def _same_place(phrase: Phrase, name: str, dots: int | None, why: str) -> Reading:
    qty = phrase.qty if isinstance(phrase.qty, int) else 1
    return Reading(name, qty, dots, phrase.set_code, phrase.number, why)


def _digit_as_dots(phrase: Phrase) -> None:
    """`Ken2` and `Ken 2` may mean two dots."""
    found = _ATTACHED_DIGIT.match(phrase.name) if phrase.dots is None else None
    if found:
        why = f"{found[2]} read as rank dots"
        phrase.alternatives.append(_same_place(phrase, found[1].rstrip(), int(found[2]), why))


def _remark_behind(phrase: Phrase) -> None:
    """`Foo // best card`: two slashes part the halves of a split card, or a name from a remark."""
    name, slashes, remark = phrase.name.rpartition(" // ")
    if slashes and name.strip():
        why = f"'{remark.strip()[:60]}' as a remark"
        phrase.alternatives.append(_same_place(phrase, name.strip(), phrase.dots, why))


def _loose_set(phrase: Phrase, tagged: Tagged) -> None:
    """`PA 1 Gabe` may name set and number."""
    found = None if tagged.set_code or tagged.number else loose_set_and_number(tagged.name)
    if found:
        name, code, number = found
        ranked = split_dots(name)
        qty = phrase.qty if isinstance(phrase.qty, int) else 1
        why = f"{code} {number} as set and number"
        phrase.alternatives.append(Reading(ranked.name, qty, ranked.dots, code, number, why))


def _other_meanings_of_the_number(phrase: Phrase, counted: Counted, text: str) -> None:
    if counted.place == "marked":
        before = split_quantity(counted.rest)
        qty = read_quantity(before.written, None) if before.place == "leading" else None
        if isinstance(qty, int):
            phrase.alternatives.append(Reading(before.rest, qty, why="the number before it as the quantity"))
        return
    if counted.place == "leading":
        if lettered := _LETTER_X.match(text):
            qty = phrase.qty if isinstance(phrase.qty, int) else 1
            phrase.alternatives.append(Reading(lettered[1], qty, why="the X as part of the name"))
        if _PLAIN_COUNT.match(text):
            phrase.alternatives.append(Reading(text, 1, why="the number as part of the name"))
        return
    dots = int(counted.written) if counted.written in {"1", "2", "3", "4", "5", "6"} else None
    if counted.place == "bare":
        phrase.alternatives.append(Reading(text, 1, why="the number as part of the name"))
    if dots and phrase.dots is None and (counted.place == "bare" or text.endswith((")", "]"))):
        phrase.alternatives.append(
            Reading(phrase.name, 1, dots, phrase.set_code, phrase.number, "the number as dots")
        )


def _unclear_dots(name: str) -> Problem:
    sentence = f"The dots before and after '{name}' differ, so they were not read as a rank; write them once."
    return Problem("dots_unclear", sentence, None, "notice")


def _dot_or_bullet(name: str) -> Problem:
    sentence = f"The sign before '{name}' was read as a rank dot; write rank dots behind the name to be sure."
    return Problem("dot_or_bullet", sentence, None, "notice")
