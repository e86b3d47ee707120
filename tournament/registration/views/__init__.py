"""Pages of registration: for staff, for players and the public."""
