"""QR codes that are quick to make and quick to print: capital letters, no boost, one pixel a module."""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO

import segno

MASK = 3


def code_png(address: str) -> bytes:
    """An address as a picture of one pixel a module, to be scaled up without smoothing.

    It is written in capitals, which need fewer modules: the path must be one that reads capitals.
    """
    made = BytesIO()
    segno.make_qr(address.upper(), error="m", boost_error=False, mask=MASK).save(made, kind="png", border=0)
    return made.getvalue()


def code_data(address: str) -> str:
    """The same picture as an address that holds it, for a PDF."""
    return f"data:image/png;base64,{b64encode(code_png(address)).decode()}"
