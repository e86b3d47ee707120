"""The cut, the bracket and the champion."""

from __future__ import annotations

import pytest
from django.test import Client

from decks.shared.refusals import Refused
from decks.shared.wording import say_reason
from tests.scenarios.event_cache import memory
from tests.scenarios.factories import make_event, organizer, play_round, started_event, win
from tournament.brackets.selectors import bracket as cut_selectors
from tournament.brackets.services import cut as cuts
from tournament.events import selectors
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.pairing.services import rounds
from tournament.registration import services as registration
from tournament.results.services import results
from tournament.setup.services import events
from tournament.standings.selectors import qualifying
from tournament.standings.selectors.standings import standings

pytestmark = pytest.mark.django_db


def event_after_swiss(characters: str, **values: object) -> Event:
    """Return an event whose Swiss rounds are over.

    One letter names the character of each player, in the order of their numbers.
    """
    return memory.build_once((characters, repr(values)), lambda: _after_swiss(characters, **values))


def _after_swiss(characters: str, **values: object) -> Event:
    names = {"K": "Ken", "R": "Ryu", "C": "Chun-Li", "S": "Sagat", "G": "Guile", "V": "Vega"}
    settings = {"cut": "diversity", "cut_size": 4, "swiss_rounds": 3, **values}
    event = make_event(**settings)
    for n, letter in enumerate(characters, 1):
        registration.add_player(event, organizer(), name=f"Player {n}", character=names.get(letter, ""))
    events.start_event(event, organizer())
    for _ in range(settings["swiss_rounds"]):
        play_round(event)
    return event


def in_names(event: Event) -> list[str]:
    rows = qualifying.list_cut_decisions(event, selectors.get_bracket_stage(event))
    return [row.player.name for row in rows if row.is_in]


def open_match(event: Event) -> Match | None:
    matches = Match.objects.filter(round__stage__event=event, outcome="")
    return (
        matches.select_related("round__stage__event", "p1", "p2").order_by("round__number", "table").first()
    )


def test_top_cut_takes_the_first_of_the_standings() -> None:
    event = event_after_swiss("KKKKRRRR", cut="top")
    expected_names = [line.player.name for line in standings(event)[:4]]
    cuts.make_cut(event, organizer())
    assert in_names(event) == expected_names
    assert event.phase == "cut"


def test_standings_say_that_the_cut_is_not_made_yet() -> None:
    event = event_after_swiss("KKKKRRRR", cut="top")
    page = f"/e/{event.slug}/standings/"
    before = Client().get(page).content.decode()
    cuts.make_cut(event, organizer())
    after = Client().get(page).content.decode()
    assert [text.count("In for now") for text in (before, after)] == [4, 0]


def test_diversity_cut_takes_the_best_of_each_character() -> None:
    event = event_after_swiss("KKKKRRCCSSGG")
    seen_characters: list[str] = []
    expected_names = []
    for line in standings(event):
        if line.player.character not in seen_characters:
            seen_characters.append(line.player.character)
            expected_names.append(line.player.name)
    assert in_names(event) == expected_names[:4]


def test_every_player_is_told_why_they_are_in_or_out() -> None:
    event = event_after_swiss("KKKKRRCCSSGG")
    rows = qualifying.list_cut_decisions(event, None)
    assert len(rows) == 12
    reasons = [say_reason(row.reason) for row in rows]
    assert all(sentence.endswith(".") for sentence in reasons)
    best = {row.player.character: row.player.name for row in reversed(rows)}
    represented = [row for row in rows if row.reason.code == "same_character.named"]
    assert represented
    assert all(row.reason.params["player"] == best[row.player.character] for row in represented)


def test_too_few_characters_shrink_the_bracket() -> None:
    event = event_after_swiss("KKKKRRRRCC")
    stage = cuts.make_cut(event, organizer())
    assert stage.entrants.count() == 3


@pytest.mark.both_databases
def test_too_few_characters_fill_it_where_the_organizer_chose_so() -> None:
    event = event_after_swiss("KKKKRRRRCC", short_cut="fill")
    stage = cuts.make_cut(event, organizer())
    assert stage.entrants.count() == 4


def test_player_who_declines_leaves_the_place_to_the_next() -> None:
    event = event_after_swiss("KKKKRRRR", cut="top")
    order = [line.player for line in standings(event)]
    cuts.decline_cut(order[1], organizer())
    assert in_names(event) == [order[n].name for n in (0, 2, 3, 4)]


def test_a_dropped_player_is_never_in_the_cut() -> None:
    event = event_after_swiss("KKKKRRRR", cut="top")
    order = [line.player for line in standings(event)]
    registration.drop(Player.objects.select_related("event").get(pk=order[0].pk), organizer())
    assert in_names(event) == [order[n].name for n in (1, 2, 3, 4)]


def test_making_the_cut_twice_makes_one_bracket() -> None:
    event = event_after_swiss("KRCSGVKR")
    assert cuts.make_cut(event, organizer()) == cuts.make_cut(event, organizer())
    assert Stage.objects.filter(kind="single").count() == 1


def test_the_cut_waits_for_the_last_swiss_round() -> None:
    event = started_event(8, swiss_rounds=3, cut="top", cut_size=4)
    play_round(event)
    with pytest.raises(Refused) as excinfo:
        cuts.make_cut(event, organizer())
    assert excinfo.value.code == "swiss_unfinished"


def test_undeclared_character_is_named_and_can_still_be_entered() -> None:
    event = event_after_swiss("----")
    with pytest.raises(Refused) as excinfo:
        cuts.make_cut(event, organizer())
    assert excinfo.value.code == "character_missing"
    assert "Player 3" in excinfo.value.sentence
    for n, player in enumerate(event.players.select_related("event")):
        registration.declare_character(player, organizer(), f"Character {n}")
    assert cuts.make_cut(event, organizer()).entrants.count() == 4


def test_a_match_in_the_cut_needs_a_winner() -> None:
    event = event_after_swiss("KRCSGVKR")
    cuts.make_cut(event, organizer())
    with pytest.raises(Refused) as excinfo:
        results.enter_result(open_match(event), organizer(), p1_games=1, p2_games=1)
    assert excinfo.value.code == "winner_needed"


def test_bracket_is_played_to_the_champion() -> None:
    event = event_after_swiss("KRCSGVKR")
    cuts.make_cut(event, organizer())
    first = selectors.get_bracket_stage(event).entrants.get(seed=1).player
    while (match := open_match(event)) is not None:
        win(match, "p1" if match.p1 == first or match.p2 != first else "p2")
    event.refresh_from_db()
    assert event.phase == "finished"
    assert cut_selectors.champion_of_event(event) == first


def test_seeds_one_and_two_can_only_meet_in_the_final() -> None:
    event = event_after_swiss("KRCSGVKR")
    stage = cuts.make_cut(event, organizer())
    seeds = dict(stage.entrants.values_list("player_id", "seed"))
    pairs = {frozenset((seeds[m.p1_id], seeds[m.p2_id])) for m in Match.objects.filter(round__stage=stage)}
    assert pairs == {frozenset((1, 4)), frozenset((2, 3))}


def test_a_corrected_semi_final_takes_the_final_back() -> None:
    event = event_after_swiss("KRCSGVKR")
    stage = cuts.make_cut(event, organizer())
    while (match := open_match(event)) is not None:
        win(match)
    semi = Match.objects.select_related("round__stage__event", "p1", "p2").get(
        round__stage=stage, round__number=1, table=1
    )
    event.refresh_from_db()
    assert event.phase == "finished"
    win(semi, "p2", way="fall")
    event.refresh_from_db()
    final = Match.objects.get(round__stage=stage, round__number=2)
    assert (event.phase, final.outcome) == ("cut", "")
    assert semi.p2_id in (final.p1_id, final.p2_id)
    assert event.log.filter(action="bracket_match_fell").count() == 1


def test_cut_matches_never_touch_the_swiss_standings() -> None:
    event = event_after_swiss("KRCSGVKR")
    before = [(line.rank, line.player.pk, line.row.points) for line in standings(event)]
    cuts.make_cut(event, organizer())
    win(open_match(event))
    assert [(line.rank, line.player.pk, line.row.points) for line in standings(event)] == before


def test_event_without_a_cut_is_finished_by_hand() -> None:
    event = started_event(4, swiss_rounds=1)
    with pytest.raises(Refused):
        events.finish_event(event, organizer())
    play_round(event)
    events.finish_event(event, organizer())
    assert event.phase == "finished"


def test_a_drop_after_the_swiss_rounds_leaves_the_rounds_alone() -> None:
    event = event_after_swiss("KRCSGVKR")
    with pytest.raises(Refused) as excinfo:
        rounds.pair_next_round(event, organizer())
    assert excinfo.value.code == "all_rounds_played"
