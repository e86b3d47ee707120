"""The pages of dated lists.

They are open to read, and drafted and published by those who keep them.
"""

from __future__ import annotations

from datetime import date

import pytest
from django.contrib.auth.models import Group, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import escape

from decks.editions import services
from decks.editions.models import ListEdition
from decks.shared.refusals import Refused
from rules.rendering import say
from tests.decks.editions.test_documents import TEXT
from tests.everyday import each_case
from tests.scenarios.catalogue import small_catalogue
from tests.scenarios.editions import draft, publish
from tests.scenarios.html import html_of
from tests.scenarios.rollback import rolled_back

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def cards():
    small_catalogue()


@pytest.fixture
def keeper(client) -> Client:
    """A signed-in account of the group “Ban list editors”."""
    lena = User.objects.create_user("lena@example.org", first_name="Lena", last_name="Vogt")
    lena.groups.add(Group.objects.get(name="Ban list editors"))
    client.force_login(lena)
    return client


def body(answer) -> str:
    return html_of(answer)


def post(client, page: str, row: ListEdition, *args, **values):
    address = reverse(page, args=[row.pk, *args])
    return client.post(address, {"revision": row.revision, **values})


def test_all_visitors_see_the_ban_lists_of_all_games(client):
    page = body(client.get("/lists/"))
    for words in ("Universal Fighting System", "Banned list", "since Wed 27 Feb 2008", "Highlander"):
        assert words in page
    assert "Draft" not in page


def test_the_page_of_a_game_tells_what_is_in_force_to_come_and_past(client):
    publish(draft("Ember Vow", in_force=date(2026, 11, 21)))
    publish(draft("Jade Focus", in_force=date(2099, 1, 1)))
    page = body(client.get("/lists/ufs/"))
    rows = {number: page.split(f">{number} · Banned list<")[1].split("</tr>")[0] for number in (1, 2, 3)}

    assert ["In force" in rows[2], "Upcoming" in rows[3], "Earlier" in rows[1]] == [True, True, True]


def test_a_list_has_one_name_on_its_pages_published_or_not(keeper):
    published_edition, next_draft = publish(draft("Ember Vow")), draft("Jade Focus")
    addresses = [
        "/lists/",
        f"/lists/ufs/bans/{published_edition.number}/",
        reverse("list_draft", args=[next_draft.pk]),
        reverse("list_entry_new", args=[next_draft.pk]),
    ]
    pages = [body(keeper.get(address)) for address in addresses]
    assert [("Banned list" in page, "Banned cards" in page) for page in pages] == [(True, False)] * 4


def test_an_edition_says_what_is_different_from_the_one_before(client):
    published_edition = publish(draft("Ember Vow"))
    page = body(client.get(f"/lists/ufs/bans/{published_edition.number}/"))

    assert "Compared with version 1: 1 new, 16 unchanged." in page
    assert '<a href="/cards/ufs/ember-vow/">Ember Vow</a>' in page


@each_case(
    "address",
    ["/lists/chess/", "/lists/ufs/bans/9/", "/lists/ufs/nothing/1/", "/lists/ufs/bans/99999999999999999999/"],
    around=rolled_back,
)
def test_what_is_not_there_is_not_found(client, address):
    assert client.get(address).status_code == 404


def test_a_draft_is_not_shown_as_an_edition(client):
    new_draft = draft("Ember Vow")

    assert client.get(f"/lists/ufs/bans/{new_draft.number}/").status_code == 404


def test_only_keepers_see_and_change_drafts(client):
    new_draft = draft("Ember Vow")
    assert (
        client.get(reverse("list_draft", args=[new_draft.pk])).url
        == f"/sign-in/?next=/lists/drafts/{new_draft.pk}/"
    )
    client.force_login(User.objects.create_user("olga@example.org"))
    for answer in (
        client.get(reverse("list_draft", args=[new_draft.pk])),
        client.get(reverse("list_document", args=["ufs"])),
        post(client, "list_publish", new_draft),
        post(client, "list_discard", new_draft),
        client.post(reverse("list_start", args=["ufs", "errata"])),
    ):
        assert answer.status_code == 403
        assert "add you to the group “Ban list editors”" in body(answer)
    assert ListEdition.objects.drafts().count() == 1


def test_an_administrator_keeps_lists_without_a_group(client):
    client.force_login(User.objects.create_superuser("root@example.org"))

    assert client.post(reverse("list_start", args=["cfc", "bans"])).status_code == 302


def test_a_keeper_drafts_bans_and_publishes(keeper):
    keeper.post(reverse("list_start", args=["ufs", "bans"]))
    list_edition = ListEdition.objects.get()
    new = reverse("list_entry_new", args=[list_edition.pk])
    keeper.post(new, {"revision": 1, "card": "Mara ●●", "clause": "News 1"})
    keeper.post(new, {"revision": 2, "card": "zz1 5", "one_printing": "on", "formats": ["draft"]})
    sent_values = {"name": "Winter list", "document": "News", "clause": "News 2", "in_force": "2099-01-01"}
    post(keeper, "list_draft", ListEdition.objects.get(), **sent_values, versions=["1.9"])
    answer = post(keeper, "list_publish", ListEdition.objects.get(), accept_warnings="on")

    list_edition.refresh_from_db()
    assert (answer.status_code, answer.url) == (302, "/lists/ufs/bans/2/")
    assert (list_edition.state, list_edition.published_by, list_edition.drafted_by) == (
        "published",
        "Lena Vogt",
        "Lena Vogt",
    )
    assert (list_edition.name, list_edition.in_force, list_edition.versions) == (
        "Winter list",
        date(2099, 1, 1),
        ["1.9"],
    )
    assert list_edition.entries[-2:] == [
        {"card": {"name": "Mara", "dots": 2}, "clause": "News 1"},
        {
            "card": {"name": "Ember Vow", "set": "ZZ1", "number": 5},
            "printed": {"set": "ZZ1", "number": 5},
            "formats": ["draft"],
        },
    ]


def test_a_card_that_is_not_known_is_asked_about_and_may_stay_as_written(keeper):
    new_draft = draft()
    new = reverse("list_entry_new", args=[new_draft.pk])
    response = keeper.post(new, {"revision": new_draft.revision, "card": "Embr Vow"})

    assert response.status_code == 422
    assert '<button class="button button-small" name="pick" value="Ember Vow (ZZ1 5/120)"' in body(response)
    answer = keeper.post(
        new, {"revision": new_draft.revision, "card": "Embr Vow", "pick": "Ember Vow (ZZ1 5/120)"}
    )
    assert 'value="Ember Vow (ZZ1 5/120)"' in body(answer)
    keeper.post(new, {"revision": new_draft.revision, "card": "Embr Vow", "as_written": "on"})
    assert ListEdition.objects.get().entries[-1] == {"card": {"name": "Embr Vow"}}


def test_a_name_of_several_versions_is_asked_about(keeper):
    new_draft = draft()
    new = reverse("list_entry_new", args=[new_draft.pk])

    assert Refused("card_not_found").fix in body(
        keeper.post(new, {"revision": new_draft.revision, "card": "Mara"})
    )


def test_cards_are_suggested_while_typing(keeper):
    part = body(keeper.get("/lists/ufs/cards/", {"card": "ember"}))

    assert 'value="Ember Vow (ZZ1 5/120)"' in part
    assert "<html" not in part


def test_an_entry_keeps_what_its_form_does_not_show(keeper):
    new_draft = draft()
    form = keeper.get(reverse("list_entry", args=[new_draft.pk, 0])).context["form"]
    values_by_name = {
        name: value for name, value in form.initial.items() if value not in (None, "", False, [])
    }
    before = new_draft.entries[0]
    post(keeper, "list_entry", new_draft, 0, **values_by_name)

    assert ListEdition.objects.get().entries[0] == before


def test_every_shipped_entry_goes_through_its_form_unchanged(keeper):
    """Every entry of a list can be opened and saved without a change."""
    from decks.editions.domain.kinds import find_kind
    from decks.editions.forms.entries import make_entry_form
    from decks.shared.json_shapes import to_json
    from rules import games, shipped_editions

    for game in games():
        for edition in shipped_editions(game.key):
            kind = find_kind(game.key, edition.kind)
            for entry in edition.entries[:40]:
                if {"one_card_in_printings"} & set(entry):
                    continue
                initial = make_entry_form(game, kind, entry).initial
                form = make_entry_form(game, kind, entry, initial)
                assert form.is_valid(), (entry, form.errors)
                assert to_json(form.to_entry()) == to_json(entry)


def test_errata_and_identities_have_forms_of_their_own(keeper):
    errata, identities = draft(kind="errata"), draft(kind="identities")
    sent_values = {
        "id": "UFS-501.24",
        "card": "Ember Vow",
        "says": "Costs\n nothing.",
        "kinds": "text, keyword",
    }
    post(keeper, "list_entry_new", errata, **sent_values, clause="501.24", plays_differently="on")
    post(keeper, "list_entry_new", identities, what="same", names="Ember Vow\nJade Focus", clause="501.25")
    post(
        keeper,
        "list_entry_new",
        ListEdition.objects.get(kind="identities"),
        what="distinct",
        names="Oto",
        places="zz1 103\nZZ2 4/90",
    )

    assert ListEdition.objects.get(kind="errata").entries[-1] == {
        "id": "UFS-501.24",
        "card": {"name": "Ember Vow"},
        "kinds": ["text", "keyword"],
        "plays_differently": True,
        "says": "Costs nothing.",
        "clause": "501.24",
    }
    assert ListEdition.objects.get(kind="identities").entries[-2:] == [
        {"same": ["Ember Vow", "Jade Focus"], "clause": "501.25"},
        {"name": "Oto", "distinct": [{"set": "ZZ1", "number": 103}, {"set": "ZZ2", "number": 4}]},
    ]


@each_case(
    ("values", "field", "code"),
    [
        ({"what": "same", "names": "Oto"}, "names", "names_needed"),
        ({"what": "distinct", "names": "Oto", "places": "ZZ1 1"}, "places", "places_needed"),
        ({"what": "distinct", "names": "Oto", "places": "here"}, "places", "no_place"),
        ({"what": "distinct", "names": "Oto\nMara", "places": "A 1\nB 2"}, "names", "one_name"),
    ],
    around=rolled_back,
)
def test_an_identity_that_makes_no_sense_is_refused(keeper, values, field, code):
    answer = post(keeper, "list_entry_new", draft(kind="identities"), **values)

    assert answer.status_code == 422
    (error,) = answer.context["form"].errors.as_data()[field]
    assert error.code == code
    assert escape(error.messages[0]) in body(answer)


def test_an_entry_taken_out_can_be_put_back(keeper):
    new_draft = draft()
    first = new_draft.entries[0]
    post(keeper, "list_entry_remove", new_draft, 0)
    row = ListEdition.objects.get()
    assert "Restore entry" in body(keeper.get(reverse("list_draft", args=[row.pk])))
    post(keeper, "list_entry_put_back", row, 0)

    assert ListEdition.objects.get().entries[0] == first


def test_a_stale_page_changes_nothing_and_says_so(keeper):
    new_draft = draft()
    seen_revision = new_draft.revision
    services.remove_entry(new_draft, 3, revision=seen_revision)
    address = reverse("list_entry_remove", args=[new_draft.pk, 0])
    page = keeper.post(address, {"revision": seen_revision}, follow=True)

    assert say("refusal", "draft_changed") in body(page)
    assert len(ListEdition.objects.get().entries) == 15


@each_case("revision", ["", "x", "-1", "99999999999999999999", "²"], around=rolled_back)
def test_a_revision_that_is_no_number_is_a_stale_page(keeper, revision):
    new_draft = draft()
    keeper.post(reverse("list_entry_remove", args=[new_draft.pk, 0]), {"revision": revision})

    assert len(ListEdition.objects.get().entries) == 16


def test_publishing_with_warnings_asks_to_read_them(keeper):
    new_draft = draft("Embr Vow", in_force=date(2099, 1, 1))
    answer = post(keeper, "list_publish", new_draft)

    assert answer.status_code == 422
    assert Refused("warnings_unread").fix in body(answer)
    assert ListEdition.objects.get().is_draft


def test_publishing_twice_leads_to_the_edition(keeper):
    published_edition = publish(draft("Ember Vow"))

    assert post(keeper, "list_publish", published_edition).url == "/lists/ufs/bans/2/"
    assert keeper.get(reverse("list_draft", args=[published_edition.pk])).url == "/lists/ufs/bans/2/"


def test_a_draft_can_be_thrown_away(keeper):
    post(keeper, "list_discard", draft())

    assert ListEdition.objects.count() == 0


def test_a_document_is_shown_before_anything_is_written(keeper):
    page = body(keeper.post("/lists/ufs/read/", {"text": TEXT}))

    assert ListEdition.objects.count() == 0
    for words in ("UFS Tournament Rules v3.1", "Everybody asks about the lanterns."):
        assert words in page
    assert page.count('name="kinds"') == 3


def test_a_document_becomes_drafts_with_what_is_left_open(keeper):
    keeper.post("/lists/ufs/read/", {"text": TEXT, "kinds": ["bans", "errata"]})
    bans = ListEdition.objects.get(kind="bans")

    assert [entry["card"]["name"] for entry in bans.entries] == ["Mara", "Kettle Drum", "Unheard Of"]
    assert (bans.document, bans.clause, bans.versions) == ("UFS Tournament Rules v3.1", "502", ["1.9"])
    assert [unread["text"] for unread in bans.unread] == ["Paper Tiger ZZ1 15/120", "whatever Mother says"]
    post(keeper, "list_settle", bans, 0)
    bans.refresh_from_db()
    assert [unread["text"] for unread in bans.unread] == ["whatever Mother says"]


def test_a_document_beside_a_draft_drafts_nothing(keeper):
    draft()
    answer = keeper.post("/lists/ufs/read/", {"text": TEXT, "kinds": ["bans", "errata"]})

    assert answer.status_code == 422
    assert "bans already has a draft." in body(answer)
    assert ListEdition.objects.count() == 1


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"text": " "}, "no_document"),
        ({"text": "x" * 600_000}, "max_length"),
        ({"text": "no lists", "kinds": ["bans"]}, "nothing_to_draft"),
    ],
)
def test_a_document_that_gives_nothing_is_refused(keeper, values, code):
    answer = keeper.post("/lists/ufs/read/", values)

    assert answer.status_code == 422
    ((error,),) = answer.context["form"].errors.as_data().values()
    assert error.code == code
    assert escape(error.messages[0]) in body(answer)


def test_a_document_may_be_a_file(keeper):
    file = SimpleUploadedFile("rules.txt", TEXT.encode("cp1252", "replace"))

    assert "UFS Tournament Rules v3.1" in body(keeper.post("/lists/ufs/read/", {"file": file}))


def test_a_pdf_is_refused_with_what_it_is(keeper):
    answer = keeper.post("/lists/ufs/read/", {"file": SimpleUploadedFile("rules.pdf", b"%PDF-1.4 \x00\xff")})

    assert answer.status_code == 422
    assert "a PDF" in body(answer)


def test_documents_of_other_games_cannot_be_read(keeper):
    assert keeper.get("/lists/cfc/read/").status_code == 404


@pytest.mark.parametrize("count", [1, 50])
def test_the_page_of_a_draft_costs_the_same_queries_for_one_entry_and_for_many(keeper, count):
    draft = services.create_draft("cfc", "bans", actor="Lena")
    entries = [{"card": {"name": f"Card {number}"}, "clause": "1"} for number in range(count)]
    ListEdition.objects.filter(pk=draft.pk).update(entries=entries)
    address = reverse("list_draft", args=[draft.pk])
    keeper.get(address)
    with CaptureQueriesContext(connection) as queries:
        keeper.get(address)

    assert len(queries) == 10


@pytest.mark.parametrize("count", [1, 5])
def test_the_page_of_a_game_costs_the_same_queries_for_one_edition_and_for_many(client, count):
    for number in range(count):
        publish(draft(f"Card {number}"))
    client.get("/lists/ufs/")
    with CaptureQueriesContext(connection) as queries:
        client.get("/lists/ufs/")

    assert len(queries) == 2
