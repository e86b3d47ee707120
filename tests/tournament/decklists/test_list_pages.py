"""Pages of lists.

They show versions side by side, files, pools and gems on the form, and what was typed and refused.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from decks.checking.deck_files import FILE_TYPES
from decks.submissions.models import DeckVersion
from tests.scenarios.catalogue import LEGAL, list_of, small_catalogue
from tests.scenarios.factories import add_players, built_once, make_event
from tests.scenarios.public_pages import get, text_of
from tests.tournament.desk.test_console_pages import signed_in
from tournament.access.permissions import Actor
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.events.models.player import Player

pytestmark = pytest.mark.django_db
DECK = list_of("1 Mara ●", fillers=39)


@pytest.fixture
@built_once
def alice() -> Player:
    small_catalogue()
    return add_players(make_event(), 2)[0]


@pytest.fixture
@built_once
def sealed() -> Player:
    """Alice in a Sealed event."""
    small_catalogue()
    return add_players(make_event(format="sealed"), 2)[0]


@pytest.fixture
@built_once
def immortal() -> Player:
    """Alice in a Highlander event."""
    values = {"game": "highlander", "rules_version": "1.7", "match_form": "one_game_30min"}
    return add_players(make_event(format="plot_hilt", **values), 2)[0]


def submit(player: Player, text: str = LEGAL) -> DeckVersion:
    return decklists.submit_list(player, Actor.of_player(player), text)


@built_once
def two_versions(player: Player) -> DeckVersion:
    submit(player)
    return submit(player, LEGAL.replace("1 Mara ●", "1 Mara ●●"))


def doors(player: Player) -> tuple[tuple[Client, str], ...]:
    """Return the same pages for the player and for staff."""
    return (
        (Client(), f"/p/{player.token}/list/"),
        (signed_in(player.event, "judge"), f"/console/{player.event.slug}/lists/{player.number}/"),
    )


def test_any_two_versions_are_held_against_each_other(alice: Player) -> None:
    two_versions(alice)
    submit(alice, LEGAL)
    for client, door in doors(alice):
        page = text_of(client.get(f"{door}compare/?older=1&newer=2"))
        assert "Version 1 to version 2" in page
        assert "Added +1 Mara ●● 0 → 1" in page
        assert "Removed −1 Mara ● 1 → 0" in page
        last = text_of(client.get(f"{door}compare/"))
        assert "Version 2 to version 3" in last
        same = client.get(f"{door}compare/?older=1&newer=3")
        assert same.context["change"].is_none


def test_versions_that_are_not_there_are_not_found(alice: Player) -> None:
    two_versions(alice)
    queries = ("older=1&newer=9", "older=x", "older=-1", "newer=" + "9" * 40, "older=²")
    for client, door in doors(alice):
        statuses = {query: client.get(f"{door}compare/?{query}").status_code for query in queries}
        assert statuses == dict.fromkeys(queries, 404)


def test_a_single_version_has_none_to_compare_with(alice: Player) -> None:
    submit(alice)
    for client, door in doors(alice):
        answer = client.get(f"{door}compare/")
        assert (answer.status_code, answer.context["change"]) == (200, None)


def test_each_version_has_a_page_that_says_whether_it_counts(alice: Player) -> None:
    two_versions(alice)
    for client, door in doors(alice):
        assert "Replaced" in text_of(client.get(f"{door}1/"))
        assert "Current version" in text_of(client.get(f"{door}2/"))
        assert client.get(f"{door}3/").status_code == 404


def test_a_version_is_taken_away_as_any_type_of_file(alice: Player) -> None:
    submit(alice)
    suffixes = {**{kind: each.suffix for kind, each in FILE_TYPES.items()}, "source": "txt"}
    for client, door in doors(alice):
        for kind, suffix in suffixes.items():
            answer = client.get(f"{door}1/{kind}/")
            assert answer["Content-Disposition"] == f'attachment; filename="alice-1.{suffix}"'
            assert "Anvil Stance" in answer.content.decode()


FILE = "\n".join(f'"{line[0]}","{line[2:]}"' for line in LEGAL.splitlines())


def test_the_file_that_a_list_was_made_from_is_stored_and_taken_away(alice: Player) -> None:
    Client().post(f"/p/{alice.token}/list/", {"text": LEGAL, "original": FILE})
    version = DeckVersion.objects.get()
    assert (version.original_text, version.source_text) == (FILE, LEGAL)
    for client, door in doors(alice):
        answer = client.get(f"{door}1/original/")
        assert answer.content.decode() == FILE
        assert answer["Content-Disposition"] == 'attachment; filename="alice-1.csv"'
        assert answer["Content-Type"] == "text/plain; charset=utf-8"
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert "Original file" in text_of(client.get(f"{door}1/"))
    stranger = Client().get(f"/console/{alice.event.slug}/lists/{alice.number}/1/original/")
    assert stranger.status_code == 302


def test_a_list_that_is_as_it_came_has_no_other_file(alice: Player) -> None:
    Client().post(f"/p/{alice.token}/list/", {"text": LEGAL, "original": LEGAL})
    deck = SimpleUploadedFile("deck.csv", FILE.encode())
    Client().post(f"/p/{alice.token}/list/", {"text": "", "file": deck, "original": "1 Mara ●"})
    assert set(DeckVersion.objects.values_list("number", "original_text")) == {(1, ""), (2, "")}
    for client, door in doors(alice):
        assert client.get(f"{door}1/original/").status_code == 404
        assert client.get(f"{door}2/source/")["Content-Disposition"] == 'attachment; filename="alice-2.csv"'


def test_an_original_that_is_too_large_is_refused(alice: Player) -> None:
    answer = Client().post(f"/p/{alice.token}/list/", {"text": LEGAL, "original": "x" * 70_000})
    assert (answer.status_code, DeckVersion.objects.count()) == (422, 0)


def test_a_type_of_file_that_does_not_exist_is_not_found(alice: Player) -> None:
    submit(alice)
    for client, door in doors(alice):
        assert client.get(f"{door}1/docx/").status_code == 404


def test_an_uploaded_file_is_read_by_its_content(client: Client, alice: Player) -> None:
    deck = SimpleUploadedFile("deck.dek", b"\xef\xbb\xbf" + LEGAL.encode(), content_type="image/png")
    client.post(f"/p/{alice.token}/list/", {"text": "", "file": deck})
    assert (DeckVersion.objects.get().outcome, DeckVersion.objects.get().source_text) == ("legal", LEGAL)


def test_a_file_that_is_refused_stands_in_the_field_to_be_mended(client: Client, alice: Player) -> None:
    decklists_closed = timezone.now() - timedelta(minutes=1)
    deck = SimpleUploadedFile("deck.txt", "4 Ænvil Stance".encode("utf-16"))
    Event.objects.filter(pk=alice.event_id).update(decklists_due_at=None)
    answer = client.post(f"/p/{alice.token}/list/check/", {"text": "", "file": deck})
    assert answer.context["form"]["text"].value() == "4 Ænvil Stance"
    Event.objects.filter(pk=alice.event_id).update(decklists_due_at=decklists_closed)
    response = client.post(f"/p/{alice.token}/list/", {"text": LEGAL})
    assert (response.status_code, DeckVersion.objects.count()) == (422, 0)


@pytest.mark.parametrize("content", [b"\x00\x01\x02" * 50, b"x" * 70_000, b"\xff\xfe\x00\xd8"])
def test_what_is_no_list_is_refused_beside_the_field(client: Client, alice: Player, content: bytes) -> None:
    form_values = {"text": "", "file": SimpleUploadedFile("deck.o8d", content)}
    answer = client.post(f"/p/{alice.token}/list/", form_values)
    legal = DeckVersion.objects.filter(outcome="legal")
    assert (answer.status_code, legal.count()) in [(422, 0), (302, 0)]


def test_the_time_that_is_left_is_shown(client: Client, alice: Player) -> None:
    due = timezone.now() + timedelta(hours=3, minutes=2, seconds=30)
    Event.objects.filter(pk=alice.event_id).update(decklists_due_at=due)
    assert "Time left: 3 hours, 2 minutes" in get(client, f"/p/{alice.token}/list/")


def test_a_pool_is_registered_with_the_list_and_judged_with_it(client: Client, sealed: Player) -> None:
    form_values = {"text": DECK, "pool": DECK.replace("1 Mara ●", "1 Oto ●●●")}
    answer = client.post(f"/p/{sealed.token}/list/", form_values, follow=True)
    version = DeckVersion.objects.get()
    assert (version.outcome, version.pool_text) == ("illegal", form_values["pool"])
    assert "More copies than in the pool: 1 Mara ● too many." in text_of(answer)
    assert answer.context["form"]["pool"].value() == form_values["pool"]


def test_only_formats_with_pools_ask_for_one(client: Client, alice: Player, sealed: Player) -> None:
    asks_for_pool = [
        "pool" in client.get(f"/p/{player.token}/list/").context["form"].fields for player in (alice, sealed)
    ]
    assert asks_for_pool == [False, True]


def test_altered_gems_and_all_else_come_back_as_they_were_filled_in(client: Client, immortal: Player) -> None:
    form_values = {
        "text": "1 Slash",
        "declared.gem_assignment.A": "11",
        "declared.gem_assignment.M": "0",
        "declared.sleeved": "yes",
        "declared.substitutions": "Upper Left Attack = Back Away (Ruby)\r\nB-LC=Dodge",
        "declared.restriction_raise": "Slash +2\r\nParry",
        "declared.bonus.hilt": "Ivory Hilt",
    }
    answer = client.post(f"/p/{immortal.token}/list/", form_values, follow=True)
    assert DeckVersion.objects.get().options == {
        "diversity": False,
        "declared_character": "Ken",
        "gem_assignment": {"A": 11, "M": 0},
        "gem_sheet": True,
        "sleeved": True,
        "substitutions": [
            {"for": "A-UL", "with": "Back Away", "crystal": "Ruby"},
            {"for": "B-LC", "with": "Dodge"},
        ],
        "restriction_raise": [{"card": "Slash", "by": 2}, {"card": "Parry", "by": 1}],
        "bonus": {"hilt": "Ivory Hilt"},
    }
    form = answer.context["form"]
    values = {name: form[name].value() for name in form_values if name != "text"}
    assert values == {
        "declared.gem_assignment.A": 11,
        "declared.gem_assignment.M": 0,
        "declared.sleeved": "yes",
        "declared.substitutions": "A-UL = Back Away (Ruby)\nB-LC = Dodge",
        "declared.restriction_raise": "Slash +2\nParry +1",
        "declared.bonus.hilt": "Ivory Hilt",
    }


def test_gems_above_the_cap_are_judged_not_lost(client: Client, immortal: Player) -> None:
    answer = client.post(
        f"/p/{immortal.token}/list/", {"text": "1 Slash", "declared.gem_assignment.T": "14"}, follow=True
    )
    assert "Altered gem too high: Toughness 14 (maximum 13)." in text_of(answer)


def test_a_swap_without_a_card_is_refused_beside_its_field(client: Client, immortal: Player) -> None:
    answer = client.post(
        f"/p/{immortal.token}/list/", {"text": "1 Slash", "declared.substitutions": "Thrust"}
    )
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["declared.substitutions"]
    assert answer.context["form"]["text"].value() == "1 Slash"


def test_player_who_was_signed_out_gets_back_what_they_wrote(client: Client, alice: Player) -> None:
    answer = client.post(f"/console/{alice.event.slug}/lists/1/", {"text": "4 Words <of> mine"})
    assert (answer.status_code, DeckVersion.objects.count()) == (403, 0)
    assert "4 Words &lt;of&gt; mine" in answer.content.decode()


def test_a_form_without_its_key_gives_back_what_was_written(alice: Player) -> None:
    strict = Client(enforce_csrf_checks=True)
    answer = strict.post(f"/p/{alice.token}/list/", {"text": "4 Words of mine"})
    assert (answer.status_code, DeckVersion.objects.count()) == (403, 0)
    assert "4 Words of mine" in answer.content.decode()


def test_staff_corrects_the_list_that_counts(alice: Player) -> None:
    submit(alice)
    desk = signed_in(alice.event, "judge")
    address = f"/console/{alice.event.slug}/lists/1/"
    assert desk.get(address).context["form"]["text"].value() == LEGAL
    response = desk.post(address, {"text": "60 Anvil Stance", "reason": ""})
    assert response.status_code == 422
    assert response.context["form"]["text"].value() == "60 Anvil Stance"
    desk.post(address, {"text": "60 Anvil Stance", "reason": "as it lies on the table"})
    version = DeckVersion.objects.get(number=2)
    assert (version.by_staff, version.reason) == (True, "as it lies on the table")


def test_pages_of_one_list_cost_the_same_for_few_and_many_versions(client: Client, alice: Player) -> None:
    submit(alice)
    address = f"/p/{alice.token}/list/"
    client.get(address)
    with CaptureQueriesContext(connection) as few:
        client.get(address)
    for _ in range(12):
        submit(alice)
    with CaptureQueriesContext(connection) as many:
        client.get(address)
    assert len(many) == len(few) <= 20


def test_a_deck_is_chosen_from_its_pool_by_numbers(client: Client, sealed: Player) -> None:
    pick = f"/p/{sealed.token}/list/pick/"
    form_values = {"text": "2 Anvil Stance", "pool": "1 Mara ●\n3 Anvil Stance\n1 Anvil Stance\n2 Xyzzy"}
    page = client.post(pick, form_values)
    picks = page.context["picks"].picks
    assert [(each.card.name, each.card.qty, each.field.value()) for each in picks] == [
        ("Mara ●", 1, None),
        ("Anvil Stance", 4, 2),
        ("Xyzzy", 2, None),
    ]
    answer = client.post(pick, {**form_values, "take": "1", "pick_0": "1", "pick_1": "3", "pick_2": ""})
    form = answer.context["form"]
    assert form["text"].value() == "Main deck\n1 Mara ●\n3 Anvil Stance"
    assert form["pool"].value() == form_values["pool"]
    assert DeckVersion.objects.count() == 0


@pytest.mark.parametrize("pick", ["5", "-1", "x", "9" * 30])
def test_more_than_the_pool_holds_cannot_be_chosen(client: Client, sealed: Player, pick: str) -> None:
    form_values = {"text": "", "pool": "4 Anvil Stance", "take": "1", "pick_0": pick}
    answer = client.post(f"/p/{sealed.token}/list/pick/", form_values)
    assert list(answer.context["picks"].errors) == ["pick_0"]


def test_choosing_needs_a_pool(client: Client, sealed: Player, alice: Player) -> None:
    answer = client.post(f"/p/{sealed.token}/list/pick/", {"text": "1 Mara ●", "pool": " "})
    assert answer.status_code == 422
    errors = answer.context["form"].errors.as_data()
    assert {field: [error.code for error in errors[field]] for field in errors} == {"pool": ["pool_missing"]}
    assert client.post(f"/p/{alice.token}/list/pick/", {"text": LEGAL}).status_code == 404


def test_staff_who_may_change_players_declare_the_character_beside_the_list(alice: Player) -> None:
    page, save = (f"/console/{alice.event.slug}/{part}/{alice.number}/" for part in ("lists", "players"))
    organizer, judge = (signed_in(alice.event, kind) for kind in ("organizer", "judge"))
    shows = [f"{save}character/" in client.get(page).content.decode() for client in (organizer, judge)]
    codes = [
        client.post(f"{save}character/", {"character": "Mara"}).status_code for client in (organizer, judge)
    ]
    assert (shows, codes) == ([True, False], [204, 403])
    assert Player.objects.get(pk=alice.pk).character == "Mara"
    Event.objects.filter(pk=alice.event_id).update(phase=Event.Phase.SWISS)
    assert organizer.post(f"{save}character/", {"character": "Oto"}).status_code == 422
    assert Player.objects.get(pk=alice.pk).character == "Mara"
