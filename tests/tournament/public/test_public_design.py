"""The design system.

Contrast is computed, light and dark are complete, nothing is inline, and nothing comes from elsewhere.
"""

from __future__ import annotations

import re
from pathlib import Path

from django.template import engines

from tests.everyday import each_case, list_faults
from tournament.shared.text import format_exact

ROOT = Path(__file__).parents[3]
STATIC = ROOT / "tournament" / "static" / "ringside"
TEMPLATES = ROOT / "templates"
STYLES = sorted(path for path in STATIC.glob("*/*.css") if path.parent.name != "printing")
SCRIPTS = sorted(STATIC.glob("*/*.js"))
PAPER = (TEMPLATES / "tournament" / "printing").glob("*.html")
SHEETS = {path for path in PAPER if "shells/print.html" in path.read_text() or path.name.startswith("_")}
PAGES = sorted(path for path in TEMPLATES.rglob("*.html") if path not in SHEETS)

TEXT = 4.5
SIGNS = 3.0
ON_EVERY_GROUND = [
    (text, ground, TEXT)
    for text in ("ink", "muted", "accent-text", "red", "blue", "green", "amber")
    for ground in ("canvas", "surface")
]
PAIRS = [
    *ON_EVERY_GROUND,
    ("ink", "sunken", TEXT),
    ("muted", "sunken", TEXT),
    ("bar-ink", "bar", TEXT),
    ("bar-muted", "bar", TEXT),
    ("accent", "bar", SIGNS),
    ("accent-ink", "accent", TEXT),
    ("accent-text", "accent-soft", TEXT),
    *[(name, f"{name}-soft", TEXT) for name in ("red", "blue", "green", "amber")],
    *[("ink", f"{name}-soft", TEXT) for name in ("red", "blue", "green", "amber", "accent")],
    *[("muted", f"{name}-soft", TEXT) for name in ("red", "blue", "amber", "accent")],
    *[("on-fill", f"{name}-fill", TEXT) for name in ("red", "blue", "green")],
    ("edge", "surface", SIGNS),
    ("edge", "canvas", SIGNS),
    ("focus", "surface", SIGNS),
    ("focus", "canvas", SIGNS),
    ("canvas", "ink", TEXT),
]


def blocks() -> list[dict[str, str]]:
    """Return the custom properties of the three blocks of colors.

    They are light, dark by system, and dark by choice.
    """
    css = (STATIC / "css" / "tokens.css").read_text()
    matches = [
        dict(re.findall(r"--([a-z-]+):\s*([^;]+);", body)) for body in re.findall(r"\{([^{}]*)\}", css)
    ]
    return [block for block in matches if "canvas" in block]


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colors."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@each_case("scheme", ["light", "dark"])
@each_case(("text", "ground", "least"), PAIRS)
def test_text_can_be_read_on_its_ground(scheme: str, text: str, ground: str, least: float) -> None:
    block = blocks()[0 if scheme == "light" else 1]
    ratio = contrast(block[text], block[ground])
    assert ratio >= least, f"{text} on {ground}: {ratio:.2f}"


def test_dark_by_system_and_dark_by_choice_are_the_same() -> None:
    _, by_system, by_choice = blocks()
    assert by_system == by_choice


def test_dark_sets_every_colour_that_light_sets() -> None:
    light, dark, _ = blocks()
    colours = {name for name, value in light.items() if value.startswith("#")}
    assert colours == {name for name, value in dark.items() if value.startswith("#")}


def test_every_property_used_is_a_token_or_set_in_its_own_file() -> None:
    tokens = find_properties_set(STATIC / "css" / "tokens.css")
    assert list_faults(STYLES, lambda path: sorted(find_properties_used(path) - tokens)) == {}
    assert set(blocks()[0]) <= tokens


def find_properties_set(path: Path) -> set[str]:
    return set(re.findall(r"--([a-z0-9-]+):", path.read_text()))


def find_properties_used(path: Path) -> set[str]:
    """Return the properties that a style file takes from others."""
    return set(re.findall(r"var\(--([a-z0-9-]+)", path.read_text())) - find_properties_set(path)


def find_inline_code(path: Path) -> list[str]:
    return re.findall(r"\sstyle=|<style\b|\son[a-z]+=\"|<script(?![^>]*\bsrc=)", path.read_text())


def test_every_style_file_names_its_classes_at_its_head() -> None:
    assert [path.name for path in STYLES if not path.read_text().startswith("/* ")] == []


def test_styles_and_scripts_fetch_nothing_from_elsewhere() -> None:
    elsewhere = re.compile(r"https?://|@import|url\(")
    assert list_faults([*STYLES, *SCRIPTS], lambda path: elsewhere.findall(path.read_text())) == {}


def test_templates_hold_no_inline_style_or_script() -> None:
    assert list_faults(PAGES, find_inline_code) == {}


def test_templates_can_be_read() -> None:
    for path in PAGES:
        engines["django"].get_template(str(path.relative_to(TEMPLATES)))


def test_every_style_file_is_loaded() -> None:
    texts = [path.read_text() for path in TEMPLATES.rglob("*.html")]
    loaded_files = {name for text in texts for name in re.findall(r"ringside/([a-z_]+/[a-z_]+\.css)", text)}
    assert sorted(loaded_files) == [str(path.relative_to(STATIC)) for path in STYLES]


def test_whole_numbers_stay_whole_and_fractions_get_three_decimals() -> None:
    from fractions import Fraction

    assert [format_exact(v) for v in (7, Fraction(7), Fraction(7, 3), Fraction(-1, 2))] == [
        "7",
        "7",
        "2.333",
        "-0.500",
    ]
