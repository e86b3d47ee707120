"""Drafts after a change of the field.

The change keeps a draft as far as possible, and the page says so in advance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from decks.shared.wording import format_reason
from rules.reason import Reason, reason, reasons_to_json
from tests.everyday import each_case
from tests.scenarios.factories import (
    built_once,
    make_event,
    open_matches,
    organizer,
    play_round,
    sign_in_organizer,
    started_event,
)
from tests.scenarios.log_words import words_of
from tests.scenarios.rollback import rolled_back
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.leagues import services as leagues
from tournament.log.services import undo_step
from tournament.pairing.selectors.drafts import PAIR_BY_HAND
from tournament.pairing.services import drafts, player_facts, rounds
from tournament.registration import player_csv
from tournament.registration import services as registration
from tournament.registration.services import player_import
from tournament.setup.services import events

pytestmark = pytest.mark.django_db
BY_HAND = reasons_to_json([PAIR_BY_HAND])

Tables = dict[int | None, frozenset[int | None]]


@pytest.fixture
def event() -> Event:
    """Ten players after round 1; Zoe was dropped as missing, and can be let in."""
    running_event = started_event(10, swiss_rounds=4)
    play_round(running_event)
    return running_event


@built_once
def pair_with_hand_change(event: Event) -> Round:
    """Return a draft whose first two tables have exchanged players."""
    draft = rounds.pair_next_round(event, organizer())
    first, second = open_matches(draft)[:2]
    drafts.swap_players(draft, organizer(), first.p1.number, second.p1.number)
    return Round.objects.get(pk=draft.pk)


def tables_of(draft: Round) -> Tables:
    rows = Match.objects.filter(round=draft).values_list("table", "p1", "p2")
    return {table: frozenset((p1, p2)) for table, p1, p2 in rows}


def player_at(draft: Round, table: int) -> Player:
    """Return the first player of the table of this place, from the first."""
    return Player.objects.select_related("event").get(pk=open_matches(draft)[table].p1_id)


def is_whole(draft: Round) -> bool:
    """Return whether everyone who is in has one place in the draft."""
    seated_players = sorted(draft.seats.values_list("player", flat=True))
    playing_players = draft.stage.event.players.filter(status="registered", dropped_after=None)
    return seated_players == sorted(playing_players.values_list("pk", flat=True))


def add_late(event: Event, draft: Round) -> None:
    registration.add_player(event, organizer(), name="Zoe")


def admit_waiter(event: Event, draft: Round) -> None:
    registration.admit_player(make_waiter(event), organizer())


def merge(event: Event, draft: Round) -> None:
    registration.merge_players(player_at(draft, 3), make_waiter(event), organizer())


def make_waiter(event: Event) -> Player:
    """Create a player who still waits for a place."""
    player = registration.add_player(make_event(name="Other"), organizer(), name="Wanda")
    Player.objects.filter(pk=player.pk).update(event=event, number=90, status="waiting")
    return Player.objects.select_related("event").get(pk=player.pk)


def change_club(event: Event, draft: Round) -> None:
    player_facts.change_player_facts(player_at(draft, 3), organizer(), club="Wolves")


def fix_table(event: Event, draft: Round) -> None:
    player_facts.change_player_facts(player_at(draft, 3), organizer(), fixed_table=50)


def give_byes(event: Event, draft: Round) -> None:
    player_facts.change_player_facts(player_at(draft, 3), organizer(), first_byes=2)


def change_seed(event: Event, draft: Round) -> None:
    player_facts.change_player_facts(player_at(draft, 3), organizer(), seed=1)


def forbid(event: Event, draft: Round) -> None:
    match = open_matches(draft)[3]
    player_facts.forbid_pair(event, organizer(), match.p1.number, match.p2.number, reason="Siblings")


def allow(event: Event, draft: Round) -> None:
    one, two = player_at(draft, 2), player_at(draft, 3)
    pair = player_facts.forbid_pair(event, organizer(), one.number, two.number, reason="Siblings")
    player_facts.allow_pair(pair, organizer())


def import_table(event: Event, draft: Round) -> None:
    table = player_csv.read_player_csv("name,email\nYara,yara@example.org\n", event)
    player_import.run_player_import(event, organizer(), table)


CHANGES: dict[str, Callable[[Event, Round], None]] = {
    "late entry": add_late,
    "admitted waiter": admit_waiter,
    "merge": merge,
    "club": change_club,
    "fixed table": fix_table,
    "given byes": give_byes,
    "seed": change_seed,
    "forbidden pair": forbid,
    "allowed pair": allow,
    "import": import_table,
}

REPAIRING = (add_late, forbid, fix_table, give_byes)


@each_case("change", CHANGES.values(), around=rolled_back)
def test_draft_and_its_hand_changes_outlive_every_change_of_the_field(
    event: Event, change: Callable[[Event, Round], None]
) -> None:
    draft = pair_with_hand_change(event)
    before = tables_of(draft)
    change(event, draft)
    after = tables_of(draft)
    hand_made = {match.table for match in open_matches(draft) if match.why == BY_HAND}
    assert {table: after.get(table) for table in list(before)[:2]} == dict(list(before.items())[:2])
    assert len(hand_made) == 2
    assert sum(after.get(table) == pair for table, pair in before.items()) >= 3
    assert is_whole(draft)
    assert not event.log.filter(action="draft_discarded").exists()
    # The log says what changed in the draft, if anything did.
    if change in REPAIRING or change == change_club:
        assert event.log.filter(action="draft_repaired").exists() is (change in REPAIRING)


@pytest.mark.daily_on_postgres
@each_case("change", CHANGES.values(), around=rolled_back)
def test_undo_brings_the_draft_back(event: Event, change: Callable[[Event, Round], None]) -> None:
    draft = pair_with_hand_change(event)
    before, last = tables_of(draft), event.log.first().pk
    change(event, draft)
    for entry in event.log.filter(pk__gt=last, head=None).order_by("-pk"):
        entry.refresh_from_db()
        if entry.undone_by_id is None:
            undo_step(entry, organizer())
    assert tables_of(draft) == before


def test_pair_that_was_made_by_hand_and_then_forbidden_is_parted(event: Event) -> None:
    draft = pair_with_hand_change(event)
    match = open_matches(draft)[0]
    player_facts.forbid_pair(event, organizer(), match.p1.number, match.p2.number, reason="Siblings")
    assert frozenset((match.p1_id, match.p2_id)) not in tables_of(draft).values()
    assert is_whole(draft)


def test_player_gets_the_fixed_table_and_who_was_there_the_other(event: Event) -> None:
    draft = pair_with_hand_change(event)
    first, last = open_matches(draft)[0], open_matches(draft)[-1]
    player_facts.change_player_facts(
        Player.objects.select_related("event").get(pk=last.p1_id), organizer(), fixed_table=first.table
    )
    after = tables_of(draft)
    assert after[first.table] == {last.p1_id, last.p2_id}
    assert after[last.table] == {first.p1_id, first.p2_id}


@pytest.mark.both_databases
def test_bye_that_is_taken_back_gives_a_place_in_the_draft() -> None:
    event = started_event(9, swiss_rounds=4)
    player = event.players.select_related("event").first()
    player_facts.change_player_facts(player, organizer(), first_byes=1)
    draft = rounds.pair_next_round(event, organizer())
    assert draft.matches.get(p1=player).is_bye
    player_facts.change_player_facts(player, organizer(), first_byes=0)
    assert is_whole(draft)
    assert draft.matches.filter(p2=None).count() == 1
    player_facts.change_player_facts(player, organizer(), first_byes=1)
    assert draft.matches.get(p1=player).why == reasons_to_json([rounds.GIVEN_BYE])
    assert is_whole(draft)


def test_two_registrations_that_sit_in_the_draft_become_one_and_the_other_tables_stay() -> None:
    event = started_event(10, swiss_rounds=3)
    draft = pair_with_hand_change(event)
    before = tables_of(draft)
    one, two = player_at(draft, 3), player_at(draft, 4)
    registration.merge_players(one, two, organizer())
    after = tables_of(draft)
    assert [after.get(table) == pair for table, pair in before.items()][:3] == [True] * 3
    assert is_whole(draft)
    assert event.log.filter(action="draft_repaired").exists()


def test_hand_made_table_goes_with_the_registration_that_is_merged_away() -> None:
    event = started_event(10, swiss_rounds=3)
    draft = pair_with_hand_change(event)
    registration.merge_players(player_at(draft, 3), player_at(draft, 0), organizer())
    assert is_whole(draft)


def seeded_event() -> Event:
    return started_event(8, swiss_rounds=3, pairing_options={"first_round": "fold", "seeded_by": "seed"})


def test_new_seeds_pair_a_seeded_first_round_again() -> None:
    event = seeded_event()
    draft = pair_with_hand_change(event)
    number = draft.number
    player = event.players.select_related("event").last()
    player_facts.change_player_facts(player, organizer(), seed=1)
    (again,) = Round.objects.filter(stage__event=event, number=number)
    assert again.pk != draft.pk
    entry = event.log.get(action="draft_paired_again")
    assert entry.params["by_hand"] is True
    assert words_of(entry) == (
        f"The draft of round 1 was paired again: the pairing preferences of {player.name} changed."
        " Manual changes were lost."
    )


@each_case(
    ("why", "words"),
    [
        (reason("player_dropped", player="Ann"), "Ann dropped"),
        (reason("players_imported"), "players were imported"),
        (reason("pairing_facts_changed", player="Ann"), "the pairing preferences of Ann changed"),
        (reason("pair_forbidden", one="Ann", two="Bo"), "Ann and Bo may not meet"),
    ],
    around=rolled_back,
)
def test_log_gives_the_reason_for_a_new_draft_as_a_part_of_its_sentence(why: Reason, words: str) -> None:
    discarded = reason("draft_discarded", round=2, why=why)
    assert format_reason("log", discarded) == f"The draft of round 2 was discarded: {words}. Pair it again."


def test_seeds_by_a_league_pair_a_seeded_first_round_again_and_leave_every_other_draft() -> None:
    earlier = started_event(8, swiss_rounds=1, name="Earlier")
    Player.objects.filter(event=earlier, number=8).update(email="same@example.org")
    play_round(earlier)
    events.finish_event(earlier, organizer())
    league = leagues.create_league(organizer().user, name="Season")
    leagues.add_event(league, organizer().user, earlier)
    for event, is_paired_again in ((seeded_event(), True), (started_event(8, swiss_rounds=3), False)):
        Player.objects.filter(event=event, number=1).update(email="same@example.org")
        draft = pair_with_hand_change(event)
        before = tables_of(draft)
        leagues.seed_by_season(event, organizer(), league)
        assert event.log.filter(action="draft_paired_again").exists() is is_paired_again
        if not is_paired_again:
            assert tables_of(draft) == before


# ── What pages and API say ───────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def staff(client: Client) -> Client:
    return sign_in_organizer(client)


def notice(client: Client, address: str) -> str:
    page = client.get(address).content.decode()
    return (
        " ".join(page.split('id="draft-notice">')[1].split("</p>")[0].split())
        if "draft-notice" in page
        else ""
    )


PAGES = (
    "players/",
    "players/doubles/",
    "players/1/pairing/",
    "pairing/",
)


@each_case("page", PAGES, around=rolled_back)
def test_page_says_before_what_becomes_of_the_draft(staff: Client, event: Event, page: str) -> None:
    address = f"/console/{event.slug}/{page}"
    assert notice(staff, address) == ""
    draft = rounds.pair_next_round(event, organizer())
    says = f"Round {draft.number} is a draft. If you save, as few of its tables as possible change."
    assert notice(staff, address) == says
    first, second = open_matches(draft)[:2]
    drafts.swap_players(draft, organizer(), first.p1.number, second.p1.number)
    assert notice(staff, address) == f"{says} Your manual pairings stay if both players may still meet."


@pytest.mark.parametrize("page", ["players/1/pairing/", "pairing/"])
def test_page_says_before_that_new_seeds_lose_what_was_made_by_hand(staff: Client, page: str) -> None:
    event = seeded_event()
    pair_with_hand_change(event)
    assert notice(staff, f"/console/{event.slug}/{page}") == (
        "Round 1 is a draft. New seeds re-pair it. 1 manual change will be lost."
    )


def test_preview_of_an_import_says_what_becomes_of_the_draft(staff: Client, event: Event) -> None:
    rounds.pair_next_round(event, organizer())
    answer = staff.post(
        f"/console/{event.slug}/players/import/", {"text": "name,email\nYara,y@example.org\n"}
    )
    assert "as few of its tables as possible change." in " ".join(answer.content.decode().split())


def test_page_of_a_player_who_can_be_let_in_says_it(staff: Client, event: Event) -> None:
    rounds.pair_next_round(event, organizer())
    playing_players = event.players.first()
    Player.objects.filter(pk=event.players.last().pk).update(status="waiting")
    waiting_player = event.players.get(status="waiting")
    assert notice(staff, f"/console/{event.slug}/players/{playing_players.number}/") == ""
    assert "is a draft" in notice(staff, f"/console/{event.slug}/players/{waiting_player.number}/")


def api_calls(event: Event, draft: Round) -> list[tuple[str, str, dict[str, Any]]]:
    """Return every call that changes the field: method, address, body."""
    first, second = player_at(draft, 3), player_at(draft, 4)
    return [
        ("post", "players/", {"name": "Zoe"}),
        ("patch", f"players/{first.number}/pairing/", {"fixed_table": 60}),
        ("post", f"players/{second.number}/drop/", {}),
        ("post", f"players/{second.number}/undo-drop/", {}),
    ]


def test_api_answers_with_what_became_of_the_draft(staff: Client, event: Event) -> None:
    draft = pair_with_hand_change(event)
    for method, address, values in api_calls(event, draft):
        answer = getattr(staff, method)(
            f"/api/events/{event.slug}/{address}", values, content_type="application/json"
        )
        assert answer.status_code in (200, 201), answer.content
        (change,) = answer.json()["draft_changes"]
        assert (change["code"], change["params"]["round"]) == ("draft_repaired", {"round": [1, 2]})
        assert change["sentence"].startswith("The draft of round 2 was changed: ")
    assert is_whole(Round.objects.get(pk=draft.pk))


def test_api_answers_with_the_draft_to_pairs_merges_and_tables(staff: Client, event: Event) -> None:
    draft = pair_with_hand_change(event)
    base = f"/api/events/{event.slug}/"

    def call(address: str, **values: Any) -> list[Any]:
        answer = staff.post(base + address, values, content_type="application/json")
        assert answer.status_code in (200, 201), answer.content
        return list(answer.json()["draft_changes"])

    match = open_matches(draft)[4]
    assert len(call("forbidden-pairs/", one=match.p1.number, two=match.p2.number, reason="Siblings")) == 1
    assert call(f"players/{player_at(draft, 2).number}/merge/", double=make_waiter(event).number) == []
    table = "name,email\nYara,yara@example.org\n"
    answer = staff.post(f"{base}players/table/", {"csv": table}, content_type="application/json")
    assert answer.json()["draft_changes"] == []
    assert len(call("players/table/", csv=table, mark=answer.json()["mark"])) == 1


def test_api_says_nothing_of_a_draft_where_there_is_none(staff: Client, event: Event) -> None:
    answer = staff.post(
        f"/api/events/{event.slug}/players/", {"name": "Zoe"}, content_type="application/json"
    )
    assert answer.json()["draft_changes"] == []


def test_bye_of_a_registration_that_was_a_double_goes_with_it() -> None:
    event = started_event(10, swiss_rounds=4)
    draft = rounds.pair_next_round(event, organizer())
    double = registration.add_player(event, organizer(), name="Zed")
    bye = draft.matches.get(p2=None).p1
    registration.merge_players(event.players.exclude(pk__in=(bye.pk, double.pk))[0], bye, organizer())
    assert not draft.matches.filter(p2=None).exists()
    assert is_whole(draft)
