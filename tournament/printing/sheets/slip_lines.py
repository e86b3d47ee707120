"""What a slip leaves room for, by game: the figures that its rule compares at time, and endings it asks for.

A game without an entry gets the line that every match needs. The clauses are those of the games' own
procedures in `rules`; the words are ours.
"""

from __future__ import annotations

ANY = ("Time was called: ____   won in the last turn: ______________",)
SWISS = {
    "highlander": (
        "Time, turn of: ________   Head shot: 1st / 2nd   Conceded, accepted: __",
        "End Game: 1st ____  2nd ____    Quickenings: ____  declined: ____",
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
    """The lines of a slip in Swiss rounds or in a bracket (UFS 102.3.1; Highlander l.2050, l.2056)."""
    return (ELIMINATION if is_elimination else SWISS).get(game, ANY)
