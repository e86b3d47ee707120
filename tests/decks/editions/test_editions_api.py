"""The API of dated lists."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from decks.editions.models import ListEdition
from tests.everyday import each_case
from tests.scenarios.catalogue import small_catalogue
from tests.scenarios.editions import draft, publish
from tests.scenarios.rollback import rolled_back

pytestmark = pytest.mark.django_db
NEWS = {
    "game": "ufs",
    "kind": "bans",
    "document": "News",
    "clause": "1",
    "versions": ["1.9"],
    "in_force": "2099-01-01",
}


@pytest.fixture
def keeper(client):
    client.force_login(User.objects.create_superuser("root@example.org"))
    return client


def check(client, *entries, **values):
    form_values = {**NEWS, "entries": list(entries), **values}
    return client.post("/api/lists/check/", form_values, content_type="application/json")


def test_every_edition_is_listed_with_how_it_stands(client):
    publish(draft("Ember Vow"))
    payload = client.get("/api/lists/?game=ufs").json()

    assert [(each["kind"], each["number"], each["standing"], each["source"]) for each in payload] == [
        ("bans", 2, "now", "published"),
        ("bans", 1, "earlier", "shipped"),
        ("errata", 1, "now", "shipped"),
        ("identities", 2, "now", "shipped"),
        ("identities", 1, "now", "shipped"),
    ]
    assert {each["game"] for each in client.get("/api/lists/").json()} == {"ufs", "highlander"}


def test_one_edition_comes_whole_with_its_difference(client):
    published_edition = publish(draft("Ember Vow"))
    payload = client.get("/api/lists/ufs/bans/2/").json()

    assert (payload["digest"], payload["entry_count"], payload["compared_with"]) == (
        published_edition.digest,
        17,
        1,
    )
    assert payload["entries"][-1] == {"card": {"name": "Ember Vow"}, "clause": "News 1"}
    assert [change["sentence"] for change in payload["difference"]["new"]] == ["Ember Vow"]


def test_a_draft_is_not_an_edition_yet(client):
    draft("Ember Vow")

    assert client.get("/api/lists/ufs/bans/2/").status_code == 404


def test_a_draft_is_looked_over_and_not_kept(keeper):
    small_catalogue()
    answer = check(keeper, {"card": {"name": "Embr Vow"}}, {"card": {}}).json()

    assert [(each["code"], each["severity"], each["entry"]) for each in answer["problems"]] == [
        ("no-card", "error", 2),
        ("unknown-card", "warning", 1),
    ]
    assert (answer["compared_with"], len(answer["difference"]["gone"])) == (1, 16)
    assert ListEdition.objects.count() == 0


def test_a_draft_is_looked_over_for_keepers_only(client):
    assert check(client).status_code == 403


@each_case(
    ("values", "code"),
    [
        ({"game": "chess"}, "unknown_game"),
        ({"kind": "weather"}, "unknown_list"),
        ({"entries": ["Ken"]}, "not_a_dict"),
        ({"entries": [{"card": {"name": "a\0b"}}]}, "bad_characters"),
        ({"in_force": "soon"}, "invalid"),
    ],
    around=rolled_back,
)
def test_a_draft_that_is_none_is_refused_with_a_sentence(keeper, values, code):
    answer = check(keeper, **values)

    assert answer.status_code == 400
    assert [problem["code"] for problem in answer.json()["problems"]] == [code]


@each_case(
    "entry",
    [
        {"card": []},
        {"card": {"name": ["x"], "dots": 10**30}},
        {"same": [{}, 3, None]},
        {"distinct": [1, {"set": 4, "number": "x"}], "name": 7},
        {"printed": "SF01 38", "says": {}, "kinds": 5, "formats": "all"},
        {"card": {"name": "Ken", "number": -1, "set_size": "many"}, "printed": {"number": 1e300}},
    ],
)
@each_case("kind", ["bans", "errata", "identities"], around=rolled_back)
def test_no_entry_however_odd_breaks_the_look(keeper, kind, entry):
    assert check(keeper, entry, entry, kind=kind).status_code == 200
