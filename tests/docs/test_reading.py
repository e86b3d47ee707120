"""Reading ease of the documentation.

Every page has short sentences, and how-to guides have one task with numbered steps.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.docs.pages import HOW_TOS, PAGES, count_words, list_sentences, read_prose
from tests.everyday import list_faults

MOST_WORDS = 25
HIGHEST_MEAN = 14
MOST_WORDS_OF_A_HOW_TO = 400
VERBS = """
    add announce answer appoint archive back call change check choose collect copy correct create decide
    deploy drop edit enter find finish fix give import load make manage map move open pair print publish read
    recover register remove replace report run secure set settle share show speed start submit take
    translate undo update use work
"""
TABLE = re.compile(r"^\|.*$", re.MULTILINE)


def find_long_sentences(page: Path) -> list[str]:
    return [sentence for sentence in list_sentences(page) if count_words(sentence) > MOST_WORDS]


def find_high_mean(page: Path) -> list[int]:
    lengths = [count_words(sentence) for sentence in list_sentences(page)]
    return [] if sum(lengths) < HIGHEST_MEAN * max(len(lengths), 1) else [sum(lengths), len(lengths)]


def find_faults_of_a_how_to(page: Path) -> list[str]:
    text = read_prose(page)
    faults = {
        "too long": count_words(TABLE.sub("", text)) > MOST_WORDS_OF_A_HOW_TO,
        "no verb": text.split()[1].casefold() not in VERBS.split(),
        "no steps": "\n1. " not in text,
    }
    return [fault for fault, holds in faults.items() if holds]


def test_sentences_of_each_page_are_short() -> None:
    assert list_faults(PAGES, find_long_sentences) == {}


def test_mean_length_of_the_sentences_of_each_page_is_low() -> None:
    assert list_faults(PAGES, find_high_mean) == {}


def test_how_to_is_short_begins_with_a_verb_and_has_numbered_steps() -> None:
    assert list_faults(HOW_TOS, find_faults_of_a_how_to) == {}


def test_counter_knows_sentences_lists_links_and_code(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Two words\n\nOne [long link](x.md) here. Run `a b c`.\n\n- one item\n- two items (UFS 1.2)\n\n"
        "| a | table |\n|---|---|\n\n    no prose\n\n```sh\nno prose. Here\n```\n",
        encoding="utf-8",
    )
    assert [count_words(sentence) for sentence in list_sentences(page)] == [4, 2, 2, 4]
