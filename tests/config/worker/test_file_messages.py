"""Messages of the worker that travel as files, received while others are sent."""

from __future__ import annotations

import threading
from pathlib import Path
from queue import Empty
from typing import Any
from uuid import uuid4

import pytest
from kombu import Connection
from kombu.transport import filesystem

from config.env import broker
from tests import machine

MESSAGES, SENDERS = 150 if machine.whole() else 50, 3


@pytest.fixture
def options(tmp_path: Path) -> dict[str, Any]:
    settings, _ = broker.parse(None, folder=tmp_path)
    broker.make_folders(settings["CELERY_BROKER_TRANSPORT_OPTIONS"])
    return settings["CELERY_BROKER_TRANSPORT_OPTIONS"]


@pytest.fixture
def name() -> str:
    """Return the name of a separate queue.

    Kombu remembers bound queues for the whole process, in any folder.
    """
    return f"hall-{uuid4()}"


def send(options: dict[str, Any], name: str, sender: int, faults: list[Exception]) -> None:
    """Send a number of messages through a separate connection."""
    try:
        with Connection("filesystem://", transport_options=options) as connection:
            queue = connection.SimpleQueue(name)
            for number in range(MESSAGES):
                queue.put([sender, number])
    except Exception as fault:
        faults.append(fault)


def test_every_message_arrives_whole_while_others_are_put_in(options: dict[str, Any], name: str) -> None:
    faults: list[Exception] = []
    senders = [threading.Thread(target=send, args=(options, name, n, faults)) for n in range(SENDERS)]
    came = []
    with Connection("filesystem://", transport_options=options) as connection:
        queue = connection.SimpleQueue(name)
        for thread in senders:
            thread.start()
        while len(came) < MESSAGES * SENDERS:
            message = queue.get(timeout=60)
            came.append(message.payload)
            message.ack()
    for thread in senders:
        thread.join()
    assert faults == []
    assert sorted(came) == [[n, number] for n in range(SENDERS) for number in range(MESSAGES)]
    assert list(Path(options["data_folder_in"]).iterdir()) == []


def test_no_file_is_written_under_the_name_by_which_it_is_taken(
    options: dict[str, Any], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    written_names = []

    def noting(file: str, mode: str = "r", **more: Any) -> Any:
        written_names.extend([file] if "w" in mode else [])
        return Path(file).open(mode, **more)

    monkeypatch.setattr(filesystem, "open", noting, raising=False)
    with Connection("filesystem://", transport_options=options) as connection:
        queue = connection.SimpleQueue(name)
        queue.put("round 1")
        assert (written_names, queue.qsize(), queue.get(timeout=60).payload) == ([], 1, "round 1")


def test_a_message_that_is_not_written_yet_has_no_reader(options: dict[str, Any], name: str) -> None:
    (Path(options["data_folder_in"]) / f"1_half.{name}.msg.part").write_text("")
    with Connection("filesystem://", transport_options=options) as connection:
        queue = connection.SimpleQueue(name)
        assert queue.qsize() == 0
        with pytest.raises(Empty):
            queue.get(block=False)
