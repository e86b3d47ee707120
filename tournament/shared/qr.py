"""QR codes that are quick to make and quick to print: capital letters, no boost, one pixel a module."""

from __future__ import annotations

from io import BytesIO

import segno

from tournament.shared.print_words import Dots

MASK = 3


def code_png(address: str) -> bytes:
    """An address as a picture of one pixel a module, to be scaled up without smoothing.

    It is written in capitals, which need fewer modules: the path must be one that reads capitals.
    """
    made = BytesIO()
    _code(address).save(made, kind="png", border=0)
    return made.getvalue()


def code_dots(address: str) -> Dots:
    """The same picture as dots, for pages that are filled."""
    matrix = _code(address).matrix
    side = len(matrix)
    spare = -side % 8
    white = (1 << side) - 1
    rows = (
        ((int("".join(map(str, row)), 2) ^ white) << spare).to_bytes((side + spare) // 8, "big")
        for row in matrix
    )
    return Dots(side, b"".join(rows))


def _code(address: str) -> segno.QRCode:
    return segno.make_qr(address.upper(), error="m", boost_error=False, mask=MASK)
