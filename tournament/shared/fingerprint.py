"""Marks of what a page or an answer showed, so that a press on an old one is found out."""

from __future__ import annotations

import hashlib
from typing import Any


def mark_of(seen: Any) -> str:
    """A short mark that names exactly this value; any other has another mark.

    >>> mark_of([1, 2]) == mark_of([1, 2]), mark_of([1, 2]) == mark_of([2, 1])
    (True, False)
    """
    return hashlib.sha256(repr(seen).encode("utf-8", "surrogatepass")).hexdigest()[:16]
