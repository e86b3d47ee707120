"""Reading ease: short sentences on every page, and how-to guides of one task with numbered steps."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import HOW_TOS, PAGES, count_words, list_sentences, name_page, read_prose

MOST_WORDS = 25
HIGHEST_MEAN = 14
MOST_WORDS_OF_A_HOW_TO = 400
VERBS = """
    add announce answer appoint back call change check choose collect correct create decide deploy
    drop edit enter find finish fix give import load make manage move open pair print publish read
    recover register remove replace report run secure set settle show speed start submit take
    translate undo update use work
"""
TABLE = re.compile(r"^\|.*$", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=name_page)
def test_sentences_of_a_page_are_short(page: Path) -> None:
    assert [sentence for sentence in list_sentences(page) if count_words(sentence) > MOST_WORDS] == []


@pytest.mark.parametrize("page", PAGES, ids=name_page)
def test_mean_length_of_the_sentences_of_a_page_is_low(page: Path) -> None:
    lengths = [count_words(sentence) for sentence in list_sentences(page)]
    assert sum(lengths) < HIGHEST_MEAN * max(len(lengths), 1)


@pytest.mark.parametrize("page", HOW_TOS, ids=name_page)
def test_how_to_is_short_begins_with_a_verb_and_has_numbered_steps(page: Path) -> None:
    text = read_prose(page)
    assert count_words(TABLE.sub("", text)) <= MOST_WORDS_OF_A_HOW_TO
    assert text.split()[1].casefold() in VERBS.split()
    assert "\n1. " in text


def test_counter_knows_sentences_lists_links_and_code(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Two words\n\nOne [long link](x.md) here. Run `a b c`.\n\n- one item\n- two items (UFS 1.2)\n\n"
        "| a | table |\n|---|---|\n\n    no prose\n\n```sh\nno prose. Here\n```\n",
        encoding="utf-8",
    )
    assert [count_words(sentence) for sentence in list_sentences(page)] == [4, 2, 2, 4]
