"""Who is where: the cross table, systems, their tiebreakers, and the arithmetic behind each value."""
