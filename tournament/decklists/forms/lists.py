"""The form of a decklist, with whatever the event's format wants registered beside the cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from decks.importers.decoding import decode
from decks.submissions.exchanges import MAIN, POOL, Held, cards_in
from decks.submissions.models import DeckVersion
from decks.submissions.services import LARGEST_LIST
from tournament.access.actor import Actor
from tournament.decklists.forms import declarations
from tournament.decklists.forms.declarations import LONGEST_TEXT, area
from tournament.decklists.services import lists as decklists
from tournament.events.game_terms import terms_of
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.web.form_refusals import attempt

PLACEHOLDER = "Main deck\n4 Name of a card\n3 Another one\n\nSideboard\n2 A third"
FILES = ".txt,.dek,.o8d,.cod,.csv,.json,text/plain"


class DeckListForm(forms.Form):
    """A list as text or file, in whatever way players write one, with pool and declarations if asked for."""

    text = forms.CharField(
        required=False,
        label="Your list",
        strip=False,
        max_length=LONGEST_TEXT,
        help_text="One card a line with its number. Lists of the usual programs are read as they are.",
        widget=area(20, placeholder=PLACEHOLDER),
    )
    file = forms.FileField(
        required=False, label="Or a deck file", widget=forms.FileInput(attrs={"accept": FILES})
    )

    def __init__(self, *args: Any, event: Event, version: DeckVersion | None = None, **kwargs: Any) -> None:
        super().__init__(*args, initial=_initial(version), **kwargs)
        self.event = event
        self.asked = decklists.registers(event)
        # One of the two is needed, so that neither is called optional.
        self.fields["text"].is_asked = self.fields["file"].is_asked = True
        self.fields |= declarations.further_fields(self.asked)

    def clean_file(self) -> bytes | None:
        """The content of an uploaded file; one that is too large is not read."""
        upload: UploadedFile | None = self.cleaned_data["file"]
        if upload is None:
            return None
        if upload.size is None or upload.size > LARGEST_LIST:
            sentence = f"A deck file has at most {LARGEST_LIST // 1024} kB."
            raise forms.ValidationError(sentence, code="list_too_large")
        return upload.read()

    def source(self) -> str | bytes:
        """What was handed in: the file if one came along, else the text."""
        return self.cleaned_data.get("file") or self.cleaned_data.get("text") or ""

    def opened(self) -> str:
        """What a limited deck was built from."""
        return self.cleaned_data.get("pool") or ""

    def clean(self) -> dict[str, Any]:
        """Show what a file held where it can be mended, should the list come back."""
        values = super().clean()
        found = decode(values.get("file") or b"")
        if found.text.strip() and not found.problem:
            self.data = self.data.copy()
            self.data["text"] = found.text
        return values

    def declared(self) -> dict[str, Any]:
        """The declarations in the form in which `decks.checking.declarations` reads them."""
        return declarations.declared(self.cleaned_data)

    @property
    def can_pick(self) -> bool:
        """Whether the deck can be chosen from the pool by numbers: in games without pre-game cards."""
        return "pool" in self.asked and "sideboard" in terms_of(self.event).game.zones

    def pool_cards(self, player: Player) -> list[tuple[Held, int]]:
        """The cards of the pool as entered, each with how many of it the list puts into the main deck."""
        if not self.can_pick or not self.opened().strip():
            return []
        read = decklists.check(player.event, self.source(), pool=self.opened())
        entries = read.entries_json()
        in_deck = {card.key: card.qty for card in cards_in(entries, MAIN)}
        return [(card, in_deck.get(card.key, 0)) for card in cards_in(entries, POOL)]

    def check(self, player: Player) -> Any:
        """The verdict on what stands in the form; None for an empty or refused one."""
        if not self.source().strip():
            return None
        return self._refusals_beside_fields(
            lambda: decklists.check(
                player.event,
                self.source(),
                character=player.character,
                pool=self.opened(),
                declared=self.declared(),
            )
        )

    def save(self, player: Player, actor: Actor, **values: Any) -> DeckVersion | None:
        """Submit it; None when refused, with the reasons beside the fields."""
        parts = {"pool": self.opened(), "declared": self.declared(), **values}
        return self._refusals_beside_fields(lambda: decklists.submit(player, actor, self.source(), **parts))

    def _refusals_beside_fields(self, act: Callable[[], Any]) -> Any:
        made = attempt(self, act)
        if made is None and self.non_field_errors():
            # What a list is refused for belongs to the list, not above the form.
            self._errors["text"] = self.error_class(
                [*self.errors.get("text", []), *self._errors.pop("__all__")]
            )
        return made


class StaffListForm(DeckListForm):
    """A list that staff hands in for a player, or a correction of his."""

    reason = forms.CharField(
        max_length=400,
        required=False,
        label="Reason",
        help_text="The player reads it. Needed after the deadline, and to put this list in another's place.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].label = "Decklist"
        self.order_fields(["text", "file", "pool", "reason"])

    def save(self, player: Player, actor: Actor, **values: Any) -> DeckVersion | None:
        """Submit it for the player."""
        return super().save(player, actor, by_staff=True, reason=self.cleaned_data["reason"])


def _initial(version: DeckVersion | None) -> dict[str, Any]:
    """The form as the version that counts would fill it."""
    if version is None:
        return {}
    told = declarations.filled_in(version.options)
    return {"text": version.source_text, "pool": version.pool_text, **told}
