"""Keep Celery's messages in files that appear only when they are complete.

Kombu opens a file under its final name before it writes it. A worker that reads in between takes an empty
message and stops; a sender that reads while another binds a queue finds an empty table. Here a file is
written under a temporary name first. Kombu also moves a message to another folder before it reads it, where
two workers can overwrite each other's copy. Here a worker takes a message by a rename, which one alone wins.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty
from time import monotonic_ns
from typing import Any
from uuid import uuid4

import structlog
from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.encoding import str_to_bytes
from kombu.utils.json import dumps, loads

log = structlog.get_logger(__name__)

UNFINISHED = ".part"
TAKEN = ".taken"


class Channel(filesystem.Channel):
    """The channel of one process to the folder of messages."""

    _exchange_file: Callable[[str], Path]

    def _put(self, queue: str, *args: Any, **kwargs: Any) -> None:
        """Put a message onto a queue; raises OSError when the file cannot be written."""
        (message,) = args
        # Messages are taken in the order of their names.
        name = f"{monotonic_ns() // 1_000_000}_{uuid4()}.{queue}.msg"
        file = Path(self.data_folder_out) / name
        _write_unfinished(file, message).replace(file)

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        """Take the oldest message of a queue; raises Empty when there is none."""
        for message in self._list_waiting(queue):
            taken_file = message.with_name(message.name + TAKEN)
            try:
                message.rename(taken_file)
            except FileNotFoundError:
                continue  # another worker was sooner
            content = taken_file.read_bytes()
            taken_file.unlink()
            try:
                return loads(content.decode())
            except (json.JSONDecodeError, UnicodeDecodeError):
                # Left by a machine that lost power; the sweep tells of the job again.
                log.warning("A message that cannot be read was dropped.", file=message.name)
        raise Empty

    def _list_waiting(self, queue: str) -> Iterator[Path]:
        ending = f"{queue}.msg"
        messages = Path(self.data_folder_in).iterdir()
        yield from sorted(each for each in messages if each.name.partition(".")[2] == ending)

    def _queue_bind(self, exchange: str, routing_key: str | None, pattern: str | None, queue: str) -> None:
        """Bind a queue to an exchange."""
        table = self._exchange_file(exchange)
        if not table.exists():
            self.control_folder.mkdir(exist_ok=True)
            empty = _write_unfinished(table.with_name(f"{table.name}.{uuid4()}"), [])
            # Another process may have bound its queue first; without hard links, Kombu creates the table.
            with suppress(OSError):
                table.hardlink_to(empty)
            empty.unlink()
        super()._queue_bind(exchange, routing_key or "", pattern, queue)


def _write_unfinished(file: Path, content: Any) -> Path:
    """Write the content under a temporary name."""
    unfinished_file = file.with_name(file.name + UNFINISHED)
    try:
        unfinished_file.write_bytes(str_to_bytes(dumps(content)))
    except OSError:
        unfinished_file.unlink(missing_ok=True)
        raise
    return unfinished_file


class Transport(filesystem.Transport):
    """The transport behind `filesystem://`."""

    Channel = Channel


def use() -> None:
    """Use this transport for every `filesystem://` of the process."""
    TRANSPORT_ALIASES["filesystem"] = f"{__name__}:{Transport.__name__}"
