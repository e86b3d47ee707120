"""A system of standings of the organizer's own.

It is drafted, previewed, saved, printed, and changed in mid-event.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from decks.shared.refusals import Refused
from decks.shared.wording import say_reason
from tests.everyday import each_case
from tests.scenarios.factories import (
    make_event,
    make_user,
    open_matches,
    organizer,
    play_round,
    publish_next,
    sign_in_organizer,
    started_event,
)
from tests.scenarios.log_words import words_of
from tests.scenarios.rollback import rolled_back
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.engine.standings.systems.custom import TIEBREAKER_CHOICES, own_system, system_to_data
from tournament.engine.standings.systems.loading import load_system, system_names
from tournament.events.models.event import Event, StaffRole
from tournament.registration import services as registration
from tournament.results.services import results
from tournament.setup.services import events
from tournament.standings.selectors.standings import scoring_system_of, standings
from tournament.standings.services import set_standings_system

pytestmark = pytest.mark.django_db
LEAGUE = {
    "title": "Club league",
    "points": {"win": 2, "draw": 1, "loss": 0, "bye": "3/2"},
    "tiebreakers": [
        {"kind": "buchholz", "key": "bh-c1", "name": "Buchholz cut 1", "cut_low": 1},
        {"kind": "lot"},
    ],
}


@pytest.fixture
def desk() -> Client:
    return sign_in_organizer()


def page(event: Event) -> str:
    return reverse("console_system", args=[event.slug])


def fill_form(client: Client, event: Event, **changes: str) -> dict[str, str]:
    """Return what the browser sends back from the page, with some answers changed."""
    form = client.get(page(event)).context["form"]
    return {**{name: str(form[name].value() or "") for name in form.fields}, **changes}


def press(client: Client, event: Event, values: dict[str, str], **changes: str) -> Any:
    return client.post(page(event), {**values, **changes})


def drafted(answer: Any) -> list[str]:
    return [row["key"] for row in answer.context["form"].draft["tiebreakers"]]


def list_form_values(form: Any) -> dict[str, str]:
    return {name: str(form[name].value() or "") for name in form.fields}


def played_event() -> Event:
    event = started_event(5)
    play_round(event)
    return event


def test_every_entry_of_the_palette_makes_a_system_that_is_sound_and_comes_back_the_same() -> None:
    entries = [choice.entry() for choice in TIEBREAKER_CHOICES]
    system = own_system({"tiebreakers": json.loads(json.dumps(entries[:20]))})
    assert [t.key for t in system.tiebreakers] == [choice.key for choice in TIEBREAKER_CHOICES[:20]]
    for data in (system_to_data(system), {"tiebreakers": entries[20:]}):
        again = own_system(json.loads(json.dumps(data)))
        assert own_system(json.loads(json.dumps(system_to_data(again)))) == again


@each_case("name", ["carrom", "fide", "go", "magic", "netrunner", "ufs"], around=rolled_back)
def test_a_shipped_system_can_be_the_start_of_ones_own(name: str) -> None:
    shipped_system = load_system(name)
    own = own_system(json.loads(json.dumps(system_to_data(shipped_system))))
    assert (own.points, [(t.kind_name, t.params) for t in own.tiebreakers]) == (
        shipped_system.points,
        [(t.kind_name, t.params) for t in shipped_system.tiebreakers],
    )


def test_an_own_system_makes_the_standings_with_its_points() -> None:
    event = make_event()
    set_standings_system(event, organizer(), "own", LEAGUE)
    for player in range(3):
        _add(event, player)
    events.start_event(event, organizer())
    play_round(event)
    assert [(str(line.row.points), line.cells[0]) for line in standings(event)] == [
        ("2", "0"),
        ("3/2", "0"),
        ("0", "0"),
    ]


def _add(event: Event, number: int) -> None:
    registration.add_player(event, organizer(), name=f"Player {number}", character="Ken")


def test_the_system_stands_with_its_formula_on_every_page_and_in_the_log(desk: Client) -> None:
    event = played_event()
    set_standings_system(event, organizer(), "own", LEAGUE, reason="Announced at the desk")
    words = "of the opponents&#x27; points without the lowest"
    for address in (
        reverse("standings", args=[event.slug]),
        reverse("standings_round", args=[event.slug, 1]),
        reverse("event", args=[event.slug]),
        reverse("console_standings", args=[event.slug]),
        page(event),
    ):
        assert words in desk.get(address).content.decode(), address
    line = event.log.order_by("-pk").first()
    assert (line.action, line.reason) == ("standings_system_changed", "Announced at the desk")
    assert words_of(line).startswith(
        "olga@example.org set the scoring system to Club league: win 2, draw 1, loss 0"
    )
    assert words_of(line).endswith(" Past standings were recalculated.")


def test_a_change_in_mid_event_needs_a_reason_and_reckons_past_rounds_again() -> None:
    event = played_event()
    play_round(event)
    before = Event.objects.get(pk=event.pk).version
    with pytest.raises(Refused) as refusal:
        set_standings_system(event, organizer(), "own", LEAGUE, reason="  ")
    assert (refusal.value.code, refusal.value.field) == ("reason_missing", "reason")
    assert Event.objects.get(pk=event.pk).version == before
    set_standings_system(event, organizer(), "own", LEAGUE, reason="Announced late")
    past = standings(event, after_round=1)
    assert [str(line.row.points) for line in past] == ["2", "2", "3/2", "0", "0"]
    assert event.version > before


def test_setting_what_is_set_writes_nothing() -> None:
    event = make_event()
    set_standings_system(event, organizer(), "own", LEAGUE)
    lines, version = event.log.count(), event.version
    set_standings_system(event, organizer(), "own", LEAGUE)
    assert (event.log.count(), event.version) == (lines, version)


def test_going_back_to_a_shipped_system_keeps_ones_own_for_later() -> None:
    event = make_event()
    set_standings_system(event, organizer(), "own", LEAGUE)
    set_standings_system(event, organizer(), "go")
    assert scoring_system_of(event).name == "go"
    set_standings_system(event, organizer(), "own")
    assert scoring_system_of(event).own_title == "Club league"


@pytest.mark.parametrize("phase", [Event.Phase.CUT, Event.Phase.FINISHED])
def test_the_system_is_fixed_once_the_cut_is_made(phase: str) -> None:
    event = played_event()
    Event.objects.filter(pk=event.pk).update(phase=phase)
    with pytest.raises(Refused) as refusal:
        set_standings_system(event, organizer(), "go", reason="Late")
    assert refusal.value.code == "standings_system_fixed"


BAD: list[tuple[object, set[str]]] = [
    (None, {"own_shape"}),
    ([], {"own_shape"}),
    ({}, {"system_tiebreakers"}),
    ({"tiebreakers": [], "colour": 1}, {"own_shape"}),
    ({"tiebreakers": [{"kind": ["x"]}]}, {"tiebreaker_kind", "own_name"}),
    ({"tiebreakers": [{"kind": "lot", "name": "a\0b"}]}, {"own_name"}),
    ({"tiebreakers": [{"kind": "lot", "key": "Ä"}]}, {"own_key"}),
    ({"tiebreakers": [{"kind": "lot", "aliases": 5}]}, {"own_shape", "tiebreaker_aliases"}),
    ({"tiebreakers": [{"kind": "lot", "key": f"l{n}"} for n in range(21)]}, {"own_many"}),
    ({"tiebreakers": [{"kind": "buchholz", "cut_low": 51}]}, {"own_count"}),
    ({"tiebreakers": [{"kind": "koya", "share": "1/100000"}]}, {"own_share"}),
    ({"tiebreakers": [], "points": {"win": 10**40}}, {"own_points"}),
    ({"tiebreakers": [], "points": {"draw": "-1"}}, {"own_points"}),
    ({"tiebreakers": [], "points": {"draw": 0.5}}, {"system_points"}),
    ({"tiebreakers": [], "points": {"win": 0}, "title": 5}, {"system_points", "own_name"}),
]


@each_case(("data", "expected_codes"), BAD, around=rolled_back)
def test_bad_data_is_refused_with_every_reason(data: object, expected_codes: set[str]) -> None:
    event = make_event()
    with pytest.raises(Refused) as refusal:
        set_standings_system(event, organizer(), "own", data if data is not None else "none")
    assert {problem.code for problem in refusal.value.problems} == expected_codes
    assert Event.objects.get(pk=event.pk).standings_system == "ufs"


def test_bad_data_written_past_the_services_do_not_hide_the_standings(desk: Client) -> None:
    event = played_event()
    Event.objects.filter(pk=event.pk).update(standings_system="own", own_system={"points": 3})
    assert desk.get(reverse("standings", args=[event.slug])).status_code == 200
    assert desk.get(page(event)).status_code == 200


def test_an_own_system_travels_in_the_archive_and_a_broken_one_is_refused() -> None:
    event = played_event()
    set_standings_system(event, organizer(), "own", LEAGUE, reason="Announced late")
    document = export_event(event)
    again = restore_event(json.dumps(document), organizer())
    assert scoring_system_of(again) == scoring_system_of(event)
    document["event"]["own_system"] = {"tiebreakers": [{"kind": "luck"}]}
    with pytest.raises(Refused) as refusal:
        restore_event(json.dumps(document), organizer())
    assert [problem.code for problem in refusal.value.problems] == ["archive_value_wrong"]
    assert 'There is no kind "luck".' in refusal.value.message


@pytest.mark.parametrize("name", ["chess", "own"])
def test_an_unknown_system_or_an_own_one_without_data_is_no_setting(name: str) -> None:
    event = make_event()
    with pytest.raises(Refused) as refusal:
        events.update_event(event, organizer(), {"standings_system": name})
    assert (refusal.value.code, refusal.value.field) == ("standings_system_unknown", "standings_system")


# -- the page


def test_tiebreakers_are_added_moved_and_removed_without_being_saved(desk: Client) -> None:
    event = make_event()
    values = fill_form(desk, event)
    answer = press(desk, event, values, do="add", choice="sosos")
    assert drafted(answer) == ["omw", "gw", "ogw", "lot", "sosos"]
    answer = press(desk, event, list_form_values(answer.context["form"]), do="up:4")
    assert drafted(answer) == ["omw", "gw", "ogw", "sosos", "lot"]
    answer = press(desk, event, list_form_values(answer.context["form"]), do="remove:0")
    answer = press(desk, event, list_form_values(answer.context["form"]), do="down:0")
    assert drafted(answer) == ["ogw", "gw", "sosos", "lot"]
    answer = press(desk, event, list_form_values(answer.context["form"]), do="add", choice="lot")
    assert drafted(answer) == ["ogw", "gw", "sosos", "lot", "lot-2"]
    assert Event.objects.get(pk=event.pk).standings_system == "ufs"


def test_saving_the_page_keeps_the_draft_as_data(desk: Client) -> None:
    event = make_event()
    values = fill_form(desk, event, **{"win": "1", "draw": "1/2", "title": "Sunday", "t0-floor": "0.33"})
    assert press(desk, event, values, do="save").status_code == 302
    stored_event = Event.objects.get(pk=event.pk)
    assert stored_event.standings_system == "own"
    assert stored_event.own_system["points"] == {
        "win": 1,
        "draw": "1/2",
        "loss": 0,
        "bye": 3,
        "double_loss": 0,
        "unopposed": 0,
        "game_win": 0,
        "game_draw": 0,
    }
    assert stored_event.own_system["tiebreakers"][0] == {
        "kind": "opponents_match_win",
        "key": "omw",
        "label": "omw",
        "byes": "ignored",
        "floor": "33/100",
        "per": "points",
    }


def test_what_is_wrong_stands_beside_its_field_and_nothing_is_saved(desk: Client) -> None:
    event = make_event()
    values = fill_form(
        desk, event, **{"win": "many", "t0-floor": "2", "t1-name": "x" * 61, "t2-byes": "some"}
    )
    answer = press(desk, event, values, do="save")
    assert answer.status_code == 422
    errors = answer.context["form"].errors
    assert sorted(errors) == ["t0-floor", "t1-name", "t2-byes", "win"]
    assert errors["win"] == ['"many" is not an exact number. Write 1 or "1/2".']
    assert Event.objects.get(pk=event.pk).standings_system == "ufs"


@each_case(
    "values",
    [
        {},
        {"do": "save"},
        {"do": "up:99999999999999999999", "t0-kind": "lot"},
        {"do": "remove:-1"},
        {"do": "use:nothing"},
        {"do": "add", "choice": "\0"},
        {"do": "save", "t0-kind": "\0", "t0-key": "\0", "win": "1" * 5000, "title": "\0"},
        {"do": "save", **{f"t{n}-kind": "lot" for n in range(60)}},
    ],
    around=rolled_back,
)
def test_no_form_at_all_breaks_the_page(desk: Client, values: dict[str, str]) -> None:
    event = make_event()
    assert desk.post(page(event), values).status_code in (200, 302, 422)


def test_a_shipped_system_is_used_or_started_from_by_a_button(desk: Client) -> None:
    event = make_event()
    answer = press(desk, event, fill_form(desk, event), do="from:go")
    assert drafted(answer) == ["sos", "sosos"]
    assert press(desk, event, fill_form(desk, event), do="use:go").status_code == 302
    assert Event.objects.get(pk=event.pk).standings_system == "go"


def test_the_preview_shows_who_would_change_places(desk: Client) -> None:
    event = started_event(4)
    round_ = publish_next(event)
    first, second = open_matches(round_)
    results.enter_result(first, organizer(), p1_games=2, p2_games=0)
    results.enter_result(second, organizer(), p1_games=1, p2_games=1, draws=1)
    answer = press(desk, event, fill_form(desk, event), do="preview", draw="3")
    preview = answer.context["preview"]
    assert [str(row.line.row.points) for row in preview.rows] == ["3", "3", "3", "0"]
    assert (preview.player_count, answer.status_code) == (4, 200)


def test_a_scorekeeper_may_not_change_the_system_and_a_stranger_signs_in_first() -> None:
    event = make_event()
    keeper = make_user("sam@example.org")
    StaffRole.objects.create(event=event, user=keeper, kind=StaffRole.Kind.SCOREKEEPER)
    client = Client()
    assert client.get(page(event)).status_code == 302
    client.force_login(keeper)
    assert [client.get(page(event)).status_code, client.post(page(event), {"do": "use:go"}).status_code] == [
        403,
        403,
    ]
    assert Event.objects.get(pk=event.pk).standings_system == "ufs"


@each_case("language", ["en", "de"], around=rolled_back)
def test_shipped_systems_are_listed_by_the_titles_that_the_reader_sees(language: str) -> None:
    client = Client(headers={"accept-language": language})
    sign_in_organizer(client)
    shipped_system = client.get(page(make_event())).context["shipped_systems"]
    with translation.override(language):
        titles = [say_reason(system.title).casefold() for system, _ in shipped_system]
    assert titles == sorted(titles)
    assert {system.name for system, _ in shipped_system} == set(system_names())
