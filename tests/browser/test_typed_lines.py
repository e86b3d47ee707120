"""Lines typed at full speed through outages, a killed server and a reload.

Each line is accounted for.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import expect

from tests import machine
from tests.browser.test_trouble_at_the_desk import read_stored_entries
from tests.fixtures.browser import FLAGS, LAPTOP, WHOLE, WITHOUT_WINDOWS, Console, chromium, until
from tests.fixtures.ports import find_free_ports
from tests.fixtures.workers import CLONE, process_environment
from tests.scenarios import labels
from tests.scenarios.factories import add_players, make_event, organizer, started_event
from tournament.events.models.event import Event
from tournament.events.models.round import Match
from tournament.pairing.services import rounds
from tournament.setup.services import events

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not machine.on_sqlite(), reason="shown by the run on SQLite, the embedded default"),
]
MILLISECONDS_A_KEY = 45
# Every day a quarter of them; with RINGSIDE_TEST_WHOLE=1 as many as in a large event.
PART = 1 if machine.whole() else 4


class ServerProcess:
    """A web server of its own on the test database.

    It is killed and started again at one address.
    """

    def __init__(self, folder: Path) -> None:
        [self.port] = find_free_ports(1)
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = process_environment(folder, RINGSIDE_LOG_LEVEL="WARNING")
        self.log = folder / "server.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, unless it runs."""
        if self.process is not None and self.process.poll() is None:
            return
        command = [sys.executable, "-m", "config.serving.server", "--port", str(self.port)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, cwd=CLONE, env=self.environment, stdout=log, stderr=log)

    def kill(self) -> None:
        """Kill it, if it runs."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(60)

    def answers(self) -> bool:
        """Return whether the server has loaded.

        Before that it accepts connections, and lets them wait.
        """
        try:
            urlopen(f"{self.url}/sign-in/", timeout=60).close()
        except OSError:
            return False
        return True


@pytest.fixture(scope="module")
def process(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """The server of all tests: loading takes several seconds."""
    server_process = ServerProcess(tmp_path_factory.mktemp("server"))
    yield server_process
    server_process.kill()


@pytest.fixture
def server(process: ServerProcess, transactional_db: None) -> ServerProcess:
    """The running server."""
    process.start()
    return process


def session_cookie(url: str) -> dict[str, str]:
    """Olga is signed in: the process uses other password hashes than the tests."""
    client = Client()
    client.force_login(organizer().user)
    return {"name": settings.SESSION_COOKIE_NAME, "value": client.cookies["sessionid"].value, "url": url}


class EntryLaptop:
    """A laptop at the entry line of a page.

    It holds what happens to its network and its server.
    """

    def __init__(self, page: Any, server: ServerProcess, path: str) -> None:
        self.page = page
        self.server = server
        until(page, server.answers)
        page.context.add_cookies([session_cookie(server.url)])
        page.goto(f"{server.url}{path}")

    def type(self, line: str, action_by_line: dict[str, Callable[[], None]]) -> None:
        """Type one line at full speed.

        The event that belongs to it happens in the middle of the typing.
        """
        middle = len(line) // 2
        self.page.keyboard.type(line[:middle], delay=MILLISECONDS_A_KEY)
        if line in action_by_line:
            action_by_line[line]()
        self.page.keyboard.type(line[middle:], delay=MILLISECONDS_A_KEY)
        self.page.keyboard.press("Enter")

    def network_goes(self) -> None:
        self.page.context.set_offline(True)

    def network_is_back(self) -> None:
        self.page.context.set_offline(False)

    def reload(self) -> None:
        until(self.page, self.server.answers)
        self.page.reload()

    def type_all(self, lines: list[str]) -> None:
        """Type all lines through two outages, a killed server and a reload."""
        eighth = len(lines) // 8 or 1
        happens = [
            self.network_goes, self.network_is_back, self.server.kill, self.server.start, self.reload,
            self.network_goes, self.network_is_back,
        ]  # fmt: skip
        action_by_line = dict(zip(lines[eighth::eighth], happens, strict=False))
        assert len(action_by_line) == len(happens)
        for line in lines:
            self.type(line, action_by_line)

    def wait_until_sent(self, asking: int) -> None:
        """Wait until no line waits, and `asking` lines need an answer."""
        words = f"{asking} need an answer" if asking != 1 else "1 needs an answer"
        until(self.page, lambda: self.counts().startswith(words) and "waiting" not in self.counts())

    def counts(self) -> str:
        return str(self.page.locator("[data-entry-counts]").inner_text())

    def asking(self) -> dict[str, str]:
        """Return the lines that need an answer, with the codes of their refusals."""
        return {
            each.locator(".entry-typed").inner_text(): each.locator("[data-code]").get_attribute("data-code")
            for each in self.page.locator(".is-asking").all()
        }

    def answer(self, line: str, button: str) -> None:
        rows = self.page.locator(".is-asking").filter(has=self.page.get_by_text(line, exact=True))
        rows.get_by_role("button", name=button, exact=True).click()
        expect(rows).to_have_count(0)
        expect(self.page.locator("form[data-entry] [name=line]")).to_be_focused()


@pytest.fixture
def open_desk(server: ServerProcess, new_page: Callable[..., Any], complaints: Console) -> Iterator[Any]:
    yield lambda path: EntryLaptop(new_page(LAPTOP), server, path)
    complaints.clear()


@pytest.mark.slow
def test_slips_through_two_outages_a_killed_server_and_a_reload(
    open_desk: Callable[[str], EntryLaptop],
) -> None:
    tables = 37 // PART
    event = started_event(2 * tables, swiss_rounds=2)
    rounds.publish_round(rounds.pair_next_round(event, organizer()), organizer())
    scores = {table: ("2-1", "0-2", "2-0")[table % 3] for table in range(1, tables + 1)}
    lines = [f"{table} {score.replace('-', ' ')}" for table, score in scores.items()]
    # Tables 1, 2 and 3 once more, with another result.
    contradictions = ["1 1 2", "2 1 2", "3 1 2"]
    for place, line in zip((tables // 3, tables // 2, tables), contradictions, strict=True):
        lines.insert(place + 1, line)
    desk = open_desk(f"/console/{event.slug}/rounds/1/1/")

    desk.type_all(lines)
    desk.wait_until_sent(3)
    scores_by_table = {match.table: match.score for match in Match.objects.exclude(outcome="")}
    assert scores_by_table == scores
    assert desk.asking() == dict.fromkeys(contradictions, "another_result_stands")
    assert event.log.filter(action="result_entered").count() == tables

    desk.answer("1 1 2", f"Replace {scores[1]} with 1-2")
    desk.answer("2 1 2", "Discard")
    desk.answer("3 1 2", f"Replace {scores[3]} with 1-2")
    until(desk.page, lambda: Match.objects.get(table=3).score == "1-2")
    assert [Match.objects.get(table=table).score for table in (1, 2, 3)] == ["1-2", scores[2], "1-2"]


@pytest.mark.whole("slips, by the same script")
def test_walk_ins_through_two_outages_a_killed_server_and_a_reload(
    open_desk: Callable[[str], EntryLaptop],
) -> None:
    event = make_event()
    names = ["Ann Brook", "Al Chen", "Zoë Lee", *(f"Person {n:02}" for n in range(17 if PART == 1 else 5))]
    # Known names once more: another person, the same one, and one with an invalid address.
    lines = [*names, "Al Chen; ", "Ann Brook; ", "Bo Ek; bo@ek"]
    desk = open_desk(f"/console/{event.slug}/players/")

    desk.type_all(lines)
    desk.wait_until_sent(3)
    assert sorted(event.players.values_list("name", flat=True)) == sorted(names)
    assert desk.asking() == {
        "Al Chen;": "same_name", "Ann Brook;": "same_name", "Bo Ek; bo@ek": "email_invalid",
    }  # fmt: skip

    desk.answer("Al Chen;", "Add as another person")
    desk.answer("Ann Brook;", "Discard")
    desk.page.get_by_label(labels.CHANGED_LINE).fill("Bo Ek; bo@example.org")
    desk.page.keyboard.press("Enter")
    until(desk.page, lambda: event.players.count() == len(names) + 2)
    assert sorted(event.players.values_list("name", flat=True)) == sorted([*names, "Al Chen", "Bo Ek"])


@pytest.mark.whole("slips, by the same script")
def test_check_ins_through_two_outages_a_killed_server_and_a_reload(
    open_desk: Callable[[str], EntryLaptop],
) -> None:
    count = 30 if PART == 1 else 8
    event = make_event()
    add_players(event, count)
    events.open_check_in(event, organizer())
    lines = [str(number) for number in range(3, count + 1)]
    # Alice by name; the second by a part of a name that others have as well; no one.
    lines = [*lines[:2], "alice", "o", *lines[2:], "999"]
    desk = open_desk(f"/console/{event.slug}/check-in/")

    desk.type_all(lines)
    desk.wait_until_sent(2)
    here = event.players.filter(checked_in_at__isnull=False).values_list("number", flat=True)
    assert sorted(here) == [1, *range(3, count + 1)]
    assert desk.asking() == {"o": "several_players_match", "999": "code_unknown"}

    desk.answer("o", "Bob, no. 2")
    desk.answer("999", "Discard")
    until(desk.page, lambda: len(here.all()) == count)
    assert event.log.filter(action="checked_in").count() == count


def test_lines_survive_the_crash_of_the_browser(
    playwright: Any, server: ServerProcess, tmp_path: Path, browser: Any
) -> None:
    event = started_event(4, swiss_rounds=2)
    rounds.publish_round(rounds.pair_next_round(event, organizer()), organizer())
    profile = tmp_path / "profile"

    def start() -> EntryLaptop:
        program = chromium(WITHOUT_WINDOWS, *WHOLE)
        context = playwright.chromium.launch_persistent_context(profile, executable_path=program, args=FLAGS)
        return EntryLaptop(context.pages[0], server, f"/console/{event.slug}/rounds/1/1/")

    desk = start()
    desk.network_goes()
    desk.type("1 2 1", {})
    desk.type("2 0 2", {})
    expect(desk.page.locator("[data-entry-counts]")).to_have_text("2 waiting")
    until(desk.page, lambda: read_stored_entries(desk.page)["entries"] == 2)
    crash(profile)
    assert Match.objects.exclude(outcome="").count() == 0
    desk = start()
    until(desk.page, lambda: Match.objects.exclude(outcome="").count() == 2)
    desk.page.context.close()


def crash(profile: Path) -> None:
    """Kill the browser of this profile without warning."""
    for process in Path("/proc").iterdir():
        # Other processes end meanwhile, those of the killed browser among them.
        with suppress(FileNotFoundError, ProcessLookupError):
            if process.name.isdecimal() and str(profile).encode() in (process / "cmdline").read_bytes():
                os.kill(int(process.name), signal.SIGKILL)


@pytest.mark.whole("a line that goes on before the scripts have loaded, below")
def test_line_entered_before_the_scripts_have_loaded_is_kept(
    open_desk: Callable[[str], EntryLaptop],
) -> None:
    event = make_event()
    desk = open_desk(f"/console/{event.slug}/players/")
    held_requests: list[Any] = []
    desk.page.route("**/entry_line.js", lambda route: held_requests.append(route))
    desk.page.goto(desk.page.url, wait_until="commit")
    expect(desk.page.get_by_label(labels.NEW_PLAYER)).to_be_focused()
    desk.type("Ann Brook", {})
    desk.type("Al Chen", {})
    desk.page.unroute("**/entry_line.js")
    expect(desk.page.locator("[data-entry-counts]")).to_have_text("2 sent")
    assert list(event.players.order_by("number").values_list("name", flat=True)) == ["Ann Brook", "Al Chen"]


def test_event_without_scripts_takes_lines_as_forms(
    open_desk: Any, server: ServerProcess, new_page: Any
) -> None:
    event: Event = make_event()
    add_players(event, 3)
    events.open_check_in(event, organizer())
    desk = EntryLaptop(
        new_page(LAPTOP, java_script_enabled=False), server, f"/console/{event.slug}/check-in/"
    )
    for line, words in (
        ("alice", "Alice is checked in."),
        ("2", "Bob is checked in."),
        ("a", "“a” matches 2 players."),
    ):
        desk.page.locator("form[data-entry] [name=line]").fill(line)
        desk.page.keyboard.press("Enter")
        desk.page.get_by_text(words).wait_for()
    assert desk.page.url.endswith("/check-in/?q=a")


def test_line_goes_on_after_a_reload_also_before_the_scripts_have_loaded(open_desk: Any) -> None:
    event = make_event()
    desk = open_desk(f"/console/{event.slug}/players/")
    desk.page.keyboard.type("Ann ")
    desk.page.route("**/entry_line.js", lambda route: None)
    desk.page.reload(wait_until="commit")
    expect(desk.page.get_by_label(labels.NEW_PLAYER)).to_be_focused()
    desk.type("Brook", {})
    desk.page.keyboard.type("Al ")
    desk.page.unroute("**/entry_line.js")
    expect(desk.page.locator("[data-entry-counts]")).to_have_text("1 sent")
    desk.page.reload()
    desk.type("Chen", {})
    expect(desk.page.locator("[data-entry-counts]")).to_have_text("1 sent")
    assert list(event.players.order_by("number").values_list("name", flat=True)) == ["Ann Brook", "Al Chen"]
