"""Imports from the console, by their services.

They are sent, previewed, decided on, written or discarded.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone

from decks.catalogue.importing.preview import preview_in_words
from decks.catalogue.models import Card, CatalogueImport, CatalogueState, ImportedFile, Printing
from decks.catalogue.services import imports
from decks.catalogue.services.catalogue import import_catalogue
from decks.jobs.models import Job
from decks.jobs.worker import perform
from decks.shared.refusals import Refused
from rules.reason import reason
from tests.scenarios.catalogue import write

pytestmark = pytest.mark.django_db

ONE = {"ZZ1-001": {"name": "Anvil Stance", "type": "foundation", "set": "ZZ1", "number": 1}}
TWO = {"ZZ1-002": {"name": "Ember Vow", "type": "foundation", "set": "ZZ1", "number": 2}}
OTHER = {"ZZ1-001": {**ONE["ZZ1-001"], "type": "asset", "rarity": "Rare"}}


@pytest.fixture
def ada():
    return get_user_model().objects.create_user("ada@example.org", first_name="Ada", last_name="Keeper")


def work() -> None:
    """Do every waiting job, as a worker would."""
    for job in Job.objects.filter(state=Job.State.QUEUED):
        perform(job.pk, heartbeat=False)


def send(person, cards, **more) -> CatalogueImport:
    """Send a file and have it read."""
    content = cards if isinstance(cards, bytes) else write(cards, **more).encode()
    catalogue_import = imports.receive_file(content, file_name="cards.json", game="", person=person)
    assert catalogue_import.state == "reading"
    work()
    return CatalogueImport.objects.get(pk=catalogue_import.pk)


def apply(catalogue_import, person) -> CatalogueImport:
    imports.request_apply(catalogue_import, person)
    work()
    return CatalogueImport.objects.get(pk=catalogue_import.pk)


def test_a_preview_says_what_is_new_and_writes_nothing(ada):
    catalogue_import = send(ada, {**ONE, **TWO}, sets={"ZZ1": {"name": "First Bell"}})
    assert (catalogue_import.state, catalogue_import.game, catalogue_import.sent_by_name) == (
        "open",
        "ufs",
        "Ada Keeper",
    )
    assert catalogue_import.preview["counts"] == {
        "sets": 1,
        "cards": 2,
        "printings": 2,
        "facts": 0,
        "removed": 0,
        "conflicts": 0,
        "undecidable": 0,
        "unchanged": 0,
        "problems": 0,
    }
    assert catalogue_import.preview["kind"] == "json"
    assert preview_in_words(catalogue_import.preview)["kind"] == "JSON catalogue"
    assert catalogue_import.preview["sets"] == [
        {"code": "ZZ1", "name": "First Bell", "printings": 2, "is_new": True}
    ]
    assert catalogue_import.preview["new"][0] == {
        "place": {"code": "catalogue_place.card", "params": {"card": "ZZ1-001"}},
        "name": "Anvil Stance",
        "printing": "ZZ1 1",
    }
    assert not Card.objects.exists()


def test_applying_writes_the_cards_keeps_a_report_and_forgets_the_file(ada):
    catalogue_import = apply(send(ada, ONE), ada)
    assert (catalogue_import.state, catalogue_import.finished_by_name) == ("done", "Ada Keeper")
    counts = catalogue_import.report["counts"]
    assert (counts["sets"], counts["cards"], counts["printings"], catalogue_import.report["version"]) == (
        1,
        1,
        1,
        1,
    )
    assert Card.objects.get().name == "Anvil Stance"
    assert not ImportedFile.objects.exists()


def test_the_same_file_again_changes_nothing(ada):
    apply(send(ada, ONE), ada)
    again = apply(send(ada, ONE), ada)
    assert again.report["counts"] == {
        **dict.fromkeys(
            ["sets", "cards", "printings", "facts", "removed", "conflicts", "undecidable", "problems"], 0
        ),
        "unchanged": 1,
        "taken": 0,
        "kept": 0,
    }
    assert again.report["version"] == 1


def test_a_conflict_is_kept_as_stored_without_a_decision(ada):
    import_catalogue(write(ONE))
    catalogue_import = send(ada, OTHER)
    (conflict,) = catalogue_import.preview["conflicts"]
    conflicts_by_name = {name: conflict[name] for name in ("fact", "stored", "incoming", "is_decidable")}
    assert conflicts_by_name == {
        "fact": "type",
        "stored": "foundation",
        "incoming": "asset",
        "is_decidable": True,
    }
    catalogue_import = apply(catalogue_import, ada)
    assert Card.objects.get().attributes == {"type": "foundation"}
    assert Printing.objects.get().attributes == {"rarity": "Rare"}
    assert (catalogue_import.report["counts"]["kept"], catalogue_import.report["counts"]["taken"]) == (1, 0)


def test_values_of_a_conflict_are_stored_as_they_are_and_read_in_words(ada):
    facts = {"unique": True, "symbols": ["air", "all"], "notes": "kept"}
    import_catalogue(write({"ZZ1-001": {**ONE["ZZ1-001"], **facts}}))
    others = {"unique": False, "symbols": [], "flips": False}
    catalogue_import = send(ada, {"ZZ1-001": {**ONE["ZZ1-001"], **others}})
    words = preview_in_words(catalogue_import.preview)

    def values(rows):
        return {row["fact"]: (row["stored"], row["incoming"]) for row in rows}

    assert values(catalogue_import.preview["conflicts"]) == {
        "unique": (True, False),
        "symbols": ("air, all", []),
    }
    assert values(words["conflicts"]) == {"unique": ("yes", "no"), "symbols": ("air, all", "none")}
    assert values(catalogue_import.preview["changed"]) == {"flips": (None, False)}
    assert values(words["changed"]) == {"flips": ("", "no")}


@pytest.mark.both_databases
def test_conflicts_are_decided_one_by_one(ada):
    import_catalogue(write({**ONE, **TWO}))
    theirs = {key: {**facts, "type": "asset"} for key, facts in {**ONE, **TWO}.items()}
    catalogue_import = send(ada, theirs)
    tokens = {conflict["key"]: conflict["token"] for conflict in catalogue_import.preview["conflicts"]}
    imports.decide(catalogue_import, each={tokens["ZZ1-002"]: "take"})
    catalogue_import = apply(CatalogueImport.objects.get(), ada)
    assert dict(Card.objects.values_list("name", "attributes__type")) == {
        "Anvil Stance": "foundation",
        "Ember Vow": "asset",
    }
    assert [conflict["is_taken"] for conflict in catalogue_import.report["conflicts"]] == [False, True]


@pytest.mark.both_databases
def test_all_conflicts_are_decided_at_once_and_that_forgets_single_decisions(ada):
    import_catalogue(write({**ONE, **TWO}))
    catalogue_import = send(ada, {key: {**facts, "type": "asset"} for key, facts in {**ONE, **TWO}.items()})
    imports.decide(catalogue_import, each={catalogue_import.preview["conflicts"][0]["token"]: "keep"})
    imports.decide(catalogue_import, all_of_them="take")
    apply(CatalogueImport.objects.get(), ada)
    assert list(Card.objects.values_list("attributes__type", flat=True)) == ["asset", "asset"]


def test_another_name_under_a_known_key_cannot_be_taken(ada):
    import_catalogue(write(ONE))
    catalogue_import = send(ada, {"ZZ1-001": {"name": "Somebody Else"}})
    assert catalogue_import.preview["counts"]["undecidable"] == 1
    imports.decide(catalogue_import, all_of_them="take")
    apply(CatalogueImport.objects.get(), ada)
    assert Card.objects.get().name == "Anvil Stance"


def test_what_cannot_be_decided_is_refused_with_every_reason_and_nothing_is_kept(ada):
    import_catalogue(write({**ONE, **TWO}))
    catalogue_import = send(ada, {**OTHER, "ZZ1-002": {"name": "Somebody Else"}})
    (kind, name) = (conflict["token"] for conflict in catalogue_import.preview["conflicts"])
    with pytest.raises(Refused) as refusal:
        imports.decide(catalogue_import, each={kind: "take", name: "take", "gone": "keep"})
    assert [problem.code for problem in refusal.value.problems] == ["name_not_decidable", "unknown_conflict"]
    assert refusal.value.problems[0].params == {
        "stored": "Ember Vow", "incoming": "Somebody Else", "key": "ZZ1-002",
    }  # fmt: skip
    assert CatalogueImport.objects.get().decisions == {}
    imports.decide(catalogue_import, each={kind: "take", name: "keep"})
    assert CatalogueImport.objects.get().decisions == {"each": {kind: "take", name: "keep"}}


@pytest.mark.both_databases
def test_a_file_without_a_decision_is_deleted_after_its_days(ada):
    catalogue_import = send(ada, ONE)
    assert catalogue_import.kept_until - catalogue_import.sent_at == timedelta(days=14)
    assert imports.expire_undecided(catalogue_import.kept_until) == 0
    assert imports.expire_undecided(catalogue_import.kept_until + timedelta(seconds=1)) == 1
    catalogue_import.refresh_from_db()
    assert (catalogue_import.state, catalogue_import.preview) == ("forgotten", {})
    assert not ImportedFile.objects.exists()
    assert imports.expire_undecided(catalogue_import.kept_until + timedelta(days=1)) == 0


def test_a_file_that_a_worker_has_is_not_forgotten_before_the_worker_is_lost(ada):
    catalogue_import = send(ada, ONE)
    imports.request_apply(catalogue_import, ada)
    late = catalogue_import.kept_until + timedelta(days=1)
    assert imports.expire_undecided(late) == 0
    Job.objects.update(state=Job.State.FAILED)
    assert imports.expire_undecided(late) == 1


def test_what_was_written_or_thrown_away_keeps_its_state(ada):
    apply(send(ada, ONE), ada)
    imports.discard_import(send(ada, TWO), ada)
    assert imports.expire_undecided(timezone.now() + timedelta(days=99)) == 0


def test_an_import_by_another_editor_makes_the_preview_stale(ada):
    catalogue_import = send(ada, ONE)
    import_catalogue(write(TWO))
    with pytest.raises(Refused) as refusal:
        imports.request_apply(catalogue_import, ada)
    assert refusal.value.code == "preview_stale"
    assert imports.is_stale(catalogue_import)
    imports.refresh_preview(catalogue_import, ada)
    work()
    assert apply(CatalogueImport.objects.get(), ada).state == "done"
    assert Card.objects.count() == 2


def test_an_import_between_the_press_and_the_worker_stops_the_writing(ada):
    catalogue_import = send(ada, ONE)
    imports.request_apply(catalogue_import, ada)
    import_catalogue(write(TWO))
    work()
    catalogue_import.refresh_from_db()
    assert (catalogue_import.state, imports.is_stale(catalogue_import)) == ("open", True)
    assert list(Card.objects.values_list("name", flat=True)) == ["Ember Vow"]


def test_a_job_done_twice_writes_once(ada):
    catalogue_import = apply(send(ada, ONE), ada)
    imports.write_import(catalogue_import.pk, lambda *_: None)
    imports.make_preview(catalogue_import.pk, lambda *_: None)
    again = CatalogueImport.objects.get()
    assert (again.state, again.report) == (catalogue_import.state, catalogue_import.report)


@pytest.mark.parametrize("done_before", ["reading_file", "writing_records"])
def test_import_written_by_another_worker_in_between_is_written_once(ada, done_before):
    catalogue_import = send(ada, ONE)
    imports.request_apply(catalogue_import, ada)

    def write_in_between(_done, _of, stage):
        if stage.code == done_before:
            imports.write_import(catalogue_import.pk, lambda *_: None)

    imports.write_import(catalogue_import.pk, write_in_between)

    catalogue_import.refresh_from_db()
    assert (catalogue_import.state, catalogue_import.report["version"]) == ("done", 1)
    assert CatalogueState.objects.get().version == 1


@pytest.mark.parametrize("discarded_before", ["reading_file", "writing_records"])
def test_import_discarded_in_between_is_not_written(ada, discarded_before):
    catalogue_import = send(ada, ONE)
    imports.request_apply(catalogue_import, ada)
    Job.objects.update(state=Job.State.FAILED)

    def discard_in_between(_done, _of, stage):
        if stage.code == discarded_before:
            imports.discard_import(CatalogueImport.objects.get(), ada)

    imports.write_import(catalogue_import.pk, discard_in_between)

    catalogue_import.refresh_from_db()
    assert (catalogue_import.state, Card.objects.count()) == ("thrown_away", 0)


def test_file_discarded_while_another_worker_reads_it_stays_discarded(ada):
    catalogue_import = imports.receive_file(write(ONE).encode(), file_name="", game="", person=ada)

    def read_and_discard(_done, _of, stage):
        if stage.code == "reading_file":
            imports.make_preview(catalogue_import.pk, lambda *_: None)
            imports.discard_import(CatalogueImport.objects.get(), ada)

    imports.make_preview(catalogue_import.pk, read_and_discard)

    catalogue_import.refresh_from_db()
    assert (catalogue_import.state, catalogue_import.preview) == ("thrown_away", {})


def test_stages_of_an_import_are_codes_with_their_figures(ada):
    heard_reports = []
    catalogue_import = imports.receive_file(write({**ONE, **TWO}).encode(), file_name="", game="", person=ada)
    imports.make_preview(catalogue_import.pk, lambda *report: heard_reports.append(report))
    catalogue_import.refresh_from_db()
    imports.request_apply(catalogue_import, ada)
    imports.write_import(catalogue_import.pk, lambda *report: heard_reports.append(report))
    assert heard_reports == [
        (0, 3, reason("reading_file")),
        (1, 3, reason("comparing_records", done=0, total=2)),
        (2, 3, reason("writing_preview")),
        (0, 3, reason("reading_file")),
        (1, 3, reason("writing_records", count=2)),
    ]


def test_of_two_presses_on_apply_the_second_is_refused(ada):
    catalogue_import = send(ada, ONE)
    imports.request_apply(catalogue_import, ada)
    with pytest.raises(Refused) as refusal:
        imports.request_apply(catalogue_import, ada)
    assert refusal.value.code == "import_not_open"
    assert Job.objects.filter(kind=imports.APPLY_JOB).count() == 1


def test_a_file_that_is_thrown_away_is_gone(ada):
    catalogue_import = send(ada, ONE)
    imports.discard_import(catalogue_import, ada)
    catalogue_import.refresh_from_db()
    assert (catalogue_import.state, catalogue_import.preview) == ("thrown_away", {})
    assert not ImportedFile.objects.exists()
    with pytest.raises(Refused):
        imports.request_apply(catalogue_import, ada)


def test_what_is_no_catalogue_is_said_to_be_unreadable_and_can_be_thrown_away(ada):
    catalogue_import = send(ada, b"no table at all")
    assert (catalogue_import.state, catalogue_import.error) == (
        "unreadable",
        "The table has no column “name”. Add a first line with the column names.",
    )
    imports.discard_import(catalogue_import, ada)
    assert CatalogueImport.objects.get().state == "thrown_away"


def test_a_table_needs_its_game_named(ada):
    catalogue_import = send(ada, b"name\nAnvil\n")
    assert catalogue_import.error == "The file does not say which game it is for. Choose the game."


def test_an_empty_file_is_refused_before_it_is_kept(ada):
    with pytest.raises(Refused) as refusal:
        imports.receive_file(b" \n", file_name="x", game="", person=ada)
    assert refusal.value.code == "file_empty"


def test_a_file_beyond_the_limit_is_refused_before_it_is_kept(ada):
    with pytest.raises(Refused) as refusal:
        imports.receive_file(b"x" * (32 * 2**20 + 1), file_name="x", game="", person=ada)
    assert refusal.value.code == "file_too_large"
    assert not CatalogueImport.objects.exists()


def test_records_that_no_database_can_hold_are_named_without_breaking_the_preview(ada):
    catalogue_import = send(
        ada, b'{"game": "ufs", "cards": {"a\\u0000b": {"name": "x\\ud800"}, "c": {"name": "Fine"}}}'
    )
    assert catalogue_import.state == "open"
    assert preview_in_words(catalogue_import.preview)["problems"][0]["place"] == "card a\ufffdb"
    assert catalogue_import.preview["counts"]["printings"] == 1


def test_an_import_whose_worker_was_lost_can_be_tried_again(ada):
    catalogue_import = imports.receive_file(write(ONE).encode(), file_name="x", game="", person=ada)
    Job.objects.update(state=Job.State.FAILED)
    catalogue_import = CatalogueImport.objects.get()
    assert imports.is_stuck(catalogue_import)
    imports.retry_import(catalogue_import, ada)
    work()
    assert CatalogueImport.objects.get().state == "open"


def test_an_unknown_side_is_refused(ada):
    catalogue_import = send(ada, ONE)
    with pytest.raises(Refused) as refusal:
        imports.decide(catalogue_import, all_of_them="both")
    assert refusal.value.code == "unknown_side"
