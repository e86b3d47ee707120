"""Translations: catalogues, a language that nobody speaks, and what every page says in it."""
