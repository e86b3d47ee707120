"""Formats of dates and numbers.

There is one folder for each language that differs from Django's defaults.
"""
