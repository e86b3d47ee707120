"""Removes what surrounds a card name.

That is set and number, foil and price marks, and remarks.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from decks.importers.name_marks import get_name_marks

_CODE = (
    r"(?!\d+[xX]\b|[xX]\d+\b)"
    r"(?:[A-Za-z]{1,5}\d{1,4}[A-Za-z]{0,3}|\d[A-Za-z]{1,3}\d{0,2}|[A-Z]{2,6}|(?:19|20)\d\d)"
)

_LONG_CODE = rf"(?:{_CODE}|[A-Z][A-Z0-9]{{2,11}})"

"""In brackets and beside a number a longer word in capitals is a set as well: `(DARKPATH 70)`."""

NUMBER = r"(?![xX]\d)[A-Za-z]?\d{1,4}(?:[A-WYZa-wyz][A-Za-z]?)?"

_SIZE = r"(?:\s?/\s?(\d{2,4}))?"

_ANY_SIZE = r"(?:\s?/\s?(\d{1,4}))?"

"""Behind a set code in the same brackets even the smallest set has a size: `(2006 1/2)`."""

_EDITION = r"(?:(?<=[0-9A-Za-z])[~ ]([A-Za-z]{2,9}))?"

_VARIANTS = "starter|booster|promo|prerelease|premium"

_FINISHES = "foil|holo|etched|alternate art|alt art|alt|f|e"

_SET_AND_NUMBER = re.compile(rf"[\[(]\s*({_LONG_CODE})[\s/#:,-]+#?({NUMBER}){_ANY_SIZE}{_EDITION}\s*[\])]$")

_SET_THEN_NUMBER = re.compile(rf"[\[(]\s*({_LONG_CODE})\s*[\])]\s*#?({NUMBER}){_SIZE}$")

_SMALL_SET_THEN_NUMBER = re.compile(rf"[\[(]\s*([a-z]{{2,5}}\d{{0,2}})\s*[\])]\s+#?({NUMBER}){_SIZE}$")

_SET_ALONE = re.compile(rf"[\[(]\s*({_CODE})\s*[\])]$")

_NUMBER_ALONE = re.compile(rf"[\[(]\s*#?({NUMBER})\s?/\s?(\d{{2,4}})\s*[\])]$")

_BARE_TRAIL = re.compile(rf"(?<=\s)({_CODE})[-/ ]({NUMBER}){_SIZE}$")

_BARE_NUMBER = re.compile(rf"(?<=\s)#?({NUMBER})/(\d{{2,4}})$")

_HASH_NUMBER = re.compile(rf"(?<=\s)#({NUMBER})$")

_LEAD_BRACKET = re.compile(
    rf"^[\[(]\s*({_LONG_CODE})(?:[\s/#:,-]+#?({NUMBER}){_ANY_SIZE})?{_EDITION}\s*[\])]\s*"
)

_LEAD_BARE = re.compile(
    rf"^({_CODE})(?:-|/|\s?#|\s)({NUMBER}){_SIZE}(?:~([a-z]+)|\s([A-Z][a-z][A-Z]))?(?=\s|[:,]|$)(?:\s?[:,-](?=\s))?\s*"
)

_LEAD_NUMBER = re.compile(rf"^#?({NUMBER})/(\d{{2,4}})(?=\s|:|$)(?:\s?[:-](?=\s))?\s*")

_LEAD_HASH = re.compile(rf"^#({NUMBER})(?=\s|:|$)(?:\s?[:-](?=\s))?\s*")

_TAIL = 40

_PRICE = re.compile(
    r"\s*[@(\[]?\s*(?:[$€£¥]\s?\d+(?:[.,]\d+)?|\d+(?:[.,]\d+)?\s?(?:[€$£¥]|usd|eur|gbp|tix))\s*[)\]]?$",
    re.IGNORECASE,
)

_MARKED_VARIANT = re.compile(rf"\s*[\[(<*]\s*({_VARIANTS})\s*[\])>*]$", re.IGNORECASE)

_FINISH = re.compile(rf"\s*[\[(<*]\s*(?:{_FINISHES})\s*[\])>*]$", re.IGNORECASE)

_BARE_FINISH = re.compile(r"\s+foil$", re.IGNORECASE)

_CLOSING = frozenset(")]}")

_ATTACK_STATS = re.compile(r"\s+\d{1,2}[HML]\d{1,2}$")

_LABEL = re.compile(r"\s*\^[^^]*\^$")

_CATEGORY = re.compile(r"\s+\[[A-Z](?=[^\]]*[a-z])[A-Za-z ,{}'-]*\]$")

_HASHTAG = re.compile(r"\s+#!?[A-Za-z][\w-]*$")

_REMARK = re.compile(r"\s+(?:#|--|<-|<=|->)\s.*$")

_ANY_TAG = re.compile(r"[\[({#$€£¥^*<\d]|--|->|\bfoil$", re.IGNORECASE)

_ANY_PRICE = re.compile(r"[$€£¥]|(?:usd|eur|gbp|tix)[)\]]?$", re.IGNORECASE)

_STATS = re.compile(r"^(?:\d{1,2}|[xX])/\d{1,2}\s+(?=\S)")


@dataclass(slots=True)
class TaggedName:
    """A name from which tags are being removed.

    `wholes` are its stages before a tag that may be part of the name.
    """

    name: str
    set_code: str | None = None
    number: str | None = None
    variant: str | None = None
    ignored_marks: list[str] = field(default_factory=list)
    wholes: list[str] = field(default_factory=list)

    @property
    def tail(self) -> int:
        """Where tags are searched from: only the end, as lines may be hostile."""
        return max(0, len(self.name) - _TAIL)

    def place(self, code: str | None, number: str | None, size: str | None) -> None:
        """Store the set and number that a tag states.

        If one is stated twice, it is left in the name instead.
        """
        if code:
            self.set_code = code.upper()
        if number:
            self.number = f"{number}/{size}" if size else number

    def drop(self, pattern: re.Pattern[str], *, loose: bool, tail: int = _TAIL) -> bool:
        """Take a mark off that says nothing of the card, but remember it."""
        match = pattern.search(self.name, max(0, len(self.name) - tail))
        rest = (self.name[: match.start()] + self.name[match.end() :]).strip() if match else ""
        if not match or not rest:
            return False
        self.ignored_marks.append(match[0].strip())
        if loose:
            self.wholes.append(self.name)
        self.name = rest
        return True


def _cut_out(tagged_name: TaggedName, match: re.Match[str], *, loose: bool = False) -> None:
    if loose:
        tagged_name.wholes.append(tagged_name.name)
    tagged_name.name = (tagged_name.name[: match.start()] + " " + tagged_name.name[match.end() :]).strip()


def _bracketed_set_and_number(tagged_name: TaggedName) -> bool:
    match = _SET_AND_NUMBER.search(tagged_name.name, tagged_name.tail)
    if not match or tagged_name.set_code or tagged_name.number or not _is_code(match[1]):
        return False
    tagged_name.place(match[1], match[2], match[3])
    _keep_edition(tagged_name, match[4])
    _cut_out(tagged_name, match)
    return True


def _keep_edition(tagged_name: TaggedName, edition: str | None) -> None:
    if edition and edition.lower() in _VARIANTS.split("|") and not tagged_name.variant:
        tagged_name.variant = edition.lower()
    elif edition:
        tagged_name.number = f"{tagged_name.number} {edition}"


def _bracketed_set_then_number(tagged_name: TaggedName) -> bool:
    match = _SET_THEN_NUMBER.search(tagged_name.name, tagged_name.tail)
    if not match or tagged_name.set_code or tagged_name.number or not _is_code(match[1]):
        return False
    tagged_name.place(match[1], match[2], match[3])
    _cut_out(tagged_name, match)
    return True


def _small_set_then_number(tagged_name: TaggedName) -> bool:
    """Parse a small set code and a number: `Foo (sf01) 38`.

    Some tools write set codes in this way. The words may also be part of a name.
    """
    match = _SMALL_SET_THEN_NUMBER.search(tagged_name.name, tagged_name.tail)
    if (
        not match
        or tagged_name.set_code
        or tagged_name.number
        or not tagged_name.name[: match.start()].strip()
    ):
        return False
    tagged_name.place(match[1], match[2], match[3])
    _cut_out(tagged_name, match, loose=True)
    return True


def _bracketed_set(tagged_name: TaggedName) -> bool:
    match = _SET_ALONE.search(tagged_name.name, tagged_name.tail)
    if (
        not match
        or tagged_name.set_code
        or not _is_code(match[1])
        or not tagged_name.name[: match.start()].strip()
    ):
        return False
    tagged_name.place(match[1], None, None)
    _cut_out(tagged_name, match, loose=match[1].isalpha())
    return True


def _trailing_number(tagged_name: TaggedName) -> bool:
    match = _NUMBER_ALONE.search(tagged_name.name, tagged_name.tail) or _BARE_NUMBER.search(
        tagged_name.name, tagged_name.tail
    )
    if match and not tagged_name.number and int(match[2]) >= 20:
        tagged_name.place(None, match[1], match[2])
        _cut_out(tagged_name, match)
        return True
    hash_match = _HASH_NUMBER.search(tagged_name.name, tagged_name.tail)
    if not hash_match or tagged_name.number:
        return False
    tagged_name.place(None, hash_match[1], None)
    _cut_out(tagged_name, hash_match, loose=True)
    return True


def _trailing_bare(tagged_name: TaggedName) -> bool:
    match = _BARE_TRAIL.search(tagged_name.name, tagged_name.tail)
    if not match or tagged_name.set_code or tagged_name.number or not _is_code(match[1]):
        return False
    if not _is_telling(match[0], match[1]):
        return False
    tagged_name.place(match[1], match[2], match[3])
    _cut_out(tagged_name, match, loose=True)
    return True


def _variant(tagged_name: TaggedName) -> bool:
    match = _MARKED_VARIANT.search(tagged_name.name, tagged_name.tail)
    if not match or tagged_name.variant or not tagged_name.name[: match.start()].strip():
        return False
    tagged_name.variant = match[1].lower()
    _cut_out(tagged_name, match)
    return True


_PEELERS: tuple[Callable[[TaggedName], bool], ...] = (
    lambda tagged_name: (
        bool(_ANY_PRICE.search(tagged_name.name, tagged_name.tail)) and tagged_name.drop(_PRICE, loose=False)
    ),
    lambda tagged_name: tagged_name.drop(_LABEL, loose=False),
    lambda tagged_name: tagged_name.drop(_FINISH, loose=False),
    lambda tagged_name: tagged_name.drop(_BARE_FINISH, loose=True),
    _variant,
    _bracketed_set_and_number,
    _bracketed_set_then_number,
    _small_set_then_number,
    _trailing_bare,
    _trailing_number,
    lambda tagged_name: (
        "(" in tagged_name.name and tagged_name.drop(get_name_marks().symbols, loose=True, tail=200)
    ),
    lambda tagged_name: tagged_name.drop(_ATTACK_STATS, loose=True),
    lambda tagged_name: (
        tagged_name.name[-1:] in _CLOSING and tagged_name.drop(get_name_marks().types, loose=True)
    ),
    lambda tagged_name: tagged_name.drop(_CATEGORY, loose=True),
    lambda tagged_name: tagged_name.drop(_HASHTAG, loose=True),
    lambda tagged_name: tagged_name.drop(_REMARK, loose=True, tail=200),
)


def is_finish(words: str) -> bool:
    """Return whether a mark tells the finish of a copy (foil, etched …).

    The finish is not a fact of the card.
    """
    return words.strip(" ()[]<>*").lower() in _FINISHES.split("|")


def split_tags(text: str) -> TaggedName:
    """Split a name from the tags around it.

    Tags that are no fact of the card are kept in `ignored_marks`.
    """
    tagged_name = TaggedName(text)
    if piped_parts := split_piped(text):
        tagged_name.name, tagged_name.ignored_marks, tagged_name.wholes = (
            piped_parts.name,
            list(piped_parts.ignored_marks),
            [text],
        )
        tagged_name.place(piped_parts.code, piped_parts.number, None)
    if not _ANY_TAG.search(tagged_name.name):
        return tagged_name
    _peel(tagged_name)
    _leading_tags(tagged_name)
    if _bracketed_set(tagged_name):
        _peel(tagged_name)
    return tagged_name


def _peel(tagged_name: TaggedName) -> None:
    for _ in range(5):
        if not any(peel(tagged_name) for peel in _PEELERS):
            break


def loose_set_and_number(text: str) -> tuple[str, str, str] | None:
    """Return name, code and number from `PA 1 Gabe` or `Gabe PA 1`.

    Only capitals may be a set code here.
    """
    if match := _LEAD_BARE.match(text):
        name = text[match.end() :].strip()
    elif match := _BARE_TRAIL.search(text, max(0, len(text) - _TAIL)):
        name = text[: match.start()].strip()
    if not match or not name or not match[1].isupper():
        return None
    return name, match[1], f"{match[2]}/{match[3]}" if match[3] else match[2]


def is_set_and_number(text: str) -> bool:
    """Return whether a text is just set and number: `SF01 38`, `[SF01] 38`."""
    if (bracket_match := _SET_THEN_NUMBER.fullmatch(text)) and _is_code(bracket_match[1]):
        return True
    match = _LEAD_BARE.fullmatch(text)
    return bool(match and _is_code(match[1]) and _is_telling(match[0], match[1]))


def _leading_tags(tagged_name: TaggedName) -> None:
    tagged_name.drop(_STATS, loose=True, tail=200)
    if tagged_name.set_code is None or tagged_name.number is None:
        _ = _leading_bracket(tagged_name) or _leading_bare(tagged_name) or _leading_number(tagged_name)


def _leading_bracket(tagged_name: TaggedName) -> bool:
    match = _LEAD_BRACKET.match(tagged_name.name)
    if not match or tagged_name.set_code or (tagged_name.number and match[2]) or not _is_code(match[1]):
        return False
    tagged_name.place(match[1], match[2], match[3])
    _keep_edition(tagged_name, match[4])
    _cut_out(tagged_name, match)
    return True


def _leading_bare(tagged_name: TaggedName) -> bool:
    match = _LEAD_BARE.match(tagged_name.name)
    if not match or tagged_name.set_code or tagged_name.number or not _is_code(match[1]):
        return False
    if not _is_telling(match[0], match[1]):
        return False
    tagged_name.place(match[1], match[2], match[3])
    _keep_edition(tagged_name, match[4] or match[5])
    _cut_out(tagged_name, match, loose=True)
    return True


def _leading_number(tagged_name: TaggedName) -> bool:
    match = _LEAD_NUMBER.match(tagged_name.name) or _LEAD_HASH.match(tagged_name.name)
    if not match or tagged_name.number:
        return False
    tagged_name.place(None, match[1], match[2] if match.re is _LEAD_NUMBER else None)
    _cut_out(tagged_name, match, loose=True)
    return True


def _is_code(code: str) -> bool:
    """Return whether a word is a set code: in capitals, or with a digit.

    A plain word in brackets is part of a name.
    """
    return code.isupper() or any(map(str.isdigit, code))


def _is_telling(tag: str, code: str) -> bool:
    """Return whether a set code and number are clear enough without brackets.

    The code must have letters and a digit, or there is a hyphen or slash before its number.
    """
    is_mixed = not code.isalpha() and not code.isdigit()
    return is_mixed or "-" in tag.strip(" -") or "/" in tag.split(" ")[0]


_PIPED = re.compile(
    r"(?P<name>[^|]*[^|+\s])\s?(?P<foil>\+)?\s?\|\s?(?P<code>[A-Za-z0-9]{2,12})"
    r"(?:\s?\|\s?(?:\[(?P<number>\w{1,8})\]|(?P<picture>\d{1,3})))?\s?"
)


@dataclass(frozen=True, slots=True)
class PipedCard:
    """A name with bars; `ignored_marks` (picture, foil) are no facts of the card."""

    name: str
    code: str
    number: str | None
    ignored_marks: tuple[str, ...]


def split_piped(text: str) -> PipedCard | None:
    """Return the parts of a name with bars; None if these are for something else."""
    match = _PIPED.fullmatch(text) if "|" in text else None
    if match is None:
        return None
    marks = ("foil" if match["foil"] else "", f"|{match['picture']}" if match["picture"] else "")
    return PipedCard(match["name"].strip(), match["code"], match["number"], tuple(filter(None, marks)))
