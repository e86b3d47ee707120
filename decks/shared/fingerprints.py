"""Fingerprints of what someone saw, so that a step on other values is refused."""

from __future__ import annotations

from hashlib import sha256
from typing import Any


def make_fingerprint(value: Any) -> str:
    """Return a short mark that names exactly this value; any other has another mark.

    >>> make_fingerprint([1, 2]) == make_fingerprint([2, 1])
    False
    """
    return sha256(repr(value).encode("utf-8", "surrogatepass")).hexdigest()[:16]
