"""The web server: uvicorn that ends the live streams first.

It ends them before it waits for open answers. python -m config.serving.server --port 8000
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import socket
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import uvicorn

from config.env.private_files import keep_new_files_private, make_data_private
from config.serving.garbage import expect_searches_between_requests
from config.serving.sockets import WAITING_CONNECTIONS, listen

if TYPE_CHECKING:
    from config.live.event_streams import LiveStreams

SECONDS_FOR_OPEN_ANSWERS = 3
# After a start others come first: who waited for it, and the streams that come back.
SECONDS_BEFORE_PAGES = 5


class Server(uvicorn.Server):
    """A uvicorn server for an application with live streams."""

    def __init__(
        self, application: LiveStreams, *, log_level: str = "warning", certificate: str | None = None
    ) -> None:
        super().__init__(
            uvicorn.Config(
                application,
                log_config=None,
                log_level=log_level,
                access_log=False,
                lifespan="on",
                ws="none",
                server_header=False,
                # The client address comes from one place only, see docs/decisions/accounts-by-allauth.md.
                proxy_headers=False,
                backlog=WAITING_CONNECTIONS,
                ssl_certfile=certificate,
                timeout_graceful_shutdown=SECONDS_FOR_OPEN_ANSWERS,
            )
        )
        self.streams = application
        self.is_reloading = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen; views and templates are loaded a little later."""
        await super().startup(sockets)
        expect_searches_between_requests()
        asyncio.get_running_loop().call_later(SECONDS_BEFORE_PAGES, self._load_pages)

    def _load_pages(self) -> None:
        from config.asgi import pages

        pages.load_pages()

    def reload(self) -> None:
        """End in the normal way, to be started again on the same socket."""
        self.is_reloading = self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, which would never end by themselves, then everything else."""
        self.streams.watcher.close()
        await super().shutdown(sockets)


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve on the given address or inherited socket until a signal to end.

    The arguments name the address or the socket. SIGHUP starts the program again, with new code, in the same
    process and on the same socket: new connections wait there in the meantime.
    """
    parser = argparse.ArgumentParser(
        prog="python -m config.serving.server", description="Serve pages and live streams."
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on (default: 8000)")
    parser.add_argument("--fd", type=int, help="number of a listening socket that this process inherited")
    parser.add_argument("--certificate", help="file with a key and a certificate: serve https")
    options = parser.parse_args(arguments)
    listening = listen(options.host, options.port) if options.fd is None else socket.socket(fileno=options.fd)

    keep_new_files_private()

    from django.conf import settings

    from config.asgi import application
    from config.serving.garbage import exempt_loaded_code

    make_data_private(settings.DATA_DIR, settings.DATABASES["default"])

    exempt_loaded_code()
    server = Server(application, certificate=options.certificate)
    kept_fd = os.dup(listening.fileno())
    signal.signal(signal.SIGHUP, lambda number, frame: server.reload())
    server.run(sockets=[listening])
    if server.is_reloading:
        os.set_inheritable(kept_fd, True)
        command = [sys.executable, "-m", "config.serving.server", "--fd", str(kept_fd)]
        command += ["--certificate", options.certificate] if options.certificate else []
        os.execv(sys.executable, command)  # noqa: S606 - the program is this one


if __name__ == "__main__":
    main()
