"""Tests of languages speak one besides English, which no one forgot a text in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.translations.pseudo import pseudo_language


@pytest.fixture
def pseudo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The code of a language that is offered besides English."""
    with pseudo_language(tmp_path, monkeypatch) as language:
        yield language
