"""Write what judges do: deck checks, penalties, judge calls, rulings."""
