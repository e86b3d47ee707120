"""The digest of a player.

It changes with the content of this player's page, and with little else.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from tests.scenarios.factories import make_event, open_matches, organizer, publish_next, started_event, win
from tests.scenarios.html import html_of
from tests.scenarios.public_pages import queries_of
from tournament.clock import services as clock
from tournament.clock.models import ClockEntry
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.judging.services import calls
from tournament.judging.services.penalties import give_penalty
from tournament.my_page.digests import LEAST_SPREAD, PAGE_MILLISECONDS, load_digests
from tournament.registration import services as registration
from tournament.results.services import drops, results
from tournament.setup.services import events

pytestmark = pytest.mark.django_db

OF_NO_ACCOUNT = re.compile(r'data-(version|digest|shown|jitter|clock-state)="[^"]*"|value="[A-Za-z0-9]{64}"')


def page_of(player: Player) -> str:
    """Return what the page shows, without its own marks."""
    return OF_NO_ACCOUNT.sub("", Client().get(f"/p/{player.token}/").content.decode())


def digests_of(event: Event) -> dict[int, str]:
    return dict(load_digests(event.pk, 0).by_player)


class DigestReader:
    """Reads the pages of the players whom a step does not concern.

    It compares them with those before the step.
    """

    def __init__(self, event: Event) -> None:
        self.event = event
        self.digests = digests_of(event)
        self.pages: dict[int, str] = {}

    def changed_by(self, act: Callable[[], object], *, concerned_players: set[int]) -> set[int]:
        """Return the players whose digest a step changes.

        Everyone who sees something new is among them. The pages of the `concerned_players` are not read.
        """
        for player in self.event.players.exclude(pk__in={*concerned_players, *self.pages}):
            self.pages[player.pk] = page_of(player)
        digests = self.digests
        act()
        self.digests = digests_of(self.event)
        changed_players = {pk for pk, digest in self.digests.items() if digests.get(pk) != digest}
        self.pages = {
            pk: page for pk, page in self.pages.items() if pk not in {*concerned_players, *changed_players}
        }
        now = {player.pk: page_of(player) for player in self.event.players.filter(pk__in=self.pages)}
        assert now == self.pages, "A page changed and its digest did not."
        return changed_players

    def check(self, act: Callable[[], object], concerned_players: set[int]) -> None:
        """Require that a step changes the digests of these players alone."""
        assert self.changed_by(act, concerned_players=concerned_players) == concerned_players


def everyone(event: Event) -> set[int]:
    return set(event.players.values_list("pk", flat=True))


def test_a_round_concerns_everyone_and_a_result_those_who_play_it() -> None:
    event = started_event(4, cut="top", cut_size=2, swiss_rounds=3)
    reader = DigestReader(event)
    reader.check(lambda: publish_next(event), everyone(event))
    first, last = open_matches(Round.objects.select_related("stage__event").get())
    reader.check(lambda: win(first), {first.p1_id, first.p2_id})
    # The last result completes the round: ranks change, for everyone.
    reader.check(lambda: win(last), everyone(event))


def test_reports_calls_and_penalties_concern_the_table_alone() -> None:
    event = started_event(4, swiss_rounds=2)
    first = open_matches(publish_next(event))[0]
    both = {first.p1_id, first.p2_id}
    report = {"p1_games": 2, "p2_games": 1}
    actor, reader = organizer(), DigestReader(event)
    reader.check(lambda: results.report_result(first, first.p1, **report), both)
    reader.check(lambda: calls.call_judge(first.p1, actor), {first.p1_id})
    warn = lambda: give_penalty(first.p2, actor, infraction="play", degree="warning")  # noqa: E731 - a step
    reader.check(warn, {first.p2_id})
    out = {first.p2_id}
    assert reader.changed_by(lambda: drops.drop(first.p2, actor), concerned_players=out) >= out


def test_the_clock_concerns_everyone_and_more_time_one_table() -> None:
    event = started_event(4, swiss_rounds=2)
    round_ = publish_next(event)
    match, reader = open_matches(round_)[0], DigestReader(event)
    reader.check(lambda: clock.start_clock(round_, organizer()), everyone(event))
    reader.check(
        lambda: clock.change_time(round_, organizer(), minutes=5, match=match, reason="late"),
        {match.p1_id, match.p2_id},
    )
    assert ClockEntry.objects.filter(match=match).count() == 1


def test_check_in_and_registration_concern_those_who_come() -> None:
    event = make_event(capacity=2)
    people = [
        registration.register(event, name=name, email=f"{name.lower()}@example.org")
        for name in ("Ada", "Bo", "Cy", "Di")
    ]
    reader = DigestReader(event)
    reader.check(lambda: events.open_check_in(event, organizer()), everyone(event))
    reader.check(lambda: registration.check_in(people[0], organizer()), {people[0].pk})
    # The next on the waiting list moves up, and so does the one behind.
    concerned_players = {people[0].pk, people[2].pk, people[3].pk}
    reader.check(lambda: registration.withdraw(people[0], organizer()), concerned_players)


def test_digest_is_answered_like_the_version_with_304_while_it_is_the_same(client: Client) -> None:
    event = started_event(4, swiss_rounds=2)
    first, second = open_matches(publish_next(event))
    address = f"/p/{first.p1.token}/version"
    answer = client.get(address)
    tag = answer["ETag"]
    assert answer.json()["digest"] == tag.strip('"')
    assert f'data-digest="{answer.json()["digest"]}"' in html_of(client.get(f"/p/{first.p1.token}/"))
    win(second)
    assert client.get(address, headers={"if-none-match": tag}).status_code == 304
    results.report_result(first, first.p2, p1_games=2, p2_games=1)
    assert client.get(address, headers={"if-none-match": tag}).status_code == 200


def test_digest_of_an_unknown_link_is_not_found(client: Client) -> None:
    assert client.get("/p/nobody/version").status_code == 404


def test_question_for_a_digest_costs_one_query_once_it_is_known(
    client: Client, django_assert_num_queries, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = started_event(4, swiss_rounds=2)
    publish_next(event)
    player = event.players.get(number=1)
    digests = load_digests(event.pk, 0)
    monkeypatch.setattr("tournament.my_page.digests.load_digests", lambda event, version: digests)
    with django_assert_num_queries(1):
        client.get(f"/p/{player.token}/version")


def test_reloads_are_spread_by_the_number_of_players_concerned() -> None:
    event = started_event(60, swiss_rounds=2)
    load_digests(event.pk, 0)
    round_ = publish_next(event)
    assert load_digests(event.pk, 0).spread == 60 * PAGE_MILLISECONDS
    win(open_matches(round_)[0])
    assert load_digests(event.pk, 0).spread == LEAST_SPREAD


def test_queries_for_the_digests_do_not_grow_with_the_field(client: Client) -> None:
    counts = []
    for players in (4, 12):
        event = started_event(players, name=f"Event of {players}", swiss_rounds=3, cut="top", cut_size=2)
        publish_next(event)
        counts.append(queries_of(lambda pk=event.pk: load_digests(pk, 0)))
    assert counts[0] == counts[1]
