"""A result corrected after the cut.

The cut stays, or is re-made while no match of it is finished.
"""

from __future__ import annotations

import pytest
from django.test import Client

from decks.shared.refusals import Conflict, Refused
from rules.rendering import say
from tests.scenarios.event_cache import memory
from tests.scenarios.event_rows import state_of
from tests.scenarios.factories import (
    make_user,
    open_matches,
    organizer,
    play_round,
    sign_in_organizer,
    started_event,
    win,
)
from tournament.brackets.selectors.cut_proposal import propose_cut
from tournament.brackets.services import cut as cuts
from tournament.brackets.services.cut import remake_cut
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.log.services import undo_step
from tournament.results.services import drops
from tournament.results.services import dry_run as rehearsal
from tournament.standings.selectors.standings import standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """Eight players, one Swiss round, a cut of four just made: the winners are in."""

    def make() -> Event:
        running_event = started_event(8, swiss_rounds=1, cut="top", cut_size=4)
        play_round(running_event)
        cuts.make_cut(running_event, organizer())
        return running_event

    return memory.build_once("cut of four", make)


def swiss_match(event: Event, index: int = 0) -> Match:
    rows = Match.objects.filter(round__stage__event=event, round__stage__position=1)
    return list(rows.select_related("round__stage__event", "p1", "p2").order_by("table"))[index]


def seeds(event: Event) -> list[int]:
    stage = Stage.objects.get(event=event, kind="single")
    return list(stage.entrants.order_by("seed").values_list("player_id", flat=True))


def of_the_cut(event: Event) -> dict[int, tuple[int, int | None]]:
    rows = Match.objects.filter(round__stage__event=event, round__stage__kind="single")
    return {match.pk: (match.p1_id, match.p2_id) for match in rows}


def best(event: Event, count: int = 4) -> list[int]:
    return [line.player.pk for line in standings(event)[:count]]


def test_a_correction_under_a_made_cut_asks_what_becomes_of_it(event: Event) -> None:
    with pytest.raises(Refused) as excinfo:
        win(swiss_match(event), "p2")
    assert excinfo.value.code.partition(".")[0] == "way_needed"
    assert swiss_match(event).outcome == "p1"


def test_a_cut_that_is_left_keeps_its_players_and_seeds(event: Event) -> None:
    before = seeds(event), of_the_cut(event)
    win(swiss_match(event), "p2", way="leave", reason="too late")
    assert (seeds(event), of_the_cut(event)) == before


def test_a_cut_made_again_takes_in_who_had_won_after_all(event: Event) -> None:
    match = swiss_match(event)
    win(match, "p2", way="cut", reason="slip read upside down")
    assert seeds(event) == best(event)
    assert match.p2_id in seeds(event)
    assert match.p1_id not in seeds(event)
    assert sorted(pk for pair in of_the_cut(event).values() for pk in pair) == sorted(seeds(event))


@pytest.mark.both_databases
def test_tables_of_a_new_cut_are_marked_amended_and_those_that_stay_are_the_same_matches(
    event: Event,
) -> None:
    before = of_the_cut(event)
    win(swiss_match(event), "p2", way="cut", reason="slip")
    after = of_the_cut(event)
    amended = set(Match.objects.filter(amended_at__isnull=False).values_list("pk", flat=True))
    assert amended == after.keys() - before.keys() != set()
    assert Round.objects.get(stage__kind="single").amended_at is not None


def test_the_preview_of_a_cut_names_who_comes_in_and_which_tables_change(event: Event) -> None:
    match, state_before = swiss_match(event), state_of(event)
    preview = rehearsal.preview_correction(match, organizer(), p1_games=0, p2_games=2)
    assert state_of(event) == state_before
    assert [p.pk for p in preview.cut.enter] == [match.p2_id]
    assert [p.pk for p in preview.cut.leave] == [match.p1_id]
    win(match, "p2", way="cut", seen_plan=preview.cut.mark, reason="slip")
    names = {m.table: f"{m.p1} vs. {m.p2}" for m in Match.objects.filter(round__stage__kind="single")}
    assert {each.table: each.after for each in preview.cut.changes if each.after}.items() <= names.items()


def test_a_correction_that_changes_no_place_of_the_cut_says_so(event: Event) -> None:
    event = started_event(4, name="Small", swiss_rounds=1, cut="top", cut_size=4)
    play_round(event)
    cuts.make_cut(event, organizer())
    preview = rehearsal.preview_correction(swiss_match(event), organizer(), p1_games=1, p2_games=1)
    assert (preview.cut.enter, preview.cut.leave) == ((), ())


def test_a_cut_of_which_a_match_is_finished_is_never_made_again(event: Event) -> None:
    round_ = open_matches(Round.objects.select_related("stage").get(stage__kind="single"))[0]
    win(round_)
    before = of_the_cut(event), seeds(event)
    preview = rehearsal.preview_correction(swiss_match(event), organizer(), p1_games=0, p2_games=2)
    assert preview.cut.refusal == (
        "The cut stays: 1 of its matches is finished, and finished matches are never changed."
    )
    with pytest.raises(Refused) as excinfo:
        win(swiss_match(event), "p2", way="cut", reason="slip")
    assert excinfo.value.code == "cut_stays"
    assert (of_the_cut(event), seeds(event), swiss_match(event).outcome) == (*before, "p1")


def test_another_correction_meanwhile_asks_to_look_at_the_cut_again(event: Event) -> None:
    preview = rehearsal.preview_correction(swiss_match(event), organizer(), p1_games=0, p2_games=2)
    win(swiss_match(event, 1), "p2", way="cut", reason="slip")
    with pytest.raises(Conflict) as excinfo:
        win(swiss_match(event), "p2", way="cut", seen_plan=preview.cut.mark, reason="slip")
    assert excinfo.value.code == "plan_changed_meanwhile"


@pytest.mark.parametrize("way", ["leave", "cut"])
def test_a_correction_with_its_new_cut_is_undone_as_one_step(event: Event, way: str) -> None:
    before = state_of(event)
    win(swiss_match(event), "p2", way=way, reason="slip")
    after = state_of(event)
    back = undo_step(event.log.filter(action="result_entered").first(), organizer())
    assert state_of(event) == before
    undo_step(back, organizer())
    assert state_of(event) == after


def test_player_who_drops_before_the_first_match_of_the_cut_leaves_the_place_to_the_next(
    event: Event,
) -> None:
    fifth = standings(event)[4].player.pk
    dropped_player = Player.objects.select_related("event").get(pk=seeds(event)[0])
    drops.drop(dropped_player, organizer())
    remake_cut(event, organizer())
    assert dropped_player.pk not in seeds(event)
    assert fifth in seeds(event)
    assert set(Match.objects.filter(round__stage__kind="single").values_list("outcome", flat=True)) == {""}
    assert event.log.filter(action="cut_made_again").count() == 1


def test_making_the_same_cut_again_changes_nothing(event: Event) -> None:
    before, version = state_of(event), event.version
    remake_cut(event, organizer())
    event.refresh_from_db()
    assert (state_of(event), event.version) == (before, version)
    assert propose_cut(event).sentence == say("reason", "cut_stays_same")


def test_a_bracket_that_begins_the_event_is_no_cut(event: Event) -> None:
    alone = started_event(4, name="Knockout", plan=[{"kind": "single"}])
    assert propose_cut(alone) is None
    with pytest.raises(Refused) as excinfo:
        remake_cut(alone, organizer())
    assert excinfo.value.code == "no_cut_made"


def test_the_cut_page_offers_the_new_cut_and_makes_it(event: Event, client: Client) -> None:
    sign_in_organizer(client)
    page = f"/console/{event.slug}/cut/"
    assert "Re-make the cut" not in client.get(page).content.decode()
    win(swiss_match(event), "p2", way="leave", reason="slip")
    cut = propose_cut(event)
    assert cut.sentence in client.get(page).content.decode()
    client.post(page, {"again": cut.mark})
    assert seeds(event) == best(event)


def test_public_page_says_when_the_cut_was_remade(event: Event, client: Client) -> None:
    assert "re-made" not in client.get(f"/e/{event.slug}/cut/").content.decode()
    win(swiss_match(event), "p2", way="cut", reason="slip")
    assert "It was re-made at " in client.get(f"/e/{event.slug}/cut/").content.decode()


def test_the_correction_page_offers_both_ways(event: Event, client: Client) -> None:
    sign_in_organizer(client)
    match = swiss_match(event)
    page = f"/console/{event.slug}/matches/{match.pk}/correction/"
    entry = {"p1_games": 0, "p2_games": 2, "draws": 0, "revision": match.revision}
    text = client.get(page, entry).content.decode()
    assert f"{match.p2} qualifies, {match.p1} does not" in text
    mark = rehearsal.preview_correction(match, organizer(), p1_games=0, p2_games=2).cut.mark
    client.post(page, {**entry, "way": "cut", "seen-cut": mark, "reason": "slip"})
    assert seeds(event) == best(event)


def test_a_program_makes_the_cut_again(event: Event, client: Client) -> None:
    sign_in_organizer(client)
    match = swiss_match(event)
    address = f"/api/events/{event.slug}/matches/{match.pk}"
    payload = client.post(f"{address}/correction/", {"p2_games": 2}, content_type="application/json").json()
    assert [way["way"] for way in payload["ways"]] == ["cut"]
    entry = {"p2_games": 2, "way": "leave", "reason": "slip"}
    assert client.put(f"{address}/result/", entry, content_type="application/json").status_code == 200
    options = {"plan": payload["ways"][0]["plan"]}
    response = client.put(f"/api/events/{event.slug}/cut/", options, content_type="application/json")
    assert response.status_code == 200
    assert seeds(event) == best(event)


def test_a_judge_may_not_make_the_cut_again(event: Event, client: Client) -> None:
    from tournament.events.models.event import StaffRole

    judge = make_user("jan@example.org")
    StaffRole.objects.create(event=event, user=judge, kind="judge")
    client.force_login(judge)
    answer = client.put(f"/api/events/{event.slug}/cut/", {}, content_type="application/json")
    assert answer.status_code == 403
