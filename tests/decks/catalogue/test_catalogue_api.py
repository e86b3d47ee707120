"""Imports of catalogue files by the API: the same steps, the same right."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from decks.catalogue.models import Card
from decks.catalogue.services.catalogue import import_catalogue
from tests.decks.catalogue.test_catalogue_imports import ONE, OTHER, TWO, work
from tests.decks.catalogue.test_catalogue_pages import person
from tests.scenarios.catalogue import write

pytestmark = pytest.mark.django_db
ADDRESS = "/api/catalogue/imports/"


@pytest.fixture
def keeper(client):
    client.force_login(person("Ada", "Catalogue editors"))
    return client


def send(client, values, address=ADDRESS):
    return client.post(address, values, content_type="application/json")


def test_only_keepers_are_let_in(client):
    assert client.get(ADDRESS).status_code == 403
    client.force_login(person("Ben"))
    assert send(client, {"text": "name\nA\n"}).status_code == 403


def test_a_file_is_sent_decided_on_and_applied(keeper):
    import_catalogue(write({**ONE, **TWO}))
    catalogue_import = send(keeper, {"text": write(OTHER)})
    assert (catalogue_import.status_code, catalogue_import.json()["state"]) == (201, "reading")
    work()
    one = f"{ADDRESS}{catalogue_import.json()['id']}/"
    preview = keeper.get(one).json()
    assert (preview["state"], preview["is_stale"], preview["preview"]["counts"]["conflicts"]) == (
        "open",
        False,
        1,
    )
    token = preview["preview"]["conflicts"][0]["token"]
    assert send(keeper, {"each": {token: "take"}}, f"{one}decide/").status_code == 200
    assert send(keeper, {}, f"{one}apply/").json()["state"] == "applying"
    work()
    assert keeper.get(one).json()["report"]["counts"]["taken"] == 1
    assert Card.objects.get(name="Anvil Stance").attributes["type"] == "asset"
    assert [row["state"] for row in keeper.get(ADDRESS).json()] == ["done"]


def test_a_file_comes_as_part_of_a_form(keeper):
    response = keeper.post(ADDRESS, {"file": SimpleUploadedFile("a.csv", b"name\nAnvil\n"), "game": "ufs"})
    assert (response.status_code, response.json()["file_name"]) == (201, "a.csv")


@pytest.mark.parametrize(
    ("values", "code"),
    [({}, "one_source"), ({"text": ""}, "blank"), ({"text": " "}, "file_empty")],
)
def test_what_cannot_be_used_is_refused_with_a_code(keeper, values, code):
    answer = send(keeper, values)
    assert (answer.status_code, [each["code"] for each in answer.json()["problems"]]) == (400, [code])


def test_a_stale_preview_and_an_unknown_step_are_refused(keeper):
    one = f"{ADDRESS}{send(keeper, {'text': write(ONE)}).json()['id']}/"
    work()
    import_catalogue(write(TWO))
    response = send(keeper, {}, f"{one}apply/")
    assert (response.status_code, response.json()["problems"][0]["code"]) == (409, "preview_stale")
    assert send(keeper, {}, f"{one}again/").json()["state"] == "reading"
    assert send(keeper, {}, f"{one}dance/").status_code == 404
