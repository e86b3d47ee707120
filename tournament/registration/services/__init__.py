"""Registration: players come, are checked in, change their details, and leave.

`coming` lets them in, `persons` keeps one registration a person, `teams` knows whose members they are,
`waiting` moves the waiting list up, `details` corrects, `checkin` says who is here, `leaving` who is not,
`late` lets players in while rounds run, `doubles` makes two registrations of one person one.
"""

from tournament.registration.services.arrival import check_in, drop_missing, undo_check_in
from tournament.registration.services.details import change_details, declare_character, mark_paid
from tournament.registration.services.entry import add_player, let_in, register
from tournament.registration.services.locked_row import OPEN_PHASES
from tournament.registration.services.merge import merge
from tournament.registration.services.withdrawal import restore, undo_drop, withdraw
from tournament.results.services.drops import drop

__all__ = [
    "OPEN_PHASES",
    "add_player",
    "change_details",
    "check_in",
    "declare_character",
    "drop",
    "drop_missing",
    "let_in",
    "mark_paid",
    "merge",
    "register",
    "restore",
    "undo_check_in",
    "undo_drop",
    "withdraw",
]
