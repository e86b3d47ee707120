"""A draft changed by hand.

Tests cover what it costs, what must be confirmed, and the way back.
"""

from __future__ import annotations

import pytest

from decks.shared.refusals import Conflict, Refused
from tests.scenarios.factories import add_players, make_event, organizer, play_round, started_event
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round, Seat
from tournament.pairing.selectors.drafts import COST_LABELS, load_draft_view
from tournament.pairing.services import drafts, rounds
from tournament.pairing.services import player_facts as pairing_facts
from tournament.setup.services import events

pytestmark = pytest.mark.django_db


def rows(shown_round: Round) -> list[tuple[object, ...]]:
    """Return matches and chairs of a round, exactly."""
    matches = (
        Match.objects.filter(round=shown_round).order_by("pk").values_list("pk", "table", "p1", "p2", "why")
    )
    return [
        *matches,
        *Seat.objects.filter(round=shown_round).order_by("player").values_list("player", "match"),
    ]


def pair_draft(event: Event) -> Round:
    return Round.objects.select_related("stage__event").get(pk=rounds.pair_next_round(event, organizer()).pk)


def at(shown_round: Round, table: int | None) -> Match:
    return shown_round.matches.select_related("p1", "p2").get(table=table)


def test_two_players_change_places() -> None:
    draft = pair_draft(started_event(6))
    one, two = at(draft, 1), at(draft, 2)
    drafts.swap_players(draft, organizer(), one.p1.number, two.p2.number)
    assert [(at(draft, n).p1, at(draft, n).p2) for n in (1, 2)] == [(two.p2, one.p2), (two.p1, one.p1)]
    assert set(Seat.objects.filter(match=one).values_list("player", flat=True)) == {two.p2_id, one.p2_id}


def test_swapping_is_taken_back_exactly() -> None:
    draft = pair_draft(started_event(7))
    before = rows(draft)
    drafts.swap_players(draft, organizer(), at(draft, 1).p1.number, at(draft, 2).p2.number)
    drafts.move_to_table(draft, organizer(), 1, 3)
    drafts.give_bye(draft, organizer(), at(draft, 2).p2.number)
    for _ in range(3):
        drafts.undo_last_change(draft, organizer())
    assert rows(draft) == before
    assert load_draft_view(Round.objects.get(pk=draft.pk)).moves == ()


def test_taking_back_nothing_changes_nothing() -> None:
    draft = pair_draft(started_event(4))
    before = rows(draft)
    drafts.undo_last_change(draft, organizer())
    assert rows(draft) == before


def test_the_bye_goes_to_whom_the_organizer_names() -> None:
    draft = pair_draft(started_event(5))
    named_player = at(draft, 1).p2
    bye_player = at(draft, None).p1
    drafts.give_bye(draft, organizer(), named_player.number)
    assert (at(draft, None).p1, at(draft, 1).p2) == (named_player, bye_player)
    assert at(draft, None).outcome == "bye"


@pytest.mark.both_databases
def test_in_an_even_field_no_player_can_get_the_bye() -> None:
    draft = pair_draft(started_event(4))
    with pytest.raises(Refused) as excinfo:
        drafts.give_bye(draft, organizer(), 1)
    assert excinfo.value.code == "nobody_rests"


def test_a_match_moves_to_a_free_table_and_two_matches_exchange_theirs() -> None:
    draft = pair_draft(started_event(4))
    first, second = at(draft, 1), at(draft, 2)
    drafts.move_to_table(draft, organizer(), 1, 2)
    drafts.move_to_table(draft, organizer(), 1, 40)
    assert [at(draft, n).pk for n in (2, 40)] == [first.pk, second.pk]


@pytest.mark.parametrize(("table", "table_number"), [(9, 1), (1, 0), (1, 10**9)])
def test_a_table_that_is_none_is_refused(table: int, table_number: int) -> None:
    draft = pair_draft(started_event(4))
    with pytest.raises(Refused) as excinfo:
        drafts.move_to_table(draft, organizer(), table, table_number)
    assert excinfo.value.code == "no_such_table"


def test_opponents_do_not_change_places_with_each_other() -> None:
    draft = pair_draft(started_event(4))
    match = at(draft, 1)
    with pytest.raises(Refused) as excinfo:
        drafts.swap_players(draft, organizer(), match.p1.number, match.p2.number)
    assert excinfo.value.code == "already_together"


def test_a_published_round_is_not_changed_by_hand() -> None:
    draft = pair_draft(started_event(4))
    rounds.publish_round(draft, organizer())
    with pytest.raises(Conflict):
        drafts.swap_players(draft, organizer(), 1, 2)


def hand_made_rematch(event: Event) -> tuple[Round, Match]:
    """Round two with the pair of round one's first table put together again."""
    first = play_round(event)
    again = at(first, 1)
    draft = pair_draft(event)
    seats = Seat.objects.filter(round=draft).select_related("player", "match__p1", "match__p2")
    match = seats.get(player=again.p2).match
    opponent = match.p1 if match.p2_id == again.p2_id else match.p2
    drafts.swap_players(draft, organizer(), again.p1.number, opponent.number)
    return Round.objects.select_related("stage__event").get(pk=draft.pk), again


def test_a_hand_made_rematch_is_pointed_out_and_must_be_confirmed() -> None:
    draft, again = hand_made_rematch(started_event(8, swiss_rounds=3))
    view = load_draft_view(draft)
    sentences = {warning.sentence for warning in view.to_confirm if warning.code == "rematch"}
    names = {f"{again.p1} and {again.p2} have met before.", f"{again.p2} and {again.p1} have met before."}
    assert len(sentences & names) == 1
    with pytest.raises(Refused) as excinfo:
        rounds.publish_round(draft, organizer())
    assert excinfo.value.code == "hand_made_unconfirmed"
    assert rounds.publish_round(draft, organizer(), is_confirmed=True).state == "published"


def test_the_cost_of_a_hand_made_pairing_stands_beside_the_best() -> None:
    draft, _ = hand_made_rematch(started_event(8, swiss_rounds=3))
    view = load_draft_view(draft)
    costs = {line.words: (line.now, line.best) for line in view.costs}
    again = sum(warning.code == "rematch" for warning in view.warnings)
    assert costs[str(COST_LABELS["rematches"])] == (str(again), "0")
    assert costs[str(COST_LABELS["floats"])] == ("18", "0")


def test_a_swap_of_equals_costs_nothing_and_needs_no_confirmation() -> None:
    draft = pair_draft(started_event(4))
    drafts.swap_players(draft, organizer(), at(draft, 1).p1.number, at(draft, 2).p1.number)
    draft.refresh_from_db()
    view = load_draft_view(draft)
    assert (view.to_confirm, view.is_optimal) == ((), True)
    assert rounds.publish_round(draft, organizer()).state == "published"


def test_club_mates_and_forbidden_pairs_are_pointed_out() -> None:
    event = make_event(pairing_options={"apart": "wish"})
    for player in add_players(event, 4)[:2]:
        pairing_facts.change_player_facts(player, organizer(), club="Dojo")
    pairing_facts.forbid_pair(event, organizer(), 1, 2, reason="siblings")
    events.start_event(event, organizer())
    draft = pair_draft(event)
    with_first = next(m for m in draft.matches.select_related("p1", "p2") if 1 in (m.p1.number, m.p2.number))
    opponent = with_first.p2.number if with_first.p1.number == 1 else with_first.p1.number
    drafts.swap_players(draft, organizer(), opponent, 2)
    draft.refresh_from_db()
    codes = sorted(warning.code for warning in load_draft_view(draft).to_confirm)
    assert codes == ["forbidden", "one_club"]


def test_two_events_of_one_hall_never_use_one_table_at_once() -> None:
    first = started_event(4, hall="Gym")
    second = started_event(4, hall="gym", name="Side event")
    rounds.publish_round(pair_draft(first), organizer())
    draft = pair_draft(second)
    with pytest.raises(Refused) as excinfo:
        rounds.publish_round(draft, organizer())
    assert excinfo.value.sentence == "“Spring Open” still uses tables 1–2."


@pytest.mark.both_databases
def test_events_of_one_hall_with_tables_of_their_own_run_side_by_side() -> None:
    first = started_event(4, hall="Gym")
    second = started_event(4, hall="Gym", first_table=3, name="Side event")
    rounds.publish_round(pair_draft(first), organizer())
    published_round = rounds.publish_round(pair_draft(second), organizer())
    assert sorted(published_round.matches.values_list("table", flat=True)) == [3, 4]


@pytest.mark.parametrize("players", [4, 24])
def test_looking_at_a_draft_takes_the_same_queries_for_few_and_for_many(
    players: int, django_assert_num_queries
) -> None:
    draft = pair_draft(started_event(players))
    with django_assert_num_queries(4):
        load_draft_view(draft)
