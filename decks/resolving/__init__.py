"""From a line of a deck file to a card of the catalogue: matching, questions, suggestions, search."""
