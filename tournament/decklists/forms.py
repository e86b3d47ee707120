"""Forms of decklists: submission, pool picks, rulings, answers, exchanges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from decks.checking.questions import answer_questions, read_answer
from decks.checking.result import CheckedList
from decks.importers.decoding import decode
from decks.shared.form_fields import mark_as_asked, set_sent_value
from decks.submissions.exchanges import (
    MAIN,
    POOL,
    MovedCard,
    ZoneCard,
    cards_of_zone,
    disambiguate_names,
    main_deck_cards,
    read_card_lines,
    reserve_cards,
)
from decks.submissions.models import DeckVersion, ListAnswer, Ruling, VerdictOutcome
from decks.submissions.services import LARGEST_LIST
from tournament.access.permissions import Actor
from tournament.decklists import declaration_fields
from tournament.decklists.declaration_fields import MAX_TEXT_LENGTH, card_lines_widget, write_example
from tournament.decklists.services import lists as decklists
from tournament.decklists.services.exchanges import MAX_GAMES, PresentedExchange
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.settings import get_game, get_undated_format
from tournament.web.refusals import Outcome, attempt_form_step


@dataclass(frozen=True, slots=True)
class CardCountField:
    """A card with the field for how many of it are meant."""

    card: ZoneCard
    field: forms.BoundField


def count_field(card: ZoneCard, **values: Any) -> forms.IntegerField:
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
        """The deck that was chosen, as lines of a list."""
        counted_cards = (
            (self.cleaned_data[f"pick_{place}"] or 0, card) for place, card in enumerate(self.cards)
        )
        lines = "\n".join(f"{qty} {card.name}" for qty, card in counted_cards if qty)
        return DECK_TEXT.format(lines)


# The headings of a list are the same in all languages.
DECK_TEXT = "Main deck\n{}"
PLACEHOLDER = write_example("Main deck\n4 {}\n3 {}\n\nSideboard\n2 {}")

ACCEPTED_FILE_TYPES = ".txt,.dek,.o8d,.cod,.csv,.json,text/plain"


class DeckListForm(forms.Form):
    """A list as text or file, in whatever way players write one, with pool and declarations if asked for."""

    text = forms.CharField(
        required=False,
        label=gettext_lazy("Decklist"),
        strip=False,
        max_length=MAX_TEXT_LENGTH,
        help_text=gettext_lazy(
            "One card per line with its number. You can also paste exports of deck programs."
        ),
        widget=card_lines_widget(20, placeholder=PLACEHOLDER),
    )
    file = forms.FileField(
        required=False,
        label=gettext_lazy("Deck file"),
        widget=forms.FileInput(attrs={"accept": ACCEPTED_FILE_TYPES}),
    )

    def __init__(self, *args: Any, event: Event, version: DeckVersion | None = None, **kwargs: Any) -> None:
        kwargs["initial"] = _initial_values(version)
        super().__init__(*args, **kwargs)
        self.event = event
        self.required_parts = decklists.required_declarations(event)
        # One of the two is needed, so that neither is called optional.
        for name in ("text", "file"):
            mark_as_asked(self.fields[name])
        gem_rules = get_game(event).gem_sheet
        self.fields |= declaration_fields.build_declaration_fields(self.required_parts, gem_rules)

    def clean_file(self) -> bytes | None:
        """The content of an uploaded file; one that is too large is not read."""
        upload: UploadedFile | None = self.cleaned_data["file"]
        if upload is None:
            return None
        if upload.size is None or upload.size > LARGEST_LIST:
            sentence = gettext("A deck file has at most %(size)s kB.")
            raise forms.ValidationError(sentence % {"size": LARGEST_LIST // 1024}, code="list_too_large")
        content: bytes = upload.read()
        return content

    def source(self) -> str | bytes:
        """What was handed in: the file if one came along, else the text."""
        return self.cleaned_data.get("file") or self.cleaned_data.get("text") or ""

    def pool_text(self) -> str:
        """What a limited deck was built from."""
        return self.cleaned_data.get("pool") or ""

    def clean(self) -> dict[str, object]:
        """Show what a file held where it can be mended, should the list come back."""
        super().clean()
        values = self.cleaned_data
        decoded = decode(values.get("file") or b"")
        if decoded.text.strip() and not decoded.problem:
            set_sent_value(self, "text", decoded.text)
        if self.is_answer:
            self._take_answer(decoded.text)
        return values

    @property
    def is_answer(self) -> bool:
        """Whether a question of the list is answered with this, and nothing handed in."""
        return bool(self.data.get("answer"))

    def _take_answer(self, file_text: str) -> None:
        """Let the pressed answer change the list, as it stands in the form from now on."""
        values = self.cleaned_data
        text, pool = file_text or values.get("text") or "", values.get("pool") or ""
        answers = [read_answer(self.data["answer"])]
        answered = attempt_form_step(
            self, lambda: answer_questions(self.event.game, answers, text=text, pool=pool)
        )
        if answered is None:
            return
        values["text"], values["pool"] = answered
        for name in ("text", "pool"):
            set_sent_value(self, name, values[name])
        values["file"] = None

    def declared(self) -> dict[str, object]:
        """The declarations in the form in which `decks.checking.declarations` reads them."""
        return declaration_fields.read_declarations(self.cleaned_data)

    @property
    def can_pick(self) -> bool:
        """Whether the deck can be chosen from the pool by numbers: in games without pre-game cards."""
        return "pool" in self.required_parts and "sideboard" in get_undated_format(self.event).game.zones

    def pool_cards(self, player: Player) -> list[tuple[ZoneCard, int]]:
        """The cards of the pool as entered, each with how many of it the list puts into the main deck."""
        if not self.can_pick or not self.pool_text().strip():
            return []
        version = decklists.check_list(player.event, self.source(), pool=self.pool_text())
        entries = version.entries_json()
        in_deck = {card.key: card.qty for card in cards_of_zone(entries, MAIN)}
        return [(card, in_deck.get(card.key, 0)) for card in cards_of_zone(entries, POOL)]

    def check(self, player: Player) -> CheckedList | None:
        """The verdict on what stands in the form; None for an empty or refused one."""
        if not self.source().strip():
            return None
        return self._refusals_beside_fields(
            lambda: decklists.check_list(
                player.event,
                self.source(),
                character=player.character,
                pool=self.pool_text(),
                declared=self.declared(),
            )
        )

    def save(self, player: Player, actor: Actor, **values: Any) -> DeckVersion | None:
        """Submit it; None when refused, with the reasons beside the fields."""
        parts = {"pool": self.pool_text(), "declared": self.declared(), **values}
        return self._refusals_beside_fields(
            lambda: decklists.submit_list(player, actor, self.source(), **parts)
        )

    def _refusals_beside_fields(self, run: Callable[[], Outcome]) -> Outcome | None:
        has_run = attempt_form_step(self, run)
        if has_run is None and self.non_field_errors():
            # What a list is refused for belongs to the list, not above the form.
            self.errors["text"] = self.error_class(
                [*self.errors.get("text", []), *self.errors.pop("__all__")]
            )
        return has_run


class StaffListForm(DeckListForm):
    """A list that staff hands in for a player, or a correction of his."""

    reason = forms.CharField(
        max_length=400,
        required=False,
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Visible to the player. Required after the deadline and for corrections."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields(["text", "file", "pool", "reason"])

    def save(self, player: Player, actor: Actor, **values: Any) -> DeckVersion | None:
        """Submit it for the player."""
        return super().save(player, actor, by_staff=True, reason=self.cleaned_data["reason"])


def _initial_values(version: DeckVersion | None) -> dict[str, object]:
    """The form as the version that counts would fill it."""
    if version is None:
        return {}
    declarations = declaration_fields.initial_declarations(version.options)
    return {"text": version.source_text, "pool": version.pool_text, **declarations}


class RulingForm(forms.Form):
    """An organizer's ruling over a verdict."""

    outcome = forms.ChoiceField(label=gettext_lazy("Ruling"), choices=VerdictOutcome.choices)
    reason = forms.CharField(
        max_length=400, label=gettext_lazy("Reason"), help_text=gettext_lazy("Visible to the player")
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        # It stands on one page with the form of a list, which asks for a reason too.
        options["auto_id"] = "ruling_%s"
        super().__init__(*args, **options)

    def save(self, player: Player, actor: Actor, number: int) -> Ruling | None:
        """Rule; None when refused."""
        values = self.cleaned_data
        return attempt_form_step(
            self, lambda: decklists.overrule_verdict(player, actor, **values, number=number)
        )


class AnswerForm(forms.Form):
    """What a player says to what staff did to his list."""

    number = forms.IntegerField(min_value=1, max_value=1_000_000, widget=forms.HiddenInput)
    words = forms.CharField(
        max_length=400,
        required=False,
        label=pgettext_lazy("noun", "Comment"),
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    agrees = forms.ChoiceField(required=False, choices=[("", "seen"), ("yes", "yes"), ("no", "no")])

    def save(self, player: Player, actor: Actor) -> ListAnswer | None:
        """Keep the answer; None when refused."""
        agrees = {"yes": True, "no": False}.get(self.cleaned_data["agrees"])
        number, words = self.cleaned_data["number"], self.cleaned_data["words"]
        return attempt_form_step(
            self, lambda: decklists.record_answer(player, actor, number=number, agrees=agrees, words=words)
        )


class ExchangeForm(forms.Form):
    """What goes out and what comes in, counted from the list as registered."""

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
        self.shown = {side: disambiguate_names(game, cards) for side, cards in self.sides.items()}
        for side, cards in self.shown.items():
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
        return [CardCountField(card, self[f"{side}_{place}"]) for place, card in enumerate(self.shown[side])]

    def presented(self) -> PresentedExchange | None:
        """The exchange as filled in; None where a typed line cannot be read, with the reason beside it."""
        return attempt_form_step(
            self,
            lambda: PresentedExchange(
                taken_out=self._moved("out"),
                brought_in=self._moved("into"),
                game_in_round=self.cleaned_data["game_in_round"],
            ),
        )

    def _moved(self, side: str) -> Sequence[MovedCard]:
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
