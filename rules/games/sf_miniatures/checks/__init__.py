"""What only Street Fighter miniatures ask: the contents of a battle deck, and the registration of a match."""

from . import battle_deck, match

__all__ = ["battle_deck", "match"]
