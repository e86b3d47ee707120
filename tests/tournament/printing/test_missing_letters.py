"""Letters that no font has.

A check names the scripts, and the page of printouts names the players.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse

from config.checks import fonts_are_there
from tests.fixtures.box_font import write_fonts
from tests.scenarios.factories import add_players, make_event, sign_in_organizer
from tournament.events.models.player import Player
from tournament.shared import fonts

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def latin_font_alone(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """A computer whose only font has Latin letters."""
    configuration = write_fonts(tmp_path_factory.mktemp("fonts"))
    monkeypatch.setenv("FONTCONFIG_FILE", str(configuration))
    for cached_call in (fonts._load_letters, fonts._can_print_letter):
        cached_call.cache_clear()
    yield
    for cached_call in (fonts._load_letters, fonts._can_print_letter):
        cached_call.cache_clear()


def test_a_check_names_the_scripts_and_how_to_add_them() -> None:
    (message,) = fonts_are_there(None)
    assert (message.id, "Thai" in message.msg, "Latin" in message.msg) == ("ringside.W004", True, False)
    assert message.hint is not None
    assert message.hint.startswith("sudo apt-get install fonts-noto-core fonts-noto-cjk ")


def test_letters_are_found_by_script() -> None:
    missing_scripts = fonts.list_missing_scripts(
        ["Ann Müller", "สมชาย", "佐藤", "김", "אבש", "e\N{COMBINING ACUTE ACCENT}"]
    )
    assert [script.name for script in missing_scripts] == ["Chinese", "Hebrew", "Korean", "Thai"]


def test_the_page_of_printouts_names_the_players_concerned(client: Client) -> None:
    event = make_event()
    add_players(event, 2)
    Player.objects.filter(event=event, number=1).update(name="สมชาย ใจดี")
    sign_in_organizer(client)
    address = reverse("console_print", args=[event.slug])
    missing_scripts = client.get(address).context["missing_letters"]
    assert (missing_scripts.names, missing_scripts.packages) == (["สมชาย ใจดี"], ["fonts-noto-core"])
    Player.objects.filter(event=event, number=1).update(name="Ann")
    assert client.get(address).context["missing_letters"] is None
