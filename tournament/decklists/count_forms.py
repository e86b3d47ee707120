"""Forms that count cards: picks from a pool, and exchanges between games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from decks.submissions.exchanges import (
    MovedCard,
    ZoneCard,
    disambiguate_names,
    main_deck_cards,
    read_card_lines,
    reserve_cards,
)
from decks.submissions.models import DeckVersion
from tournament.decklists.declaration_fields import (
    card_lines_widget,
    write_example,
)
from tournament.decklists.services.exchanges import MAX_GAMES, PresentedExchange
from tournament.web.refusals import attempt_form_step


@dataclass(frozen=True, slots=True)
class CardCountField:
    """A card with the field for how many of it are meant."""

    card: ZoneCard
    field: forms.BoundField


def count_field(card: ZoneCard, **values: Any) -> forms.IntegerField:
    """Return how many of a card: none to all of them."""
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
    """Number of copies of each pool card in the deck.

    `cards` pairs each card with its current number. Cards of one name have set and number, here and in the
    deck's lines: the name alone would mean either.
    """

    def __init__(self, *args: Any, game: str, cards: Sequence[tuple[ZoneCard, int]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.cards = disambiguate_names(game, [card for card, _ in cards])
        chosen_counts = [chosen_count for _, chosen_count in cards]
        for place, (card, chosen_count) in enumerate(zip(self.cards, chosen_counts, strict=True)):
            self.fields[f"pick_{place}"] = count_field(card, initial=min(chosen_count, card.qty) or None)

    @property
    def picks(self) -> list[CardCountField]:
        """The cards in the order of the pool."""
        return [CardCountField(card, self[f"pick_{place}"]) for place, card in enumerate(self.cards)]

    def as_text(self) -> str:
        """Return the deck that was chosen, as lines of a list."""
        counted_cards = (
            (self.cleaned_data[f"pick_{place}"] or 0, card) for place, card in enumerate(self.cards)
        )
        lines = "\n".join(f"{qty} {card.name}" for qty, card in counted_cards if qty)
        return DECK_TEXT.format(lines)


# The headings of a list are the same in all languages.
DECK_TEXT = "Main deck\n{}"


class ExchangeForm(forms.Form):
    """Cards that leave and enter, counted from the registered list."""

    game_in_round = forms.IntegerField(
        min_value=1,
        max_value=MAX_GAMES,
        initial=2,
        label=gettext_lazy("Game of the match"),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    out = forms.CharField(
        required=False,
        max_length=4_000,
        label=gettext_lazy("Other cards out"),
        widget=card_lines_widget(2, placeholder=write_example("2 {}")),
    )
    into = forms.CharField(
        required=False,
        max_length=4_000,
        label=gettext_lazy("Other cards in"),
        widget=card_lines_widget(2, placeholder=write_example("2 {}")),
    )

    def __init__(self, *args: Any, version: DeckVersion, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.version = version
        self.sides = {"out": main_deck_cards(version), "into": reserve_cards(version)}
        game = version.deck_list.game
        self.shown_names = {side: disambiguate_names(game, cards) for side, cards in self.sides.items()}
        for side, cards in self.shown_names.items():
            self.fields |= {f"{side}_{place}": count_field(card) for place, card in enumerate(cards)}

    @property
    def going_out(self) -> list[CardCountField]:
        """The cards of the main deck."""
        return self._picks("out")

    @property
    def going_in(self) -> list[CardCountField]:
        """The cards of the sideboard, or of the rest of the pool."""
        return self._picks("into")

    def _picks(self, side: str) -> list[CardCountField]:
        return [
            CardCountField(card, self[f"{side}_{place}"]) for place, card in enumerate(self.shown_names[side])
        ]

    def build_exchange(self) -> PresentedExchange | None:
        """Return the exchange as filled in.

        None if a typed line cannot be read, with the reason beside it.
        """
        return attempt_form_step(
            self,
            lambda: PresentedExchange(
                taken_out=self._list_moved("out"),
                brought_in=self._list_moved("into"),
                game_in_round=self.cleaned_data["game_in_round"],
            ),
        )

    def _list_moved(self, side: str) -> Sequence[MovedCard]:
        counts = (self.cleaned_data.get(f"{side}_{n}") or 0 for n in range(len(self.sides[side])))
        picked_cards = [
            MovedCard(card.card, card.name, qty)
            for card, qty in zip(self.sides[side], counts, strict=True)
            if qty
        ]
        typed_cards = read_card_lines(
            self.version, self.cleaned_data[side], field=side, among=self.sides[side]
        )
        return [*picked_cards, *typed_cards]
