"""Pages of catalogue editors: access, the import of a file, and the display."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from decks.catalogue.models import Card, CatalogueImport
from decks.catalogue.services.catalogue import import_catalogue
from decks.catalogue.tasks import forget_imports
from rules.rendering import say
from tests import machine
from tests.decks.catalogue.test_catalogue_imports import ONE, OTHER, TWO, work
from tests.everyday import each_case
from tests.scenarios.catalogue import FILLERS, write
from tests.scenarios.html import html_of
from tests.scenarios.rollback import rolled_back

pytestmark = pytest.mark.django_db

HOME = "/catalogue/"


def person(name: str, *groups: str):
    user = get_user_model().objects.create_user(f"{name}@example.org", first_name=name)
    user.groups.set(Group.objects.filter(name__in=groups))
    return user


@pytest.fixture
def keeper(client):
    client.force_login(person("Ada", "Catalogue editors"))
    return client


def send(client, content: bytes | str, **more):
    if isinstance(content, bytes):
        return client.post(HOME, {"file": SimpleUploadedFile("cards.json", content), **more})
    return client.post(HOME, {"text": content, **more})


def upload(client, content: bytes | str, **more) -> CatalogueImport:
    assert send(client, content, **more).status_code == 302
    work()
    return CatalogueImport.objects.latest("sent_at")


def page(client, catalogue_import) -> str:
    return html_of(client.get(reverse("catalogue_import", args=[catalogue_import.pk])))


def press(client, step: str, catalogue_import, **fields):
    return html_of(client.post(reverse(f"catalogue_{step}", args=[catalogue_import.pk]), fields, follow=True))


def test_the_group_of_keepers_comes_with_the_tables():
    rights = Group.objects.get(name="Catalogue editors").permissions.values_list("codename", flat=True)
    assert list(rights) == ["import_catalogue"]


def test_only_keepers_and_administrators_come_in(client):
    assert client.get(HOME).status_code == 302
    client.force_login(person("Ben"))
    response = client.get(HOME)
    assert response.status_code == 403
    assert "Catalogue editors" in html_of(response)
    client.force_login(person("Ada", "Catalogue editors"))
    assert client.get(HOME).status_code == 200
    client.force_login(get_user_model().objects.create_superuser("root@example.org"))
    assert client.get(HOME).status_code == 200


@each_case("step", ["decide", "apply", "again", "throw_away", "undo"], around=rolled_back)
def test_no_step_is_open_to_others_or_by_a_link(client, step):
    catalogue_import = CatalogueImport.objects.create(size=1, digest="")
    address = reverse(f"catalogue_{step}", args=[catalogue_import.pk])
    client.force_login(person("Ben"))
    assert client.post(address).status_code == 403
    client.force_login(person("Ada", "Catalogue editors"))
    assert client.get(address).status_code == 405


def test_a_file_is_uploaded_previewed_and_applied(keeper):
    catalogue_import = upload(keeper, write(ONE).encode())
    text = page(keeper, catalogue_import)
    assert "Nothing is imported yet" in text
    assert "Anvil Stance" in text
    assert "Being written" not in text
    press(keeper, "apply", catalogue_import)
    work()
    text = page(keeper, catalogue_import)
    assert "Catalogue version: 1" in text
    assert Card.objects.get().name == "Anvil Stance"


def test_a_table_is_pasted_with_its_game(keeper):
    catalogue_import = upload(keeper, "name,set,number\nAnvil Stance,ZZ1,1\n,ZZ1,2\n", game="ufs")
    assert (
        catalogue_import.file_name,
        catalogue_import.game,
        catalogue_import.preview["counts"]["printings"],
    ) == ("", "ufs", 1)
    assert "line 3</strong> The record has no name." in page(keeper, catalogue_import)


def test_conflicts_are_decided_on_the_page_and_sent_with_apply(keeper):
    import_catalogue(write({**ONE, **TWO}))
    catalogue_import = upload(
        keeper, write({key: {**facts, "type": "asset"} for key, facts in {**ONE, **TWO}.items()})
    )
    tokens = [conflict["token"] for conflict in catalogue_import.preview["conflicts"]]
    text = page(keeper, catalogue_import)
    assert all(f'id="keep-{token}" name="side-{token}" value="keep" checked' in text for token in tokens)
    press(keeper, "decide", catalogue_import, **{f"side-{tokens[0]}": "take"})
    assert f'id="take-{tokens[0]}" name="side-{tokens[0]}" value="take" checked' in page(
        keeper, catalogue_import
    )
    press(keeper, "apply", catalogue_import, **{f"side-{tokens[1]}": "take"})
    work()
    assert set(Card.objects.values_list("attributes__type", flat=True)) == {"asset"}
    applied_page = keeper.get(reverse("catalogue_import", args=[catalogue_import.pk]))
    assert [conflict["is_taken"] for conflict in applied_page.context["conflicts"]] == [True, True]


def test_all_conflicts_are_taken_at_once(keeper):
    import_catalogue(write(ONE))
    catalogue_import = upload(keeper, write(OTHER))
    press(keeper, "decide", catalogue_import, all="take")
    assert set(re.findall(r'value="(\w+)" checked', page(keeper, catalogue_import))) == {"take"}
    wrong = press(keeper, "decide", catalogue_import, all="both")
    assert say("refusal", "unknown_side") in wrong


def test_a_name_that_cannot_be_taken_is_said_where_all_conflicts_are(keeper):
    import_catalogue(write({**ONE, **TWO}))
    catalogue_import = upload(keeper, write({**OTHER, "ZZ1-002": {"name": "Somebody Else"}}))
    assert "The file wins every other conflict. 1 name stays" in press(
        keeper, "decide", catalogue_import, all="take"
    )
    assert "Ember Vow keeps its name: “Somebody Else” has the same key ZZ1-002 but is another card." in press(
        keeper,
        "decide",
        catalogue_import,
        **{f"side-{catalogue_import.preview['conflicts'][1]['token']}": "take"},
    )


@pytest.mark.both_databases
def test_the_page_says_until_when_a_file_is_kept_and_when_it_was_forgotten(keeper, settings):
    settings.IMPORT_KEEP_DAYS = 3
    catalogue_import = upload(keeper, write(ONE))
    day = f"{catalogue_import.kept_until:%a %-d %b %Y}"
    assert f"This preview expires on {day}." in page(keeper, catalogue_import)
    CatalogueImport.objects.update(sent_at=catalogue_import.sent_at - timedelta(days=4))
    forget_imports()
    assert "This file expired" in page(keeper, catalogue_import)
    assert say("refusal", "import_not_open") in press(keeper, "apply", catalogue_import)


def test_a_stale_preview_says_so_and_can_be_made_again(keeper):
    catalogue_import = upload(keeper, write(ONE))
    import_catalogue(write(TWO))
    assert "The catalogue changed after this preview" in page(keeper, catalogue_import)
    assert "so nothing was written" in press(keeper, "apply", catalogue_import)
    press(keeper, "again", catalogue_import)
    work()
    assert "Nothing is imported yet" in page(keeper, catalogue_import)


def test_progress_is_asked_for_until_the_file_is_read_and_then_the_page_is_loaded_again(keeper):
    send(keeper, write(ONE))
    catalogue_import = CatalogueImport.objects.get()
    address = reverse("catalogue_import", args=[catalogue_import.pk])
    waiting_page = keeper.get(address, headers={"HX-Request": "true"})
    assert "HX-Refresh" not in waiting_page.headers
    assert "Waiting" in html_of(waiting_page)
    assert "You can leave this page" in html_of(keeper.get(address))
    work()
    assert keeper.get(address, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"


def test_a_file_is_thrown_away(keeper):
    catalogue_import = upload(keeper, write(ONE))
    assert "discarded this file" in press(keeper, "throw_away", catalogue_import)
    assert say("refusal", "import_not_open") in press(keeper, "apply", catalogue_import)


def test_what_cannot_be_read_is_said_on_its_page(keeper):
    assert "no column “name”" in page(keeper, upload(keeper, b"nothing\nat all"))


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({}, "one_source"),
        ({"text": " \n"}, "one_source"),
        ({"text": "name\n", "game": "chess"}, "invalid_choice"),
    ],
)
def test_a_form_that_cannot_be_used_says_what_is_missing(keeper, fields, code):
    answer = keeper.post(HOME, fields)
    assert answer.status_code == 422
    ((error,),) = answer.context["form"].errors.as_data().values()
    assert error.code == code
    assert error.messages[0] in html_of(answer)


def test_file_and_text_at_once_are_not_guessed_between(keeper):
    answer = keeper.post(HOME, {"text": "name\nA\n", "file": SimpleUploadedFile("x", b"name\nB\n")})
    assert "not both" in html_of(answer)


def test_an_import_that_does_not_exist_is_not_found(keeper):
    assert keeper.get("/catalogue/imports/00000000-0000-0000-0000-000000000000/").status_code == 404


@pytest.mark.parametrize("cards", [1, 16 if machine.whole() else 4])
def test_the_catalogue_costs_the_same_queries_for_one_set_and_for_many(
    keeper, cards, django_assert_num_queries
):
    for place, (key, facts) in enumerate(list(FILLERS.items())[:cards]):
        import_catalogue(write({key: {**facts, "set": f"ZZ{place}"}}))
        CatalogueImport.objects.create(size=1, digest="", state="done")
    with django_assert_num_queries(9):
        assert keeper.get(HOME).status_code == 200


def test_the_pages_escape_what_a_file_says(keeper):
    nasty = {"<b>": {"name": "<script>alert(1)</script>", "set": "<i>"}}
    text = page(keeper, upload(keeper, write(nasty)))
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text
