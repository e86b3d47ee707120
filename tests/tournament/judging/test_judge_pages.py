"""The judges' pages.

Tests cover finding a table or a player, calls, deck checks, penalties and rulings.
"""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.models import Q
from django.test import Client
from django.test.utils import CaptureQueriesContext

from rules.rendering import say
from tests.everyday import each_case
from tests.scenarios.event_with_decklist import event_with_alices_list
from tests.scenarios.factories import add_players, make_event, organizer, publish_next, win
from tests.scenarios.log_words import words_of
from tests.scenarios.public_pages import text_of
from tests.scenarios.rollback import rolled_back
from tests.tournament.desk.test_console_pages import signed_in
from tournament.access.permissions import Actor
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.judging.models import DeckCheck, JudgeCall, TableRuling
from tournament.judging.services.calls import call_judge
from tournament.pairing.services import rounds
from tournament.penalties.models import Penalty
from tournament.results.services import results
from tournament.setup.services import events
from tournament.shared import coded_texts

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """Four players, Alice with a list, round 1 being played."""
    return event_with_alices_list(players=4)


@pytest.fixture
def judge(event: Event) -> Client:
    return signed_in(event, "judge")


def match_of(event: Event, table: int = 1) -> Match:
    return Match.objects.select_related("round__stage__event", "p1", "p2").get(
        round__stage__event=event, table=table
    )


def find(client: Client, event: Event, what: str) -> str:
    answer = client.post(f"/judge/{event.slug}/find/", {"what": what})
    return answer.headers.get("Location", f"{answer.status_code}").replace(f"/judge/{event.slug}", "")


def test_number_of_a_table_a_name_and_every_code_lead_to_their_page(event: Event, judge: Client) -> None:
    match = match_of(event, 2)
    alice = event.players.get(number=1)
    assert {
        what: find(judge, event, what)
        for what in ("2", " 2 ", "alice", "LICE", f"http://h/S/{match.pk}", f"/e/x/matches/{match.pk}/")
    } == {
        "2": "/tables/1/1/2/", " 2 ": "/tables/1/1/2/", "alice": "/players/1/", "LICE": "/players/1/",
        f"http://h/S/{match.pk}": "/tables/1/1/2/", f"/e/x/matches/{match.pk}/": "/tables/1/1/2/",
    }  # fmt: skip
    assert find(judge, event, f"https://h/p/{alice.token}/") == "/players/1/"
    assert find(judge, event, f"HTTP://H/B/{event.slug.upper()}/1") == "/players/1/"
    assert find(judge, event, "HTTP://H/B/ANOTHER-EVENT/1") == "200"


def test_pages_of_judges_may_use_the_camera(event: Event, judge: Client) -> None:
    for path in ("", "players/1/", "tables/1/1/1/"):
        answer = judge.get(f"/judge/{event.slug}/{path}")
        assert answer["Permissions-Policy"].startswith("camera=(self)")


def test_both_lists_stand_beside_each_other_in_checking_order(event: Event, judge: Client) -> None:
    match = Match.objects.select_related("p1", "p2").get(Q(p1__number=1) | Q(p2__number=1))
    alice, other = sorted((match.p1, match.p2), key=lambda player: player.number)
    page = text_of(judge.get(f"/judge/{event.slug}/tables/1/1/{match.table}/lists/"))
    version = alice.deck_list.current
    assert f"{version.short_hash} 68 cards" in page
    assert all(f"{entry['qty']} {entry['name']}" in page for entry in version.entries)
    assert f"{other} No decklist submitted" in page
    assert judge.get(f"/judge/{event.slug}/tables/1/1/99/lists/").status_code == 404


@each_case(
    "what",
    ["", "99", "nobody", "\x00", "9" * 300, "http://h/p/unknownunknown/", "/S/999999999"],
    around=rolled_back,
)
def test_what_leads_nowhere_says_so(event: Event, judge: Client, what: str) -> None:
    assert find(judge, event, what) == "200"


def test_name_of_several_players_asks_which(event: Event, judge: Client) -> None:
    answer = judge.post(f"/judge/{event.slug}/find/", {"what": "a"})
    assert [p.name for p in answer.context["people"]] == ["Alice", "Carol", "Dave"]


def test_code_of_another_events_player_opens_nothing(event: Event, judge: Client) -> None:
    stranger = add_players(make_event(name="Elsewhere"), 1)[0]
    assert find(judge, event, f"/p/{stranger.token}/") == "200"


def test_table_shows_both_lists_and_their_verdicts(event: Event, judge: Client) -> None:
    table = event.players.get(number=1).seats.get().match.table
    page = judge.get(f"/judge/{event.slug}/tables/1/1/{table}/")
    sides = {side.player.name: side.outcome for side in page.context["view"].sides}
    assert sides["Alice"] == "legal"
    assert [outcome for name, outcome in sides.items() if name != "Alice"] == [""]


def test_draft_has_no_table_yet(event: Event, judge: Client) -> None:
    for match in Match.objects.select_related("round__stage__event", "p1", "p2").all():
        win(match)
    rounds.pair_next_round(event, organizer())
    assert judge.get(f"/judge/{event.slug}/tables/1/2/1/").status_code == 404
    assert find(judge, event, "1") == "/tables/1/1/1/"


def test_result_that_leaves_out_a_game_loss_is_not_offered(event: Event, judge: Client) -> None:
    match = match_of(event)
    form_values = {"infraction": "late", "degree": "game_loss", "note": "late", "counts": "now", "seen": "0"}
    judge.post(f"/judge/{event.slug}/players/{match.p1.number}/penalty/", form_values)
    page = judge.get(f"/judge/{event.slug}/tables/1/1/1/")
    assert [button.value for button in page.context["view"].scores if button.fits] == [
        "2-1",
        "1-1",
        "0-1",
        "1-2",
        "0-2",
    ]
    assert "1 game loss in this match" in text_of(page)


def test_judge_enters_the_result_at_the_table_and_stays_there(event: Event, judge: Client) -> None:
    match = match_of(event)
    page = f"/judge/{event.slug}/tables/1/1/1/"
    form_values = {"score": "2-1", "revision": str(match.revision), "next": page}
    answer = judge.post(f"/console/{event.slug}/matches/{match.pk}/result/", form_values)
    assert (answer.headers["Location"], match_of(event).score) == (page, "2-1")


def test_judge_decides_a_dispute_at_the_table_with_a_reason(event: Event, judge: Client) -> None:
    match = match_of(event)
    results.report_result(match, match.p1, p1_games=2, p2_games=0)
    results.report_result(match, match.p2, p1_games=0, p2_games=2)
    assert "Disputed results (1)" in text_of(judge.get(f"/judge/{event.slug}/"))
    form_values = {"score": "2-0", "reason": "Both slips say so.", "next": f"/judge/{event.slug}/"}
    judge.post(f"/console/{event.slug}/matches/{match.pk}/result/", form_values)
    assert match_of(event).score == "2-0"
    assert event.log.filter(action="result_entered").first().reason == "Both slips say so."


def test_result_that_leaves_out_a_game_loss_is_refused_wherever_it_is_entered(
    event: Event, judge: Client
) -> None:
    match = match_of(event)
    form_values = {"infraction": "late", "degree": "game_loss", "note": "late", "counts": "now", "seen": "0"}
    judge.post(f"/judge/{event.slug}/players/{match.p1.number}/penalty/", form_values)
    address = f"/console/{event.slug}/rounds/1/1/result/"
    text = text_of(judge.post(address, {"line": "1 2 0"}, follow=True))
    assert f"{match.p1} has a game loss in this match, so {match.p2} wins one more game." in text
    assert match_of(event).outcome == ""
    judge.post(address, {"line": "1 2 1"})
    assert match_of(event).score == "2-1"


def test_second_press_gives_no_second_penalty(event: Event, judge: Client) -> None:
    form_values = {"infraction": "late", "degree": "warning", "counts": "now", "seen": "0"}
    address = f"/judge/{event.slug}/players/1/penalty/"
    assert [judge.post(address, form_values).status_code for _ in range(2)] == [302, 422]
    assert Penalty.objects.count() == 1


def test_penalty_page_suggests_the_next_step(event: Event, judge: Client) -> None:
    address = f"/judge/{event.slug}/players/1/penalty/"
    judge.post(address, {"infraction": "late", "degree": "warning", "counts": "now", "seen": "0"})
    form = judge.get(f"{address}?infraction=late").context["form"]
    assert (form["infraction"].value(), form["degree"].value(), form["seen"].value()) == (
        "late",
        "game_loss",
        1,
    )


@each_case(
    "form_values",
    [
        {},
        {"infraction": "x", "degree": "y", "counts": "z"},
        {"infraction": "late", "degree": "game_loss", "counts": "now", "note": ""},
        {"infraction": "late", "degree": "warning", "counts": "now", "note": "x" * 401},
        {"infraction": "late", "degree": "warning", "counts": "now", "seen": "9" * 40},
        {"infraction": "late", "degree": "warning", "counts": "now", "note": "\x00"},
        {"infraction": "late", "degree": "warning", "counts": "now", "check": "-1"},
    ],
    around=rolled_back,
)
def test_penalty_that_cannot_be_is_refused_beside_its_field(
    event: Event, judge: Client, form_values: dict[str, str]
) -> None:
    assert judge.post(f"/judge/{event.slug}/players/1/penalty/", form_values).status_code == 422
    assert Penalty.objects.count() == 0


def test_judge_takes_a_penalty_back_with_its_effect(event: Event, judge: Client) -> None:
    match = match_of(event)
    form_values = {
        "infraction": "slow",
        "degree": "match_loss",
        "note": "stalled",
        "counts": "now",
        "seen": "0",
    }
    judge.post(f"/judge/{event.slug}/players/{match.p1.number}/penalty/", form_values)
    assert match_of(event).outcome == "p2"
    judge.post(f"/judge/{event.slug}/penalties/{Penalty.objects.get().pk}/back/", {"reason": "misheard"})
    assert (match_of(event).outcome, Penalty.objects.count()) == ("", 0)


def test_player_calls_and_the_judge_sees_takes_and_settles_it(event: Event, judge: Client) -> None:
    alice = event.players.get(number=1)
    phone = Client()
    assert phone.post(f"/p/{alice.token}/judge/", {"words": "Is this card legal?"}).status_code == 302
    call = JudgeCall.objects.get()
    assert call.table == alice.seats.get().match.table
    desk = text_of(judge.get(f"/judge/{event.slug}/"))
    assert "Is this card legal?" in desk
    assert phone.get(f"/p/{alice.token}/").context["judging"].call == call
    judge.post(f"/judge/{event.slug}/calls/{call.pk}/take/")
    assert phone.get(f"/p/{alice.token}/").context["judging"].call.taken_at is not None
    form_values = {"question": "Is this card legal?", "ruling": "Yes.", "reason": "Not on the list of bans."}
    judge.post(f"/judge/{event.slug}/calls/{call.pk}/close/", form_values)
    ruling = TableRuling.objects.get()
    assert (ruling.ruling, ruling.table, ruling.call_id) == ("Yes.", call.table, call.pk)
    assert "on the way" not in text_of(phone.get(f"/p/{alice.token}/"))
    last = list(event.log.order_by("-pk").values_list("action", "reason")[:2])
    assert last == [("call_closed", ""), ("ruled", "Not on the list of bans.")]


def test_two_calls_of_one_player_are_one(event: Event) -> None:
    alice = event.players.get(number=1)
    for _ in range(2):
        Client().post(f"/p/{alice.token}/judge/")
    assert JudgeCall.objects.count() == 1


def test_call_arrives_with_table_and_reason_on_every_page_of_judges(event: Event, judge: Client) -> None:
    alice = event.players.get(number=1)
    Client().post(f"/p/{alice.token}/judge/", {"topic": "slow_play", "words": "Turn 3"})
    call = JudgeCall.objects.get()
    seat = alice.seats.get()
    assert (call.table, call.topic, call.words) == (seat.match.table, "slow_play", "Turn 3")
    pages = ["", "checks/", f"tables/1/1/{call.table}/"]
    texts = [text_of(judge.get(f"/judge/{event.slug}/{page}")) for page in pages]
    assert ["Judge desk 1 call" in each for each in texts] == [True, True, True]
    log_rows = judge.post(
        f"/judge/{event.slug}/calls/{call.pk}/take/", {"next": f"/judge/{event.slug}/checks/"}
    )
    assert (log_rows.headers["Location"], "1 call" in text_of(judge.get(log_rows.headers["Location"]))) == (
        f"/judge/{event.slug}/checks/",
        False,
    )


def test_table_gets_more_time_by_one_press_and_the_page_shows_it(event: Event, judge: Client) -> None:
    address = f"/judge/{event.slug}/tables/1/1/2/"
    form_values = [
        {"minutes": "5", "reason": "Judge call"},
        {"minutes": "5", "reason": " "},
        {"minutes": "x"},
    ]
    assert [judge.post(f"{address}time/", each).headers["Location"] for each in form_values] == [address] * 3
    extension = judge.get(address).context["view"].extension
    assert (extension.seconds, extension.reasons) == (300, ("Judge call",))


def test_questions_of_the_time_rules_are_answered_on_the_page_of_the_table(
    event: Event, judge: Client
) -> None:
    match, address = match_of(event, 2), f"/judge/{event.slug}/tables/1/1/2/"
    view = judge.get(address).context["view"]
    assert (view.is_time_called, [each.key for each in view.time_called.questions][:1]) == (
        False,
        ["games_p1"],
    )
    answers = {"games_p1": "1", "games_p2": "0", "game_in_progress": "no", "next": address}
    response = judge.post(f"/console/{event.slug}/matches/{match.pk}/time/", answers)
    view = judge.get(response.headers["Location"]).context["view"]
    assert (response.headers["Location"], view.is_time_called, view.time_called.score) == (
        address,
        True,
        "1-0",
    )


def test_button_of_a_penalty_can_say_every_penalty_and_returns_to_the_table(
    event: Event, judge: Client
) -> None:
    table = f"/judge/{event.slug}/tables/1/1/1/"
    page = judge.get(f"/judge/{event.slug}/players/1/penalty/?next={table}")
    words = dict(next(c for c in page.context["choices"] if c.infraction == "slow").buttons)
    assert (words["warning"], words["disqualification"]) == (
        "Warning to Alice for slow play",
        "Disqualification to Alice for slow play",
    )
    form_values = {"infraction": "slow", "degree": "warning", "counts": "now", "seen": "0", "next": table}
    answer = judge.post(f"/judge/{event.slug}/players/1/penalty/", form_values, follow=True)
    assert (answer.redirect_chain[-1][0], "Warning to Alice for slow play" in text_of(answer)) == (
        table,
        True,
    )


def test_deck_checks_are_searched_by_name_and_number(event: Event, judge: Client) -> None:
    def find(words: str) -> list[str]:
        page = judge.get(f"/judge/{event.slug}/checks/", {"q": words})
        return [state.player.name for state in page.context["states"]]

    assert (find("lic"), find("3"), find("nobody"), len(find(""))) == (
        ["Alice"],
        ["Carol"],
        [],
        4,
    )


def test_player_takes_the_call_back(event: Event) -> None:
    alice = event.players.get(number=1)
    for form_values in ({}, {"off": "1"}, {"off": "1"}):
        Client().post(f"/p/{alice.token}/judge/", form_values)
    assert JudgeCall.objects.get().closed_by == coded_texts.BY_PLAYER


def test_second_judge_hears_that_the_first_is_on_the_way(event: Event, judge: Client) -> None:
    call = call_judge(event.players.get(number=1), Actor(label="Alice"))
    judge.post(f"/judge/{event.slug}/calls/{call.pk}/take/")
    other = signed_in(event, "organizer").post(f"/judge/{event.slug}/calls/{call.pk}/take/", follow=True)
    assert "judge@example.org already took this call." in text_of(other)


def test_no_player_calls_a_judge_before_the_start() -> None:
    alice = add_players(make_event(), 1)[0]
    assert say("refusal", "nobody_plays") in text_of(Client().post(f"/p/{alice.token}/judge/", follow=True))


def test_player_sees_their_own_penalties_alone(event: Event, judge: Client) -> None:
    form_values = {
        "infraction": "slow",
        "degree": "warning",
        "note": "three minutes",
        "counts": "now",
        "seen": "0",
    }
    judge.post(f"/judge/{event.slug}/players/1/penalty/", form_values)
    pages = [text_of(Client().get(f"/p/{p.token}/")) for p in event.players.order_by("number")]
    assert ["three minutes" in page for page in pages] == [True, False, False, False]
    public = [f"/e/{event.slug}/", f"/e/{event.slug}/players/1/", f"/e/{event.slug}/standings/"]
    assert ["three minutes" in text_of(Client().get(address)) for address in public] == [False, False, False]


def test_ruling_at_a_table_stands_in_the_log_with_its_reason(event: Event, judge: Client) -> None:
    form_values = {"question": "May they look?", "ruling": "No.", "reason": "102.1"}
    assert judge.post(f"/judge/{event.slug}/tables/1/1/1/", form_values).status_code == 302
    entry = event.log.order_by("-pk").first()
    assert (entry.action, words_of(entry), entry.reason) == (
        "ruled", "judge@example.org ruled at table 1: No.", "102.1",
    )  # fmt: skip
    assert judge.post(f"/judge/{event.slug}/tables/1/1/1/", {"ruling": ""}).status_code == 422
    unfounded = judge.post(f"/judge/{event.slug}/tables/1/1/1/", {"ruling": "No."})
    assert (unfounded.status_code, list(unfounded.context["form"].errors)) == (422, ["reason"])


def test_judge_page_asks_as_many_questions_for_two_tables_as_for_eight(judge: Client, event: Event) -> None:
    judge.get(f"/judge/{event.slug}/")
    counts = []
    for players in (0, 16):
        big = event if not players else make_event(name="Big")
        if players:
            add_players(big, players)
            events.start_event(big, organizer())
            publish_next(big)
            client = signed_in(big, "organizer")
        else:
            client = judge
        client.get(f"/judge/{big.slug}/checks/")
        with CaptureQueriesContext(connection) as desk:
            client.get(f"/judge/{big.slug}/")
        with CaptureQueriesContext(connection) as overview:
            client.get(f"/judge/{big.slug}/checks/")
        counts.append((len(desk), len(overview)))
    assert counts == [(11, 8), (11, 8)]


def test_console_says_who_waits_for_a_judge(event: Event) -> None:
    call_judge(event.players.get(number=1), Actor(label="Alice"))
    answer = signed_in(event, "scorekeeper").get(f"/console/{event.slug}/")
    assert [call.player.number for call in answer.context["judging"].calls] == [1]


def test_open_check_is_shown_on_the_judges_first_page(event: Event, judge: Client) -> None:
    judge.post(f"/judge/{event.slug}/players/1/check/")
    assert "Deck checks in progress (1)" in text_of(judge.get(f"/judge/{event.slug}/"))
    assert DeckCheck.objects.get().player == Player.objects.get(event=event, number=1)
