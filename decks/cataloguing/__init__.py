"""From a catalogue file to stored cards: read, describe, compare, apply.

`files` turns bytes into records, `describe` a record into a card and a printing, `plan` compares them with
what is stored and says what is new, changed or in conflict. Only `decks.services.catalogue` writes.
"""
