"""The page on the rules says what the command does, and its examples work."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

from rules import CardFacts, Overlay, load_format
from rules.__main__ import _parser

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def _commands() -> dict[str, argparse.ArgumentParser]:
    action = next(a for a in _parser("check")._actions if isinstance(a, argparse._SubParsersAction))
    return dict(action.choices)


def test_every_command_is_on_the_page():
    assert {name for name in _commands() if f"python -m rules {name}" in PAGE} == set(_commands())


def test_every_option_of_check_is_on_the_page_and_no_other():
    options = {word for action in _commands()["check"]._actions for word in action.option_strings}
    words = {
        word
        for row in re.findall(r"^\| (`--.*?) \|", PAGE, re.MULTILINE)
        for word in re.findall(r"`(--\w+)`", row)
    }

    assert words == {word for word in options if word.startswith("--")} - {"--help"}


def test_the_examples_in_python_hold():
    for example in _blocks("python"):
        exec(compile(example, "docs/reference/command-line.md", "exec"), {})


def test_the_catalogue_shown_is_a_catalogue():
    data = json.loads(_blocks("json")[0])
    card = CardFacts.of("SF01-38", data["cards"]["SF01-38"])

    assert (data["game"], card.name, card.get("dots")) == ("ufs", "Ken", 2)


def test_the_local_rules_shown_can_be_laid_over_a_format():
    overlay = Overlay.from_mapping(json.loads(_blocks("json")[1]))
    form = load_format("ufs", "constructed", overlay=overlay)

    assert form.overlay_in_words() == (
        "Stone is banned here.",
        "Ken ●● is banned here.",
        "Turbo is allowed here.",
        "Main deck: at least 50 cards. (deck_size)",
        "All versions of a character are one card. (copies)",
        "Lifted: Sideboard: no cards or exactly 8 cards. (sideboard)",
    )
