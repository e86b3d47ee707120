"""Readers of catalogue files, one module a kind: text or bytes in, records and problems out.

Nothing is made of a record here: `rules.catalogue` turns records into facts for the rules,
`decks.cataloguing` into cards and printings.
"""
