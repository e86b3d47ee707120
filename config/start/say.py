"""Print to terminals of any encoding, without buffering."""

from __future__ import annotations

import sys
from contextlib import suppress


def say(text: str) -> None:
    """Print `text`; letters that the terminal cannot show become question marks.

    Output that goes nowhere any more (a closed terminal, a full disk) ends nothing.
    """
    encoding = sys.stdout.encoding or "ascii"
    with suppress(OSError):
        sys.stdout.write(text.encode(encoding, errors="replace").decode(encoding) + "\n")
        sys.stdout.flush()
