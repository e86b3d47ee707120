"""The pages behind a private link.

Tests cover the next thing to do, reports, leaving and privacy.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from rules.rendering import say
from tests.everyday import each_case
from tests.scenarios.factories import (
    add_players,
    make_event,
    open_matches,
    organizer,
    play_round,
    publish_next,
    started_event,
    win,
)
from tests.scenarios.public_pages import event_with_cut, get, queries_of, text_of
from tests.scenarios.rollback import rolled_back
from tournament.brackets.services import cut as cuts
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.result_sentences import shorten_names
from tournament.events.models.round import Match, ResultReport
from tournament.my_page import digests
from tournament.pairing.services import rounds
from tournament.registration import services as registration
from tournament.results.services import results
from tournament.setup.services import events
from tournament.standings.selectors.standings import standings

pytestmark = pytest.mark.django_db


def task_of(client: Client, player: Player) -> str:
    """Return the kind of the next thing to do that the player's page shows."""
    return client.get(f"/p/{player.token}/").context["task"].kind


def start_first_table(players: int = 2, **values: Any) -> Match:
    """Return the first table of a published first round."""
    event = started_event(players, **values)
    published_round = publish_next(event)
    return published_round.matches.select_related("p1", "p2", "round__stage__event").get(table=1)


def send(client: Client, player: Player, where: str, **values: Any) -> Any:
    """Send a form of the player and follow to the page it leads to."""
    return client.post(f"/p/{player.token}/{where}/", values, follow=True)


def words_of(answer: Any) -> list[str]:
    """Return the messages on a page."""
    return [str(message) for message in answer.context["messages"]]


def test_unknown_link_gets_a_page_that_helps(client: Client) -> None:
    answer = client.get("/p/not-a-token/")
    assert answer.status_code == 404
    assert "Unknown private link" in text_of(answer)
    assert answer["Cache-Control"] == "max-age=0, no-cache, no-store, must-revalidate, private"


@each_case("page", ["", "list/", "character/", "qr.png", "report/"], around=rolled_back)
def test_player_pages_are_kept_out_of_caches_indexes_and_other_sites(client: Client, page: str) -> None:
    answer = client.get(f"/p/{start_first_table().p1.token}/{page}")
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert answer["Referrer-Policy"] == "strict-origin"


def test_code_is_a_picture_of_the_private_link(client: Client) -> None:
    (alice,) = add_players(make_event(), 1)
    answer = client.get(f"/p/{alice.token}/qr.png")
    assert answer["Content-Type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG")


def test_before_the_start_the_next_thing_is_character_then_list_then_nothing(client: Client) -> None:
    event = make_event(cut="diversity", cut_size=2, decklists_required=True)
    alice = registration.add_player(event, organizer(), name="Alice")
    assert task_of(client, alice) == "character"
    answer = send(client, alice, "character", character="Ken")
    assert words_of(answer) == ["Your character: Ken."]
    assert answer.context["task"].kind == "list_missing"
    send(client, alice, "list", text="4 Nothing Known")
    assert task_of(client, alice) == "list_mend"


def test_check_in_comes_first_once_it_is_open(client: Client) -> None:
    event = make_event(decklists_required=True)
    alice, _ = add_players(event, 2)
    events.open_check_in(event, organizer())
    assert task_of(client, alice) == "check_in"
    answer = send(client, alice, "check-in")
    assert answer.context["task"].kind == "list_missing"
    alice.refresh_from_db()
    assert alice.checked_in_at is not None


def test_check_in_too_early_is_refused_in_words(client: Client) -> None:
    (alice,) = add_players(make_event(), 1)
    assert words_of(send(client, alice, "check-in")) == ["Check-in is not open. Ask the organizer."]


def test_waiting_player_learns_their_place(client: Client) -> None:
    event = make_event(capacity=2)
    *_, dave = add_players(event, 4)
    assert "You are number 2 on the waiting list" in get(client, f"/p/{dave.token}/")


def test_withdrawing_can_be_taken_back(client: Client) -> None:
    (alice,) = add_players(make_event(), 1)
    assert send(client, alice, "withdraw").context["task"].kind == "withdrawn"
    assert send(client, alice, "withdraw", undo="1").context["task"].kind == "ready"


def test_before_a_round_is_published_a_draft_shows_nothing(client: Client) -> None:
    event = started_event(2)
    alice = event.players.get(number=1)
    assert task_of(client, alice) == "before_round"
    draft = rounds.pair_next_round(event, organizer())
    assert task_of(client, alice) == "before_round"
    rounds.publish_round(draft, organizer())
    assert task_of(client, alice) == "playing"


def test_table_and_opponent_stand_large_on_the_page(client: Client) -> None:
    match = start_first_table()
    page = get(client, f"/p/{match.p1.token}/")
    assert "Table 1 vs. " in page
    assert f"vs. {match.p2.name}" in page


@each_case(
    ("form", "is_cut", "values"),
    [
        ("best_of_3_50min", False, ["2-0", "0-2", "2-1", "1-2", "1-1"]),
        ("best_of_3_50min", True, ["2-0", "0-2", "2-1", "1-2"]),
        ("one_game_30min", False, ["1-0", "0-1", "0-0"]),
        ("one_game_30min", True, ["1-0", "0-1"]),
    ],
    around=rolled_back,
)
def test_buttons_are_those_of_the_match_form(form: str, is_cut: bool, values: list[str]) -> None:
    from tournament.my_page.selectors import list_score_buttons

    event = Event(game="ufs", match_form=form)
    buttons = list_score_buttons(event, ("Ada", "Bob"), needs_winner=is_cut)
    assert [button.value for button in buttons] == values


def test_each_button_names_the_winner_with_the_games_of_the_winner_first(client: Client) -> None:
    match = start_first_table()
    page = get(client, f"/p/{match.p2.token}/")
    mine, theirs = match.p2.name, match.p1.name
    assert f"{mine} won 2-0 {theirs} won 2-0 {mine} won 2-1 {theirs} won 2-1 Draw 1-1" in page


def test_two_of_one_name_are_told_apart_by_their_numbers(client: Client) -> None:
    match = start_first_table()
    Player.objects.filter(pk__in=[match.p1_id, match.p2_id]).update(name="Ann Lee")
    page = get(client, f"/p/{match.p1.token}/")
    assert f"Ann Lee ({match.p1.number}) won 2-0 Ann Lee ({match.p2.number}) won 2-0" in page


@each_case(
    ("names", "short"),
    [
        (("Petra Lind", "Bea Fischer"), ("Petra", "Bea")),
        (("Anna Lopez", "Anna Berg"), ("Anna Lopez", "Anna Berg")),
        (("van der Berg Jan", "J. Doe"), ("van der Berg Jan", "J. Doe")),
        (("Lopez, Anna", "山田太郎"), ("Lopez, Anna", "山田太郎")),
    ],
    around=rolled_back,
)
def test_names_are_shortened_where_their_first_words_tell_them_apart(
    names: tuple[str, str], short: tuple[str, str]
) -> None:
    players = [Player(name=name, number=number) for number, name in enumerate(names, 1)]
    assert shorten_names(*players) == short


def test_only_the_weightiest_message_is_shown(client: Client) -> None:
    match = start_first_table()
    send(client, match.p1, "report", match=match.pk, score="2-1")
    answer = send(client, match.p2, "confirm", match=match.pk, score="2-1-0")
    assert len(answer.context["messages"]) == 1
    welcome_page = client.get(f"/p/{match.p1.token}/?new")
    assert (welcome_page.context["notice"], welcome_page.context["messages"]) == ("new", [])


def test_one_reports_the_other_confirms_and_the_result_stands(client: Client) -> None:
    match = start_first_table()
    first = send(client, match.p1, "report", match=match.pk, score="2-1")
    assert words_of(first) == []
    assert first.context["task"].kind == "reported"
    assert task_of(client, match.p2) == "confirm"
    assert f"Yes, {match.p1.name} won 2-1" in get(client, f"/p/{match.p2.token}/")
    second = send(client, match.p2, "confirm", match=match.pk, score="1-2-0")
    assert words_of(second) == []
    match.refresh_from_db()
    assert (match.outcome, match.p1_games, match.p2_games) == ("p1", 2, 1)
    assert second.context["task"].kind == "round_over"


def test_second_player_reports_their_own_games_first(client: Client) -> None:
    match = start_first_table()
    send(client, match.p2, "report", match=match.pk, score="2-0-1")
    assert ResultReport.objects.get().score == "0-2-1"


def test_differing_reports_call_a_judge_and_can_be_corrected(client: Client) -> None:
    match = start_first_table()
    send(client, match.p1, "report", match=match.pk, score="2-0")
    answer = send(client, match.p2, "report", match=match.pk, score="2-0")
    assert answer.context["task"].kind == "disputed"
    assert words_of(answer) == []
    assert "Call judge" in text_of(answer)
    correction_answer = send(client, match.p2, "report", match=match.pk, score="0-2")
    assert correction_answer.context["task"].kind == "round_over"


def test_confirming_what_was_changed_meanwhile_changes_nothing(client: Client) -> None:
    match = start_first_table()
    send(client, match.p1, "report", match=match.pk, score="2-1")
    send(client, match.p1, "report", match=match.pk, score="2-0")
    answer = send(client, match.p2, "confirm", match=match.pk, score="1-2-0")
    assert words_of(answer) == [
        f"{match.p1.name} changed the report after you opened it. Check it again before you confirm."
    ]
    assert answer.context["task"].kind == "confirm"


def post_by_script(client: Client, player: Player, page: str, **values: object) -> tuple[int, list[str]]:
    """Return what a report answers that the phone kept and sent later."""
    answer = client.post(f"/p/{player.token}/{page}/", values, headers={"accept": "application/json"})
    return answer.status_code, answer.json()["sentences"]


def test_kept_report_is_answered_with_sentences(client: Client) -> None:
    match = start_first_table()
    report = {"match": match.pk, "score": "2-0"}
    assert post_by_script(client, match.p1, "report", **report) == (200, [])
    # Sent once more, because the first answer was lost.
    assert post_by_script(client, match.p1, "report", **report) == (200, [])
    stale = ["You are no longer playing the match you reported. Load the page again."]
    assert post_by_script(client, match.p1, "report", match=0, score="2-0") == (409, stale)
    status, sentences = post_by_script(client, match.p1, "report", match=match.pk, score="3-0")
    assert (status, sentences[0][:23]) == (422, "3-0 is not possible: a ")
    assert post_by_script(client, match.p2, "confirm", match=match.pk, score="0-2-0") == (200, [])
    match.refresh_from_db()
    assert match.outcome == "p1"


def test_report_of_an_earlier_match_is_not_taken_for_this_one(client: Client) -> None:
    event = started_event(4, swiss_rounds=3)
    round_ = play_round(event)
    old = round_.matches.select_related("p1").first()
    publish_next(event)
    answer = send(client, old.p1, "report", match=old.pk, score="2-0")
    assert words_of(answer) == ["You are no longer playing the match you reported. Load the page again."]
    assert ResultReport.objects.count() == 0


def test_result_that_stands_is_not_overwritten_by_a_player(client: Client) -> None:
    match = start_first_table()
    win(match)
    answer = client.post(f"/p/{match.p2.token}/report/", {"match": match.pk, "score": "2-0"})
    assert answer.status_code == 422
    assert f"This match already has a result: {match.p1} won 2-0. If it is wrong, tell a judge." in text_of(
        answer
    )


@each_case(
    ("values", "says"),
    [
        ({"score": "3-0"}, "3-0 is not possible: a match ends at 2 wins."),
        ({"score": "2:0"}, "“2:0” is not a result. Write games as 2-1, or 1-1-1 with a drawn game."),
        ({"mine": "2", "theirs": "2"}, "2-2 is not possible: a match ends at 2 wins."),
        ({"mine": "2"}, "Enter the number of games"),
        ({"mine": "-1", "theirs": "0"}, "Enter 0 or more"),
        ({"mine": "many", "theirs": "0"}, "Enter a whole number."),
    ],
    around=rolled_back,
)
def test_impossible_reports_are_refused_in_words(client: Client, values: dict[str, str], says: str) -> None:
    match = start_first_table()
    answer = client.post(f"/p/{match.p1.token}/report/", {"match": match.pk, **values})
    assert answer.status_code == 422
    assert says in text_of(answer).replace("&#x27;", "'")
    assert ResultReport.objects.count() == 0


def test_unusual_results_are_reported_in_figures(client: Client) -> None:
    match = start_first_table()
    send(client, match.p1, "report", match=match.pk, mine="1", theirs="0", draws="1")
    assert ResultReport.objects.get().score == "1-0-1"


def test_draw_in_the_cut_is_refused_with_the_clause(client: Client) -> None:
    event = event_with_cut()
    match = open_matches(event.stages.get(position=2).rounds.get(number=1))[0]
    answer = client.post(f"/p/{match.p1.token}/report/", {"match": match.pk, "score": "1-1"})
    assert say("refusal", "winner_needed") in text_of(answer)


def test_report_of_a_table_whose_opponent_has_changed_is_refused(client: Client) -> None:
    match = start_first_table(4)
    other = match.round.matches.get(table=2)
    shown_player = match.p2.number
    Match.objects.filter(pk=match.pk).update(p2=other.p2)
    Match.objects.filter(pk=other.pk).update(p2=match.p2)
    form_values = {"match": match.pk, "opponent": shown_player, "score": "2-0"}
    answer = client.post(f"/p/{match.p1.token}/report/", form_values)
    assert not ResultReport.objects.exists()
    assert answer.status_code == 302
    answer = client.post(f"/p/{match.p1.token}/report/", {**form_values, "opponent": other.p2.number})
    assert ResultReport.objects.get().player == match.p1


def test_without_a_match_there_is_nothing_to_report(client: Client) -> None:
    (alice,) = add_players(make_event(), 1)
    answer = client.get(f"/p/{alice.token}/report/", follow=True)
    assert words_of(answer) == ["You have no match to report. Wait for the next round."]


def test_bye_is_shown_and_cannot_be_reported(client: Client) -> None:
    match = start_first_table(3)
    lucky = match.round.matches.get(p2=None).p1
    assert "You have the bye in round 1 It counts as a 2-0 win." in get(client, f"/p/{lucky.token}/")
    assert words_of(client.get(f"/p/{lucky.token}/report/", follow=True)) == [
        "You have no match to report. Wait for the next round."
    ]


def test_place_points_and_record_follow_the_results(client: Client) -> None:
    event = started_event(4, swiss_rounds=2)
    winner = play_round(event).matches.first().p1
    page = client.get(f"/p/{winner.token}/")
    assert (page.context["line"].rank, page.context["line"].row.points) in {(1, 3), (2, 3)}
    assert [match.outcome for match in page.context["matches"]] == ["won"]
    assert page.context["task"].next_part == "round"


def test_dropping_and_coming_back(client: Client) -> None:
    event = started_event(4, swiss_rounds=3)
    play_round(event)
    alice = event.players.get(number=1)
    answer = send(client, alice, "drop", reason="The last train")
    alice.refresh_from_db()
    assert (alice.dropped_after, alice.drop_reason) == (1, "The last train")
    assert "You dropped after round 1" in text_of(answer)
    assert len(words_of(send(client, alice, "drop", undo="1"))) == 1
    alice.refresh_from_db()
    assert alice.dropped_after is None


def test_player_who_drops_during_a_match_can_still_report_it(client: Client) -> None:
    match = start_first_table(4)
    send(client, match.p1, "drop")
    assert task_of(client, match.p1) == "playing"


def test_late_player_learns_their_first_round(client: Client) -> None:
    event = started_event(4, swiss_rounds=3)
    play_round(event)
    late = registration.add_player(event, organizer(), name="Zoe")
    assert "You play from round 2" in get(client, f"/p/{late.token}/")


def test_cut_says_in_out_next_and_champion(client: Client) -> None:
    event = event_with_cut(cut="top")
    stage = event.stages.get(position=2)
    inside = set(stage.entrants.values_list("player_id", flat=True))
    outside = event.players.exclude(pk__in=inside).first()
    assert task_of(client, outside) == "missed_cut"
    first, second = open_matches(stage.rounds.get(number=1))
    win(first)
    assert "You are eliminated." in get(client, f"/p/{first.p2.token}/")
    win(second)
    page = client.get(f"/p/{first.p1.token}/")
    assert (page.context["task"].kind, "data-notify-ask" in page.text) == ("playing", True)
    assert task_of(client, first.p2) == "cut_result"
    win(open_matches(stage.rounds.get(number=2))[0])
    page = client.get(f"/p/{first.p1.token}/")
    champion = page.context["champion"]
    assert (page.context["task"].kind, "data-notify-ask" in page.text) == ("finished", False)
    assert f"Champion {champion.name}" in get(client, f"/p/{champion.token}/")


def test_seed_with_a_bye_in_the_cut_waits(client: Client) -> None:
    event = started_event(6, cut="top", cut_size=3, swiss_rounds=1)
    play_round(event)
    stage = cuts.make_cut(event, organizer())
    assert task_of(client, stage.entrants.get(seed=1).player) == "cut_wait"


def test_character_is_fixed_once_rounds_are_played(client: Client) -> None:
    match = start_first_table(cut="diversity", cut_size=2)
    answer = client.post(f"/p/{match.p1.token}/character/", {"character": "Sagat"})
    assert answer.status_code == 422
    assert say("refusal", "character_fixed", clause="UFS 100.5.1") in text_of(answer)


def test_page_of_an_event_in_preparation_works_and_links_to_nothing_public(client: Client) -> None:
    event = make_event(open_registration=False)
    (alice,) = add_players(event, 1)
    assert f"/e/{event.slug}/" not in client.get(f"/p/{alice.token}/").content.decode()


def test_one_players_link_does_nothing_for_another(client: Client) -> None:
    match = start_first_table(4)
    other = match.round.matches.exclude(pk=match.pk).select_related("p1").first()
    answer = send(client, match.p1, "report", match=other.pk, score="2-0")
    assert words_of(answer) == ["You are no longer playing the match you reported. Load the page again."]


def test_another_players_address_and_link_are_on_no_page(client: Client) -> None:
    event = make_event()
    alice = registration.register(event, name="Alice", email="alice@example.org")
    bob = registration.register(event, name="Bob", email="bob@example.org")
    page = client.get(f"/p/{alice.token}/").content.decode()
    assert "alice@example.org" in page
    assert "bob@example.org" not in page
    assert bob.token not in page


def test_steps_need_a_post(client: Client) -> None:
    (alice,) = add_players(make_event(), 1)
    for step in ("check-in", "drop", "withdraw", "confirm", "list/check"):
        assert client.get(f"/p/{alice.token}/{step}/").status_code == 405


def test_queries_of_a_players_page_do_not_grow_with_the_field(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Digests are made once for each version; here, inside a transaction, each page would make them.
    monkeypatch.setattr(digests, "load_digests", lambda event, version: digests.Digests({}, 0, frozenset()))
    counts = []
    for players in (4, 12):
        event = started_event(players, name=f"Event of {players}", swiss_rounds=3)
        play_round(event)
        play_round(event)
        token = event.players.get(number=1).token
        counts.append(queries_of(lambda path=f"/p/{token}/": client.get(path)))
    assert counts[0] == counts[1] <= 16


def test_deadline_is_shown_in_the_zone_of_the_event(client: Client) -> None:
    event = make_event(decklists_required=True)
    due = timezone.now() + timedelta(days=3)
    events.update_event(event, organizer(), {"decklists_due_at": due})
    (alice,) = add_players(event, 1)
    assert f"{due.astimezone(event.zone):%H:%M} (C" in get(client, f"/p/{alice.token}/list/")


def test_result_entered_by_staff_shows_on_the_players_page(client: Client) -> None:
    match = start_first_table()
    results.enter_result(match, organizer(), p1_games=0, p2_games=0, double_loss=True)
    assert f"you and {match.p2.name} both lose" in get(client, f"/p/{match.p1.token}/")


def test_outlook_says_who_is_in_and_who_can_still_make_the_cut(client: Client) -> None:
    event = started_event(4, cut="top", cut_size=2, swiss_rounds=3)
    beaten_player = play_round(event).matches.select_related("p2").first().p2
    assert outlook_of(client, beaten_player) == "can"
    play_round(event)
    play_round(event)
    ranked_players = [line.player for line in standings(event)]
    assert [outlook_of(client, player) for player in ranked_players[1:3]] == ["in", "out"]


def outlook_of(client: Client, player: Player) -> str:
    """Return what the player's page says about the cut: in, can or out."""
    return client.get(f"/p/{player.token}/").context["outlook"].outlook


def test_outlook_promises_nothing_while_characters_are_missing(client: Client) -> None:
    event = make_event(cut="diversity", cut_size=2, swiss_rounds=1)
    alice = registration.add_player(event, organizer(), name="Alice")
    registration.add_player(event, organizer(), name="Bob")
    events.start_event(event, organizer())
    play_round(event)
    assert client.get(f"/p/{alice.token}/").context["outlook"] is None


@pytest.mark.parametrize(
    ("values", "then"),
    [
        ({"swiss_rounds": 2}, "round"),
        ({"swiss_rounds": 1}, "end"),
        ({"swiss_rounds": 1, "cut": "top", "cut_size": 2}, "cut"),
    ],
)
def test_bye_and_finished_match_promise_only_what_comes(
    client: Client, values: dict[str, object], then: str
) -> None:
    match = start_first_table(3, **values)
    lucky = match.round.matches.get(p2=None).p1
    task = client.get(f"/p/{lucky.token}/").context["task"]
    assert (task.kind, task.next_part) == ("bye", then)
    win(match)
    task = client.get(f"/p/{match.p1.token}/").context["task"]
    assert (task.kind, task.next_part) == ("round_over", then)
