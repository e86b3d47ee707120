"""Several keepers of lists at once: one draft a list, one edition a draft."""

from __future__ import annotations

import pytest

from decks.editions import services
from decks.editions.models import ListEdition
from decks.shared.refusals import Refused
from tests.decks.submissions.test_submission_concurrency import at_once
from tests.scenarios.editions import draft, publish

pytestmark = pytest.mark.both_databases

PEOPLE = 4


def outcome_of(call) -> str:
    try:
        call()
    except Refused as refusal:
        return refusal.code
    return "done"


def test_two_people_publishing_at_once_make_one_edition(transactional_db):
    new_draft = draft("Stone")
    rows = [ListEdition.objects.get(pk=new_draft.pk) for _ in range(2)]
    heard_editions = []

    def hear(**signal_args):
        heard_editions.append(signal_args["edition"].pk)

    services.edition_published.connect(hear)
    try:
        answers = at_once(
            2, lambda number: outcome_of(lambda: publish(rows[number], actor=f"keeper {number}"))
        )
    finally:
        services.edition_published.disconnect(hear)

    assert sorted(answers) == ["done", "draft_published"]
    assert heard_editions == [new_draft.pk]
    assert [(each.number, each.state) for each in ListEdition.objects.all()] == [(2, "published")]


def test_two_people_drafting_at_once_make_one_draft(transactional_db):
    answers = at_once(
        PEOPLE,
        lambda number: outcome_of(lambda: services.create_draft("ufs", "bans", actor=f"keeper {number}")),
    )

    assert sorted(answers) == ["done", *["draft_exists"] * (PEOPLE - 1)]
    assert ListEdition.objects.count() == 1


@pytest.mark.postgres
def test_of_many_changes_at_once_none_is_lost_unsaid(transactional_db):
    draft = services.create_draft("cfc", "bans", actor="Lena")
    rows = [ListEdition.objects.get(pk=draft.pk) for _ in range(PEOPLE)]

    def add(number: int) -> str:
        entry = {"card": {"name": f"Card {number}"}}
        return outcome_of(lambda: services.add_entry(rows[number], entry, revision=1))

    answers = at_once(PEOPLE, add)
    draft.refresh_from_db()
    assert sorted(answers) == ["done", *["draft_changed"] * (PEOPLE - 1)]
    assert (len(draft.entries), draft.revision) == (1, 2)
