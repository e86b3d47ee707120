"""Tests of languages use one besides English in which every text is translated."""

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
