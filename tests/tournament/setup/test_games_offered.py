"""UFS is first in every choice of a game."""

from __future__ import annotations

import pytest
from django.forms import ChoiceField
from django.test import Client
from django.urls import reverse

import rules
from decks.cards.forms import CardSearchForm
from decks.catalogue.selectors import catalogue_overview
from tests.scenarios.factories import sign_in_organizer

pytestmark = pytest.mark.django_db


def test_ufs_is_the_first_of_the_games() -> None:
    assert [game.key for game in rules.games()] == ["ufs", "cfc", "highlander", "sf_miniatures"]


def test_a_new_event_offers_ufs_first() -> None:
    client = sign_in_organizer()
    choices = client.get(reverse("console_new")).context["choices"]
    assert next(game.key for game, _, _ in choices) == "ufs"


def test_pages_of_cards_and_lists_offer_ufs_first() -> None:
    games = Client().get(reverse("lists")).context["games"]
    assert (games[0][0].key, catalogue_overview()[0].key) == ("ufs", "ufs")
    field = CardSearchForm().fields["game"]
    assert isinstance(field, ChoiceField)
    assert [key for key, _ in field.choices][:2] == ["", "ufs"]
