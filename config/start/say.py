"""One line on the terminal at a time, at once, whatever letters the terminal can show."""

from __future__ import annotations

import sys


def say(words: str) -> None:
    """Print `words`; letters that the terminal cannot show become question marks."""
    encoding = sys.stdout.encoding or "ascii"
    sys.stdout.write(words.encode(encoding, errors="replace").decode(encoding) + "\n")
    sys.stdout.flush()
