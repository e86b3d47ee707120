"""Django admin: edit the catalogue, view lists."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from decks.catalogue.models import Card, CardSet, Printing
from decks.editions.models import ListEdition
from decks.matching.catalogue import card_identity
from decks.submissions.models import DeckList, DeckVersion, Ruling


class PrintingInline(admin.TabularInline):
    """The printings of a card, on its page."""

    model = Printing
    extra = 0
    fields = (
        "key",
        "game",
        "card_set",
        "number",
        "number_as_printed",
        "printed_name",
        "variant",
        "is_deck_card",
    )
    show_change_link = True


@admin.register(CardSet)
class CardSetAdmin(admin.ModelAdmin):
    list_display = ("code", "name", "game", "size", "other_codes", "is_hidden")
    list_filter = ("game", "is_hidden")
    search_fields = ("code", "name")


class CardForm(forms.ModelForm):
    """A card by hand. Its identity follows from name and facts and must be its own."""

    class Meta:
        model = Card
        fields = ("game", "key", "name", "attributes")

    # Any: each value has the type of the field that cleaned it.
    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        has_identity = {"game", "key", "name", "attributes"} <= data.keys()
        if not has_identity or not isinstance(data["attributes"] or {}, dict):
            return data  # the field or the model says what is wrong with it
        first = self.instance.printings.order_by("pk").first() if self.instance.pk else None
        key = first.key if first else data["key"]
        is_card = first.is_deck_card if first else True
        identity = card_identity(
            data["game"], key, data["name"], data["attributes"] or {}, is_deck_card=is_card
        )
        if Card.objects.filter(game=data["game"], identity=identity).exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError("Name and facts are those of another card.", code="card_exists")
        self.instance.identity = identity
        return data


@admin.register(Card)
class CardAdmin(admin.ModelAdmin):
    """Facts may be added and fixed here; the identity follows from name and facts."""

    list_display = ("name", "key", "game")
    list_filter = ("game",)
    search_fields = ("name", "key")
    form = CardForm
    inlines = (PrintingInline,)


@admin.register(Printing)
class PrintingAdmin(admin.ModelAdmin):
    list_display = ("key", "printed_name", "card_set", "number_as_printed", "variant", "is_deck_card")
    list_filter = ("game", "is_deck_card")
    list_select_related = ("card_set",)
    search_fields = ("key", "printed_name")
    autocomplete_fields = ("card", "card_set")


class ReadOnlyAdmin(admin.ModelAdmin):
    """Rows that pages show and services write."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(DeckList)
class DeckListAdmin(ReadOnlyAdmin):
    list_display = ("pk", "game", "format_key", "rules_version", "current", "locked_at")
    list_filter = ("game", "format_key")
    list_select_related = ("current",)


@admin.register(DeckVersion)
class DeckVersionAdmin(ReadOnlyAdmin):
    list_display = (
        "short_hash",
        "deck_list",
        "number",
        "outcome",
        "submitted_at",
        "submitted_by",
        "by_staff",
    )
    list_filter = ("outcome", "by_staff")
    list_select_related = ("deck_list",)
    search_fields = ("short_hash", "submitted_by")


@admin.register(Ruling)
class RulingAdmin(ReadOnlyAdmin):
    list_display = ("version", "outcome", "reason", "ruled_by", "ruled_at")
    list_select_related = ("version",)


@admin.register(ListEdition)
class ListEditionAdmin(ReadOnlyAdmin):
    """Editions are drafted and published on the pages under Lists."""

    list_display = ("name", "game", "kind", "number", "state", "in_force", "published_by")
    list_filter = ("game", "kind", "state")
