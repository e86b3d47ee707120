"""Ports, the lock of the data folder, and the supervisor of processes."""

from __future__ import annotations

import errno
import os
import signal
import socket
import sys

import pytest

from config.serving.sockets import listen
from config.start import __main__ as start
from config.start import addresses, supervisor, watchdog
from config.start.folder_lock import FolderLock, FolderLockedError
from config.start.supervisor import ManagedProcess, stop_all
from tests.fixtures.workers import wait_for

SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]
STUBBORN = [
    sys.executable,
    "-c",
    "import signal, time\n"
    "for each in (signal.SIGTERM, signal.SIGQUIT): signal.signal(each, signal.SIG_IGN)\n"
    "print('ready', flush=True)\ntime.sleep(600)",
]


def test_a_taken_port_is_passed_over():
    with listen("127.0.0.1", 0) as busy_socket:
        port = busy_socket.getsockname()[1]
        with addresses.open_port("127.0.0.1", None, port) as door:
            assert port < door.getsockname()[1] < port + addresses.PORTS_TO_TRY


def test_a_port_asked_for_by_name_is_that_or_none():
    with listen("127.0.0.1", 0) as busy_socket, pytest.raises(OSError, match="Address already in use"):
        addresses.open_port("127.0.0.1", busy_socket.getsockname()[1])


def test_a_machine_without_a_network_has_no_address_nearby(monkeypatch):
    def refuse(self, address):
        raise OSError("Network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert addresses.local_address() is None


@pytest.mark.parametrize(
    ("host", "is_open"), [("0.0.0.0", True), ("192.0.2.7", True), ("127.0.0.1", False), ("localhost", False)]
)
def test_phones_are_told_of_an_address_that_they_can_reach(host, is_open):
    assert addresses.is_open_to_phones(host) is is_open


def test_the_greeting_says_where_and_with_which_logins():
    lines = addresses.greeting(8000, "192.0.2.7", ["owner: ada@demo.example  secret"]).splitlines()
    assert lines[1:3] == [
        "Ringside is running:  http://localhost:8000/",
        "For phones on the same network:  http://192.0.2.7:8000/",
    ]
    assert lines[4] == addresses.qr_code("http://192.0.2.7:8000/").splitlines()[0]
    assert lines[-4:] == [
        "The demo:",
        "  owner: ada@demo.example  secret",
        "",
        "Press Ctrl-C to stop. Your data is kept.",
    ]


def test_the_greeting_without_network_and_demo_has_neither():
    assert addresses.greeting(8000, None, []).splitlines() == [
        "",
        "Ringside is running:  http://localhost:8000/",
        "",
        "Press Ctrl-C to stop. Your data is kept.",
    ]


def test_second_lock_of_one_data_folder_raises(tmp_path):
    lock = FolderLock(tmp_path)
    with pytest.raises(FolderLockedError) as preparing:
        FolderLock(tmp_path)
    lock.publish_url("http://localhost:8000/")
    with pytest.raises(FolderLockedError) as excinfo:
        FolderLock(tmp_path)
    assert (preparing.value.url, excinfo.value.url) == ("", "http://localhost:8000/")
    lock.release()
    FolderLock(tmp_path).release()


@pytest.fixture
def child(tmp_path):
    managed_processes = []

    def make(command, **options):
        log = tmp_path / "log" / "worker.log"
        managed_processes.append(ManagedProcess("worker", command, dict(os.environ), log, **options))
        managed_processes[-1].start()
        return managed_processes[-1]

    yield make
    for each in managed_processes:
        each.close()


def test_children_end_when_asked(child, monkeypatch):
    monkeypatch.setattr(supervisor, "TERM_SECONDS", 60.0)
    family = [child(SLEEPER), child(SLEEPER)]
    processes = [each._process for each in family]
    stop_all(family)
    assert [process.returncode for process in processes] == [-signal.SIGTERM] * 2
    assert [each.pid for each in family] == [None, None]


def test_a_child_that_does_not_listen_is_killed(child, tmp_path, monkeypatch):
    monkeypatch.setattr(supervisor, "TERM_SECONDS", 0.3)
    monkeypatch.setattr(supervisor, "QUIT_SECONDS", 0.3)
    stubborn = child(STUBBORN)
    wait_for(lambda: "ready" in (tmp_path / "log" / "worker.log").read_text())
    stop_all([stubborn])
    assert stubborn.pid is None


def test_a_child_that_dies_is_started_again_with_a_sentence(child):
    lines = []
    worker = child(SLEEPER)
    first = worker.pid
    os.kill(first, signal.SIGKILL)
    wait_for(lambda: worker.pid is None)
    wait_for(lambda: worker.monitor(lines.append) or worker.pid)
    assert lines == ["The worker was killed by signal 9 and is restarted."]
    assert worker.pid != first


def test_a_child_that_ran_well_is_started_again_at_once(child, monkeypatch):
    monkeypatch.setattr(supervisor, "HEALTHY_SECONDS", 0.0)
    worker = child(SLEEPER)
    for _ in range(5):
        os.kill(worker.pid, signal.SIGKILL)
        wait_for(lambda: worker.pid is None)
        worker.monitor(lambda line: None)
        assert worker.pid is not None


def test_a_child_that_keeps_dying_waits_no_longer_than_a_few_seconds_and_shows_its_log(child, monkeypatch):
    clock = [1000.0]
    monkeypatch.setattr(supervisor.time, "monotonic", lambda: clock[0])
    lines, pauses = [], []
    worker = child([sys.executable, "-c", "print('no such broker'); raise SystemExit(3)"])
    for _ in range(8):
        while worker.pid is not None:
            os.waitid(os.P_PID, worker.pid, os.WEXITED | os.WNOWAIT)
        died_at = clock[0]
        worker.monitor(lines.append)
        while worker.pid is None and worker.has_ended:
            clock[0] += 0.25
            worker.monitor(lines.append)
        pauses.append(clock[0] - died_at)
    assert pauses == [0.5, 1.0, 2.0, 3.0, 3.0, 3.0, 3.0, 3.0]
    assert lines[0] == "The worker ended with code 3 and is restarted."
    assert (
        lines[3]
        .splitlines()[0]
        .startswith("The worker keeps stopping. It is restarted every 3 s. The last lines of ")
    )
    assert lines[3].splitlines()[1] == "    no such broker"
    assert len(lines) == 9, "the log is shown once"


def test_a_child_that_cannot_be_started_does_not_end_the_others(child, monkeypatch):
    lines = []
    worker = child(SLEEPER)

    def refuse(*args, **options):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(supervisor, "HEALTHY_SECONDS", 0.0)
    os.kill(worker.pid, signal.SIGKILL)
    wait_for(lambda: worker.pid is None)
    with monkeypatch.context() as patch:
        patch.setattr(supervisor.subprocess, "Popen", refuse)
        worker.monitor(lines.append)
    assert lines[-1] == (
        "The worker cannot be started ([Errno 28] No space left on device). Ringside tries again."
    )
    wait_for(lambda: worker.monitor(lines.append) or worker.pid)


SIGNS = """
import os, socket, sys, time
sender = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
while True:
    sender.sendto(sys.argv[1].encode(), os.environ["NOTIFY_SOCKET"])
    time.sleep(0.05)
"""


@pytest.mark.parametrize(
    ("sign", "is_stopped", "words"),
    [("WATCHDOG=1", True, "gives no sign of life"), ("WATCHDOG=trigger", False, "does not do its work")],
)
def test_a_child_that_hangs_or_says_that_it_is_broken_is_ended_and_started_again(
    child, monkeypatch, sign, is_stopped, words
):
    monkeypatch.setattr(watchdog, "SECONDS_BETWEEN_SIGNS", 600.0)
    lines = []
    worker = child([sys.executable, "-c", SIGNS, sign], watchdog=watchdog.Watchdog())
    first = worker.pid
    if is_stopped:
        wait_for(lambda: worker.monitor(lines.append) or worker.watchdog.signs > 3)
        assert lines == []
        monkeypatch.setattr(watchdog, "SECONDS_BETWEEN_SIGNS", 1.0)
        signs = worker.watchdog.signs
        wait_for(lambda: worker.monitor(lines.append) or worker.watchdog.signs > signs)
        os.kill(first, signal.SIGSTOP)
    wait_for(lambda: worker.monitor(lines.append) or worker.pid not in (None, first))
    assert lines[:2] == [
        f"The worker {words} and is stopped.",
        "The worker was killed by signal 9 and is restarted.",
    ]


@pytest.mark.parametrize(("text", "count"), [("1", 1), (" 4 ", 4), ("64", 64)])
def test_so_many_workers_are_started_as_the_environment_says(text, count):
    assert start.read_worker_count({"RINGSIDE_WORKERS": text}) == count


@pytest.mark.parametrize("text", ["", "0", "-1", "two", "65", "1.5", "²"])
def test_a_number_of_workers_that_is_none_is_refused(text):
    with pytest.raises(ValueError, match="Enter a number from 1 to 64"):
        start.read_worker_count({"RINGSIDE_WORKERS": text})


def test_a_log_that_has_grown_large_is_set_aside(child, tmp_path, monkeypatch):
    monkeypatch.setattr(supervisor, "MAX_LOG_BYTES", 10)
    log = tmp_path / "log" / "worker.log"
    log.parent.mkdir()
    log.write_text("many lines\n" * 3)
    child(SLEEPER)
    assert (log.read_text(), (tmp_path / "log" / "worker.old.log").read_text()) == ("", "many lines\n" * 3)
