"""Formats of dates and numbers: one folder for each language that differs from Django's defaults."""
