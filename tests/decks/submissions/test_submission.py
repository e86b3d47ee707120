"""Submitting lists: each version is stored unchanged, and one counts."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

import rules
from decks.checking.records import verdict_from_json
from decks.shared.immutable_rows import ImmutableRowError
from decks.shared.refusals import Refused
from decks.submissions import selectors, services
from decks.submissions.models import DeckList, DeckVersion, Ruling
from decks.submissions.services import compute_list_code
from rules.reason import plain_reason
from rules.rendering import say
from tests.scenarios.catalogue import LEGAL, list_of, small_catalogue
from tests.scenarios.decklists import lock, submit
from tests.scenarios.upcoming_decklists import ban_list

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


@pytest.fixture
def deck_list(db: None) -> DeckList:
    small_catalogue()
    return services.create_list(game="ufs", format_key="constructed", rules_version="1.9")


def refused_code(call, *args, **kwargs) -> str:
    with pytest.raises(Refused) as refusal:
        call(*args, **kwargs)
    return refusal.value.code


def test_a_new_list_is_open_and_has_no_version(deck_list):
    assert (deck_list.locked_at, deck_list.current) == (None, None)


def test_a_list_of_an_unknown_format_is_not_made(db):
    with pytest.raises(rules.UnknownFormat):
        services.create_list(game="ufs", format_key="no-such-format")


def test_a_submission_is_kept_as_it_came_with_its_verdict(deck_list):
    version = submit(deck_list, LEGAL, actor="Ada Holt")
    deck_version = DeckVersion.objects.get(pk=version.pk)
    assert (deck_version.number, deck_version.source_text, deck_version.outcome) == (1, LEGAL, "legal")
    assert (deck_version.submitted_by, deck_version.by_staff, deck_version.reason) == ("Ada Holt", False, "")
    assert deck_version.rules_version == "1.9"
    assert deck_version.verdict["verdict"] == "legal"
    assert deck_version.judged_under["document"] == "UFS Tournament Rules v1.9"
    assert len(deck_version.judged_under["editions"]) == 3
    assert deck_version.entries[0] == {
        "zone": "main", "card": "mara-1", "printing": "ZZ1-101", "name": "Mara ●", "qty": 1, "line": 1,
    }  # fmt: skip


def test_the_latest_version_counts_and_the_earlier_ones_stay(deck_list):
    first = submit(deck_list, LEGAL, actor="Ada")
    second = submit(deck_list, list_of("2 Mara ●"), actor="Ada")
    deck_list.refresh_from_db()
    assert deck_list.current == second
    assert list(deck_list.versions.order_by("-number")) == [second, first]


def test_an_illegal_or_unclear_list_is_kept_too(deck_list):
    assert submit(deck_list, "1 Mara ●", actor="Ada").outcome == "illegal"
    assert submit(deck_list, LEGAL.replace("Anvil", "Anvl"), actor="Ada").outcome == "unknown"


def test_a_file_may_be_handed_in_as_bytes(deck_list):
    version = submit(deck_list, b"\xef\xbb\xbf" + LEGAL.encode(), actor="Ada")
    assert (version.source_text, version.outcome) == (LEGAL, "legal")


def test_what_a_database_cannot_store_does_not_stop_a_submission(deck_list):
    version = submit(deck_list, LEGAL + "\n// nul \x00 and half \ud800", actor="Ada")
    assert DeckVersion.objects.get(pk=version.pk).outcome == "legal"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "list_empty"),
        (" \n\t", "list_empty"),
        ("x" * 70_000, "list_too_large"),
        (b"%PDF-1.7 ...", "not_text"),
    ],
)
def test_what_is_no_list_is_refused(deck_list, text, code):
    assert refused_code(submit, deck_list, text, actor="Ada") == code
    assert deck_list.versions.count() == 0


def test_declarations_and_local_rules_are_kept_with_the_version(deck_list):
    options = {"diversity": True, "declared_character": "Mara"}
    overlay = {"name": "House rules", "bans": ["Kubi Ori"]}
    version = submit(deck_list, LEGAL, actor="Ada", options=options, overlay=overlay)
    assert version.options == options
    assert version.judged_under["overlay"] == overlay


def test_a_ban_list_published_during_a_submission_is_not_missed(deck_list):
    terms = {"on": date(2026, 12, 12), "overlay": {"name": "Club", "bans": ["Paper Tiger"]}}
    new_list = services.check_list(deck_list, LEGAL, **terms)
    ban_list("Anvil Stance")
    version = services.store_version(deck_list, new_list, actor="Ada", reason="Sorry")
    assert [(finding["code"], finding["cards"]) for finding in version.verdict["findings"]] == [
        ("banned-card", ["ZZ1-001"])
    ]
    assert (version.outcome, version.number, version.submitted_by, version.reason) == (
        "illegal",
        1,
        "Ada",
        "Sorry",
    )
    assert version.judged_under["overlay"] == terms["overlay"]


def test_a_list_that_nothing_overtook_is_kept_as_it_was_judged(deck_list):
    new_list = services.check_list(deck_list, LEGAL, overlay={"name": "Club", "bans": ["Paper Tiger"]})
    assert services.store_version(deck_list, new_list, actor="Ada") is new_list


def test_a_locked_list_is_closed_to_its_player(deck_list):
    submit(deck_list, LEGAL, actor="Ada")
    lock(deck_list)
    assert refused_code(submit, deck_list, LEGAL, actor="Ada") == "list_locked"


def test_a_locked_list_is_corrected_by_staff_with_a_reason(deck_list):
    lock(deck_list)
    staff = {"actor": "Judy Judge", "by_staff": True}
    assert refused_code(submit, deck_list, LEGAL, **staff) == "reason_needed"
    version = submit(deck_list, LEGAL, **staff, reason="Wrong sheet handed in")
    assert (version.by_staff, version.after_lock, version.after_deadline) == (True, True, False)
    assert version.reason == "Wrong sheet handed in"


def test_a_late_list_needs_staff_and_a_reason(deck_list):
    past = timezone.now() - timedelta(minutes=1)
    assert refused_code(submit, deck_list, LEGAL, actor="Ada", due_at=past) == "list_late"
    staff = {"actor": "Judy", "by_staff": True, "due_at": past}
    assert refused_code(submit, deck_list, LEGAL, **staff) == "reason_needed"
    assert submit(deck_list, LEGAL, **staff, reason="Train was late").after_deadline


def test_a_list_before_the_deadline_is_not_late(deck_list):
    soon = timezone.now() + timedelta(hours=1)
    assert not submit(deck_list, LEGAL, actor="Ada", due_at=soon).after_deadline


def test_a_version_is_never_changed_or_deleted(deck_list):
    version = submit(deck_list, LEGAL, actor="Ada")
    version.source_text = "60 Something Else"
    for attempt in (
        version.save,
        version.delete,
        lambda: DeckVersion.objects.update(outcome="illegal"),
        lambda: DeckVersion.objects.all().delete(),
        lambda: DeckVersion.objects.bulk_update([version], ["outcome"]),
    ):
        with pytest.raises(ImmutableRowError), transaction.atomic():
            attempt()
    assert DeckVersion.objects.get().source_text == LEGAL


def test_deleting_a_whole_list_takes_its_versions_along(deck_list):
    version = submit(deck_list, LEGAL, actor="Ada")
    services.record_ruling(version, "illegal", actor="Judy", reason="Marked sleeves")
    deck_list.delete()
    assert (DeckVersion.objects.count(), Ruling.objects.count()) == (0, 0)


def test_the_database_refuses_a_second_version_of_one_number(deck_list):
    version = submit(deck_list, LEGAL, actor="Ada")
    twin = DeckVersion.objects.get(pk=version.pk)
    twin.pk, twin._state.adding = None, True
    with pytest.raises(IntegrityError), transaction.atomic():
        twin.save()


def test_the_stored_cards_make_the_same_deck_again(deck_list):
    text = LEGAL + "\n0 Oto\nSideboard\n2 Nobody Knows This"
    version = submit(deck_list, text, actor="Ada")
    deck = selectors.to_deck(version)
    assert (deck.size("main"), deck.size("sideboard"), deck.pool) == (60, 2, None)
    assert deck.main[0].card.get("type") == "character"
    assert [entry.card.in_catalogue for entry in deck.sideboard] == [False]
    loaded_format = rules.load_format("ufs", "constructed", rules="1.9")
    assert rules.check_deck(deck, loaded_format).to_record() == version.verdict


def test_a_stored_version_is_shown_as_it_was_checked(deck_list):
    version = submit(deck_list, LEGAL.replace("Granite", "Granit"), actor="Ada")
    checked_list = selectors.to_checked_list(
        DeckVersion.objects.select_related("deck_list").get(pk=version.pk)
    )
    assert checked_list.outcome == version.outcome == "unknown"
    assert [line.text for line in checked_list.unresolved_lines] == ["4 Granit Guard"]
    assert checked_list.verdict.to_record() == version.verdict


def test_a_stored_verdict_holds_no_sentence_and_is_put_into_words_when_read(deck_list):
    version = submit(deck_list, "1 Mara ●", actor="Ada")
    [finding] = [each for each in version.verdict["findings"] if each["code"] == "deck-too-small"]
    assert not {"message", "sentence"} & {*finding, *finding["fix"]}
    assert finding["reasons"] == [
        {
            "code": "zone-too-small",
            "params": {"zone": "main", "format": "Constructed", "limit": 60, "found": 1},
        }
    ]
    shown_finding = next(f for f in selectors.to_checked_list(version).findings if f.code == "deck-too-small")
    assert shown_finding.message == "Main deck: 1 card. Constructed requires at least 60."
    assert shown_finding.fix.sentence == "Add 59 cards to the main deck."


def test_a_verdict_stored_before_its_codes_keeps_its_sentences(deck_list):
    version = submit(deck_list, "1 Mara ●", actor="Ada")
    old = {**version.verdict["findings"][0], "message": "So it was told.", "facts": []}
    del old["reasons"]
    old["fix"] = {"sentence": "And mended so.", "changes": []}
    old["facts"] = [{"fact": say("fact", "how-meant"), "card": None, "name": None}]
    [finding] = verdict_from_json({**version.verdict, "findings": [old]}).findings
    assert (finding.message, finding.fix.sentence) == ("So it was told.", "And mended so.")
    assert finding.reasons == (plain_reason("So it was told."),)
    assert [fact.words for fact in finding.facts] == [say("fact", "how-meant")]


def test_a_pool_is_kept_apart_from_the_deck(deck_list):
    pool = services.create_list(game="ufs", format_key="sealed", rules_version="1.9")
    text = list_of("1 Mara ●", fillers=39) + "\nPool\n" + list_of("2 Mara ●", fillers=60)
    deck = selectors.to_deck(submit(pool, text, actor="Ada"))
    assert deck.size("main") == 40
    assert sum(entry.qty for entry in deck.pool) == 62


def test_a_ruling_stands_over_the_verdict_which_stays(deck_list):
    version = submit(deck_list, "1 Mara ●", actor="Ada")
    assert selectors.current_outcome(version) == "illegal"
    services.record_ruling(version, "legal", actor="Judy", reason="Teaching game")
    services.record_ruling(version, "unknown", actor="Judy", reason="Looked again")
    assert selectors.current_outcome(version) == "unknown"
    assert version.rulings.latest("pk").reason == "Looked again"
    assert DeckVersion.objects.get().outcome == "illegal"


def test_a_ruling_needs_a_reason_and_a_known_outcome(deck_list):
    version = submit(deck_list, LEGAL, actor="Ada")
    assert refused_code(services.record_ruling, version, "legal", actor="Judy", reason=" ") == "reason_needed"
    assert (
        refused_code(services.record_ruling, version, "fine", actor="Judy", reason="So") == "outcome_unknown"
    )


def test_versions_with_what_stands_about_them_cost_three_queries(deck_list, django_assert_num_queries):
    for _ in range(3):
        services.record_ruling(submit(deck_list, LEGAL, actor="Ada"), "legal", actor="J", reason="Yes")
    versions = deck_list.versions.prefetch_related(*selectors.verdict_prefetches())
    with django_assert_num_queries(3):
        assert [selectors.current_outcome(each) for each in versions] == ["legal"] * 3


@pytest.mark.parametrize("text", [LEGAL, LEGAL.replace("4 Anvil", "4 Anvl") + "\nnonsense " * 30])
def test_a_submission_costs_the_same_queries_whatever_the_list(deck_list, text, django_assert_num_queries):
    submit(deck_list, LEGAL, actor="Ada")
    with django_assert_num_queries(9):
        submit(deck_list, text, actor="Ada")


def test_the_short_hash_can_be_read_aloud_and_tells_lists_apart():
    words = {compute_list_code("ufs", "constructed", f"4 Card {n}", []) for n in range(300)}
    assert len(words) == 300
    assert all(len(word) == 11 and word[5] == "-" and word.replace("-", "").isalpha() for word in words)
    assert compute_list_code("ufs", "constructed", "4 Card", []) == compute_list_code(
        "ufs", "constructed", "4 Card", []
    )


def test_the_hash_changes_with_the_cards_even_if_the_text_does_not():
    entries = [{"card": "mara-1", "qty": 1}], [{"card": "mara-2", "qty": 1}]
    assert len({compute_list_code("ufs", "constructed", "1 Mara", each) for each in entries}) == 2


def test_the_moment_of_submission_is_utc(deck_list):
    before = datetime.now(UTC)
    assert before <= submit(deck_list, LEGAL, actor="Ada").submitted_at <= datetime.now(UTC)
