"""What judges write: deck checks, penalties, calls of players, rulings at tables."""
