"""All styles and all scripts of the pages in one file each.

This holds where static files were gathered.
"""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.template.loader import render_to_string
from django.test import override_settings

from config.serving.static import STYLE_COMMENT, page_scripts, page_styles
from tests.scenarios.html import squeeze

GATHERED = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.serving.static.GzipManifestStorage"},
}


def test_pages_name_each_style_file_while_nothing_is_gathered() -> None:
    assert render_to_string("components/styles.html").count("<link ") == 13
    assert render_to_string("components/scripts.html").count("<script ") == 4


def test_pages_of_an_installation_fetch_all_styles_as_one_file(tmp_path: Path) -> None:
    with override_settings(STATIC_ROOT=tmp_path, STORAGES=GATHERED):
        call_command("gather_static", stdout=StringIO())
        names = json.loads((tmp_path / "staticfiles.json").read_text())["paths"]
        html = squeeze(render_to_string("components/styles.html"))
        script = squeeze(render_to_string("components/scripts.html"))
    style_name = names["ringside/pages.css"]
    assert html == f'<link rel="stylesheet" href="/static/{style_name}">'
    styles = (tmp_path / style_name).read_text()
    assert (styles, "/*" in styles) == (page_styles(), False)
    assert (tmp_path / f"{style_name}.gz").exists()
    scripts = names["ringside/pages.js"]
    assert script == f'<script src="/static/{scripts}" defer></script>'
    assert (tmp_path / scripts).read_text() == page_scripts()
    # One module under two names would run twice.
    module = (tmp_path / names["ringside/entry_line/entry_line.js"]).read_text()
    imported_files = re.findall(r'^import .* from "\./(.*)";$', module, re.MULTILINE)
    script_names = [names[f"ringside/entry_line/{name}.js"] for name in ("storage", "sending", "rows")]
    assert [f"ringside/entry_line/{name}" for name in imported_files] == script_names


@pytest.mark.parametrize(("first", "later"), [("tokens", "base"), ("components", "events")])
def test_styles_keep_their_order_in_one_file(first: str, later: str) -> None:
    folder = Path(__file__).parents[3] / "tournament" / "static" / "ringside" / "css"
    one, two = (STYLE_COMMENT.sub("", (folder / f"{name}.css").read_text()) for name in (first, later))
    assert page_styles().index(one) < page_styles().index(two)
