"""Names of tiebreakers: our own by a key, put into words where they are shown."""

from __future__ import annotations

from functools import cache

from rules.reason import Reason

LABELS = (
    "pts", "bh", "bh-c1", "bh-c2", "mbh", "mbh-1", "mbh-2", "sb", "sb-c1", "koya", "sos", "sosos", "msos",
    "esos", "ps", "h2h", "net", "total", "wins", "win-count", "played", "won", "games", "met", "mw", "omw",
    "gw", "ogw", "fbh", "fsb", "order", "lot", "scores", "opponents-sos", "sodos", "strength",
    "oomw", "owp", "oowp", "lrs", "ctb", "pml", "oml", "octb",
    "bp", "bw", "obp", "obw",
)  # fmt: skip


def name_label(label: str) -> Reason:
    """Return the name under a key."""
    return Reason(f"tiebreaker.{label}")


@cache
def _labels_by_name(language: str) -> dict[str, str]:
    return {_say(name_label(label), language): label for label in LABELS}


def _say(name: Reason, language: str) -> str:
    # Messages load slowly, and the shipped systems have labels.
    from tournament.engine.wording import format_words

    return format_words("reason", name, language)


def find_own_title(title: object) -> str:
    """Return what an organizer calls a system.

    Empty if that is our title, in their language or English.
    """
    if not title:
        return ""
    titles = [_say(Reason("system.own"), language) for language in _languages()]
    return "" if title in titles else str(title)


def find_label(name: object) -> str:
    """Return the key of a built-in name, in the reader's language or English.

    Empty for a name that someone made up.
    """
    labels = (_labels_by_name(language).get(str(name), "") for language in _languages())
    return next(filter(None, labels), "")


def _languages() -> tuple[str, str]:
    from rules.rendering import get_language
    from rules.wording import SOURCE_LANGUAGE

    return get_language(), SOURCE_LANGUAGE
