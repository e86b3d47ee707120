"""Decklists of an event: submission, verdicts, open lists, exchanges, notices."""
