"""The form of an exchange at the table: a number beside each card of the registered list, or typed lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from decks.submissions.exchanges import Moved, main_deck, read_lines, reserve, told_apart_in
from decks.submissions.models import DeckVersion
from tournament.decklists.forms.declarations import area
from tournament.decklists.forms.pool_picks import Pick, count_field
from tournament.decklists.services.exchanges import MOST_GAMES, Presented
from tournament.web.form_refusals import attempt


class ExchangeForm(forms.Form):
    """What goes out and what comes in, counted from the list as registered."""

    game_in_round = forms.IntegerField(
        min_value=1,
        max_value=MOST_GAMES,
        initial=2,
        label="For which game of the round",
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    out = forms.CharField(
        required=False,
        max_length=4_000,
        label="Or type what goes out",
        widget=area(2, placeholder="2 Name of a card"),
    )
    into = forms.CharField(
        required=False,
        max_length=4_000,
        label="Or type what comes in",
        widget=area(2, placeholder="2 Name of a card"),
    )

    def __init__(self, *args: Any, version: DeckVersion, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.version = version
        self.sides = {"out": main_deck(version), "into": reserve(version)}
        game = version.deck_list.game
        self.shown = {side: told_apart_in(game, cards) for side, cards in self.sides.items()}
        for side, cards in self.shown.items():
            self.fields |= {f"{side}_{place}": count_field(card) for place, card in enumerate(cards)}

    @property
    def going_out(self) -> list[Pick]:
        """The cards of the main deck."""
        return self._picks("out")

    @property
    def going_in(self) -> list[Pick]:
        """The cards of the sideboard, or of the rest of the pool."""
        return self._picks("into")

    def _picks(self, side: str) -> list[Pick]:
        return [Pick(card, self[f"{side}_{place}"]) for place, card in enumerate(self.shown[side])]

    def presented(self) -> Presented | None:
        """The exchange as filled in; None where a typed line cannot be read, with the reason beside it."""
        return attempt(
            self,
            lambda: Presented(
                taken_out=self._moved("out"),
                brought_in=self._moved("into"),
                game_in_round=self.cleaned_data["game_in_round"],
            ),
        )

    def _moved(self, side: str) -> Sequence[Moved]:
        counts = (self.cleaned_data.get(f"{side}_{n}") or 0 for n in range(len(self.sides[side])))
        picked = [
            Moved(card.card, card.name, qty)
            for card, qty in zip(self.sides[side], counts, strict=True)
            if qty
        ]
        typed = read_lines(self.version, self.cleaned_data[side], field=side, among=self.sides[side])
        return [*picked, *typed]
