"""Registration: players, teams, waiting list, check-in, drops, CSV import."""
