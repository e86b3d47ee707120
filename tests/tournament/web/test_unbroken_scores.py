"""No line ends inside a score, and nothing else of a sentence is touched."""

from __future__ import annotations

import pytest

from tournament.templatetags.ringside import unbroken

SCORE = '<span class="nowrap">{}</span>'


@pytest.mark.parametrize(
    ("sentence", "html"),
    [
        ("Lynxes won 2-1 (A 2-1, C 2-0)", "Lynxes won {2-1} (A {2-1}, C {2-0})"),
        ("Draw 1-1-1.", "Draw {1-1-1}."),
        ("On 2026-05-02, pages 100-120, a-1, X2-1", "On 2026-05-02, pages 100-120, a-1, X2-1"),
        ("<b>Ann</b> won 2-0", "&lt;b&gt;Ann&lt;/b&gt; won {2-0}"),
        ("", ""),
    ],
)
def test_each_score_of_a_sentence_stays_on_one_line(sentence: str, html: str) -> None:
    expected = html.replace("{", SCORE.partition("{")[0]).replace("}", SCORE.partition("}")[2])
    assert unbroken(sentence) == expected
