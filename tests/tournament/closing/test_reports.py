"""Prizes, characters and the closing report, as pages, as files and by the API."""

from __future__ import annotations

import csv
from fractions import Fraction
from io import StringIO

import pytest
from django.test import Client
from django.utils import timezone

from decks.shared.refusals import Refused
from tests.scenarios.factories import (
    add_players,
    built_once,
    make_event,
    make_user,
    organizer,
    play_round,
    sign_in_organizer,
    started_event,
)
from tests.scenarios.html import html_of, squeeze
from tests.scenarios.log_words import words_of
from tests.scenarios.public_pages import event_with_cut, get, queries_of, text_of
from tournament.archive.export import export_event
from tournament.closing.selectors import character_breakdown, closing_report
from tournament.closing.services import set_prizes
from tournament.engine.prizes import Prize
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.languages.choice import speak
from tournament.log.services import undo_step
from tournament.printing.registry import SHEETS
from tournament.printing.render import render_sheet_html
from tournament.printing.request import PrintRequest
from tournament.registration import services as registration
from tournament.setup.services import events
from tournament.shared.awards import (
    format_points_table,
    format_prizes,
    get_others_word,
    load_points,
    load_prizes,
    parse_points,
    parse_prizes,
)

pytestmark = pytest.mark.both_databases

LINES = "1: 50 € and the trophy\n2-3: a booster\nbest Ken: a playmat\n40: nothing for nobody"


@built_once
def create_finished_event(players: int = 4, **values: object) -> Event:
    """Return an event without a cut whose rounds are over."""
    event = started_event(players, swiss_rounds=2, **values)
    for _ in range(2):
        play_round(event)
    events.finish_event(event, organizer())
    return event


@pytest.mark.django_db
class TestPrizes:
    def test_lines_come_back_as_they_were_written(self) -> None:
        assert format_prizes(load_prizes(parse_prizes(LINES))) == LINES
        assert format_prizes(load_prizes(parse_prizes("3 to 4:x\n\n 5–8 : y "))) == "3-4: x\n5-8: y"

    def test_every_wrong_line_is_named(self) -> None:
        with pytest.raises(Refused) as excinfo:
            parse_prizes("first: cup\n4-3: cup\n5:\n1: cup\nbest : x\x00")
        assert [problem.sentence.partition(":")[0] for problem in excinfo.value.problems] == [
            "Line 1", "Line 2", "Line 3", "Line 5",
        ]  # fmt: skip
        assert {problem.code for problem in excinfo.value.problems} == {"prizes_wrong"}

    def test_prizes_stand_in_the_log_and_can_be_taken_back(self) -> None:
        event = make_event()
        set_prizes(event, organizer(), parse_prizes(LINES))
        entry = event.log.first()
        assert words_of(entry).endswith("announced 4 prizes.")
        undo_step(entry, organizer())
        event.refresh_from_db()
        assert event.prizes == []

    def test_prizes_travel_with_the_event(self) -> None:
        event = make_event()
        set_prizes(event, organizer(), parse_prizes(LINES))
        assert export_event(event)["event"]["prizes"] == event.prizes

    def test_console_keeps_what_was_typed_beside_what_is_wrong(self, client: Client) -> None:
        event = make_event()
        sign_in_organizer(client)
        answer = client.post(f"/console/{event.slug}/prizes/", {"prizes": "1: cup\nnonsense"})
        assert "Line 2: “nonsense” has no place." in html_of(answer)
        assert "1: cup" in html_of(answer)
        client.post(f"/console/{event.slug}/prizes/", {"prizes": "1: the cup"})
        assert "the cup" in get(Client(), f"/e/{event.slug}/")


@pytest.mark.django_db
class TestReport:
    def test_nothing_before_the_end(self, client: Client) -> None:
        event = started_event(4)
        assert closing_report(event) is None
        assert client.get(f"/e/{event.slug}/report/").context["report"] is None
        assert client.get(f"/e/{event.slug}/report.csv").status_code == 404
        assert client.get(f"/api/events/{event.slug}/report/").json()["is_over"] is False

    def test_podium_prizes_and_figures(self, client: Client) -> None:
        event = create_finished_event()
        set_prizes(event, organizer(), parse_prizes(LINES))
        report = closing_report(event)
        assert report is not None
        assert [ranked_player.place for ranked_player in report.podium] == [1, 2, 3]
        assert (report.players, report.rounds, report.matches, report.dropped_count) == (4, 2, 4, 0)
        assert [prize.words for prize in report.unclaimed_prizes] == ["nothing for nobody"]
        first = report.ranking[0].player
        assert "50 € and the trophy" in report.prizes_of(first)
        page = get(client, f"/e/{event.slug}/report/")
        assert f"Place 1 50 € and the trophy {first.name}" in page

    def test_printed_report_says_whom_each_prize_falls_to(self) -> None:
        event = create_finished_event()
        set_prizes(event, organizer(), parse_prizes(LINES))
        report = closing_report(event)
        assert report is not None
        print_request = PrintRequest(Event.objects.get(pk=event.pk), None, "A4", timezone.now())
        paper = squeeze(render_sheet_html(SHEETS["report"], print_request))
        first = report.ranking[0].player.name
        prize, winner = (f'<bdi translate="no">{words}</bdi>' for words in ("50 € and the trophy", first))
        assert f"<td>Place 1</td><td>{prize}</td><td>{winner}</td>" in paper
        assert '<td translate="no" dir="auto">nothing for nobody</td><td>Not awarded</td>' in paper

    @pytest.mark.both_databases
    def test_file_for_table_programs_defuses_formulas(self, client: Client) -> None:
        event = create_finished_event()
        Player.objects.filter(event=event, number=1).update(name="=HYPERLINK(1)")
        event.refresh_from_db()
        rows = list(csv.DictReader(StringIO(client.get(f"/e/{event.slug}/report.csv").content.decode())))
        assert len(rows) == 4
        assert {row["name"] for row in rows if row["number"] == "1"} == {"'=HYPERLINK(1)"}

    @pytest.mark.daily_on_postgres
    def test_report_takes_as_many_queries_for_many_players(self, client: Client) -> None:
        counts = []
        for players in (4, 10):
            event = create_finished_event(players, name=f"Open {players}")
            set_prizes(event, organizer(), parse_prizes(LINES))
            counts.append(queries_of(lambda event=event: client.get(f"/e/{event.slug}/report/")))
        assert counts[0] == counts[1]

    def test_by_the_api(self, client: Client) -> None:
        event = create_finished_event()
        sign_in_organizer(client)
        address = f"/api/events/{event.slug}/prizes/"
        form_values = [{"first": 1, "last": 1, "words": "cup"}, {"best": "Ken", "words": "mat"}]
        assert client.put(address, form_values, content_type="application/json").json() == form_values
        assert client.get(address).json() == form_values
        payload = client.get(f"/api/events/{event.slug}/report/").json()
        winner = payload["ranking"][0]["player"]
        assert payload["awards"][0] == {
            "prize": form_values[0], "players": [winner], "pieces": 1, "is_shared": False,
        }  # fmt: skip
        wrong = client.put(address, [{"words": "cup"}], content_type="application/json")
        assert (wrong.status_code, wrong.json()["problems"][0]["code"]) == (400, "prizes_wrong")

    def test_judge_cannot_announce_prizes(self, client: Client) -> None:
        event = make_event()
        client.force_login(make_user("nobody@example.org"))
        answer = client.put(f"/api/events/{event.slug}/prizes/", [], content_type="application/json")
        assert answer.status_code == 403


@pytest.mark.django_db
class TestCharacters:
    def test_characters_are_not_public_before_the_start(self, client: Client) -> None:
        event = make_event()
        add_players(event, 3)
        assert character_breakdown(event) is None
        answer = client.get(f"/e/{event.slug}/characters/")
        assert (answer.status_code, answer.context["breakdown"]) == (200, None)
        assert "Ken" not in text_of(answer)
        assert client.get(f"/api/events/{event.slug}/characters/").json() == []

    def test_rates_are_exact_and_mirror_matches_are_not_counted(self) -> None:
        event = make_event(swiss_rounds=1)
        for name, character in (("A", "Ken"), ("B", "ken"), ("C", "Ryu"), ("D", "Ken"), ("E", "")):
            registration.add_player(event, organizer(), name=name, character=character)
        events.start_event(event, organizer())
        round_ = play_round(event)
        breakdown = character_breakdown(event)
        assert breakdown is not None
        assert [(each.character, each.players, each.total_players) for each in breakdown.shares] == [
            ("Ken", 3, 5), ("Ryu", 1, 5),
        ]  # fmt: skip
        assert breakdown.undeclared_count == 1
        expected_counts: dict[str, list[int]] = {"Ken": [0, 0], "Ryu": [0, 0]}
        for match in round_.matches.filter(p2__isnull=False).select_related("p1", "p2"):
            one, two = match.p1.character.title(), match.p2.character.title()
            if one != two:
                for character, at in ((one, 0), (two, 1)):
                    if character:
                        expected_counts[character][at] += 1
        assert {each.character: [each.wins, each.losses] for each in breakdown.shares} == expected_counts
        for each in breakdown.shares:
            assert each.rate == (Fraction(each.wins, each.matches) if each.matches else None)

    def test_cut_names_who_is_in(self) -> None:
        event = event_with_cut(6)
        breakdown = character_breakdown(event)
        assert breakdown is not None
        assert breakdown.has_cut
        assert sum(len(each.in_cut) for each in breakdown.shares) == 4


def test_table_of_points_is_read_as_it_is_written() -> None:
    data = parse_points("1: 10\n2-4: 5\nothers: 1")
    assert data == {"spans": [[1, 1, 10], [2, 4, 5]], "others": 1}
    assert format_points_table(load_points(data)) == "1: 10\n2-4: 5\nothers: 1"
    assert load_points(parse_points("")).of_place(1) == 20


def test_place_with_two_values_is_refused() -> None:
    with pytest.raises(Refused) as excinfo:
        parse_points("1-4: 10\n4: 5\nzero: 3\n5: many")
    assert [problem.sentence.partition(":")[0] for problem in excinfo.value.problems] == [
        "Line 2", "Line 3", "Line 4",
    ]  # fmt: skip


def test_awards_are_read_in_english_and_in_the_language_of_the_reader() -> None:
    with speak("de"):
        assert format_prizes([Prize("a mat", best="Ken")]) == "bester Ken: a mat"
        assert parse_prizes("bester Ken: a mat\nbest Ryu: a pin\n2 bis 3: a pen") == [
            {"best": "Ken", "words": "a mat"},
            {"best": "Ryu", "words": "a pin"},
            {"first": 2, "last": 3, "words": "a pen"},
        ]
        table = load_points(parse_points("1: 10\nübrige: 1"))
        assert format_points_table(table, get_others_word()) == "1: 10\nübrige: 1"
        assert parse_points("others: 2") == {"spans": [], "others": 2}
    assert format_points_table(table) == "1: 10\nothers: 1"
