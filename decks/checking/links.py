"""Links that open a list in the checker.

The list is part of the address, so nothing is stored.
"""

from __future__ import annotations

import binascii
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from urllib.parse import urlencode

from decks.importers.parsing import MAX_BYTES

# Servers and programs that pass links on cut longer ones.
LONGEST_LINK = 3_000


def write_link(format: str, text: str) -> str:
    """Return the query of the checker's address for a list under a format.

    Empty if it would be too long.
    """
    packed_text = urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")
    query = urlencode({"format": format, "list": packed_text})
    return query if len(query) <= LONGEST_LINK else ""


def read_list_of_link(packed_text: str) -> str:
    """Return the text of a list in a link; empty for a link that was cut or made up."""
    try:
        data = urlsafe_b64decode(packed_text + "=" * (-len(packed_text) % 4))
        unpacked_text = zlib.decompressobj().decompress(data, MAX_BYTES)
        return unpacked_text.decode()
    except (binascii.Error, zlib.error, ValueError):
        return ""
