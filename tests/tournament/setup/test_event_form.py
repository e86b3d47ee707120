"""The form of a new event and its automatic values."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

import rules
from tests.scenarios.factories import make_event, make_user

pytestmark = pytest.mark.django_db


def new_event_page(user) -> str:
    client = Client()
    client.force_login(user)
    return client.get(reverse("console_new_event", args=["ufs", "constructed"])).content.decode()


def folds(page: str, open_tag: str = "<details") -> set[str]:
    """Return the names of the fields in details.

    `open_tag` chooses among them.
    """
    return {
        name
        for part in page.split(open_tag)[1:]
        for name in re.findall(r' name="(\w+)"', part.split("</details>")[0])
    }


def test_new_event_folds_what_few_events_need():
    folded_fields = folds(new_event_page(make_user("first@example.org")))
    assert {"entry_fee", "notes", "language", "name_order", "team_size", "short_cut"} <= folded_fields
    assert not {"name", "starts_at", "place", "capacity", "cut", "cut_size"} & folded_fields


def test_settings_show_what_the_event_uses():
    event = make_event(notes="Bring dice.", cut="diversity", cut_size=4)
    client = Client()
    client.force_login(event.staff.get().user)
    page = client.get(reverse("console_settings", args=[event.slug])).content.decode()
    assert {"notes", "short_cut"} <= folds(page, "<details open")
    assert "team_size" not in folds(page, "<details open")


def test_first_event_takes_the_time_zone_of_the_device():
    page = new_event_page(make_user("first@example.org"))

    assert '<select name="time_zone" translate="no" data-zone-here=""' in page


def test_next_event_takes_the_time_zone_of_the_last_one():
    event = make_event(time_zone="America/Toronto")
    page = new_event_page(event.staff.get().user)

    assert '<option value="America/Toronto" selected>' in page
    assert "data-zone-here" not in page


def test_a_chosen_time_zone_stays_when_another_answer_is_missing():
    client = Client()
    client.force_login(make_user("first@example.org"))

    page = client.post(
        reverse("console_new_event", args=["ufs", "constructed"]), {"time_zone": "Asia/Tokyo"}
    ).content.decode()

    assert '<option value="Asia/Tokyo" selected>' in page
    assert "data-zone-here" not in page


def test_each_format_is_offered_with_its_sentence():
    client = Client()
    client.force_login(make_user("first@example.org"))

    page = client.get(reverse("console_new")).content.decode()

    assert rules.load_format("cfc", "standard").summary in page


def test_form_of_a_draft_advises_against_a_diversity_cut() -> None:
    client = Client()
    client.force_login(make_user("first@example.org"))
    pages = {
        name: client.get(reverse("console_new_event", args=["ufs", name])).content.decode()
        for name in ("draft", "sealed", "constructed")
    }
    words = "The rules advise against a diversity cut in a draft."
    assert [name for name, page in pages.items() if words in page] == ["draft"]


FORMATS = [("ufs", "constructed", "1.9"), ("ufs", "draft", "1.9"), ("sf_miniatures", "ffa", "1")]


@pytest.mark.parametrize(("game", "format_key", "version"), FORMATS)
def test_every_field_of_the_form_is_on_its_page(game: str, format_key: str, version: str) -> None:
    match_form = rules.load_format(game, format_key).match_form
    event = make_event(game=game, format=format_key, rules_version=version, match_form=match_form)
    client = Client()
    client.force_login(event.staff.get().user)
    for address in (
        reverse("console_new_event", args=[game, format_key]),
        reverse("console_settings", args=[event.slug]),
    ):
        answer = client.get(address)
        page = answer.content.decode()

        assert [
            field.name for field in answer.context["form"] if f'name="{field.html_name}"' not in page
        ] == []
