"""Print to terminals of any encoding, without buffering."""

from __future__ import annotations

import sys


def say(text: str) -> None:
    """Print `text`; letters that the terminal cannot show become question marks."""
    encoding = sys.stdout.encoding or "ascii"
    sys.stdout.write(text.encode(encoding, errors="replace").decode(encoding) + "\n")
    sys.stdout.flush()
