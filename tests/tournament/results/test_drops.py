"""Players leave in the middle of the day, and come back."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from decks.shared.refusals import Refused
from tests.everyday import each_case
from tests.scenarios.event_rows import state_of
from tests.scenarios.factories import (
    finish_round,
    open_matches,
    organizer,
    play_round,
    publish_next,
    sign_in_organizer,
    started_event,
    win,
)
from tests.scenarios.log_words import words_of
from tests.scenarios.rollback import rolled_back
from tournament.brackets.selectors.bracket import champion_of_event
from tournament.brackets.services import cut as cuts
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.selectors import get_open_matches
from tournament.log.services import undo_step
from tournament.pairing.selectors.repairs import ProposedTable, RepairProposal
from tournament.pairing.services import drafts, rounds
from tournament.registration import services as registration
from tournament.results.services import drops, results
from tournament.setup.services import events
from tournament.standings.selectors.standings import calculate_standings, standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """Nine players in the middle of round 2: no one has finished."""
    running_event = started_event(9, swiss_rounds=3)
    play_round(running_event)
    publish_next(running_event)
    return running_event


def get_running_round(event: Event) -> Round:
    return Round.objects.select_related("stage__event").get(number=2, stage__event=event)


def list_seated_players(round_: Round) -> set[int]:
    return set(round_.seats.values_list("player_id", flat=True))


def person(match: Match, side: str = "p1") -> Player:
    return Player.objects.select_related("event").get(pk=getattr(match, f"{side}_id"))


def again(match: Match) -> Match:
    return Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=match.pk)


def test_who_drops_in_the_middle_of_a_round_can_finish_it(event: Event) -> None:
    match = open_matches(get_running_round(event))[0]
    drops.drop(person(match), organizer())
    assert again(match).outcome == ""
    assert win(again(match)).outcome == "p1"


def test_who_walks_out_gives_the_opponent_the_win_without_play(event: Event) -> None:
    match = open_matches(get_running_round(event))[0]
    drops.drop(person(match, "p2"), organizer(), open_match_policy="win", reason="train")
    next_match = again(match)
    assert (next_match.outcome, next_match.score, next_match.ending, next_match.forfeit) == (
        "p1",
        "2-0",
        "left",
        True,
    )
    assert next_match.how_it_ended == f"{next_match.p2} left the event"


def test_both_players_of_a_table_leave_and_both_lose(event: Event) -> None:
    match = open_matches(get_running_round(event))[0]
    drops.drop_both_players(match, organizer(), reason="fire brigade")
    next_match = again(match)
    assert (next_match.outcome, next_match.ending) == ("double_loss", "left")
    assert (next_match.p1.dropped_after, next_match.p2.dropped_after) == (2, 2)


@pytest.mark.parametrize("way", ["swap", "all"])
def test_player_who_leaves_before_play_frees_the_opponent_for_the_bye_player(event: Event, way: str) -> None:
    round_ = get_running_round(event)
    match = open_matches(round_)[0]
    drops.drop(person(match), organizer(), open_match_policy=way)
    assert list_seated_players(round_) == set(
        event.players.exclude(pk=match.p1_id).values_list("pk", flat=True)
    )
    assert not round_.matches.filter(p2__isnull=True).exists()
    assert get_running_round(event).amended_at is not None


def test_the_player_with_the_bye_drops_and_keeps_it(event: Event) -> None:
    bye = get_running_round(event).matches.get(p2__isnull=True)
    drops.drop(person(bye), organizer(), open_match_policy="win")
    assert again(bye).outcome == "bye"
    assert event.players.get(pk=bye.p1_id).dropped_after == 2


def test_a_drop_never_changes_past_standings(event: Event) -> None:
    def past() -> list[tuple[object, ...]]:
        return [
            (x.rank, x.player.pk, x.row.points, x.is_dropped)
            for x in calculate_standings(event, after_round=1)
        ]

    before = past()
    for way, match in zip(("play", "win", "swap"), open_matches(get_running_round(event)), strict=False):
        drops.drop(person(match), organizer(), open_match_policy=way)
    assert past() == before


def tables_of(draft: Round) -> dict[int | None, frozenset[int | None]]:
    rows = Match.objects.filter(round=draft).values_list("table", "p1", "p2")
    return {table: frozenset((p1, p2)) for table, p1, p2 in rows}


@pytest.mark.parametrize("players", [8, 9])
def test_drop_before_publication_keeps_the_draft_but_for_the_fewest_tables(players: int) -> None:
    event = started_event(players, swiss_rounds=3)
    play_round(event)
    draft = rounds.pair_next_round(event, organizer())
    before = tables_of(draft)
    match = open_matches(draft)[0]
    drops.drop(person(match), organizer())
    after = tables_of(draft)
    assert {pk for pair in after.values() for pk in pair if pk} == set(
        event.players.filter(dropped_after=None).values_list("pk", flat=True)
    )
    tables = [table for table, pair in before.items() if after.get(table) == pair]
    assert len(tables) >= len(before) - 3
    assert event.log.filter(action="draft_repaired").exists()


def test_drop_keeps_what_was_changed_by_hand() -> None:
    event = started_event(8, swiss_rounds=3)
    draft = rounds.pair_next_round(event, organizer())
    first, second, third, _ = open_matches(draft)
    drafts.swap_players(draft, organizer(), first.p1.number, second.p1.number)
    by_hand = {pk: pair for pk, pair in tables_of(draft).items() if pk in (first.table, second.table)}
    drops.drop(person(third), organizer())
    after = tables_of(draft)
    assert {table: after[table] for table in by_hand} == by_hand
    with pytest.raises(Refused) as refusal:
        drafts.undo_last_change(Round.objects.get(pk=draft.pk), organizer())
    assert refusal.value.code == "field_changed"


def test_draft_is_brought_back_by_undoing_the_drop() -> None:
    event = started_event(8, swiss_rounds=3)
    draft = rounds.pair_next_round(event, organizer())
    before = tables_of(draft)
    drops.drop(person(open_matches(draft)[0]), organizer())
    undo_step(event.log.get(action="player_dropped"), organizer())
    assert tables_of(draft) == before


def test_who_comes_back_before_publication_gets_a_place_in_the_draft() -> None:
    event = started_event(8, swiss_rounds=3)
    play_round(event)
    player = event.players.first()
    drops.drop(player, organizer())
    draft = rounds.pair_next_round(event, organizer())
    before = tables_of(draft)
    drops.undo_drop(player, organizer())
    after = tables_of(draft)
    assert player.pk in {pk for pair in after.values() for pk in pair}
    assert sum(after.get(table) == pair for table, pair in before.items()) >= 2


def test_draft_is_discarded_where_no_player_is_left_to_pair() -> None:
    event = started_event(2, swiss_rounds=2)
    draft = rounds.pair_next_round(event, organizer())
    drops.drop(person(open_matches(draft)[0]), organizer())
    assert not Round.objects.exists()
    assert event.log.filter(action="draft_discarded").exists()


def test_page_says_before_the_drop_what_becomes_of_the_draft(client: Client) -> None:
    event = started_event(9, swiss_rounds=3)
    draft = rounds.pair_next_round(event, organizer())
    player = person(open_matches(draft)[0])
    sign_in_organizer(client)
    page = client.get(f"/console/{event.slug}/players/{player.number}/leave/")
    change = page.context["draft"]
    assert (change.number, tables_of(draft)) == (1, tables_of(draft))
    drops.drop(player, organizer())
    assert change.sentence in words_of(event.log.get(action="draft_repaired"))
    assert "The draft of round 1 will change" in page.content.decode()


def test_a_drop_taken_back_in_the_round_opens_the_match_again(event: Event) -> None:
    match = open_matches(get_running_round(event))[0]
    drops.drop(person(match), organizer(), open_match_policy="win")
    registration.undo_drop(person(match), organizer())
    back = again(match)
    assert (back.outcome, back.ending, back.p1.dropped_after) == ("", "", None)


def test_one_of_two_dropped_players_who_returns_has_won(event: Event) -> None:
    match = open_matches(get_running_round(event))[0]
    drops.drop_both_players(match, organizer())
    registration.undo_drop(person(match, "p2"), organizer())
    back = again(match)
    assert (back.outcome, back.ending, back.p2.is_dropped) == ("p2", "left", False)


@each_case("way", ["play", "win", "swap", "all"], around=rolled_back)
def test_a_drop_with_all_it_changed_is_undone_as_one_step(event: Event, way: str) -> None:
    before = state_of(event)
    drops.drop(person(open_matches(get_running_round(event))[0]), organizer(), open_match_policy=way)
    undo_step(event.log.filter(action="player_dropped").first(), organizer())
    assert state_of(event) == before


def test_a_no_show_is_lost_and_dropped_by_one_press_with_the_result() -> None:
    event = started_event(4, swiss_rounds=2, no_show_minutes=0)
    round_ = publish_next(event)
    match = open_matches(round_)[0]
    results.enter_result(match, organizer(), ending="no_show", loser="p2", drop=("p2",))
    changed_match = again(match)
    assert (
        changed_match.score,
        changed_match.ending,
        changed_match.forfeit,
        changed_match.p2.dropped_after,
    ) == ("2-0", "no_show", True, 1)


def test_dropped_player_is_not_paired(event: Event) -> None:
    match = open_matches(get_running_round(event))[0]
    drops.drop(person(match), organizer(), open_match_policy="win")
    finish_round(get_running_round(event))
    third = rounds.pair_next_round(event, organizer())
    assert match.p1_id not in list_seated_players(third)


def test_a_leader_who_left_early_is_not_crowned() -> None:
    event = started_event(4, swiss_rounds=3)
    play_round(event)
    play_round(event)
    leader = standings(event)[0].player
    drops.drop(Player.objects.select_related("event").get(pk=leader.pk), organizer())
    last = publish_next(event)
    for match in open_matches(last):
        results.enter_result(match, organizer(), p1_games=1, p2_games=1)
    events.finish_event(event, organizer())
    table = standings(event)
    assert (table[0].player.pk, table[0].is_dropped) == (leader.pk, True)
    crowned = champion_of_event(event)
    assert crowned is None or crowned.pk in [line.player.pk for line in table if not line.is_dropped]


def test_a_winner_who_left_after_the_last_round_is_crowned() -> None:
    event = started_event(4, swiss_rounds=2)
    play_round(event)
    play_round(event)
    winner = standings(event)[0].player
    drops.drop(Player.objects.select_related("event").get(pk=winner.pk), organizer())
    events.finish_event(event, organizer())
    assert champion_of_event(event) == winner


def test_before_the_cut_a_player_declines_and_the_next_moves_up() -> None:
    event = started_event(4, swiss_rounds=2, cut="top", cut_size=2)
    play_round(event)
    play_round(event)
    order = [line.player for line in standings(event)]
    cuts.decline_cut(Player.objects.select_related("event").get(pk=order[0].pk), organizer())
    stage = cuts.make_cut(event, organizer())
    assert list(stage.entrants.order_by("seed").values_list("player_id", flat=True)) == [
        order[1].pk,
        order[2].pk,
    ]


def test_players_withdraw_before_the_start_and_cannot_drop_after_the_end() -> None:
    event = started_event(2, swiss_rounds=1)
    play_round(event)
    events.finish_event(event, organizer())
    with pytest.raises(Refused) as excinfo:
        drops.drop(event.players.select_related("event").first(), organizer())
    assert excinfo.value.code == "event_finished"


@pytest.mark.parametrize(("players", "words"), [(9, "{} no longer has the bye."), (8, "{} gets the bye.")])
def test_only_a_bye_that_a_player_had_is_removed(players: int, words: str) -> None:
    event = started_event(players, swiss_rounds=2)
    round_ = publish_next(event)
    had = set(round_.matches.filter(p2=None).values_list("p1__name", flat=True))
    drops.drop(person(open_matches(round_)[0]), organizer(), open_match_policy="swap")
    has = set(Match.objects.filter(round=round_, p2=None).values_list("p1__name", flat=True))
    line = event.log.get(action="round_amended")
    assert words.format(*(had or has)) in words_of(line)
    assert "changes hands" not in words_of(line)


def test_bye_that_goes_to_another_names_both(event: Event) -> None:
    match, after = get_running_round(event).matches.get(p2=None), event.players.first()
    proposal = RepairProposal(
        "swap",
        (match,),
        (ProposedTable(None, after.pk, None, ""),),
        dict(event.players.values_list("pk", "name")),
        dict(event.players.values_list("pk", "number")),
        "0",
        byes=((match.p1_id, after.pk),),
    )
    assert proposal.sentence == f"No table changes. The bye goes from {match.p1.name} to {after.name}."


def play_to_the_final(event: Event) -> Match:
    """Win every match of a bracket but the last."""
    while len(matches := get_open_matches(event)) > 1 or matches[0].round.matches.count() > 1:
        win(matches[0], "p2")
    return matches[0]


@pytest.mark.parametrize(("champion", "outcome"), [("p1", "p1"), ("p2", "p2")])
def test_both_finalists_leave_and_the_organizer_names_the_champion(champion: str, outcome: str) -> None:
    event = started_event(4, plan=[{"kind": "single"}])
    final = play_to_the_final(event)
    before = state_of(event)
    drops.drop_both_players(final, organizer(), champion=champion)
    round_ = again(final)
    assert (round_.outcome, round_.ending, round_.forfeit) == (outcome, "left", True)
    event.refresh_from_db()
    assert (event.phase, champion_of_event(event)) == ("finished", getattr(round_, champion))
    undo_step(event.log.filter(action="player_dropped").first(), organizer())
    assert state_of(event) == before


def test_both_finalists_leave_and_the_final_waits_for_a_result() -> None:
    event = started_event(4, plan=[{"kind": "single"}])
    final = play_to_the_final(event)
    drops.drop_both_players(final, organizer())
    event.refresh_from_db()
    assert (event.phase, again(final).outcome) == ("cut", "")
    assert again(final).p1.is_dropped
    assert again(final).p2.is_dropped
    win(again(final), "p2")
    event.refresh_from_db()
    assert champion_of_event(event) == again(final).p2


def test_better_seed_advances_in_name_where_both_leave_a_semi_final() -> None:
    event = started_event(8, plan=[{"kind": "single"}])
    for match in get_open_matches(event):
        win(match, "p2")
    semi_final = get_open_matches(event)[0]
    seeds = dict(event.stages.get().entrants.values_list("player_id", "seed"))
    drops.drop_both_players(semi_final, organizer())
    round_ = again(semi_final)
    assert seeds[round_.winner_id or 0] == min(seeds[round_.p1_id], seeds[round_.p2_id or 0])


def test_page_and_api_drop_both_finalists(client: Client) -> None:
    event = started_event(4, plan=[{"kind": "single"}])
    final = play_to_the_final(event)
    sign_in_organizer(client)
    page = client.get(f"/console/{event.slug}/players/{final.p1.number}/leave/")
    assert page.context["is_last_match"]
    assert page.content.decode().count('name="champion"') == 3
    address = reverse("api_leave", args=[event.slug, final.p1.number])
    body = {"running": "both", "champion": "p3"}
    assert client.post(address, body, "application/json").status_code == 400
    body["champion"] = "p2"
    assert client.post(address, body, "application/json").json()["dropped_after"] is not None
    assert again(final).winner_id == final.p2_id


@pytest.mark.parametrize("values", [{"swiss_rounds": 2}, {"swiss_rounds": 2, "cut": "top", "cut_size": 2}])
def test_event_can_finish_when_too_few_players_are_left(values: dict[str, object], client: Client) -> None:
    event = started_event(3, **values)
    drops.drop_both_players(open_matches(publish_next(event))[0], organizer())
    sign_in_organizer(client)
    page = client.get(reverse("console_event", args=[event.slug])).content.decode()
    assert f'action="{reverse("console_step", args=[event.slug, "finish"])}"' in page
    events.finish_event(event, organizer())
    event.refresh_from_db()
    assert event.phase == "finished"
    for name in ("event", "standings", "report"):
        assert client.get(reverse(name, args=[event.slug])).status_code == 200


def test_event_with_players_left_cannot_finish_before_its_cut() -> None:
    event = started_event(4, swiss_rounds=1, cut="top", cut_size=2)
    play_round(event)
    with pytest.raises(Refused) as refusal:
        events.finish_event(event, organizer())
    assert refusal.value.code == "not_to_be_finished_yet"
