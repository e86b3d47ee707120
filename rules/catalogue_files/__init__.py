"""Parsers for catalogue files, one module per file type.

Nothing is made of a record here: `rules.catalogue` turns records into facts for the rules,
`decks.catalogue` into cards and printings.
"""
