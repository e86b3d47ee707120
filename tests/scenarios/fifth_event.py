"""An event of a game that is only a folder.

It goes through pages, from its creation to the champion. Run by `test_fifth_event.py` in a process of its
own, whose games come from another folder as well.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import rules
from tests.scenarios.factories import open_matches, organizer, sign_in_organizer
from tests.scenarios.html import html_of, squeeze
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.brackets.selectors.bracket import champion_of_stage
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.judging.models import DeckCheck
from tournament.log.selectors import describe_step
from tournament.log.wording import show_entry
from tournament.printing.registry import ALL_SHEETS, SHEETS, find_sheet, list_parts, list_sheets
from tournament.printing.render import render_sheet_html, render_sheet_pdf
from tournament.printing.request import PrintRequest

pytestmark = [pytest.mark.django_db, pytest.mark.paper]

GAME = "tidewater"
FOLDER = Path(os.environ["RINGSIDE_GAMES_DIR"]) / GAME
CASES = json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))
CARDS = CASES["pools"]["sea"]
NAMES = ("Ada", "Bob", "Cleo", "Dan")


@pytest.fixture
def desk(client: Client) -> Client:
    return sign_in_organizer(client)


def crew(case: int = 0) -> str:
    """Return the list of a worked case, as a player types it."""
    lines = CASES["cases"][case]["main"]
    return "\n".join(f"{line['qty']} {CARDS['cards'][line['card']]['name']}" for line in lines)


def create_event(desk: Client) -> Event:
    assert "Tidewater" in html_of(desk.get(reverse("console_new")))
    address = reverse("console_new_event", args=[GAME, "crew"])
    form = desk.get(address).context["form"]
    values = {field.html_name: field.value() for field in form}
    form_values = {name: value for name, value in values.items() if value not in (None, False)}
    form_values |= {
        "name": "Regatta", "starts_at": "2026-05-02T10:00", "rules_version": "1", "kind": "swiss",
        "match_form": "one_game_20min", "swiss_rounds": 2, "cut": "top", "cut_size": 2, "short_cut": "shrink",
        "decklists_required": "on",
    }  # fmt: skip
    answer = desk.post(address, form_values)
    assert answer.status_code == 302, answer.context["form"].errors
    return Event.objects.get(game=GAME)


def register(event: Event) -> list[Player]:
    for name in NAMES:
        form_values = {"name": name, "email": f"{name}@example.org", "home_port": "North"}
        answer = Client().post(f"/e/{event.slug}/register/", form_values)
        assert answer.status_code == 302
    return list(event.players.order_by("number"))


def submit_lists(players: list[Player]) -> None:
    """Submit a list for each player.

    Each has a struck flag and three stones in the bow. The form says what they are.
    """
    declared_values = {"declared.flag": "no", "declared.ballast.B": "3"}
    for player in players:
        phone, address = Client(), reverse("player_list", args=[player.token])
        answer = phone.post(reverse("player_check", args=[player.token]), {"text": crew(2)})
        assert "6 boats sail with 1 captain; 5 may." in html_of(answer)
        form = html_of(phone.get(address))
        assert ("A struck flag counts as none." in form, "Ballast" in form, "Stern" in form) == (True,) * 3
        assert phone.post(address, {"text": crew(), **declared_values}).status_code in (200, 302)
        player.refresh_from_db()
        assert player.deck_list is not None
        assert player.deck_list.current is not None
        assert player.deck_list.current.outcome == "legal"
        options = player.deck_list.current.options
        assert (options["flag"], options["ballast"]) == (False, {"B": 3})


def check_deck(desk: Client, event: Event) -> None:
    desk.post(reverse("judge_begin_check", args=[event.slug, 1]))
    page = html_of(desk.get(reverse("judge_check", args=[event.slug, DeckCheck.objects.get().pk]))).casefold()
    assert page.index("captain") < page.index("boat") < page.index("sailor")


def enter(desk: Client, round_: Round, table: int, line: str) -> Match:
    place = [round_.stage.event.slug, round_.stage.position, round_.number]
    address = reverse("console_quick_result", args=place)
    assert desk.post(address, {"line": f"{table} {line}"}).status_code == 302
    return round_.matches.select_related("round__stage__event", "p1", "p2").get(table=table)


def make_every_sheet(event: Event, round_: Round) -> None:
    request = PrintRequest(event, round_, "A4", timezone.now(), "https://example.org")
    for sheet in list_sheets(rules.get_game(GAME)):
        is_there = round_.stage.is_elimination or sheet.needs != "bracket"
        if not (sheet.fits(event) and is_there):
            continue
        if round_.stage.is_elimination or (sheet in ALL_SHEETS and not sheet.is_pack):
            # They are set like those of the other games, or as in the first round.
            parts = [
                render_sheet_html(part, request.as_browser_page()) for part in list_parts(sheet, request)
            ]
            assert parts
            assert all(parts)
        else:
            assert render_sheet_pdf(sheet, request).startswith(b"%PDF")
    check_own_sheets(event, request)
    slips = render_sheet_html(SHEETS["slips"], request.as_browser_page())
    assert "ebb or flood" in slips
    assert "Pearls: 1st ____" in slips


def check_own_sheets(event: Event, request: PrintRequest) -> None:
    """Check the printouts of the game.

    There is one for each table in the pack of each round, and one for each player.
    """
    log_book, ballast = (find_sheet(event, key) for key in ("log-book", "ballast"))
    assert log_book is not None
    assert ballast is not None
    pack = [part.key for part in list_parts(SHEETS["round-pack"], request)]
    assert (log_book.name, "log-book" in pack, "ballast" in pack) == ("Log book", True, False)
    books = squeeze(render_sheet_html(log_book, request.as_browser_page()))
    for match in request.shown_round.matches.select_related("p1", "p2"):
        assert f"Pearls of {match.p1}" in books
    assert "ebb / flood" in books
    stones = squeeze(render_sheet_html(ballast, request.as_browser_page()))
    assert stones.count('<td class="num">3</td>') == stones.count("Captain Anna") == len(NAMES)


def cited(desk: Client, event: Event) -> None:
    """Require that pages cite the leaflet of the game and no other game's document."""
    player = event.players.order_by("number").first()
    assert player is not None
    assert player.deck_list is not None
    pages = [
        desk.get(reverse("console_list", args=[event.slug, player.number])),
        Client().get(reverse("cut", args=[event.slug])),
        Client().get(f"/e/{event.slug}/"),
        desk.get(reverse("console_settings", args=[event.slug])),
    ]
    texts = [html_of(page) for page in pages]
    assert ["Leaflet, Umpires" in texts[0], "Leaflet, Regattas" in texts[1]] == [True, True]
    assert [text for text in texts if "UFS" in text] == []


def next_round(desk: Client, event: Event, number: int) -> Round:
    desk.post(reverse("console_pair", args=[event.slug]), {"number": number})
    round_ = Round.objects.select_related("stage__event").get(stage__event=event, number=number)
    desk.post(reverse("console_draft", args=[event.slug, 1, number, "publish"]))
    round_.refresh_from_db()
    assert round_.state == Round.State.PUBLISHED
    return round_


def call_time(desk: Client, event: Event, match: Match) -> Match:
    """Call time at a table of the bracket.

    The default procedure asks, and a result follows.
    """
    address = reverse("console_time", args=[event.slug, match.pk])
    answers: dict[str, Any] = {"p1_games": "1", "p2_games": "0"}
    for _ in range(4):
        settlement = desk.get(address).context["advice"]
        if settlement.is_settled:
            break
        for question in settlement.questions:
            answers.setdefault(question.key, "0" if question.is_count else question.choices[0][0])
        desk.post(address, answers)
    assert desk.get(address).context["advice"].is_settled
    desk.post(address, {"enter": "1"})
    match.refresh_from_db()
    assert (match.ending, match.is_finished) == ("time", True)
    return match


def test_event_of_a_fifth_game_is_played_to_the_champion(desk: Client, tmp_path: Path) -> None:
    # The run that started this one keeps its own.
    assert "games" in str(connection.settings_dict["NAME"])
    catalogue = tmp_path / "cards.json"
    catalogue.write_text(json.dumps(CARDS), encoding="utf-8")
    call_command("import_catalogue", catalogue, verbosity=0)
    event = create_event(desk)
    players = register(event)
    submit_lists(players)
    desk.post(reverse("console_step", args=[event.slug, "open-check-in"]))
    for player in players:
        Client().post(reverse("player_check_in", args=[player.token]))
    desk.post(reverse("console_start", args=[event.slug]))

    one = next_round(desk, event, 1)
    check_deck(desk, event)
    make_every_sheet(event, one)
    answer = enter(desk, one, 1, "1 0 p7-3")
    assert answer.details == {"pearls": {"p1": 7, "p2": 3}}
    assert answer.how_it_ended == f"Pearls: {answer.p1} 7, {answer.p2} 3"
    other = one.matches.select_related("p1", "p2").get(table=2)
    report = {"match": other.pk, "mine": 1, "theirs": 0, "details.pearls.p1": 5, "details.pearls.p2": 4}
    Client().post(reverse("player_report", args=[other.p1.token]), report)
    page = Client().get(reverse("player", args=[other.p2.token]))
    assert "Pearls" in page.content.decode()
    seen_mark = other.reports.get().reported_at.isoformat()
    Client().post(
        reverse("player_confirm", args=[other.p2.token]),
        {"match": other.pk, "score": "0-1-0", "seen": seen_mark},
    )
    assert Match.objects.get(pk=other.pk).details == {"pearls": {"p1": 5, "p2": 4}}
    reported_result = describe_step(event.log.filter(action="result_reported").latest("pk"))
    assert ("Pearls", "5-4") in [(line.label, line.after) for line in reported_result.rows[0].lines]

    two = next_round(desk, event, 2)
    enter(desk, two, 1, "1 0 p31-3")
    assert not two.matches.get(table=1).is_finished
    enter(desk, two, 1, "0 1 p1-3")
    sunk = enter(desk, two, 2, "1 0 k")
    assert (sunk.ending, sunk.how_it_ended) == ("capsized", f"{sunk.p2} capsized")
    line = show_entry(event.log.filter(action="result_entered").latest("pk")).sentence
    assert f"1-0 ({sunk.p2} capsized)" in line
    for address in ("standings", "pairings"):
        assert Client().get(reverse(address, args=[event.slug])).status_code == 200

    desk.post(reverse("console_cut", args=[event.slug]))
    final = Round.objects.select_related("stage__event").get(stage__event=event, stage__position=2)
    make_every_sheet(event, final)
    cited(desk, event)
    (match,) = open_matches(final)
    call_time(desk, event, match)
    event.refresh_from_db()
    champion = champion_of_stage(final.stage)
    assert (event.phase, champion) == (Event.Phase.FINISHED, match.p1)
    assert "Regatta" in html_of(Client().get(f"/e/{event.slug}/"))

    document = json.loads(json.dumps(export_event(event)))
    back = restore_event(json.dumps(document), organizer())
    assert export_event(back)["stages"] == document["stages"]
