"""The languages that Ringside speaks.

They are English, and each whose catalogue is compiled, as complete ones are.
"""

from __future__ import annotations

from pathlib import Path

from django.conf.locale import LANG_INFO
from django.utils.translation import to_language

FOLDER = Path(__file__).resolve().parent.parent / "locale"
SOURCE_LANGUAGE = "en"


def list_languages() -> list[tuple[str, str]]:
    """Return the code ("pt-br") and native name of each language.

    English comes first.
    """
    language_names = (each.parent.parent.name for each in sorted(FOLDER.glob("*/LC_MESSAGES/django.mo")))
    codes = dict.fromkeys([SOURCE_LANGUAGE, *(to_language(name) for name in language_names)])
    return [(code, str(LANG_INFO.get(code, {}).get("name_local", code)).capitalize()) for code in codes]
