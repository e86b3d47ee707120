"""The sample for a server.

Nginx and the units' own commands are tested at work and reloaded under load.
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from config.env import broker
from decks.jobs.models import Job
from tests import machine
from tests.deploy.sample import HOST, UNITS, Sample, nginx_program, read_environment, read_unit
from tests.fixtures.ports import takes_connections
from tests.fixtures.senders import sender
from tests.fixtures.workers import children_of, wait_for
from tests.scenarios.factories import make_event, organizer, publish_next, started_event
from tournament.clock import services as clock
from tournament.clock.selectors import get_event_clock
from tournament.events.models.event import Event
from tournament.log.step import increment_version

CSRF = "c" * 32
# With it a table is longer than what nginx holds of a request in memory.
CLUB = "c" * 80
# Visitors without a pause would keep both processors busy with their requests alone.
SECONDS_BETWEEN_ASKING = 0.3
pytestmark = pytest.mark.one_database("processes are reloaded, whatever they keep their rows in")


def require(program: str | None, name: str) -> None:
    """Skip a test without the program; where everything is installed, fail."""
    if program is None and os.environ.get(machine.BROWSER) == "required":
        pytest.fail(f"{name} is not installed")
    if program is None:
        pytest.skip(f"{name} is not installed")


@pytest.fixture
def sample(transactional_db: None, tmp_path: Path, gathered_folder: Path) -> Iterator[Sample]:
    require(nginx_program(), "nginx")
    require(shutil.which("openssl"), "openssl")
    sample = Sample(tmp_path / "srv", gathered_folder)
    yield sample
    sample.end()


@pytest.fixture
def site(sample: Sample) -> Sample:
    """Pages, streams and nginx."""
    sample.start("ringside-live")
    sample.start("ringside-web")
    sample.start("ringside-staff")
    sample.start_nginx()
    wait_for(lambda: sample.get("/live/events/none")[0] == 404, 60, sample.log("ringside-live"))
    return sample


def test_nginx_loads_the_sample_without_a_complaint_but_one_of_a_newer_nginx(sample: Sample) -> None:
    sample.nginx_configuration()
    config_test = sample.nginx("-t")
    complaints = [line for line in config_test.stderr.splitlines() if "[" in line and "http2" not in line]
    assert (config_test.returncode, complaints) == (0, [])


def read_version(answer: http.client.HTTPResponse) -> int:
    while not (line := answer.readline()).startswith(b"data:"):
        assert line, "the stream ended"
    return int(line.removeprefix(b"data:"))


def test_pages_files_streams_uploads_and_the_right_clock_pass_through_nginx(site: Sample) -> None:
    event = make_event()
    status, headers, body = site.get("/")
    assert (status, b"Ringside" in body, headers["server"]) == (200, True, "nginx")
    _static_files_come_from_nginx(site, body.decode())
    _stream_passes(site, event)
    _upload_passes(site, event)
    _clock_is_right_in_a_process_that_has_just_started(site)
    _control_socket_lies_where_the_unit_may_write(site)
    plain = http.client.HTTPConnection("127.0.0.1", site.http, timeout=60)
    plain.request("GET", "/x?y", headers={"Host": HOST})
    answer = plain.getresponse()
    assert (answer.status, answer.getheader("Location")) == (301, f"https://{HOST}/x?y")
    answer.read()
    plain.close()


def _static_files_come_from_nginx(site: Sample, page: str) -> None:
    style = page.partition('rel="stylesheet" href="')[2].partition('"')[0]
    status, headers, body = site.get(style, **{"Accept-Encoding": "gzip"})
    assert (status, headers["content-encoding"], body[:2]) == (200, "gzip", b"\x1f\x8b")
    assert headers["cache-control"] == "public, max-age=315360000, immutable"
    assert site.get("/static/ringside.css.missing")[0] == 404
    unreadable_files = [
        path for path in (site.static, *site.static.rglob("*")) if not path.stat().st_mode & 4
    ]
    assert unreadable_files == [], "nginx, another user, could not read them"
    assert site.get("/static/../data/secret-key")[0] in (400, 404)
    # Stopped: only nginx can answer now, and the processes reserved for staff.
    pid = site.processes["ringside-web"].pid
    pages = [pid, *children_of(pid)]
    _send_to_all(pages, signal.SIGSTOP)
    try:
        assert site.get(style)[0] == 200
        status, headers, _ = site.get("/console/")
        assert (status, headers["location"]) == (302, "/sign-in/?next=/console/")
    finally:
        _send_to_all(pages, signal.SIGCONT)


def _send_to_all(pids: list[int], number: int) -> None:
    for pid in pids:
        os.kill(pid, number)


def _stream_passes(site: Sample, event: Event) -> None:
    with closing(site.connection()) as connection:
        connection.request("GET", f"/live/events/{event.slug}", headers={"Host": HOST})
        with closing(connection.getresponse()) as answer:
            _follow(answer, event)


def _follow(answer: http.client.HTTPResponse, event: Event) -> None:
    assert (answer.status, answer.getheader("Content-Type")) == (200, "text/event-stream; charset=utf-8")
    first = read_version(answer)
    increment_version(event)
    assert read_version(answer) == first + 1


def _upload_passes(site: Sample, event: Event) -> None:
    client = Client()
    client.force_login(organizer().user)
    text = "Name;E-mail;Club\n" + "".join(f"Player {n};p{n}@example.org;{CLUB}\n" for n in range(400))
    part = f'--b\r\nContent-Disposition: form-data; name="file"; filename="p.csv"\r\n\r\n{text}\r\n--b--\r\n'
    headers = {
        "Host": HOST,
        "Content-Type": "multipart/form-data; boundary=b",
        "Cookie": f"sessionid={client.cookies['sessionid'].value}; csrftoken={CSRF}",
        "X-CSRFToken": CSRF,
        "Referer": f"https://{HOST}/",
    }
    connection = site.connection()
    connection.request("POST", f"/console/{event.slug}/players/import/", part.encode(), headers)
    answer = connection.getresponse()
    page = answer.read().decode()
    assert (answer.status, "Will add 400 players" in page) == (200, True)
    connection.close()


def _clock_is_right_in_a_process_that_has_just_started(site: Sample) -> None:
    round_ = publish_next(started_event(4))
    clock.start_clock(round_, organizer())
    clock.change_time(round_, organizer(), minutes=2)
    before = get_event_clock(Event.objects.get(pk=round_.stage.event_id))
    began = timezone.now()
    status, _, body = site.get(f"/api/events/{round_.stage.event.slug}/clock/")
    assert status == 200
    shown_clock = json.loads(body)
    now, ends_at = (datetime.fromisoformat(shown_clock[name]) for name in ("now", "ends_at"))
    assert (shown_clock["phase"], ends_at) == (str(before.phase), before.ends_at)
    assert began <= now <= timezone.now()
    # Whole seconds are shown.
    assert abs((ends_at - now).total_seconds() - shown_clock["remaining"]) <= 1


def _control_socket_lies_where_the_unit_may_write(site: Sample) -> None:
    control = site.folder / "run" / "gunicorn.ctl"
    wait_for(lambda: takes_connections(control), 60, site.log("ringside-web"))
    wait_for(lambda: control.stat().st_mode & 0o777 == 0o600)
    assert read_unit("ringside-web")["RuntimeDirectory"] == ["ringside"]
    assert "--control-socket /run/ringside/gunicorn.ctl" in read_unit("ringside-web")["ExecStart"][0]


class Load:
    """Visitors who open pages and streams until they are stopped."""

    def __init__(self, site: Sample, slug: str) -> None:
        self.site, self.paths = site, ["/", "/sign-in/", f"/e/{slug}/"]
        self.slug = slug
        self.answers: Counter[str] = Counter()
        self.stopping = threading.Event()
        self.threads = [threading.Thread(target=self._run, args=(n,)) for n in range(6)]

    def __enter__(self) -> Load:
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        for thread in self.threads:
            thread.join(60)

    def _run(self, n: int) -> None:
        while not self.stopping.is_set():
            try:
                what = self._open_stream() if n == 0 else self._open_page(n)
            except Exception as error:
                what = f"{type(error).__name__}: {error}"
            self.answers[what] += 1
            self.stopping.wait(SECONDS_BETWEEN_ASKING)

    def wait_for_answers(self) -> None:
        """Wait until more pages and more streams have come."""
        pages, streams = self.answers["page 200"] + 10, self.answers["stream 200"] + 3
        wait_for(lambda: self.answers["page 200"] > pages and self.answers["stream 200"] > streams)

    def _open_page(self, n: int) -> str:
        return f"page {self.site.get(self.paths[n % len(self.paths)])[0]}"

    def _open_stream(self) -> str:
        with closing(self.site.connection()) as connection:
            connection.request("GET", f"/live/events/{self.slug}", headers={"Host": HOST})
            with closing(connection.getresponse()) as answer:
                return f"stream {answer.status}"


def _reload_pages(sample: Sample) -> None:
    """Do what `systemctl reload ringside-web` does, and wait for the new code.

    It waits until no process with the old code is left.
    """
    pid = sample.processes["ringside-web"].pid
    old = children_of(pid)
    sample.reload("ringside-web")
    wait_for(lambda: (new := set(children_of(pid))) and new.isdisjoint(old), 60, sample.log("ringside-web"))


@pytest.mark.whole("what passes through nginx, and the end of a server that answers")
def test_reload_of_web_live_and_nginx_under_load_loses_no_request(site: Sample) -> None:
    event = make_event()
    pid = site.processes["ringside-live"].pid
    with Load(site, event.slug) as load:
        load.wait_for_answers()
        _reload_pages(site)
        load.wait_for_answers()
        site.reload("ringside-live")
        wait_for(lambda: "--fd" in Path(f"/proc/{pid}/cmdline").read_text(), 60, site.log("ringside-live"))
        load.wait_for_answers()
        nginx = int((site.folder / "nginx.pid").read_text())
        old = children_of(nginx)
        assert site.nginx("-s", "reload").returncode == 0
        wait_for(lambda: set(children_of(nginx)).isdisjoint(old), 60, "nginx keeps its old processes")
        load.wait_for_answers()
    assert set(load.answers) == {"page 200", "stream 200"}, load.answers
    assert (site.processes["ringside-live"].poll(), site.processes["ringside-live"].pid) == (None, pid)
    assert "Traceback" not in site.log("ringside-live")


@pytest.mark.worker
@pytest.mark.whole("a worker told to end goes on to the end of its job, tests/decks/jobs/test_real_worker.py")
def test_worker_and_scheduler_say_that_they_live_and_go_on_after_a_reload(
    sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = sample.folder / "data" / "queue"
    broker.make_folders(broker.parse("", folder=folder)[0]["CELERY_BROKER_TRANSPORT_OPTIONS"])
    with sender("", folder) as app:
        monkeypatch.setattr("decks.jobs.queue.current_app", app)
        for name in ("ringside-worker@", "ringside-beat"):
            sample.start(name)
        sample.reload("ringside-worker@")
        wait_for(
            lambda: sample.log("ringside-worker@").count("[queues]") == 2, 120, "it does not start again"
        )
        job = Job.objects.create(kind="tests.unheard")  # announced by the sweep alone
        Job.objects.update(hint_after=job.created_at)
        wait_for(lambda: Job.objects.get().error_code == "unknown-kind", 120, sample.log("ringside-worker@"))
    assert sample.processes["ringside-worker@"].poll() is None


def test_every_unit_is_tried_for_ever_and_reloads_without_a_restart() -> None:
    for name in UNITS:
        unit = read_unit(name)
        assert unit["StartLimitIntervalSec"] == ["0"], name
        assert (unit["Restart"], unit["RestartSec"]) == (["always"], ["2"]), name
        assert unit["ExecReload"][0].startswith("/bin/kill -s "), name
        assert unit["ReadWritePaths"] == [read_environment()["RINGSIDE_DATA_DIR"]], name
    for name in ("ringside-worker@", "ringside-beat"):
        assert (read_unit(name)["Type"], read_unit(name)["WatchdogSec"]) == (["notify"], ["30"])


def test_systemd_understands_every_unit(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    require(program, "systemd-analyze")
    sample = Sample.__new__(Sample)
    sample.folder, sample.static, sample.live = tmp_path, tmp_path / "static", 8001
    copies = []
    for name, path in UNITS.items():
        copy = tmp_path / (f"{name}1.service" if name.endswith("@") else f"{name}.service")
        copy.write_text(sample.replace_values(path.read_text()))
        copies.append(str(copy))
    verified = subprocess.run([str(program), "verify", *copies], capture_output=True, text=True, check=False)
    complaints = [line for line in verified.stderr.splitlines() if "ringside" in line]
    assert complaints == []


class SocketConnection(http.client.HTTPConnection):
    """A connection to the socket that gunicorn listens on, as nginx opens them."""

    def __init__(self, path: Path) -> None:
        super().__init__(HOST, timeout=60)
        self.path = str(path)

    def connect(self) -> None:
        """Open the socket."""
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(60)
        self.sock.connect(self.path)


@pytest.fixture
def pages(transactional_db: None, tmp_path: Path, gathered_folder: Path) -> Iterator[Sample]:
    """The unit of the pages alone: nothing between it and its visitors retries."""
    sample = Sample(tmp_path / "srv", gathered_folder)
    sample.start("ringside-web")
    wait_for(lambda: takes_connections(sample.folder / "run" / "web.sock"), 60, sample.log("ringside-web"))
    yield sample
    sample.end()


def _ask(path: Path, method: str, target: str, body: bytes = b"") -> int:
    """Return the status of an answer.

    A body is sent in two parts, half a second apart.
    """
    with closing(SocketConnection(path)) as connection:
        connection.putrequest(method, target, skip_host=True)
        form_values = {"Host": HOST, "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}
        if body:
            form_values |= {"Content-Length": str(len(body)), "Content-Type": "application/json"}
        for name, value in form_values.items():
            connection.putheader(name, value)
        connection.endheaders()
        for half in (body[: len(body) // 2], body[len(body) // 2 :]) if body else ():
            connection.send(half)
            time.sleep(0.5)
        return connection.getresponse().status


@pytest.mark.whole("what waits is finished at the end of a server, tests/config/serving/test_priorities.py")
def test_reload_of_the_pages_alone_loses_no_request_and_no_form_that_is_half_sent(pages: Sample) -> None:
    """The effect of `systemctl reload ringside-web` while visitors read and send."""
    path, pid = pages.folder / "run" / "web.sock", pages.processes["ringside-web"].pid
    list_to_check = {"game": "ufs", "format": "constructed", "text": "4 Loner\n" * 200}
    body = json.dumps(list_to_check).encode()
    kinds = [("GET", "/", b""), ("GET", "/sign-in/", b""), ("POST", "/api/decks/check/", body)]
    answers: Counter[tuple[str, object]] = Counter()
    stopping = threading.Event()

    def visit(number: int) -> None:
        method, target, visit_kind = kinds[number % len(kinds)]
        while not stopping.is_set():
            try:
                answers[method, _ask(path, method, target, visit_kind)] += 1
            except Exception as error:
                answers[method, f"{type(error).__name__}: {error}"] += 1
            stopping.wait(SECONDS_BETWEEN_ASKING)

    def wait_for_answers() -> None:
        gets, posts = answers["GET", 200] + 5, answers["POST", 200] + 2
        wait_for(lambda: answers["GET", 200] > gets and answers["POST", 200] > posts)

    visitors = [threading.Thread(target=visit, args=(number,)) for number in range(6)]
    for visitor in visitors:
        visitor.start()
    try:
        for _ in range(3 if machine.whole() else 1):
            wait_for_answers()
            _reload_pages(pages)
        wait_for_answers()
    finally:
        stopping.set()
        for visitor in visitors:
            visitor.join(60)
    assert set(answers) == {("GET", 200), ("POST", 200)}, answers
    assert (pages.processes["ringside-web"].poll(), pages.processes["ringside-web"].pid) == (None, pid)
