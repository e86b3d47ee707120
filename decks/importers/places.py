"""Set and number beside a name in words of any kind.

Also reads the facts of a printing in braces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from decks.importers.names import clean
from decks.importers.tags import NUMBER

_LONGEST = 120
"""Characters of a line with a card; in longer ones the search would only cost time."""

_CODE = r"(?=[^\[\]()]*[^\W\d_])(?P<code>[^\[\](){}|]{2,40}?)"
_LEFT, _RIGHT = r"[\[(]\s*", r"\s*[\])]"
_NUMBER = rf"#?(?P<number>{NUMBER}(?:\s?/\s?\d{{1,4}})?)"
_BEHIND = re.compile(rf"^(?P<name>.*\S)\s*{_LEFT}{_CODE}[\s/#:,-]+{_NUMBER}{_RIGHT}$")
_NUMBER_LAST = re.compile(rf"^(?P<name>.*\S)\s*{_LEFT}{_CODE}{_RIGHT}\s*{_NUMBER}$")
_BEFORE = re.compile(rf"^{_LEFT}{_CODE}[\s/#:,-]+{_NUMBER}{_RIGHT}\s*(?P<name>\S.*)$")
_SET_BEFORE = re.compile(rf"^{_LEFT}{_CODE}{_RIGHT}\s*(?P<name>\S.*)(?P<number>)$")
_SET_BEHIND = re.compile(rf"^(?P<name>.*\S)\s*{_LEFT}{_CODE}{_RIGHT}(?P<number>)$")
_LEADING = re.compile(r"^[\[(](?!\s*[xX×]?\s?\d+\s?[xX×]?\s*[\])])[^\[\]()]{1,40}[\])]\s*[:,-]?\s*")
_FACT = r"(?:set|number|variant|key): [^{};]{1,200}"
_BRACES = re.compile(rf"^(.*?)\s*\{{({_FACT}(?:; {_FACT})*)\}}$")


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A name, and the set and number that words in brackets beside it may mean."""

    name: str
    code: str
    number: str | None


def find_places(text: str) -> Iterator[NamedPlace]:
    """Yield the ways in which brackets of a line may name the set.

    Examples: `Dark Hado (darkpath 70)`, `[Core Set] Nina`.
    """
    if len(text) <= _LONGEST and ("(" in text or "[" in text):
        for pattern in (_BEHIND, _NUMBER_LAST, _BEFORE, _SET_BEFORE, _SET_BEHIND):
            if match := pattern.match(text):
                number = "".join(match["number"].split()) or None
                yield NamedPlace(match["name"].strip(), match["code"].strip().upper(), number)


def split_leading_bracket(text: str) -> tuple[str, str]:
    """Split leading brackets without a count from the words after them.

    Example: `[SF01 112] 4 Foo`.
    """
    match = _LEADING.match(text)
    return (match[0].strip(" :,-"), text[match.end() :]) if match else ("", text)


def split_facts(text: str) -> tuple[str, Mapping[str, str]]:
    """Split the facts in braces off the end of a line.

    Example: `Hound {set: Core Set; key: hound-2}`.
    """
    match = _BRACES.match(text) if text.endswith("}") else None
    if match is None:
        return text, {}
    facts = [part.partition(": ") for part in match[2].split("; ")]
    return match[1], {name: clean(value) for name, _, value in facts}


def join_facts(**facts: str | None) -> str:
    """Return the braces that `split_facts` reads; empty for no facts."""
    stated_facts = "; ".join(f"{name}: {value}" for name, value in facts.items() if value)
    return f"{{{stated_facts}}}" if stated_facts else ""
