"""What a slip leaves room for when time is called, by game: the figures that its rule compares.

A game without an entry gets the line that every match needs. The clauses are those of the games' own
procedures in `rules`; the words are ours.
"""

from __future__ import annotations

ANY = ("Time was called: ____   won in the last turn: ______________",)
SWISS = {
    "highlander": (
        "Time was called in the turn of: ______________",
        "End Game, ability left:  1st ______   2nd ______",
    ),
    "cfc": ("Time was called: ____   HP, if announced:  1st ______   2nd ______",),
    "sf_miniatures": (
        "Time Out agreed: yes / no    health:  1st _____   2nd _____",
        "meter:  1st _____   2nd _____    drawn rounds: ____",
    ),
}
ELIMINATION = {
    **SWISS,
    "ufs": (
        "Time, level:  vitality start/now  1st ____/____   2nd ____/____",
        "cards removed  1st ____   2nd ____    First Blood: ________",
    ),
}


def slip_lines(game: str, *, is_elimination: bool) -> tuple[str, ...]:
    """The lines of a slip for a match of Swiss rounds or of a bracket (UFS 102.3.1; Highlander l.2050)."""
    return (ELIMINATION if is_elimination else SWISS).get(game, ANY)
