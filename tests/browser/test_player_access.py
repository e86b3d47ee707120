"""Accessibility of player pages.

It covers names for controls, order of headings, and targets large enough for a thumb.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.test_player_path import OF_NO_EVENT, OWN, PUBLIC, publish_next
from tests.scenarios.factories import make_event, started_event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

AUDIT = """() => {
  const faults = [];
  const seen = element => {
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && getComputedStyle(element).visibility === "visible";
  };
  const ids = [...document.querySelectorAll("[id]")].map(element => element.id);
  const twice = ids.filter((id, place) => ids.indexOf(id) !== place);
  if (twice.length) faults.push(`ids used twice: ${twice}`);
  if (document.querySelectorAll("h1").length !== 1) faults.push("not exactly one h1");
  let level = 0;
  for (const heading of [...document.querySelectorAll("h1, h2, h3, h4")].filter(seen)) {
    const here = Number(heading.tagName[1]);
    if (here > level + 1) faults.push(`h${here} after h${level}: ${heading.textContent.trim()}`);
    level = here;
  }
  const named = element => {
    const label = element.labels && element.labels.length;
    const text = (element.getAttribute("aria-label") || element.title || element.textContent || "").trim();
    return label || text || element.querySelector("[aria-label]");
  };
  const controls = "a[href], button, input:not([type=hidden]), select, textarea, summary";
  for (const control of document.querySelectorAll(controls))
    if (!named(control)) faults.push(`no name: ${control.outerHTML.slice(0, 80)}`);
  const targets = "button, .button, select, summary, input:not([type=hidden])";
  for (const control of [...document.querySelectorAll(targets)].filter(seen)) {
    const box = control.getBoundingClientRect();
    if (box.width < 24 || box.height < 24) faults.push(`too small to hit: ${control.outerHTML.slice(0, 80)}`);
  }
  for (const image of document.querySelectorAll("img:not([alt])")) faults.push(`no alt: ${image.src}`);
  for (const part of document.querySelectorAll("[aria-describedby]"))
    for (const id of part.getAttribute("aria-describedby").split(" "))
      if (!document.getElementById(id)) faults.push(`described by nothing: ${id}`);
  if (!document.documentElement.lang) faults.push("no language");
  if (!document.title) faults.push("no title");
  return faults;
}"""


@pytest.mark.whole("the same questions on the pages of the hall, tests/screens/test_quality.py")
def test_pages_have_no_serious_accessibility_fault(phone: Any) -> None:
    event = started_event(5, cut="diversity", cut_size=4, swiss_rounds=3)
    publish_next(event)
    upcoming_event = make_event(name="To come")
    token = event.players.get(number=1).token
    pages = [
        *OF_NO_EVENT,
        *(f"/e/{event.slug}/{part}" for part in (*PUBLIC, "players/1/")),
        f"/e/{upcoming_event.slug}/register/",
        *(f"/p/{token}/{part}" for part in OWN),
        "/nowhere/",
        "/p/nobody/",
    ]
    faults = {}
    for path in pages:
        phone.goto(path)
        answer = phone.evaluate(AUDIT)
        if answer:
            faults[path] = answer
    assert faults == {}
