"""Translations: catalogues, a language that no one speaks, and what every page says in it."""
