"""The form in which a limited deck is chosen from its pool: a number beside each card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms

from decks.submissions.exchanges import Held, told_apart_in


@dataclass(frozen=True, slots=True)
class Pick:
    """A card with the field for how many of it are meant."""

    card: Held
    field: forms.BoundField


def count_field(card: Held, **values: Any) -> forms.IntegerField:
    """How many of a card: none to all of them."""
    attrs = {"class": "input pick-count", "inputmode": "numeric", "placeholder": "0"}
    return forms.IntegerField(
        required=False,
        min_value=0,
        max_value=card.qty,
        label=card.name,
        widget=forms.NumberInput(attrs=attrs),
        **values,
    )


class PoolPickForm(forms.Form):
    """How many of each card of the pool lie in the deck; `cards` pairs each with how many do so far.

    Cards of one name bear set and number, here and in the deck's lines: the name alone would mean either.
    """

    def __init__(self, *args: Any, game: str, cards: Sequence[tuple[Held, int]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.cards = told_apart_in(game, [card for card, _ in cards])
        so_far = [chosen for _, chosen in cards]
        for place, (card, chosen) in enumerate(zip(self.cards, so_far, strict=True)):
            self.fields[f"pick_{place}"] = count_field(card, initial=min(chosen, card.qty) or None)

    @property
    def picks(self) -> list[Pick]:
        """The cards in the order of the pool."""
        return [Pick(card, self[f"pick_{place}"]) for place, card in enumerate(self.cards)]

    def as_text(self) -> str:
        """The deck that was chosen, as lines of a list."""
        chosen = ((self.cleaned_data[f"pick_{place}"] or 0, card) for place, card in enumerate(self.cards))
        return "\n".join(["Main deck", *(f"{qty} {card.name}" for qty, card in chosen if qty)])
