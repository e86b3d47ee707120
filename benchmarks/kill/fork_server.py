"""Start web servers quickly: a process that has loaded the code forks them.

    python -m benchmarks.kill.fork_server --fd N

For every line that it reads it forks `config.serving.server` on the listening socket N and prints its
process id. Loading the code takes most of a restart; so two hundred restarts load it once.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys


def main() -> None:
    """Fork a server for each line, until there are no more."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--fd", type=int, required=True, help="file descriptor of the socket")
    listener = parser.parse_args().fd

    from config.asgi import application
    from config.serving.garbage import exempt_loaded_code
    from config.serving.server import Server

    exempt_loaded_code()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in sys.stdin:
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            Server(application).run(sockets=[socket.socket(fileno=listener)])
            os._exit(0)
        print(pid, flush=True)


if __name__ == "__main__":
    main()
