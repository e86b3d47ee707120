"""Pictures of every screen, made in Chromium on a hall of its own that is thrown away afterwards.

python bin/_screenshots.py [part of a page's name ...]
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CLONE = Path(__file__).resolve().parent.parent
FOLDER = CLONE / "screenshots"
SCHEMES = ("light", "dark")


def main(parts: list[str]) -> int:
    """Build the hall, walk over its screens, take the pictures; 0 when every screen has its four."""
    sys.path.insert(0, str(CLONE))
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    import django

    django.setup()
    from django.core.management import call_command

    from tests.screens.hall import build_hall, owner_of_demo
    from tests.screens.walk import walk

    call_command("migrate", verbosity=0)
    found = [
        screen
        for screen, _ in walk(build_hall(), owner_of_demo())
        if not parts or any(part in screen.name for part in parts)
    ]
    for number, path in enumerate(_pictures(found), 1):
        print(f"{number} of {4 * len(found)}: {path.relative_to(CLONE)}")
    return 0


def _pictures(found: list[Any]) -> Iterator[Path]:
    from playwright.sync_api import sync_playwright

    from tests.fixtures.browser import FLAGS, LAPTOP, PHONE, chromium
    from tests.fixtures.servers import serve

    live = serve()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
            for device, options in (("phone", {**PHONE, "device_scale_factor": 1}), ("laptop", LAPTOP)):
                people = People(browser, live.url, options)
                for screen in found:
                    yield from _shoot(people.page(screen.who), screen, device)
            browser.close()
    finally:
        live.stop()


def _shoot(page: Any, screen: Any, device: str) -> Iterator[Path]:
    page.goto(screen.address)
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        path = FOLDER / f"{device}-{scheme}" / f"{screen.name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=path, full_page=True)
        yield path


class People:
    """A browser profile for each kind of person, signed in where they sign in."""

    def __init__(self, browser: Any, url: str, options: dict[str, Any]) -> None:
        self.browser, self.url, self.options = browser, url, options
        self.pages: dict[str, Any] = {}

    def page(self, who: str) -> Any:
        """The page of this person, opened at the first call."""
        if who not in self.pages:
            context = self.browser.new_context(base_url=self.url, reduced_motion="reduce", **self.options)
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
