"""Exact values in JSON."""

from __future__ import annotations

from tournament.engine.records import Score

DIGITS = 12


def to_json_number(value: Score) -> int | str:
    """Return an exact value for JSON: a whole number as it is, a fraction as text."""
    return value.numerator if value.denominator == 1 else str(value)


def to_decimal(value: Score) -> str:
    """Return a value as a decimal of at most twelve places.

    Halves are rounded up. There are no trailing zeros.
    """
    if isinstance(value, int):
        return str(value)
    scale: int = 10**DIGITS
    top, bottom = abs(value.numerator) * scale, value.denominator
    whole, part = divmod((2 * top + bottom) // (2 * bottom), scale)
    return f"{'-' if value < 0 else ''}{whole}.{part:0{DIGITS}}".rstrip("0").rstrip(".")
