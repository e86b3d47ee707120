"""Street Fighter: The Miniatures Game.

Contains battle decks, the registration of a match, its rounds and its data.
"""
