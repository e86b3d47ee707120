"""Judging: judge calls, rulings, deck checks, penalties."""
