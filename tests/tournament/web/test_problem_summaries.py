"""The summary above a form.

It has a line for each faulty field, each a link to the field.
"""

from __future__ import annotations

import re

import pytest
from django import forms
from django.test import Client
from django.urls import reverse

from tests.scenarios.factories import add_players, built_once, make_event
from tests.scenarios.html import html_of
from tests.style.sources import CLONE
from tournament.events.models.event import Event
from tournament.templatetags.problems import problem_summary

pytestmark = pytest.mark.django_db
SUMMARY = re.compile(r'<div class="alert alert-error" role="alert">.*?</ul>', re.DOTALL)
LINK = re.compile(r'<a href="#([^"]*)">([^<]*)</a>')
# The form itself is not on the page when only its own problems are told.
WITHOUT_FIELDS = {"tournament/my_page/report.html"}

# Forms with more than one field: address, values that are refused, and the faulty fields.
FORMS = {
    "settings": ("console_settings", {"capacity": "many"}, {"id_name", "id_starts_at", "id_capacity"}),
    "stages": ("console_stages", {"stage0-kind": "swiss", "stage0-groups": "none"}, {"id_stage0-groups"}),
    "clock": ("console_clock_settings", {"warning": "soon"}, {"id_warning"}),
    "copy": ("console_copy", {"name": ""}, {"id_name", "id_starts_at"}),
    "register": ("register", {"name": "", "email": "ada@"}, {"id_name", "id_email"}),
}


@pytest.fixture
@built_once
def event() -> Event:
    """Four players; registration is open."""
    event = make_event()
    add_players(event, 4)
    return event


def links_of(event: Event, address: str, values: dict[str, str]) -> list[tuple[str, str]]:
    """Return target and text of each link of the summary.

    Each target must be on the page, which is tested first.
    """
    client = Client()
    client.force_login(event.staff.get().user)
    page = html_of(client.post(address, values))
    summary = SUMMARY.search(page)
    links = LINK.findall(summary[0]) if summary else []
    assert [target for target, _ in links if f'id="{target}"' not in page] == []
    return links


@pytest.mark.parametrize("name", FORMS)
def test_summary_links_to_each_faulty_field(name: str, event: Event) -> None:
    page, values, targets = FORMS[name]
    links = links_of(event, reverse(page, args=[event.slug]), values)

    assert {target for target, _ in links} >= targets
    assert [text for _, text in links if not all(text.partition(": "))] == []


def test_summary_links_to_the_first_of_several_buttons(event: Event) -> None:
    links = links_of(event, reverse("judge_penalty", args=[event.slug, 1]), {"note": "Twice"})

    assert {target for target, _ in links} >= {"id_infraction_0", "id_degree_0"}


def test_problem_of_a_hidden_field_is_shown_like_one_of_the_form() -> None:
    class Sent(forms.Form):
        one = forms.CharField(required=False)
        seen_version = forms.IntegerField(widget=forms.HiddenInput)

    summary = problem_summary(Sent({"seen_version": "never"}))

    assert (len(summary["form_errors"]), summary["field_problems"]) == (1, [])


def test_form_with_one_field_names_its_problem_at_the_field_only(event: Event) -> None:
    assert links_of(event, reverse("console_prizes", args=[event.slug]), {"prizes": "x" * 9999}) == []


def test_every_template_shows_the_problems_of_a_form_by_the_summary() -> None:
    templates = CLONE / "templates"
    plain = {
        str(path.relative_to(templates))
        for path in templates.rglob("*.html")
        if re.search(r"\{\{ [\w.]*non_field_errors", path.read_text("utf-8"))
    }

    assert plain == WITHOUT_FIELDS
