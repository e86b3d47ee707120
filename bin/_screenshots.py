"""Pictures of every screen and every sheet.

They are made of a venue of its own that is discarded afterwards. python bin/_screenshots.py [--language CODE]
[part of a name ...] sheets begin with "print-" python bin/_screenshots.py docs the pictures of the
documentation alone

The language en-xa is the pseudo-locale of the tests. Each language has a folder of its own.
"""

from __future__ import annotations

import os
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

CLONE = Path(__file__).resolve().parent.parent
FOLDER = CLONE / "screenshots"
# On a phone, rows outside the screen are not laid out; a picture shows them all.
ALL_ROWS = "tr { content-visibility: visible !important; }"
SCHEMES = ("light", "dark")


def main(words: list[str]) -> int:
    """Build the venue and the exhibits, and take pictures of screens and sheets.

    Returns 0 if all are taken.
    """
    parser = ArgumentParser()
    parser.add_argument("--language", default="", help="code of a language; en-xa is the pseudo-locale")
    parser.add_argument("parts", nargs="*", help="parts of names (default: every picture)")
    options = parser.parse_args(words)
    sys.path.insert(0, str(CLONE))
    sys.path.insert(0, str(CLONE / "bin"))
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    import django

    django.setup()
    if not options.language:
        return _take_pictures(options.parts, FOLDER)
    with _speak(options.language):
        return _take_pictures(options.parts, FOLDER / options.language, options.language)


def _take_pictures(parts: list[str], folder: Path, language: str = "") -> int:
    from _exhibits import build_exhibits
    from _more_screens import More, more_screens
    from _sheets import prints, shoot
    from django.core.management import call_command

    from tests.screens.hall import build_hall, owner_of_demo
    from tests.screens.walk import walk
    from tournament.access.permissions import Actor

    call_command("migrate", verbosity=0)
    moments = build_hall()
    exhibits = build_exhibits(Actor.of_user(owner_of_demo()))
    for event in {**moments, **exhibits}.values():
        event.language = language or event.language
        event.save(update_fields=["language"])
    all_screens = [More(screen) for screen, _ in walk(moments, owner_of_demo())]
    if parts == ["docs"]:
        return _report(_doc_pictures([each.screen for each in all_screens]))
    all_screens += more_screens(moments, exhibits)
    wanted_screens = [each for each in all_screens if _is_wanted(each.screen.name, parts)]
    sheets = [each for each in prints({**moments, **exhibits}) if _is_wanted(f"print-{each.name}", parts)]
    return _report(
        chain(shoot(sheets, folder), _pictures(wanted_screens, folder, {"locale": language or "en"}))
    )


@contextmanager
def _speak(language: str) -> Iterator[None]:
    """Speak the language if no reader has chosen another."""
    import pytest
    from django.test import override_settings

    from tests.translations.pseudo import LANGUAGE, pseudo_language

    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        if language != LANGUAGE:
            with override_settings(LANGUAGE_CODE=language):
                yield
            return
        with pseudo_language(Path(folder), patch), override_settings(LANGUAGE_CODE=language):
            yield


def _report(paths: Iterable[Path]) -> int:
    for path in paths:
        print(path.relative_to(CLONE), flush=True)
    return 0


def _is_wanted(name: str, parts: list[str]) -> bool:
    return not parts or any(part in name for part in parts)


def _pictures(pictures: list[Any], folder: Path, more: dict[str, str]) -> Iterator[Path]:
    if not pictures:
        return
    with _open_browsers(more) as people_by_device:
        for device, people in people_by_device.items():
            for each in pictures:
                yield from _shoot(people.page(each.screen.who), each, folder, device)


def _doc_pictures(screens: list[Any]) -> Iterator[Path]:
    from _doc_pictures import shoot_doc_pictures

    with _open_browsers({}) as people_by_device:
        yield from shoot_doc_pictures(screens, people_by_device)


@contextmanager
def _open_browsers(more: dict[str, str]) -> Iterator[dict[str, People]]:
    """Serve the venue; yields the browser profiles of a phone and of a laptop."""
    from playwright.sync_api import sync_playwright

    from tests.fixtures.browser import FLAGS, LAPTOP, PHONE, WHOLE, chromium
    from tests.fixtures.servers import serve

    devices = {"phone": {**PHONE, "device_scale_factor": 1, **more}, "laptop": {**LAPTOP, **more}}
    live = serve()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(*WHOLE), args=FLAGS)
            yield {device: People(browser, live.url, options) for device, options in devices.items()}
            browser.close()
    finally:
        live.stop()


def _shoot(page: Any, each: Any, folder: Path, device: str) -> Iterator[Path]:
    screen = each.screen
    answer = page.goto(screen.address)
    if answer is None or (answer.status == 404 and screen.moment != "refused"):
        return
    if each.act is not None:
        each.act(page)
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        path = folder / f"{device}-{scheme}" / f"{screen.name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=path, full_page=True, style=ALL_ROWS)
        yield path


class People:
    """A browser profile for each kind of person, signed in where they sign in."""

    def __init__(self, browser: Any, url: str, options: dict[str, Any]) -> None:
        self.browser, self.url, self.options = browser, url, options
        self.pages: dict[str, Any] = {}

    def page(self, who: str) -> Any:
        """Return the page of this person, opened at the first call."""
        if who not in self.pages:
            context = self.browser.new_context(
                base_url=self.url, reduced_motion="reduce", bypass_csp=True, **self.options
            )
            session = _session_of(who)
            if session:
                context.add_cookies([{"name": "sessionid", "value": session, "url": self.url}])
            self.pages[who] = context.new_page()
        return self.pages[who]


def _session_of(who: str) -> str | None:
    from django.test import Client

    from tests.screens.hall import owner_of_demo
    from tests.screens.walk import stranger

    person = {"staff": owner_of_demo, "stranger": stranger}.get(who)
    if person is None:
        return None
    client = Client()
    client.force_login(person())
    return str(client.cookies["sessionid"].value)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
