"""Normalize card names for comparison and split off rank marks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping
from functools import lru_cache

_SAME = {"’": "'", "‘": "'", "`": "'", "´": "'", "“": '"', "”": '"'} | dict.fromkeys("‐‑–—−", "-")
# Soft hyphens, zero-width spaces and the like are pasted along from pages without being seen.
_UNSEEN = dict.fromkeys(map(chr, (0x00AD, 0x200B, 0x200D, 0xFEFF)))
_QUOTES = str.maketrans({**_SAME, **_UNSEEN})

# A colon represents two dots in lists that were typed without the round mark ("Ken::.").
_MARKS = {"●": 1, "•": 1, "·": 1, "∙": 1, ".": 1, "*": 1, ":": 2}
_MARKED = re.compile(r"^(\s*(?:(?:::|:?[●•·∙*])[●•·∙*:\s]*)?)(.*?)([●•·∙*.:\s]*)$", re.DOTALL)


@lru_cache(maxsize=65536)
def normalize_name(name: str) -> str:
    """Return the form of a name used for comparing.

    The form is NFKC, with straight quotes, single spaces and no case.
    """
    # Quotes first: NFKC takes an acute accent that represents one apart.
    text = unicodedata.normalize("NFKC", name.translate(_QUOTES))
    return " ".join(text.casefold().split())


def split_rank_marks(name: str) -> tuple[str, int | None]:
    """Return the name of a character without its rank marks.

    The number of dots that the marks represent is returned too. None if there are no marks. Marks may be
    before, after or on both sides ("●● Ken ●●", "Ken..", "Ken ::."): both sides say the same thing, so the
    larger side counts.
    """
    if name[:1].isalnum() and name[-1:].isalnum():
        return name, None  # as nearly all names of a catalogue are
    match = _MARKED.match(name)
    if match is None or not match[2]:
        return name.strip(), None
    dots = max(sum(_MARKS.get(mark, 0) for mark in side) for side in (match[1], match[3]))
    return match[2].strip(), dots or None


_ROUND_MARKS = re.compile("[●•]")


def move_rank_marks(
    record: Mapping[str, object], rank: str | None, ranked_types: Collection[str]
) -> Mapping[str, object]:
    """Return the record of a card with the rank marks of its name as a fact.

    The fact is the one that the marks represent. Of a card without a type, only round marks are read. Where
    name and fact contradict each other, neither tells the rank.
    """
    name, kind = record.get("name"), record.get("type")
    if rank is None or not isinstance(name, str):
        return record
    plain, dots = split_rank_marks(name)
    written_rank, is_round = record.get(rank), _ROUND_MARKS.search(name) is not None
    may_be_ranked = is_round if kind is None else str(kind).casefold() in ranked_types
    if dots is None or not may_be_ranked or (written_rank not in (None, dots, str(dots)) and not is_round):
        return record
    return {**record, "name": plain, rank: dots if written_rank in (None, dots, str(dots)) else None}
