"""Write players: entry, details, check-in, drops, duplicates, import, emails.

`coming` lets them in, `persons` keeps one registration a person, `teams` knows whose members they are,
`waiting` moves the waiting list up, `details` corrects, `checkin` says who is here, `leaving` who is not,
`late` lets players in while rounds run, `doubles` makes two registrations of one person one.
"""

from tournament.registration.services.attendance import (
    check_in,
    drop_no_shows,
    undo_check_in,
    undo_drop,
    undo_withdrawal,
    withdraw,
)
from tournament.registration.services.details import change_details, declare_character, mark_paid
from tournament.registration.services.duplicates import merge_players
from tournament.registration.services.entry import add_player, admit_player, register
from tournament.registration.services.validation import OPEN_PHASES
from tournament.results.services.drops import drop

__all__ = [
    "OPEN_PHASES",
    "add_player",
    "admit_player",
    "change_details",
    "check_in",
    "declare_character",
    "drop",
    "drop_no_shows",
    "mark_paid",
    "merge_players",
    "register",
    "undo_check_in",
    "undo_drop",
    "undo_withdrawal",
    "withdraw",
]
