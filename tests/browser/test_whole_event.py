"""One event of nine players, from its creation to the champion.

It is played in a real browser.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from playwright.sync_api import expect

from tests import machine
from tests.fixtures.browser import LAPTOP, PHONE
from tests.scenarios import labels
from tests.scenarios.factories import make_user, organizer
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.registration import services as registration

ROUNDS = 5 if machine.whole() else 2
DROPPED_AFTER = (ROUNDS + 1) // 2
pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DECKS = Path(settings.BASE_DIR) / "fixtures" / "demo" / "decks"
OTHERS = (
    ("Carol", "Taki"), ("Dave", "Talim"), ("Erin", "Nightmare"), ("Frank", "Adon"), ("Grace", "Ken"),
    ("Heidi", "Guile"), ("Ivan", "Taki"),
)  # fmt: skip


def test_nine_players_from_sign_in_to_champion(new_page: Callable[..., Any]) -> None:
    call_command("load_fixtures", verbosity=0)
    make_user("olga@example.org", first_name="Olga")
    desk = OrganizerLaptop(new_page(LAPTOP))
    desk.sign_in()
    slug = desk.create_event()
    alice = PlayerPhone(new_page(PHONE), slug)
    alice.register("Alice", "Ken")
    alice.hand_in_list("ken-1.txt")
    bob = PlayerPhone(new_page(PHONE), slug)
    bob.register("Bob", "Guile")
    desk.add_players(OTHERS[:2])
    event = Event.objects.get(slug=slug)
    for name, character in OTHERS[2:]:
        registration.add_player(event, organizer(), name=name, character=character)
    desk.open_check_in()
    alice.press("Check in")
    desk.check_in_one(2)
    for player in Player.objects.filter(checked_in_at=None).select_related("event")[1:]:
        registration.check_in(player, organizer())
    desk.check_in_one(9)
    desk.start()
    for number in range(1, ROUNDS + 1):
        desk.pair_and_publish(number)
        if number == 2:
            alice.report_own_match(bob)
            # The phones are checked again when there is a champion.
            alice.put_away()
            bob.put_away()
        desk.enter_open_results(number)
        if number == DROPPED_AFTER:
            desk.drop("Ivan")
    assert Match.objects.filter(round__stage__kind="swiss", outcome="bye").count() == DROPPED_AFTER
    desk.make_cut(4)
    champion = desk.play_bracket()
    alice.see_champion(champion)
    event = Event.objects.get(slug=slug)
    assert event.phase == "finished"
    assert Round.objects.filter(stage__event=event, stage__kind="swiss", state="finished").count() == ROUNDS


class OrganizerLaptop:
    """The organizer's laptop."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def press(self, words: str) -> None:
        self.page.get_by_role("button", name=words, exact=True).click()

    def sign_in(self) -> None:
        self.page.goto("/console/")
        self.page.get_by_label(labels.EMAIL).fill("olga@example.org")
        self.page.get_by_label(labels.PASSWORD).fill("correct horse")
        self.press(labels.SIGN_IN)

    def create_event(self) -> str:
        self.page.get_by_role("link", name=labels.NEW_EVENT).first.click()
        self.page.locator("a[href$='/ufs/constructed/']").click()
        self.page.get_by_label(labels.EVENT_NAME).fill("Autumn Clash")
        self.page.get_by_label(labels.STARTS).fill("2026-05-02T10:00")
        self.page.get_by_label("Time zone").select_option("Europe/Berlin")
        self.page.get_by_label("Swiss rounds", exact=False).first.fill(str(ROUNDS))
        self.page.get_by_label(labels.CUT, exact=True).select_option("diversity")
        self.page.get_by_label("Cut size").fill("4")
        self.page.get_by_label("Require a decklist").check()
        self.press(labels.CREATE_EVENT)
        self.page.wait_for_url(re.compile(r"/console/autumn-clash/$"))
        event = Event.objects.get()
        assert (event.rules_version, event.round_minutes, event.swiss_rounds) == ("1.9", 50, ROUNDS)
        assert event.starts_at.isoformat() == "2026-05-02T08:00:00+00:00"
        return event.slug

    def add_players(self, people: tuple[tuple[str, str], ...]) -> None:
        self.page.get_by_role("link", name=labels.PLAYERS, exact=True).click()
        for name, character in people:
            self.page.locator("#id_line").fill(f"{name}; {character}")
            self.page.keyboard.press("Enter")
            self.page.get_by_role("link", name=name, exact=True).wait_for()

    def to_the_day(self) -> None:
        self.page.get_by_role("link", name=labels.OVERVIEW).click()

    def open_check_in(self) -> None:
        self.to_the_day()
        self.press(labels.OPEN_CHECK_IN)
        self.page.get_by_text("0 of 9 players are checked in.").first.wait_for()

    def check_in_one(self, count: int) -> None:
        """Press a name; afterwards `count` players are checked in."""
        self.page.get_by_text(f"{count - 1} of 9 players are checked in.").first.wait_for()
        self.page.locator(".chip-list button").first.click()
        self.page.get_by_text(f"{count} of 9 players are checked in.").first.wait_for()

    def start(self) -> None:
        self.press("Start event")
        self.page.get_by_text(f"Round 1 of {ROUNDS} can be paired.").wait_for()

    def pair_and_publish(self, number: int) -> None:
        self.to_the_day()
        self.press(labels.PAIR_ROUND % {"number": number})
        self.page.get_by_text("Visible to staff only").wait_for()
        self.press(labels.PUBLISH_ROUND % {"number": number})
        self.page.get_by_label(labels.TABLE_AND_RESULT).wait_for()

    def enter_open_results(self, number: int) -> None:
        """Type “table games games Enter”, as a scorekeeper with a pile of slips does."""
        line = self.page.get_by_label(labels.TABLE_AND_RESULT)
        round_ = Round.objects.get(stage__kind="swiss", number=number)
        open_matches = list(round_.matches.filter(outcome="").order_by("table"))
        for match in open_matches:
            line.fill(f"{match.table} 2 1")
            line.press("Enter")
            self.page.locator(f"#table-{match.table} .result").get_by_text("2-1").wait_for()
        self.page.get_by_text("The round is finished.").wait_for()

    def drop(self, name: str) -> None:
        self.page.get_by_role("link", name=labels.PLAYERS, exact=True).click()
        self.page.get_by_role("link", name=f"Drop: {name}").click()
        self.page.get_by_role("button", name="Drop").click()
        self.page.get_by_text(f"Dropped after round {DROPPED_AFTER}").wait_for()

    def make_cut(self, size: int) -> None:
        self.page.get_by_role("link", name=labels.CUT, exact=True).click()
        expect(self.page.locator(".badge-in")).to_have_count(size)
        expect(self.page.locator("tbody tr")).to_have_count(9)
        self.press(labels.MAKE_THE_CUT)
        self.page.locator(".bracket").wait_for()

    def play_bracket(self) -> str:
        while (match := Match.objects.filter(round__stage__kind="single", outcome="").first()) is not None:
            self.page.goto(f"/console/autumn-clash/rounds/2/{match.round.number}/")
            self.page.get_by_role("button", name=f"Table {match.table}: 2-0").click()
            self.page.locator(f"#table-{match.table} .result").get_by_text("2-0").wait_for()
        final = Match.objects.filter(round__stage__kind="single").latest("round__number")
        return final.p1.name


class PlayerPhone:
    """A player's phone."""

    def __init__(self, page: Any, slug: str) -> None:
        self.page = page
        self.slug = slug
        self.name = ""

    def press(self, words: str) -> None:
        self.page.get_by_role("button", name=words, exact=True).click()

    def put_away(self) -> None:
        self.page.goto("about:blank")

    @property
    def player(self) -> Player:
        return Player.objects.get(name=self.name)

    def register(self, name: str, character: str) -> None:
        self.name = name
        self.page.goto(f"/e/{self.slug}/")
        self.page.get_by_role("link", name=labels.REGISTER).first.click()
        self.page.get_by_label(labels.YOUR_NAME).fill(name)
        self.page.get_by_label(labels.EMAIL_ADDRESS).fill(f"{name.lower()}@example.org")
        self.page.get_by_label("Character").fill(character)
        self.press(labels.REGISTER)
        self.page.get_by_text("You are registered").wait_for()

    def hand_in_list(self, file: str) -> None:
        """Submit a list with a banned card, then the right list.

        The phone reports the banned card while it is typed.
        """
        good = (DECKS / file).read_text(encoding="utf-8")
        self.page.get_by_role("link", name=labels.SUBMIT_DECKLIST).first.click()
        text = self.page.locator("#id_text")
        text.fill(good.replace("3 Quick Elbow", "2 Quick Elbow"))
        text.press_sequentially("1 Kubi Ori")
        verdict = self.page.locator("#verdict")
        verdict.get_by_text("Kubi Ori is banned").first.wait_for()
        self.submit("is submitted, but not legal.")
        self.page.goto(f"/p/{self.player.token}/")
        self.page.get_by_text("Your decklist needs changes").wait_for()
        self.page.get_by_role("link", name="Fix decklist").click()
        self.page.locator("#id_text").fill(good)
        verdict.get_by_text("Legal", exact=True).first.wait_for()
        self.submit("is submitted and counts.")
        versions = list(self.player.deck_list.versions.values_list("number", "outcome"))
        assert versions == [(1, "illegal"), (2, "legal")]
        self.page.goto(f"/p/{self.player.token}/")

    def submit(self, answer: str) -> None:
        self.press(labels.SUBMIT_DECKLIST)
        self.page.get_by_text(answer).wait_for()

    def report_own_match(self, other: PlayerPhone) -> None:
        """Report by thumb, confirm on the opponent's phone; a bye needs no report."""
        match = Match.objects.filter(round__number=2, outcome="").filter(p1=self.player).first()
        match = match or Match.objects.filter(round__number=2, outcome="", p2=self.player).first()
        if match is None:
            return
        opponent = match.p2 if match.p1 == self.player else match.p1
        self.page.get_by_text(opponent.name).first.wait_for()
        self.page.locator(".score-win").first.click()
        self.page.get_by_text("The result counts once").wait_for()
        other.page.goto(f"/p/{opponent.token}/")
        other.page.get_by_role("button", name="Yes, ").click()
        other.page.get_by_text("Is the result wrong? Tell a judge now.").wait_for()
        match.refresh_from_db()
        assert match.winner_id == self.player.pk

    def see_champion(self, name: str) -> None:
        self.page.goto(f"/e/{self.slug}/bracket/")
        self.page.locator(".champion").get_by_text(name).wait_for()
