"""Street Fighter: The Miniatures Game: battle decks, the registration of a match, its rounds and its data."""
