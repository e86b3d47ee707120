"""Translations: catalogues, and a language that no one speaks.

Tests cover what every page says in it.
"""
