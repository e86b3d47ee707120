"""A step that lists or catalogue do not allow: a code for machines, a sentence for people."""

from __future__ import annotations


class Refused(Exception):
    """Raised by services. `sentence` says what is wrong, `fix` the smallest way out, `code` is stable."""

    def __init__(self, code: str, sentence: str, *, fix: str = "") -> None:
        super().__init__(f"{sentence} {fix}".strip())
        self.code = code
        self.sentence = sentence
        self.fix = fix
