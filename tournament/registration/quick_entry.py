"""Somebody who stands at the desk, written in one line."""

from __future__ import annotations

import re
from typing import Any

SEPARATORS = re.compile(r"[;\t|]")


def read_line(line: str) -> dict[str, Any]:
    """Name, e-mail, character and members of a line such as “Ann Lee; ann@example.org; Ken”.

    The address is known by its @ and members by the plus between them, wherever they stand; the first of the
    rest is the name. Commas part only where there is nothing else that does.

    >>> read_line("Ann Lee, ann@example.org")
    {'name': 'Ann Lee', 'email': 'ann@example.org', 'character': '', 'members': []}
    """
    parts = [part.strip() for part in SEPARATORS.split(line)]
    if len(parts) == 1:
        parts = [part.strip() for part in line.split(",")]
    email = next((part for part in parts if "@" in part), "")
    members = next((part for part in parts[1:] if "+" in part and part != email), "")
    plain = [part for part in parts if part not in ("", email, members)]
    return {
        "name": plain[0] if plain else "",
        "email": email,
        "character": "; ".join(plain[1:]),
        "members": [member.strip() for member in members.split("+") if member.strip()],
    }
