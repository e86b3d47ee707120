"""Documented responses that several APIs share."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiResponse

REFUSED = OpenApiResponse(description="Refused: every problem with code, sentence and fix.")
