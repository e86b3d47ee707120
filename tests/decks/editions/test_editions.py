"""Editions made at run time.

There is one draft at a time, published for good and never changed afterwards.
"""

from __future__ import annotations

from datetime import date

import pytest
from django.db import IntegrityError, connection, transaction

from decks.editions import services
from decks.editions.models import ListEdition
from decks.editions.selectors.editions import all_editions, published_editions, to_edition
from decks.editions.selectors.pages import compare_with_previous, draft_problems
from decks.shared.immutable_rows import ImmutableRowError
from decks.shared.refusals import Refused
from rules import shipped_editions
from tests.scenarios.catalogue import small_catalogue
from tests.scenarios.editions import TODAY, TOMORROW, details, draft, publish

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


def code_of(call, *args, **more) -> str:
    with pytest.raises(Refused) as refusal:
        call(*args, **more)
    return refusal.value.code


def test_a_draft_starts_with_all_that_the_last_edition_says():
    draft = services.create_draft("ufs", "bans", actor="Lena")
    shipped_bans = next(each for each in shipped_editions("ufs") if each.kind == "bans")

    assert (draft.number, draft.based_on, draft.state, draft.drafted_by) == (2, 1, "draft", "Lena")
    assert draft.entries == [
        {**entry, "document": "UFS Tournament Rules v1.9"} for entry in shipped_bans.entries
    ]
    assert (draft.versions, draft.document, draft.clause, draft.in_force) == (["1.9"], "", "", None)


def test_a_draft_may_be_based_on_an_older_edition():
    draft = services.create_draft("ufs", "identities", actor="Lena", based_on=1)

    assert (draft.number, draft.based_on, draft.versions) == (3, 1, ["1.8"])


def test_a_game_without_lists_starts_with_an_empty_one():
    draft = services.create_draft("cfc", "bans", actor="Lena")

    assert (draft.number, draft.name, draft.entries, draft.based_on) == (1, "Banned cards", [], None)


@pytest.mark.parametrize(("game", "kind"), [("chess", "bans"), ("ufs", "weapons"), ("ufs", "../bans")])
def test_a_list_that_the_game_does_not_have_is_refused(game, kind):
    assert code_of(services.create_draft, game, kind, actor="Lena") == "unknown_list"


def test_an_edition_that_is_not_there_is_no_base():
    assert code_of(services.create_draft, "ufs", "bans", actor="Lena", based_on=7) == "unknown_edition"


def test_a_list_has_one_draft_at_a_time():
    draft()

    assert code_of(services.create_draft, "ufs", "bans", actor="Mo") == "draft_exists"
    assert services.create_draft("ufs", "errata", actor="Mo").number == 2


def test_a_draft_counts_for_nothing():
    draft("Stone")

    assert published_editions("ufs") == ()
    assert all_editions("ufs") == tuple(
        sorted(shipped_editions("ufs"), key=lambda each: (each.kind, each.number))
    )


def test_a_published_edition_goes_on_where_the_shipped_ones_end():
    publish(draft("Stone"))

    assert [(each.kind, each.number, each.in_force) for each in published_editions("ufs")] == [
        ("bans", 2, TODAY)
    ]
    assert [each.number for each in all_editions("ufs") if each.kind == "bans"] == [1, 2]
    assert services.create_draft("ufs", "bans", actor="Mo").number == 3


def test_entries_are_added_changed_and_taken_out():
    draft = services.create_draft("cfc", "bans", actor="Lena")
    for name in ("Stone", "Pebble"):
        services.add_entry(draft, {"card": {"name": name}}, revision=draft.revision)
    services.change_entry(draft, 0, {"card": {"name": "Rock"}}, revision=draft.revision)
    removed_entry = services.remove_entry(draft, 1, revision=draft.revision)
    services.add_entry(draft, removed_entry, revision=draft.revision, place=0)

    assert [entry["card"]["name"] for entry in draft.entries] == ["Pebble", "Rock"]
    assert draft.revision == 6


def test_an_edition_changed_by_another_editor_is_not_overwritten():
    first = draft()
    second = ListEdition.objects.get(pk=first.pk)
    seen_revision = second.revision
    services.remove_entry(first, 0, revision=first.revision)

    assert code_of(services.remove_entry, second, 0, revision=seen_revision) == "draft_changed"
    assert code_of(publish, second) == "draft_changed"
    assert code_of(services.discard_draft, second, revision=seen_revision) == "draft_changed"
    assert len(ListEdition.objects.get().entries) == 15


def test_a_draft_thrown_away_leaves_its_number_free():
    new_draft = draft()
    stale = ListEdition.objects.get(pk=new_draft.pk)
    services.discard_draft(new_draft, revision=new_draft.revision)

    assert code_of(services.remove_entry, stale, 0, revision=stale.revision) == "draft_gone"
    assert services.create_draft("ufs", "bans", actor="Mo").number == 2


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ({"card": {"name": "x" * 9000}}, "entry_too_long"),
        ({"card": {"name": "a\0b"}}, "bad_characters"),
    ],
)
def test_an_entry_that_cannot_be_kept_is_refused(entry, code):
    new_draft = draft()

    assert code_of(services.add_entry, new_draft, entry, revision=new_draft.revision) == code


def test_details_are_refused_with_every_reason():
    new_draft = draft()
    with pytest.raises(Refused) as refusal:
        details(new_draft, name=" ", versions=["1.9", "9.9"])

    assert [(problem.code, problem.field) for problem in refusal.value.problems] == [
        ("name_missing", "name"),
        ("unknown_version", "versions"),
    ]


def test_a_published_edition_says_who_published_it_and_has_a_digest():
    published_edition = publish(draft("Stone"))

    assert (
        published_edition.state,
        published_edition.published_by,
        len(published_edition.digest),
        published_edition.revision,
    ) == ("published", "Lena", 64, 4)


def test_a_published_edition_is_never_changed():
    published_edition = publish(draft("Stone"))

    assert (
        code_of(services.remove_entry, published_edition, 0, revision=published_edition.revision)
        == "draft_published"
    )
    assert code_of(publish, published_edition) == "draft_published"
    assert (
        code_of(services.discard_draft, published_edition, revision=published_edition.revision)
        == "draft_published"
    )
    for change in (
        published_edition.save,
        published_edition.delete,
        lambda: ListEdition.objects.update(name="Other"),
        ListEdition.objects.all().delete,
    ):
        with pytest.raises(ImmutableRowError):
            change()


def test_the_database_itself_refuses_to_change_a_published_edition():
    published_edition = publish(draft("Stone"))
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE decks_listedition SET name = 'Other' WHERE id = %s", [published_edition.pk])

    published_edition.refresh_from_db()
    assert published_edition.name == "Banned list"


def test_an_edition_without_a_day_is_not_published():
    new_draft = draft("Stone", in_force=None)
    with pytest.raises(Refused) as refusal:
        publish(new_draft)

    [problem] = refusal.value.problems
    assert (problem.code, problem.params) == ("no-day", {"earliest": "2026-11-21"})
    assert problem.fix == "Enter the date. The earliest is Sat 21 Nov 2026."


def test_faults_are_told_all_at_once_before_publishing():
    new_draft = draft(in_force=None)
    services.add_entry(new_draft, {"card": {}}, revision=new_draft.revision)
    details(new_draft, document="", in_force=None)
    with pytest.raises(Refused) as refusal:
        publish(new_draft)

    assert [problem.code for problem in refusal.value.problems] == ["no-document", "no-card", "no-day"]


def test_warnings_are_published_only_by_who_has_read_them():
    small_catalogue()
    new_draft = draft("Anvl Stance")

    assert code_of(publish, new_draft, accept_warnings=False) == "warnings_unread"
    assert publish(new_draft).state == "published"


def test_publishing_tells_who_listens():
    heard_games = []

    def hear(sender, edition, **more):
        heard_games.append((edition.game, edition.kind, edition.number, edition.state))

    services.edition_published.connect(hear)
    try:
        publish(draft("Stone"))
    finally:
        services.edition_published.disconnect(hear)
    assert heard_games == [("ufs", "bans", 2, "published")]


def test_highlander_holds_an_update_back_for_three_weeks():
    new_draft = draft("Stone", game="highlander", in_force=date(2026, 12, 11))
    with pytest.raises(Refused) as refusal:
        publish(new_draft)

    assert (refusal.value.code, refusal.value.fix) == (
        "within-three-weeks",
        "Choose Sat 12 Dec 2026 or a later day.",
    )
    assert publish(new_draft, announced_before=True).state == "published"


def test_highlander_takes_a_day_in_three_weeks():
    assert publish(draft("Stone", game="highlander", in_force=date(2026, 12, 12))).number == 2


def warnings(list_edition: ListEdition) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.entry) for problem in draft_problems(list_edition, TODAY)]


def test_a_day_that_is_past_is_pointed_out():
    assert "day-is-past" in {code for code, _ in warnings(draft(in_force=date(2026, 11, 20)))}
    assert "day-is-past" not in {code for code, _ in warnings(draft(kind="errata"))}


def test_an_edition_that_pushes_another_aside_is_pointed_out():
    publish(draft("Stone", in_force=TOMORROW))
    new_draft = draft("Pebble", in_force=TODAY)

    problem = next(
        problem for problem in draft_problems(new_draft, TODAY) if problem.code == "hides-an-edition"
    )
    assert dict(problem.reason.params) == {"number": 2, "day": "2026-11-22"}
    assert "Sun 22 Nov 2026" in problem.sentence


def test_entries_are_held_against_the_catalogue():
    small_catalogue()
    new_draft = draft()
    new_draft.entries = [
        {"card": {"name": "Anvil Stance"}, "printed": {"set": "ZZ1", "number": 1}},
        {"card": {"name": "Mara", "dots": 2}},
        {"card": {"name": "Mara"}},
        {"card": {"name": "Mara", "dots": 3}},
        {"card": {"name": "Anvl Stance"}},
        {"card": {"name": "Brass Knuckle"}, "printed": {"set": "ZZ1", "number": 3}},
        {"card": {"name": "Ember Vow"}, "printed": {"set": "ZZ9", "number": 4}},
    ]

    assert [warning for warning in warnings(new_draft) if warning[1] and warning[0] != "no-clause"] == [
        ("ban-within-ban", 3),
        ("ban-within-ban", 4),
        ("every-version", 3),
        ("unknown-card", 4),
        ("unknown-card", 5),
        ("number-against-name", 6),
        ("not-as-written", 7),
    ]


def test_the_difference_to_the_last_edition_is_told():
    new_draft = draft("Stone")
    services.remove_entry(new_draft, 0, revision=new_draft.revision)
    difference = compare_with_previous(to_edition(new_draft), based_on=new_draft.based_on)

    assert difference.before is not None
    assert difference.before.number == 1
    assert difference.difference.in_words == "1 new, 1 removed, 15 unchanged"
    assert [change.sentence for change in difference.difference.new] == ["Stone"]
    assert [change.sentence for change in difference.difference.gone] == ["Dhalsim ●●● (SF3P 8/23)"]
