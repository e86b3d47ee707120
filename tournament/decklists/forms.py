"""Forms of decklists: submission, rulings, answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from decks.checking.declarations import character_options
from decks.checking.plans import APPLY_PLAN, SHOW_PLAN, PlannedList, find_change
from decks.checking.questions import answer_questions, read_answer
from decks.checking.result import CheckedList
from decks.importers.decoding import decode
from decks.shared.form_fields import make_original_field, mark_as_asked, set_sent_value
from decks.shared.refusals import Refused
from decks.submissions.exchanges import (
    MAIN,
    POOL,
    ZoneCard,
    cards_of_zone,
)
from decks.submissions.models import DeckVersion, ListAnswer, Ruling, VerdictOutcome
from decks.submissions.services import LARGEST_LIST
from rules.cards import Declaration
from tournament.access.permissions import Actor
from tournament.decklists import declaration_fields
from tournament.decklists.declaration_fields import (
    MAX_TEXT_LENGTH,
    DeclarationGroup,
    card_lines_widget,
    field_names,
    make_pool_field,
    write_example,
)
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.settings import get_undated_format
from tournament.web.refusals import Outcome, attempt_form_step

PLACEHOLDER = write_example("Main deck\n4 {}\n3 {}\n\nSideboard\n2 {}")

ACCEPTED_FILE_TYPES = ".txt,.dek,.o8d,.cod,.csv,.json,text/plain"


class DeckListForm(forms.Form):
    """A list as text or file, in whatever way players write one.

    It comes with pool and declarations if requested. Players `may_declare_character` from their list, and
    staff who may change players; it is saved by its own page, and never with the list.
    """

    may_declare_character = True

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

    original = make_original_field(MAX_TEXT_LENGTH)

    def __init__(self, *args: Any, event: Event, version: DeckVersion | None = None, **kwargs: Any) -> None:
        self.event, self.declarations = event, decklists.asked_declarations(event)
        kwargs["initial"] = _initial_values(version, self.declarations)
        super().__init__(*args, **kwargs)
        # One of the two is needed, so that neither is called optional.
        for name in ("text", "file"):
            mark_as_asked(self.fields[name])
        if decklists.asks_pool(event):
            self.fields["pool"] = make_pool_field()
        self.fields |= declaration_fields.build_declaration_fields(self.declarations)

    def clean_file(self) -> bytes | None:
        """Return the content of an uploaded file; one that is too large is not read."""
        upload: UploadedFile | None = self.cleaned_data["file"]
        if upload is None:
            return None
        if upload.size is None or upload.size > LARGEST_LIST:
            sentence = gettext("A deck file has at most %(size)s kB.")
            raise forms.ValidationError(sentence % {"size": LARGEST_LIST // 1024}, code="list_too_large")
        content: bytes = upload.read()
        return content

    def source(self) -> str | bytes:
        """Return what was submitted: the file if one came along, else the text."""
        return self.cleaned_data.get("file") or self.cleaned_data.get("text") or ""

    def original_text(self) -> str:
        """Return the file that the list was made from; empty if a file is submitted now."""
        return "" if self.cleaned_data.get("file") else self.cleaned_data.get("original") or ""

    def pool_text(self) -> str:
        """Return what a limited deck was built from."""
        return self.cleaned_data.get("pool") or ""

    def clean(self) -> dict[str, object]:
        """Show what a file held where it can be fixed, should the list come back."""
        super().clean()
        values = self.cleaned_data
        decoded_text = decode(values.get("file") or b"")
        if decoded_text.text.strip() and not decoded_text.problem:
            set_sent_value(self, "text", decoded_text.text)
        if self.is_answer:
            self._take_answer(decoded_text.text)
        return values

    @property
    def is_answer(self) -> bool:
        """Whether this only answers a question of the list, without submitting it."""
        return bool(self.data.get("answer"))

    @property
    def is_pressed(self) -> bool:
        """Return whether an answer, a change or a plan was pressed.

        If so, nothing is submitted.
        """
        return self.is_answer or bool(self.data.get("change") or self.data.get("plan"))

    def _take_answer(self, file_text: str) -> None:
        """Let the pressed answer change the list, as it is in the form from now on."""
        values = self.cleaned_data
        text, pool = file_text or values.get("text") or "", values.get("pool") or ""
        answers = [read_answer(self.data["answer"])]
        answered_list = attempt_form_step(
            self, lambda: answer_questions(self.event.game, answers, text=text, pool=pool)
        )
        if answered_list is None:
            return
        values["text"], values["pool"] = answered_list
        for name in ("text", "pool"):
            set_sent_value(self, name, values[name])
        values["file"] = None

    def read_declared(self) -> dict[str, object]:
        """Return the declarations in the form that `decks.checking.declarations` reads."""
        return declaration_fields.read_declarations(self.declarations, self.cleaned_data)

    @property
    def declaration_groups(self) -> list[DeclarationGroup]:
        """The fields of what the game declares."""
        return list(declaration_fields.group_fields(self, self.declarations))

    @property
    def can_pick(self) -> bool:
        """Return whether the deck can be chosen from the pool by numbers.

        This is possible in games without pre-game cards.
        """
        return "pool" in self.fields and "sideboard" in get_undated_format(self.event).game.zones

    def pool_cards(self, player: Player) -> list[tuple[ZoneCard, int]]:
        """Return the cards of the pool as entered.

        Each comes with how many of it the list puts into the main deck.
        """
        if not self.can_pick or not self.pool_text().strip():
            return []
        version = decklists.check_list(player.event, self.source(), pool=self.pool_text())
        entries = version.entries_json()
        in_deck = {card.key: card.qty for card in cards_of_zone(entries, MAIN)}
        return [(card, in_deck.get(card.key, 0)) for card in cards_of_zone(entries, POOL)]

    def check(self, player: Player) -> CheckedList | None:
        """Return the verdict on what is in the form, with a plan if requested.

        None if the form is empty or refused.
        """
        if not self.source().strip():
            return None
        self._apply_pressed(player)
        return self._refusals_beside_fields(
            lambda: self._check(player, with_plan=self.data.get("plan") == SHOW_PLAN)
        )

    def _check(self, player: Player, *, with_plan: bool) -> CheckedList:
        return decklists.check_list(
            player.event,
            self.source(),
            character=player.character,
            pool=self.pool_text(),
            declared_values=self.read_declared(),
            with_plan=with_plan,
            with_changes=True,
            write_options=self.write_options,
        )

    def _apply_pressed(self, player: Player) -> None:
        """Write the pressed plan or change into the list.

        The form holds the changed list from now on.
        """
        key = self.data.get("change", "")
        is_plan = self.data.get("plan") == APPLY_PLAN
        if not (is_plan or key):
            return
        checked_list = self._refusals_beside_fields(
            lambda: self._check(player, with_plan=is_plan or key.startswith("plan:"))
        )
        if checked_list and is_plan:
            self._apply_plan(checked_list)
        elif checked_list and (change := find_change(checked_list, key)):
            is_pool = change.field == "pool"
            before = self.pool_text() if is_pool else decode(self.source()).text
            after = checked_list.changes.apply(change, before)
            self._write_list(checked_list, {change.field: after, **change.values})

    def _apply_plan(self, checked_list: CheckedList) -> None:
        planned_list = checked_list.planned_list
        values = self.plan_values(planned_list) if planned_list else None
        if planned_list and planned_list.text is not None and values is not None:
            self._write_list(checked_list, {"text": planned_list.text, **values})

    def _write_list(self, checked_list: CheckedList, values: Mapping[str, str]) -> None:
        """Fill the form with a changed list; a file that it was made of stays beside it."""
        is_file = checked_list.changes.typed_text is not None
        self._set_values({**values, **({"original": decode(self.source()).text} if is_file else {})})

    def _set_values(self, values: Mapping[str, str]) -> None:
        for name, value in values.items():
            set_sent_value(self, name, value)
            self.cleaned_data[name] = value
        self.cleaned_data["file"] = None

    def plan_values(self, planned_list: PlannedList) -> dict[str, str] | None:
        """Return what a plan writes into other fields.

        None if the plan declares something that has no field here.
        """
        return self.write_options(planned_list.options)

    def write_options(self, options: Mapping[str, object]) -> dict[str, str] | None:
        """Return the values of the fields that declare the options.

        None if an option has no field here.
        """
        characters = character_options(self.event.game) if self.may_declare_character else frozenset()
        if not options.keys() <= {*characters, *(each.key for each in self.declarations)}:
            return None
        declarations = [each for each in self.declarations if each.key in options]
        values = declaration_fields.initial_declarations(declarations, options)
        field_values = {name: "" if value is None else str(value) for name, value in values.items()}
        names = [str(options[each]) for each in characters & options.keys()]
        return {**field_values, "character": names[0]} if names else field_values

    def save(self, player: Player, actor: Actor, **values: Any) -> DeckVersion | None:
        """Submit it; None when refused, with the reasons beside the fields."""
        parts = {
            "pool": self.pool_text(),
            "original": self.original_text(),
            "declared_values": self.read_declared(),
            **values,
        }
        return self._refusals_beside_fields(
            lambda: decklists.submit_list(player, actor, self.source(), **parts)
        )

    def _refusals_beside_fields(self, run: Callable[[], Outcome]) -> Outcome | None:
        has_run = attempt_form_step(self, lambda: self._name_fields(run))
        if has_run is None and self.non_field_errors():
            # Errors of the list belong to its field, not above the form.
            self.errors["text"] = self.error_class(
                [*self.errors.get("text", []), *self.errors.pop("__all__")]
            )
        return has_run

    def _name_fields(self, run: Callable[[], Outcome]) -> Outcome:
        """Run a function and name the form's fields in its refusals.

        The refusals name declarations by their keys, which are not the names of the form's fields.
        """
        names = {each.key: field_names(each)[0] for each in self.declarations}
        try:
            return run()
        except Refused as refusal:
            for problem in refusal.problems:
                problem.field = names.get(problem.field or "", problem.field)
            raise


class StaffListForm(DeckListForm):
    """A list that staff submits for a player, or a correction of theirs."""

    reason = forms.CharField(
        max_length=400,
        required=False,
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Visible to the player. Required after the deadline and for corrections."),
    )

    def __init__(self, *args: Any, may_declare_character: bool = False, **kwargs: Any) -> None:
        self.may_declare_character = may_declare_character
        super().__init__(*args, **kwargs)
        self.order_fields(["text", "file", "pool", "reason"])

    def save(self, player: Player, actor: Actor, **values: Any) -> DeckVersion | None:
        """Submit it for the player."""
        return super().save(player, actor, by_staff=True, reason=self.cleaned_data["reason"])


def _initial_values(version: DeckVersion | None, declarations: Sequence[Declaration]) -> dict[str, object]:
    """Return the form as the version that counts would fill it."""
    if version is None:
        return {}
    declared_values = declaration_fields.initial_declarations(declarations, version.options)
    return {"text": version.source_text, "pool": version.pool_text, **declared_values}


class RulingForm(forms.Form):
    """An organizer's ruling over a verdict."""

    outcome = forms.ChoiceField(label=gettext_lazy("Ruling"), choices=VerdictOutcome.choices)
    reason = forms.CharField(
        max_length=400, label=gettext_lazy("Reason"), help_text=gettext_lazy("Visible to the player")
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        # It is on one page with the form of a list, which asks for a reason too.
        options["auto_id"] = "ruling_%s"
        super().__init__(*args, **options)

    def save(self, player: Player, actor: Actor, number: int) -> Ruling | None:
        """Rule; None when refused."""
        values = self.cleaned_data
        return attempt_form_step(
            self, lambda: decklists.overrule_verdict(player, actor, **values, number=number)
        )


class AnswerForm(forms.Form):
    """A player's response to a change by staff."""

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
