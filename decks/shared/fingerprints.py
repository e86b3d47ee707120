"""Fingerprints of what someone saw, so that a step on other values is refused."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any

_DIGITS = 16

_FINGERPRINT = re.compile(rf"[0-9a-f]{{{_DIGITS}}}", re.ASCII)


def make_fingerprint(value: Any) -> str:
    """Return a short mark that names exactly this value; any other has another mark.

    >>> make_fingerprint([1, 2]) == make_fingerprint([2, 1])
    False
    """
    return sha256(repr(value).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def is_fingerprint(text: str) -> bool:
    """Return whether a text can be a mark that a page showed."""
    return _FINGERPRINT.fullmatch(text) is not None
