"""Texts inside sentences of languages that are read from right to left."""

from __future__ import annotations

RIGHT_TO_LEFT = frozenset({"ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"})
FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"


def isolate(text: str, language: str) -> str:
    """Isolate a name or score from the direction of the text around it.

    2-1 stays 2-1 in Arabic.
    """
    is_right_to_left = language.partition("-")[0] in RIGHT_TO_LEFT
    return f"{FIRST_STRONG_ISOLATE}{text}{POP_ISOLATE}" if is_right_to_left and text else text
