"""The verdict of a list on any day, and on two days side by side.

It is tested on pages, in the API and for stored lists.
"""

from __future__ import annotations

import json
from datetime import date

import pytest
from django.urls import reverse

from decks.catalogue.services.catalogue import import_catalogue
from decks.checking.result import DayComparison
from decks.submissions.models import Rechecked
from decks.submissions.selectors import verdict_on
from tests.scenarios.catalogue import LEGAL, list_of, small_catalogue, write
from tests.scenarios.factories import add_players, make_event, sign_in_organizer
from tests.scenarios.upcoming_decklists import DAY, ban_list
from tournament.access.permissions import Actor
from tournament.decklists.services import lists as decklists
from tournament.events.models.player import Player

pytestmark = pytest.mark.django_db
BEFORE = date(2026, 11, 30)
SHIPPED_BANS = "Banned list (UFS Tournament Rules v1.9, in force from Wed 27 Feb 2008)"
NEWS = "Banned list (Ringside news, in force from Tue 1 Dec 2026)"


@pytest.fixture(autouse=True)
def _lists(db: None) -> None:
    """Make a catalogue, and an edition that bans Anvil Stance.

    The ban applies from the first of December on.
    """
    small_catalogue()
    ban_list("Anvil Stance")


@pytest.fixture
def player(db: None) -> Player:
    add_players(make_event(), 1)
    player = Player.objects.select_related("event", "deck_list").get()
    decklists.submit_list(player, Actor.of_player(player), LEGAL)
    return player


def codes(findings) -> list[str]:
    return [finding.code for finding in findings]


def test_a_stored_list_is_judged_by_the_lists_of_the_day(player):
    version = player.deck_list.versions.get()
    days = {day: verdict_on(version, day) for day in (BEFORE, DAY)}
    assert [days[day].outcome for day in (BEFORE, DAY)] == ["legal", "illegal"]
    assert (days[BEFORE].editions[0], days[DAY].editions[0]) == (SHIPPED_BANS, NEWS)


def test_two_days_stand_in_order_with_what_changes(player):
    version = player.deck_list.versions.get()
    two = DayComparison.of(verdict_on(version, DAY), verdict_on(version, BEFORE))
    assert (two.first.day, two.second.day, two.same_lists) == (BEFORE, DAY, False)
    assert (codes(two.change.new), two.change.gone, two.change.changed) == (["banned-card"], (), ())


def test_a_ban_that_hits_another_card_as_well_is_a_changed_finding(player):
    ban_list("Anvil Stance", "Jade Focus", number=3, in_force=date(2026, 12, 24))
    version = player.deck_list.versions.get()
    two = DayComparison.of(verdict_on(version, DAY), verdict_on(version, date(2026, 12, 24)))
    assert (two.change.new, two.change.gone) == ((), ())
    assert [(pair.before.lines, pair.after.lines) for pair in two.change.changed] == [((2,), (2, 11))]


def test_a_name_that_comes_into_the_catalogue_later_does_not_change_what_was_handed_in(player):
    decklists.submit_list(player, Actor.of_player(player), LEGAL.replace("Jade Focus", "Jade Locus"))
    import_catalogue(write({"ZZ9-001": {"name": "Jade Locus", "type": "foundation", "split": [], "dots": 0}}))
    version = player.deck_list.versions.get(number=2)
    assert version.outcome == "unknown"
    assert verdict_on(version, BEFORE).outcome == "unknown"


def test_rules_that_were_not_yet_in_force_are_said_so_and_have_the_lists_of_their_first_day(player):
    version, first_day = player.deck_list.versions.get(), date(2008, 2, 27)
    verdict = verdict_on(version, date(2001, 1, 1))
    assert verdict.note == ("These rules are not in force on this day. They start on Wed 27 Feb 2008.")
    assert verdict.editions == verdict_on(version, first_day).editions != ()


def test_looking_at_days_leaves_no_verdict_behind(player):
    verdict_on(player.deck_list.versions.get(), DAY)
    assert Rechecked.objects.count() == 0


def ask(client, **values):
    sent_values = {"format": "ufs/constructed/1.9", "text": LEGAL, **values}
    return client.post(reverse("deck_check"), sent_values, headers={"HX-Request": "true"}).content.decode()


def test_the_open_check_page_judges_on_a_day(client):
    assert "badge-legal" in ask(client, on="2026-11-30")
    part = ask(client, on="2026-12-01")
    assert "badge-illegal" in part
    assert NEWS in part


def test_the_open_check_page_shows_two_days_side_by_side(client):
    part = ask(client, on="2026-11-30", beside="2026-12-01")
    assert part.index("30 Nov 2026") < part.index("1 Dec 2026")
    assert '<span class="badge badge-plain">New</span>' in part
    fields = {"format": "ufs/constructed/1.9", "text": LEGAL, "on": "2026-11-29", "beside": "2026-11-30"}
    same = client.post(reverse("deck_check"), fields, headers={"HX-Request": "true"}).context["two_days"]
    assert (bool(same.change), same.same_lists) == (False, True)


@pytest.mark.parametrize("day", ["soon", "2026-13-01", "99999-01-01", "\x00"])
def test_a_day_that_is_none_is_refused_beside_its_field(client, day):
    assert "alert-error" in ask(client, on=day)


def test_the_api_gives_both_days_and_the_difference(client):
    options = {
        "game": "ufs", "format": "constructed", "rules": "1.9", "text": list_of("1 Mara ●"),
        "on": "2026-12-01", "beside": "2026-11-30",
    }  # fmt: skip
    answer = client.post("/api/decks/check/", json.dumps(options), content_type="application/json").json()
    assert answer["outcome"] == "illegal"
    days = answer["days"]
    assert [(days[each]["on"], days[each]["outcome"]) for each in ("first", "second")] == [
        ("2026-11-30", "legal"),
        ("2026-12-01", "illegal"),
    ]
    assert [finding["code"] for finding in days["change"]["new"]] == ["banned-card"]
    assert (days["change"]["gone"], days["change"]["changed"]) == ([], [])
    del options["beside"]
    assert (
        "days"
        not in client.post("/api/decks/check/", json.dumps(options), content_type="application/json").json()
    )


def test_player_and_staff_see_a_version_on_any_day(client, player):
    own = reverse("player_list_days", args=[player.token, 1])
    staff = reverse("console_list_days", args=[player.event.slug, player.number, 1])
    options = {"on": "2026-11-30", "beside": "2026-12-01"}
    sign_in_organizer(client)
    for address in (own, staff):
        page = client.get(address, options).content.decode()
        assert "Anvil Stance is banned" in page
        assert NEWS in page
        alone = client.get(address, {"on": "2026-11-30"}).content.decode()
        assert "No problems found" in alone
        assert client.get(address).status_code == 200
        assert client.get(address, {"on": "never"}).status_code == 200


def test_strangers_do_not_see_a_version_on_any_day(client, player):
    staff = reverse("console_list_days", args=[player.event.slug, player.number, 1])
    assert client.get(staff).status_code == 302
    assert client.get(reverse("player_list_days", args=["not-a-token", 1])).status_code == 404
    assert client.get(reverse("player_list_days", args=[player.token, 7])).status_code == 404
