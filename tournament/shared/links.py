"""Base URL of this installation, and links as QR codes."""

from __future__ import annotations

from io import BytesIO

import segno
from django.conf import settings
from django.http import HttpRequest

from tournament.shared.page_fills import DotMatrix


def get_base_url(request: HttpRequest) -> str:
    """Return the address of this installation as https://host.

    It is the one that is set, else that of the request.
    """
    return settings.BASE_URL or f"{request.scheme}://{request.get_host()}"


def can_send_email() -> bool:
    """Return whether emails leave this machine."""
    return settings.EMAIL_BACKEND.rsplit(".", 2)[-2] in ("smtp", "locmem")


QR_MASK = 3


def make_qr_png(address: str) -> bytes:
    """Return an address as a QR code of one pixel per module.

    It is to be scaled up without smoothing. It is written in capitals, which need fewer modules: the path
    must be one that reads capitals.
    """
    buffer = BytesIO()
    _make_qr(address).save(buffer, kind="png", border=0)
    return buffer.getvalue()


def make_scaled_qr_png(address: str) -> bytes:
    """Return a QR code in capitals and small letters, large enough for a screen."""
    buffer = BytesIO()
    segno.make_qr(address, error="m", boost_error=False).save(buffer, kind="png", scale=6, border=2)
    return buffer.getvalue()


def make_qr_dots(address: str) -> DotMatrix:
    """Return the same picture as dots, for pages that are filled."""
    matrix = _make_qr(address).matrix
    side = len(matrix)
    spare = -side % 8
    white = (1 << side) - 1
    rows = (
        ((int("".join(map(str, row)), 2) ^ white) << spare).to_bytes((side + spare) // 8, "big")
        for row in matrix
    )
    return DotMatrix(side, b"".join(rows))


def _make_qr(address: str) -> segno.QRCode:
    return segno.make_qr(address.upper(), error="m", boost_error=False, mask=QR_MASK)
