"""Addresses that are keys.

They are private links, invitations, and links to a new account or password. They are in no log, and browsers
do not send them along as the page that someone came from.
"""

from __future__ import annotations

import re

# The part before the key: in a path, or encoded in the query of another address.
_SLASH = r"(?:/|%2F)"
_DOORS = rf"(?:p|api{_SLASH}me|join|sign-up|password{_SLASH}[^/\s%]+)"
_KEY = r"[^/\s?&;%\"'<>\\\])]+"

PRIVATE_ADDRESS = re.compile(rf"({_SLASH}{_DOORS}{_SLASH}){_KEY}", re.IGNORECASE)

# The column of such a key, as PostgreSQL and Python name it in error messages.
_NAMED_KEY = re.compile(r"(\btoken\b['\"]?\)?\s*[=:]\s*\(?['\"]?)[\w-]{16,}", re.IGNORECASE)


def is_private(address: str) -> bool:
    """Return whether an address, with its query, has a key in it."""
    return PRIVATE_ADDRESS.search(address) is not None


def hide_keys(text: str) -> str:
    """Return the text without the keys of private addresses.

    >>> hide_keys("Not Found: /p/0123456789abcdefghij/list/")
    'Not Found: /p/***/list/'
    """
    return _NAMED_KEY.sub(r"\1***", PRIVATE_ADDRESS.sub(r"\1***", text))
