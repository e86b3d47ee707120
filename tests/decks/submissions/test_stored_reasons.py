"""Notes about a list, a file or a document, stored as codes.

Older rows keep their sentences.
"""

from __future__ import annotations

import json

import pytest

from decks.catalogue.importing.plan import CatalogueImportPlan
from decks.catalogue.importing.preview import build_preview, preview_in_words
from decks.catalogue.importing.stored import StoredCatalogue
from decks.checking.records import verdict_from_json
from decks.editions.domain.document_reader import UnresolvedParagraph
from decks.jobs.models import Job
from decks.matching.reading import CheckedLine
from decks.shared.refusals import Refused
from decks.submissions import services
from decks.submissions.models import DeckVersion
from decks.submissions.selectors import judged_under_in_words, open_question_notes, to_checked_list
from rules.catalogue_files.records import CatalogueProblem
from rules.reason import plain_reason, reason
from rules.rendering import say
from tests.everyday import each_case
from tests.scenarios.catalogue import small_catalogue
from tests.scenarios.decklists import submit

pytestmark = pytest.mark.both_databases

TYPED = "4 Mara ●\n2 Nobody Knows This\nTotal: 99"


@pytest.fixture
def version(db) -> DeckVersion:
    small_catalogue()
    deck_list = services.create_list(game="ufs", format_key="constructed", rules_version="1.9")
    submit(deck_list, TYPED, actor="Alice")
    return DeckVersion.objects.get()


def test_stored_lines_hold_codes_and_params_and_no_sentence(version):
    reasons = [each for line in version.lines for each in line["reasons"]]
    assert {"code": "total_differs", "params": {"announced": 99, "count": 6}} in reasons
    assert not any("notes" in line for line in version.lines)
    stored_json = json.dumps([version.lines, version.judged_under])
    assert "cards in all" not in stored_json
    assert "is known" not in stored_json


def test_stored_lines_read_back_as_they_were(version):
    lines = [CheckedLine.from_json(line) for line in version.lines]
    assert [line.to_record() for line in lines] == version.lines
    assert lines[2].notes == ("The decklist says 99 cards in total, but 6 were read in the main deck.",)
    assert open_question_notes(version) == [f"Line 3: {lines[2].notes[0]}"]


def test_lines_from_before_their_codes_keep_their_sentences(version):
    for line in version.lines:
        line.pop("reasons")
        line["notes"] = ["Somebody said so."]
    version.judged_under |= {"problems": ["The file breaks off."], "notices": ["A guess."]}
    checked_list = to_checked_list(version)
    assert checked_list.lines[0].reasons == (plain_reason("Somebody said so."),)
    assert (checked_list.problem_words, checked_list.notice_words) == (["The file breaks off."], ["A guess."])
    assert judged_under_in_words(version)["problems"] == ["The file breaks off."]


SET_AND_NUMBER = say("found_by", "set_number")


@each_case(
    ("record", "shown_note"),
    [
        ({"found_by": "name"}, ("by name", "")),
        ({"how": "by name"}, ("by name", "")),
        ({"found_by": "identifier"}, ("by identifier", "found by identifier")),
        ({"how": SET_AND_NUMBER}, (SET_AND_NUMBER, f"found {SET_AND_NUMBER}")),
        ({"how": "by name", "is_certain": False}, ("by name", "found by name, likely")),
    ],
)
def test_how_a_card_was_found_is_stored_as_a_code_and_read_as_the_words_from_before(
    record, shown_note, version
):
    line = {key: value for key, value in version.lines[0].items() if key != "found_by"}
    line_from_json = CheckedLine.from_json({**line, **record})
    assert (line_from_json.to_json()["how"], line_from_json.found_words) == shown_note
    assert version.lines[0]["found_by"] == "name_dots"


def test_lists_in_force_are_stored_without_words_and_shown_with_them(version):
    stored_editions, under = version.verdict["editions"], version.judged_under["editions"]
    assert stored_editions == under
    assert {each["code"] for each in stored_editions} == {"edition"}
    assert "in force" not in json.dumps([stored_editions, under])
    editions = verdict_from_json(version.verdict).to_json()["editions"]
    assert editions == judged_under_in_words(version)["editions"]
    assert editions[0] == "Banned list (UFS Tournament Rules v1.9, in force from Wed 27 Feb 2008)"


def test_local_rules_are_stored_without_words_and_shown_with_them(version):
    overlay = {"bans": ["Oto"], "parameters": {"deck_size": {"min": 50}}, "off": ["copies"]}
    version = services.check_list(version.deck_list, TYPED, overlay=overlay)
    records = json.loads(json.dumps(version.judged_under["local_rules"]))
    assert [each["code"] for each in records] == ["overlay-ban", "overlay-rule", "overlay-lifted"]
    assert "here" not in json.dumps(records)
    local_rules = judged_under_in_words(version)["local_rules"]
    assert local_rules == to_checked_list(version).local_rule_words
    assert local_rules[:2] == ["Oto is banned here.", "Main deck: at least 50 cards. (deck_size)"]
    assert local_rules[2].startswith("Lifted: ")


def test_local_rules_from_before_their_codes_keep_their_sentences(version):
    version.judged_under["local_rules"] = ["Oto is banned here."]
    assert judged_under_in_words(version)["local_rules"] == ["Oto is banned here."]


def test_lists_named_in_words_before_there_were_codes_are_shown_so(version):
    version.verdict["editions"] = version.judged_under["editions"] = ["bans 1 (An older day)"]
    assert to_checked_list(version).verdict.edition_words == ("bans 1 (An older day)",)
    assert judged_under_in_words(version)["editions"] == ["bans 1 (An older day)"]


def test_the_problems_of_a_file_are_stored_with_their_codes(db):
    deck_list = services.create_list(game="ufs", format_key="constructed", rules_version="1.9")
    submit(deck_list, '{"main": [', actor="Alice")
    version = DeckVersion.objects.get()
    [problem] = version.judged_under["problems"]
    assert (problem["code"], problem["params"]["why"]["code"]) == ("at_line", "json_malformed.no_value")


PLACES = [
    (reason("catalogue_place.file"), "file"),
    (reason("catalogue_place.line", line=3), "line 3"),
    (
        reason("catalogue_place.member", file="a.csv", place=reason("catalogue_place.line", line=3)),
        "a.csv, line 3",
    ),
    (reason("catalogue_place.card", card="a\0b"), "card a\ufffdb"),
]


@each_case(("place", "words"), PLACES)
def test_a_place_in_a_catalogue_file_is_stored_as_a_code_and_shown_in_words(place, words):
    plan = CatalogueImportPlan(
        "ufs", StoredCatalogue(), problems=[CatalogueProblem(place, plain_reason("Why."))]
    )
    record = json.loads(json.dumps(build_preview(plan)))
    assert record["problems"][0]["place"]["code"] == place.code
    assert preview_in_words(record)["problems"][0]["place"] == words


def test_a_preview_from_before_its_codes_keeps_its_sentences():
    problem = {"place": "line 3", "code": "row_too_long", "sentence": "The row has 3 cells."}
    words = preview_in_words({"problems": [problem], "notes": ["1 archive was not opened."]})
    assert words["problems"] == [{**problem, "params": {}}]
    assert words["notes"] == ["1 archive was not opened."]


def test_a_paragraph_from_before_its_codes_keeps_its_sentence():
    record = {"line": 3, "clause": "501.1", "text": "x", "why": "It is no card.", "suggestions": []}
    paragraph = UnresolvedParagraph.from_json(record)
    assert (paragraph.why, paragraph.reasons) == ("It is no card.", (plain_reason("It is no card."),))
    assert UnresolvedParagraph.from_json(paragraph.to_json()) == paragraph


def test_a_stored_refusal_reads_back_with_place_section_and_words():
    refusal = Refused.of(reason("no-clause", entry="Entry 3"), section="edition").at_place(
        reason("line", line=7)
    )
    again = Refused.from_record(refusal.to_records()[0])
    assert (again.code, again.params, again.message) == (refusal.code, refusal.params, refusal.message)
    assert again.message == "Line 7: Entry 3 has no clause. Enter its place in the document."
    assert refusal.to_records()[0]["place"] == {"code": "line", "params": {"line": 7}}


def test_a_refusal_from_before_places_had_codes_keeps_their_words():
    record = {"code": "list_empty", "params": {}, "place": "Line 7", "section": "refusal"}
    assert Refused.from_record(record).sentence.startswith("Line 7: ")
    assert Refused.from_record({**record, "place": ""}).place is None


def test_a_failed_job_says_why_in_code_params_and_words():
    job = Job(failure=Refused("file_too_large", megabytes=32).to_records())
    [problem] = job.problems
    assert (problem["code"], problem["params"]) == ("file_too_large", {"megabytes": 32})
    assert job.error == f"{problem['sentence']} {problem['fix']}"
