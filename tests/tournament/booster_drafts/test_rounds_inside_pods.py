"""Swiss rounds inside pods.

Each pod is paired alone and proved, also when tables are repaired.
"""

from __future__ import annotations

from collections import Counter

import pytest

from decks.shared.refusals import Refused
from rules.reason import Reason, Reference
from tests.scenarios.factories import (
    add_players,
    built_once,
    make_event,
    organizer,
    play_round,
    publish_next,
    win,
)
from tournament.amendments.services.changes import ChangeKind, RoundChange, change_round
from tournament.booster_drafts import services
from tournament.booster_drafts.selectors import map_pods
from tournament.desk.selectors import get_overview
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.pairing.selectors.drafts import compare_with_best, load_draft_view
from tournament.pairing.selectors.repairs import RepairProposal, propose_repairs
from tournament.pairing.selectors.round_count import UnfitRounds, suggest_swiss_rounds
from tournament.pairing.services import drafts, player_facts, rounds
from tournament.registration import services as registration
from tournament.results.services import drops
from tournament.setup.selectors import playing_conditions
from tournament.setup.services import events
from tournament.standings.selectors.standings import standings

pytestmark = pytest.mark.django_db

INSIDE = {"pairing_options": {"inside_pods": True}}


@built_once
def pods_event(players: int, *, size: int | None = None, **values: object) -> Event:
    event = make_event(format="draft", **{**INSIDE, **values})
    add_players(event, players)
    events.start_event(event, organizer())
    event = Event.objects.get(pk=event.pk)
    services.seat_pods(event, organizer(), size=size)
    return event


def pods_of(event: Event, match: Match) -> set[int]:
    pods = map_pods(event)
    return {pods[player] for player in (match.p1_id, match.p2_id) if player is not None}


def test_pair_next_round_inside_pods_of_six_keeps_three_rounds_apart_without_rematches() -> None:
    event = pods_event(12, swiss_rounds=3)
    meetings: Counter[frozenset[int | None]] = Counter()

    for number in (1, 2, 3):
        round_ = play_round(event)
        assert [len(pods_of(event, match)) for match in round_.matches.all()] == [1] * 6
        assert sorted(round_.matches.values_list("table", flat=True)) == [1, 2, 3, 4, 5, 6]
        assert (round_.number, round_.pairing["proved"], round_.pairing["method"]) == (number, True, "pods")
        meetings.update(frozenset((match.p1_id, match.p2_id)) for match in round_.matches.all())

    assert set(meetings.values()) == {1}
    assert len(standings(event)) == 12


def test_pair_next_round_inside_odd_pods_gives_each_pod_a_bye() -> None:
    event = pods_event(14)

    first, second = play_round(event), play_round(event)

    pods = map_pods(event)
    for round_ in (first, second):
        byes = [match.p1_id for match in round_.matches.filter(p2__isnull=True)]
        assert sorted(pods[player] for player in byes) == [1, 2]
    all_byes = list(Match.objects.filter(round__stage__event=event, p2=None).values_list("p1", flat=True))
    assert len(set(all_byes)) == 4


def test_pair_next_round_across_pods_ignores_them() -> None:
    event = pods_event(12, pairing_options={})

    pairs = [len(pods_of(event, m)) for number in range(3) for m in play_round(event).matches.all()]

    assert 2 in pairs


def test_pair_next_round_with_a_player_without_pod_refuses_by_name() -> None:
    event = pods_event(12)
    registration.add_player(event, organizer(), name="Late")

    with pytest.raises(Refused) as refusal:
        rounds.pair_next_round(event, organizer())

    assert refusal.value.code == "players_without_pod"
    assert refusal.value.params == {"players": ("Late",), "count": 1}


def test_pair_next_round_keeps_a_fixed_table_of_the_second_pod() -> None:
    event = pods_event(12)
    player = event.pod_seats.filter(pod=2).first().player
    player_facts.change_player_facts(player, organizer(), fixed_table=2)

    draft = rounds.pair_next_round(event, organizer())

    assert draft.seats.get(player=player).match.table == 2
    assert sorted(draft.matches.values_list("table", flat=True)) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("options", [{"first_round": "fold"}, {"accelerated": True}, {"fresh_tables": True}])
def test_pair_next_round_inside_pods_with_other_options_stays_inside(options: dict[str, object]) -> None:
    event = pods_event(12, pairing_options={"inside_pods": True, **options}, swiss_rounds=3)

    played_rounds = [play_round(event), play_round(event)]

    assert all(len(pods_of(event, match)) == 1 for each in played_rounds for match in each.matches.all())


def test_swap_players_of_different_pods_refuses() -> None:
    event = pods_event(12)
    draft = rounds.pair_next_round(event, organizer())
    one, two = (event.pod_seats.filter(pod=pod).first().player.number for pod in (1, 2))

    with pytest.raises(Refused) as refusal:
        drafts.swap_players(draft, organizer(), one, two)

    assert refusal.value.code == "other_pod"


def test_draft_view_inside_pods_compares_costs_of_a_change_by_hand() -> None:
    event = pods_event(14)
    play_round(event)
    draft = rounds.pair_next_round(event, organizer())
    assert load_draft_view(draft).is_optimal
    one, two = draft.matches.filter(p2__isnull=False).order_by("table")[:2]

    drafts.swap_players(draft, organizer(), one.p2.number, two.p2.number)

    view = load_draft_view(Round.objects.get(pk=draft.pk))
    assert view.change_count == 1
    assert len(view.costs) > 0


def test_drop_before_publication_repairs_the_pod_of_the_player_only() -> None:
    event = pods_event(12)
    draft = rounds.pair_next_round(event, organizer())
    before = {m.table: {m.p1_id, m.p2_id} for m in draft.matches.all()}
    leaver = event.pod_seats.filter(pod=1).first().player

    drops.drop(leaver, organizer())

    after = {m.table: {m.p1_id, m.p2_id} for m in draft.matches.filter(p2__isnull=False)}
    pods = map_pods(event)
    others = {table: pair for table, pair in before.items() if pods[min(pair)] == 2}
    assert others.items() <= after.items()
    bye = draft.matches.get(p2=None)
    assert pods[bye.p1_id] == 1


def test_propose_repairs_after_a_corrected_result_stays_inside_pods() -> None:
    event = pods_event(12)
    first = play_round(event)
    second = publish_next(event)
    match = first.matches.order_by("table").first()
    match = Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=match.pk)

    win(match, "p2", way="leave")
    proposals = propose_repairs(second, seed=3)

    pods = map_pods(event)
    tables = [(each.way, t) for each in proposals.proposals for t in each.added_tables if t.p2 is not None]
    assert all(pods[table.p1] == pods[table.p2] for _, table in tables)
    assert {pods[table.p1] for way, table in tables if way == "swap"} <= {pods[match.p1_id]}
    assert proposals.open_count == 6


def test_swap_in_a_published_round_across_pods_is_still_judged() -> None:
    event = pods_event(12)
    published_round = publish_next(event)
    one, two = (event.pod_seats.filter(pod=pod).first().player.number for pod in (1, 2))

    change_round(published_round, organizer(), RoundChange(ChangeKind.SWAP, one=one, two=two))

    published_round = Round.objects.select_related("stage__event").get(pk=published_round.pk)
    assert {len(pods_of(event, match)) for match in published_round.matches.all()} == {1, 2}
    assert propose_repairs(published_round, seed=3).open_count == 6
    assert isinstance(compare_with_best(published_round), tuple)


def test_update_event_inside_pods_after_round_one_is_paired_refuses() -> None:
    event = pods_event(12)
    rounds.pair_next_round(event, organizer())

    with pytest.raises(Refused) as refusal:
        events.update_event(event, organizer(), {"pairing_options": {"inside_pods": False}})

    assert refusal.value.code == "fixed_once_paired"


def test_create_event_inside_pods_of_a_format_without_them_refuses() -> None:
    with pytest.raises(Refused) as refusal:
        make_event(organizer(), format="constructed", **INSIDE)

    assert refusal.value.code == "pods_need_passing"


def test_pods_that_lose_all_players_leave_the_other_pod_to_play() -> None:
    event = pods_event(12)
    play_round(event)
    for seat in event.pod_seats.filter(pod=2).select_related("player__event"):
        drops.drop(Player.objects.get(pk=seat.player_id), organizer())

    round_ = play_round(event)

    assert {pod for match in round_.matches.all() for pod in pods_of(event, match)} == {1}
    assert round_.matches.count() == 3


def test_propose_repairs_that_move_a_bye_in_each_pod_names_both_byes() -> None:
    event = pods_event(14)
    first = play_round(event)
    second = publish_next(event)
    byes = [match.p1_id for match in second.matches.filter(p2=None).order_by("pk")]
    for match in first.matches.filter(p2__isnull=False).select_related("round__stage__event", "p1", "p2"):
        if match.p2_id in byes:
            win(match, "p2", way="leave")

    swap = propose_repairs(second, seed=3).swap

    pods = map_pods(event)
    assert [before for before, _ in swap.byes] == byes
    assert [pods[after] for _, after in swap.byes if after is not None] == [pods[player] for player in byes]
    assert swap.reason.code == "tables_change.byes"
    moved_byes = [(bye.params["bye_from"], bye.params["bye_to"]) for bye in moves_of(swap)]
    assert moved_byes == [tuple(Reference("player", player or 0) for player in bye) for bye in swap.byes]
    names = [swap.names[player] for bye in swap.byes for player in bye if player is not None]
    assert [name for name in names if name not in swap.sentence] == []
    bye_changes = [(change.before, change.after) for change in swap.changes if change.table is None]
    assert [bool(before and after) for before, after in bye_changes] == [True, True]


def moves_of(proposal: RepairProposal) -> list[Reason]:
    byes = proposal.reason.params["byes"]
    assert isinstance(byes, tuple)
    return [bye for bye in byes if isinstance(bye, Reason)]


@pytest.mark.parametrize(("options", "planned_change"), [(INSIDE["pairing_options"], 3), ({}, 4)])
def test_suggested_rounds_of_twelve_follow_the_largest_pod_inside_pods_only(
    options: dict[str, object], planned_change: int
) -> None:
    event = make_event(format="draft", pairing_options=options)
    add_players(event, 12)

    assert get_overview(event).suggested_rounds == planned_change
    assert f"12 registered players need {planned_change}." in str(playing_conditions(event, 12))
    events.start_event(event, organizer())

    assert Event.objects.get(pk=event.pk).swiss_rounds == planned_change


def test_suggested_rounds_follow_seated_pods_and_those_who_are_still_in_them() -> None:
    event = pods_event(12, size=4)
    assert suggest_swiss_rounds(event, 12) == 2

    for seat in event.pod_seats.filter(seat__gt=2).select_related("player__event"):
        drops.drop(seat.player, organizer())

    assert suggest_swiss_rounds(event, 6) == 1


def test_overview_says_when_seated_pods_need_another_number_of_rounds() -> None:
    event = make_event(format="draft", **INSIDE)
    add_players(event, 12)
    events.start_event(event, organizer())
    event = Event.objects.get(pk=event.pk)
    assert (event.swiss_rounds, get_overview(event).unfit_rounds) == (3, None)

    services.seat_pods(event, organizer(), size=4)

    assert get_overview(event).unfit_rounds == UnfitRounds(planned_rounds=3, needed_rounds=2)
    events.update_event(event, organizer(), {"swiss_rounds": 2})
    assert get_overview(Event.objects.get(pk=event.pk)).unfit_rounds is None


def test_overview_says_nothing_about_rounds_once_round_one_is_out() -> None:
    event = pods_event(12, size=4, swiss_rounds=3)
    assert get_overview(event).unfit_rounds == UnfitRounds(planned_rounds=3, needed_rounds=2)
    publish_next(event)
    assert get_overview(event).unfit_rounds is None
