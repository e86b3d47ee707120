"""Two keepers who confirm their imports at once.

One import is written, the other is refused and changes nothing.
"""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model

from decks.catalogue.models import Card, CatalogueImport, CatalogueState, Printing
from decks.catalogue.services import imports
from decks.catalogue.services.catalogue import import_catalogue
from decks.shared.refusals import Refused
from tests.decks.catalogue.test_catalogue_imports import ONE, OTHER, TWO, send, work
from tests.decks.submissions.test_submission_concurrency import at_once
from tests.scenarios.catalogue import write

pytestmark = [pytest.mark.both_databases, pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def keepers():
    people = get_user_model().objects
    return [people.create_user(f"{name}@example.org", first_name=name) for name in ("Ada", "Ben")]


def outcome_of(step, *decisions) -> str:
    try:
        step(*decisions)
    except Refused as refusal:
        return refusal.code
    return "done"


def test_of_two_imports_written_at_once_the_second_waits_to_be_looked_at_again(keepers):
    import_catalogue(write(ONE))
    theirs = {"ZZ1-001": {**ONE["ZZ1-001"], "type": "action"}}
    catalogue_imports = [send(person, cards) for person, cards in zip(keepers, (OTHER, theirs), strict=True)]
    for each, person in zip(catalogue_imports, keepers, strict=True):
        imports.decide(each, all_of_them="take")
        imports.request_apply(each, person)

    answers = at_once(
        2, lambda number: outcome_of(imports.write_import, catalogue_imports[number].pk, lambda *_: None)
    )

    assert sorted(answers) == ["done", "preview_stale"]
    written_pk, waiting_pk = (catalogue_imports[answers.index(text)].pk for text in ("done", "preview_stale"))
    assert CatalogueImport.objects.get(pk=written_pk).state == "done"
    waiting_import = CatalogueImport.objects.get(pk=waiting_pk)
    assert (waiting_import.state, imports.is_stale(waiting_import), waiting_import.report) == (
        "open",
        True,
        {},
    )
    winner = "asset" if written_pk == catalogue_imports[0].pk else "action"
    assert list(Card.objects.values_list("attributes__type", flat=True)) == [winner]
    assert CatalogueState.objects.get(game="ufs").version == 2


def test_two_people_confirming_one_import_at_once_write_it_once(keepers):
    catalogue_import = send(keepers[0], TWO)
    rows = [CatalogueImport.objects.get(pk=catalogue_import.pk) for _ in keepers]

    answers = at_once(2, lambda number: outcome_of(imports.request_apply, rows[number], keepers[number]))
    work()

    assert sorted(answers) == ["done", "import_not_open"]
    catalogue_import.refresh_from_db()
    assert (catalogue_import.state, catalogue_import.finished_by_name) == (
        "done",
        keepers[answers.index("done")].first_name,
    )
    assert Printing.objects.count() == 1


def test_one_job_given_to_two_workers_writes_once(keepers):
    catalogue_import = send(keepers[0], TWO)
    imports.request_apply(catalogue_import, keepers[0])

    at_once(2, lambda _number: outcome_of(imports.write_import, catalogue_import.pk, lambda *_: None))

    catalogue_import.refresh_from_db()
    assert (catalogue_import.state, catalogue_import.report["counts"]["printings"]) == ("done", 1)
    assert CatalogueState.objects.get(game="ufs").version == 1
