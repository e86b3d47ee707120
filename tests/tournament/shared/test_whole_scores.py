"""Scores in a sentence stay whole; other words with a hyphen break as they do."""

from __future__ import annotations

from tests.everyday import each_case
from tournament.templatetags.ringside import whole_scores


@each_case("word", ["2-1", "2-0-1,", "“3-0”", "(1-1)."])
def test_score_with_its_punctuation_is_kept_whole(word: str) -> None:
    assert whole_scores(f"Won {word} then") == f'Won <bdi class="nowrap">{word}</bdi> then'


@each_case("word", ["ZZ1-002", "Anne-Marie", "3-on-3", "-", "12"])
def test_other_word_is_not_marked(word: str) -> None:
    assert whole_scores(f"Won {word} then") == f"Won {word} then"
