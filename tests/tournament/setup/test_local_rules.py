"""Local rules of one event.

They are set, shown in words, named in verdicts, and fixed at the start.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import rules
from decks.shared.refusals import Refused
from rules.overlay import render_local_rule
from rules.reason import Reason
from tests.everyday import each_case
from tests.scenarios.catalogue import small_catalogue
from tests.scenarios.factories import add_players, make_event, organizer, sign_in_organizer, started_event
from tests.scenarios.log_words import words_of
from tests.scenarios.rollback import rolled_back
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.setup.services.settings import set_local_rules

pytestmark = pytest.mark.django_db
BAN = {"bans": [{"name": "Lost Memories"}]}


def page(event: Event) -> str:
    return reverse("console_rules", args=[event.slug])


@pytest.fixture
def desk() -> Client:
    return sign_in_organizer()


def fill_form(client: Client, event: Event, **changes: Any) -> dict[str, Any]:
    """Return what the browser sends back from the page, with some answers changed."""
    form = client.get(page(event)).context["form"]
    values = {name: form[name].value() for name in form.fields}
    return {name: value for name, value in {**values, **changes}.items() if value not in (None, [])}


def test_a_local_ban_stands_on_the_public_page_and_in_the_verdict(desk: Client) -> None:
    small_catalogue()
    event = make_event()
    desk.post(page(event), fill_form(desk, event, bans="Anvil Stance\nMara ●●"))
    event.refresh_from_db()
    assert event.overlay["bans"] == [{"name": "Anvil Stance"}, {"name": "Mara", "dots": 2}]
    public = Client().get(reverse("event", args=[event.slug])).content.decode()
    assert "Anvil Stance is banned here." in public
    findings = decklists.check_list(event, "4 Anvil Stance\n").verdict.findings
    assert [f.overlay for f in findings if f.rule == "UFS-L06"] == ["local rules"]


def test_another_number_changes_the_verdict_and_is_said(desk: Client) -> None:
    event = make_event()
    desk.post(page(event), fill_form(desk, event, **{"number:deck_size:min": "40"}))
    event.refresh_from_db()
    assert event.overlay == {"parameters": {"deck_size": {"min": 40}}}
    assert "Main deck: at least 40 cards. (deck_size)" in desk.get(page(event)).context["words"]


def test_number_of_a_condition_is_offered_where_its_game_says_so(desk: Client) -> None:
    fields = desk.get(page(make_event(format="draft"))).context["form"].fields
    names = {
        name for name in fields if name.startswith(("number:product", "number:cycling", "number:points"))
    }
    assert names == {"number:product:starters", "number:product:boosters"}


def test_saving_the_page_as_it_stands_changes_nothing(desk: Client) -> None:
    event = make_event()
    desk.post(page(event), fill_form(desk, event))
    event.refresh_from_db()
    assert event.overlay == {}
    for overlay in (BAN, {"name": "Tuesday", **BAN}):
        set_local_rules(event, organizer(), overlay)
        desk.post(page(event), fill_form(desk, event))
        event.refresh_from_db()
        assert event.overlay == overlay


def test_a_lifted_rule_is_not_checked(desk: Client) -> None:
    event = make_event()
    desk.post(page(event), fill_form(desk, event, off=["character", "deck_size"]))
    event.refresh_from_db()
    rules = {finding.rule for finding in decklists.check_list(event, "1 Anything\n").verdict.findings}
    assert not rules & {"UFS-L01", "UFS-L02"}


def test_local_rules_are_fixed_when_round_one_starts() -> None:
    with pytest.raises(Refused) as excinfo:
        set_local_rules(started_event(3), organizer(), BAN)
    assert excinfo.value.code == "local_rules_fixed"


def test_local_rules_that_do_not_fit_the_format_are_refused_with_the_reason() -> None:
    event = make_event()
    with pytest.raises(Refused) as excinfo:
        set_local_rules(event, organizer(), {"parameters": {"no_such_rule": {"min": 1}}})
    assert excinfo.value.code == "local_rules_wrong"
    assert "no_such_rule" in excinfo.value.sentence
    assert Event.objects.get(pk=event.pk).overlay == {}


@each_case(
    ("game", "format_key", "version"),
    [
        ("ufs", "sealed", "1.9"),
        ("highlander", "standard", "1.7"),
        ("cfc", "standard", "1"),
        ("sf_miniatures", "versus", None),
    ],
    around=rolled_back,
)
def test_every_game_offers_its_own_rules(
    desk: Client, game: str, format_key: str, version: str | None
) -> None:
    newest = rules.load_format(game, format_key).version
    form = next(g for g in rules.games() if g.key == game).match_forms[0].key
    event = make_event(game=game, format=format_key, rules_version=version or newest, match_form=form)
    assert desk.get(page(event)).status_code == 200


def test_local_rules_of_an_event_with_players_are_logged() -> None:
    event = make_event()
    add_players(event, 2)
    set_local_rules(event, organizer(), BAN)
    log_words = words_of(event.log.first())
    assert log_words.startswith("olga@example.org set the local rules: Lost Memories is banned here.")


def test_log_stores_local_rules_by_codes(desk: Client) -> None:
    event = make_event()
    overlay = {**BAN, "parameters": {"deck_size": {"min": 40}}, "off": ["character"]}
    set_local_rules(event, organizer(), overlay)
    line = event.log.get(action="local_rules_changed")
    assert [rule["code"] for rule in line.params["rules"]] == [
        "overlay-ban",
        "overlay-rule",
        "overlay-lifted",
    ]
    assert line.params["rules"][1]["params"]["words"]["code"] == "zone_size.at-least"
    assert words_of(line) == (
        "olga@example.org set the local rules: Lost Memories is banned here. "
        "Main deck: at least 40 cards. (deck_size) "
        "Lifted: Main deck: at least one character card. (character)"
    )


def test_local_rules_logged_before_codes_are_read_as_they_were_written() -> None:
    event = make_event()
    set_local_rules(event, organizer(), BAN)
    line = event.log.get(action="local_rules_changed")
    line.params = {"rules": {"code": "told", "params": {"told": "No Ken. No Ryu."}}}
    assert words_of(line) == "olga@example.org set the local rules: No Ken. No Ryu."


def test_local_rules_taken_away_are_none_in_the_log() -> None:
    event = make_event()
    set_local_rules(event, organizer(), BAN)
    set_local_rules(event, organizer(), {})
    assert words_of(event.log.filter(action="local_rules_changed").first()) == (
        "olga@example.org set the local rules: none."
    )


@each_case("game", rules.games(), around=rolled_back)
def test_every_rule_that_can_be_lifted_is_logged_so_that_it_can_be_read(game: rules.Game) -> None:
    for form in game.formats:
        plain = rules.load_format(game.key, form)
        names = [rule.name for rule in plain.rules if rule.rule != "G-04"]
        local = rules.load_format(game.key, form, overlay={"name": "Local", "off": names})
        for change in local.local_rules():
            record = json.loads(json.dumps(change.to_json()))
            assert render_local_rule(Reason.from_json(record)) == render_local_rule(change)
