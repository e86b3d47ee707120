"""From a catalogue file to stored cards: read, describe, compare, apply.

`files` reads a file through `rules.catalogues`, `describe` turns a record into a card and a printing, `plan`
compares them with what is stored and says what is new, changed or in conflict. Only the services write.
"""
