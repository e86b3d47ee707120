"""The texts of games' data in every language.

These are names, sentences, labels and notes of errata. A proper name is in the table `[text]` with itself, so
that a text which was forgotten stands out.
"""

from __future__ import annotations

from functools import cache
from string import Formatter

import pytest

from config.env.languages import FOLDER
from rules import rendering
from rules.rendering import translate_text
from tests.translations.data_texts import gather_data_texts

# Languages in the making too: their texts of data come with the first of their files.
LANGUAGES = sorted(
    path.name.lower().replace("_", "-")
    for path in FOLDER.iterdir()
    if (path / "LC_MESSAGES").is_dir() and path.name != "en"
)


@cache
def texts_in(language: str) -> dict[str, str]:
    """Return what the files of a language itself say.

    Another language contributes nothing.
    """
    messages = rendering._read_messages(language, ())
    return {text: message.source_text for text, message in messages.sections.get("text", {}).items()}


@cache
def texts_of_data() -> dict[str, list[str]]:
    return gather_data_texts()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_data_is_said(language):
    lacking = sorted(set(texts_of_data()) - set(texts_in(language)))
    assert lacking == [], f"Add them to the tables [text] of messages/{language}.toml; names too."


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_translated_text_is_one_of_the_data(language):
    left_over = sorted(set(texts_in(language)) - set(texts_of_data()))
    assert left_over == [], f"No game has these texts of messages/{language}.toml any more."


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_has_the_values_of_the_english_one(language):
    different = [
        text
        for text, translated_text in texts_in(language).items()
        if not translated_text or values_of(translated_text) != values_of(text)
    ]
    assert different == []


def values_of(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_that_several_games_have_stands_with_none_of_them(language):
    misplaced_texts = []
    for folder in sorted(rendering._GAMES.glob("*/messages")):
        own = rendering.Messages.load([folder], language).sections.get("text", {})
        shared_texts = {text for text in own if texts_of_data().get(text, []) != [folder.parent.name]}
        misplaced_texts += [(folder.parent.name, text) for text in sorted(shared_texts)]
    assert misplaced_texts == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_of_data_is_said_to_the_reader(language, monkeypatch):
    # Gathered in English: another language says some of them as they are gathered.
    gathered_texts, texts = texts_of_data(), texts_in(language)
    monkeypatch.setattr(rendering, "get_language", lambda: language)
    assert {text: translate_text(text) for text in gathered_texts} == {
        text: texts[text] for text in gathered_texts
    }


def test_texts_of_all_kinds_are_gathered():
    texts = set(texts_of_data())
    assert {
        "Universal Fighting System",
        "Booster Draft",
        "main deck",
        "One game in 30 minutes",
        "Sleeves",
        "in sleeves",
        "{quickenings} Quickening of {loser} goes to {winner}",
        "The loser of the previous game decides who goes first.",
        "The organizer decides what is still open.",
        "Its type is Situation. The Event icon on the print is an error.",
        "Weapons of Choice",
        "At least",
        "Result entered",
        "left",
    } <= texts
    assert "" not in texts
