"""Celery's messages as files, each of them whole before anybody sees it.

Kombu opens a file under its name and writes it then. A worker that looks in between takes an empty message
and ends; whoever sends while the first one binds a queue reads an empty table. Here a file is written under
another name first, which nobody asks for.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from time import monotonic_ns
from typing import Any
from uuid import uuid4

from kombu.exceptions import ChannelError
from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.encoding import str_to_bytes
from kombu.utils.json import dumps

UNFINISHED = ".part"


class Channel(filesystem.Channel):  # type: ignore[misc]
    """The way of one process to the folder of messages."""

    def _put(self, queue: str, payload: Any, **_: Any) -> None:
        """Put a message onto a queue; raises ChannelError where the folder takes none."""
        # Messages are taken in the order of their names.
        name = f"{monotonic_ns() // 1_000_000}_{uuid4()}.{queue}.msg"
        message = Path(self.data_folder_out) / name
        try:
            _unfinished(message, payload).replace(message)
        except OSError as problem:
            raise ChannelError(f"Cannot add file {name!r} to the messages") from problem

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        """Let what is sent to an exchange come to a queue."""
        table = self._exchange_file(exchange)
        if not table.exists():
            self.control_folder.mkdir(exist_ok=True)
            empty = _unfinished(table.with_name(f"{table.name}.{uuid4()}"), [])
            # Another may have bound his first; where files have one name only, Kombu makes it as ever.
            with suppress(OSError):
                table.hardlink_to(empty)
            empty.unlink()
        super()._queue_bind(exchange, routing_key, pattern, queue)


def _unfinished(file: Path, content: Any) -> Path:
    """What is to become a file, under a name of its own."""
    unfinished = file.with_name(file.name + UNFINISHED)
    unfinished.write_bytes(str_to_bytes(dumps(content)))
    return unfinished


class Transport(filesystem.Transport):  # type: ignore[misc]
    """The transport that `filesystem://` names in this project."""

    Channel = Channel


def use() -> None:
    """Let every `filesystem://` of this process be ours."""
    TRANSPORT_ALIASES["filesystem"] = f"{__name__}:{Transport.__name__}"
