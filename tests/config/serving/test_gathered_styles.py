"""All styles and all scripts of the pages in one file each.

This holds where static files were gathered.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from django.test import Client
from playwright.sync_api import Page

from config.serving.static import minify, page_scripts, page_styles
from tests.scenarios.html import squeeze

STATIC = Path(__file__).parents[3] / "tournament" / "static" / "ringside"
RULES = r"""(text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    // Where a value holds a variable, the text is as it was written.
    return [...sheet.cssRules].map((rule) => rule.cssText.replace(/([,:])\s+/g, "$1"));
}"""


def test_pages_name_each_style_file_while_nothing_is_gathered() -> None:
    assert render_to_string("components/styles.html").count("<link ") == 13
    assert render_to_string("components/scripts.html").count("<script ") == 4


def test_pages_of_an_installation_fetch_all_styles_as_one_file(gathered_static: Path) -> None:
    names = json.loads((gathered_static / "staticfiles.json").read_text())["paths"]
    html = squeeze(render_to_string("components/styles.html"))
    script = squeeze(render_to_string("components/scripts.html"))
    style_name = names["ringside/pages.css"]
    assert html == f'<link rel="stylesheet" href="/static/{style_name}">'
    styles = (gathered_static / style_name).read_text()
    assert (styles, "/*" in styles) == (minify("pages.css", page_styles()), False)
    assert (gathered_static / f"{style_name}.gz").exists()
    scripts = names["ringside/pages.js"]
    assert script == f'<script src="/static/{scripts}" defer></script>'
    assert (gathered_static / scripts).read_text() == minify("pages.js", page_scripts())
    # One module under two names would run twice.
    module = (gathered_static / names["ringside/entry_line/entry_line.js"]).read_text()
    imported_files = re.findall(r'import\{[^}]*\} from "\./([^"]*)"', module)
    script_names = [names[f"ringside/entry_line/{name}.js"] for name in ("storage", "sending", "rows")]
    assert [f"ringside/entry_line/{name}" for name in imported_files] == script_names


def test_administration_names_only_gathered_files(gathered_static: Path, admin_client: Client) -> None:
    html = admin_client.get("/admin/decks/printing/add/").content.decode()
    names = re.findall(r'(?:href|src)="/static/([^"]+)"', html)
    assert {"jquery", "select2.full", "xregexp"} <= {
        name.rpartition("/")[2].partition(".min.")[0] for name in names
    }
    assert [name for name in names if not (gathered_static / name).exists()] == []


@pytest.mark.parametrize(("first", "later"), [("tokens", "base"), ("components", "events")])
def test_styles_keep_their_order_in_one_file(first: str, later: str) -> None:
    folder = STATIC / "css"
    one, two = ((folder / f"{name}.css").read_text() for name in (first, later))
    assert page_styles().index(one) < page_styles().index(two)


@pytest.mark.browser
def test_minified_styles_are_the_same_to_a_browser(phone: Page) -> None:
    texts = [file.read_text() for file in sorted(STATIC.glob("**/*.css"))]
    assert len(texts) > 13
    for text in texts:
        rules, minified_rules = (phone.evaluate(RULES, css) for css in (text, minify("one.css", text)))
        assert minified_rules == rules
