"""The logs of the sample nginx keep no private address; asked of a real nginx."""

from __future__ import annotations

import http.client
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.config.env.test_private_addresses import ADDRESSES, KEY
from tests.fixtures.ports import find_free_ports, takes_connections
from tests.fixtures.workers import CLONE, wait_for

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed")


def adapt(sample: str, ports: list[int], folder: Path) -> str:
    """Return the sample with ports and folders of this test, without certificates."""
    left_out = r"^ *(ssl_\w+|http2|user|pid|include /etc/nginx/modules\S+|listen \[::\]:\d+)\b.*;\n"
    sample = re.sub(left_out, "", sample, flags=re.MULTILINE)
    sample = re.sub(r"listen 80\b", f"listen 127.0.0.1:{ports[0]}", sample)
    sample = re.sub(r"listen 443 ssl\b[^;]*", f"listen 127.0.0.1:{ports[1]}", sample)
    sample = sample.replace("/var/log/nginx", str(folder)).replace("/run/ringside", str(folder))
    names = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{name}_temp_path {folder}/{name};\n" for name in names)
    if "http {" not in sample:
        sample = f"events {{}}\nhttp {{\naccess_log {folder}/default.log;\n{sample}\n}}\n"
    return f"pid {folder}/pid;\n" + sample.replace("http {\n", f"http {{\n{paths}", 1)


@pytest.fixture
def nginx(tmp_path: Path) -> Iterator[tuple[list[int], Path]]:
    """A running nginx with nothing behind it."""
    ports = find_free_ports(2)
    sample = (CLONE / "deploy" / "nginx.conf").read_text()
    (tmp_path / "nginx.conf").write_text(adapt(sample, ports, tmp_path))
    options = {
        "-p": tmp_path,
        "-c": tmp_path / "nginx.conf",
        "-e": tmp_path / "main.log",
        "-g": "daemon off;",
    }
    command = [str(NGINX), *(str(each) for option in options.items() for each in option)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: all(map(takes_connections, ports)) or process.poll() is not None, 60, "nginx to answer")
    assert process.poll() is None
    yield ports, tmp_path
    process.terminate()
    process.wait(60)


def test_private_addresses_stand_in_no_log_of_the_sample(nginx: tuple[list[int], Path]) -> None:
    ports, logs = nginx
    paths = [re.sub(r"^https?://[^/]+", "", address) for address in ADDRESSES]
    for port in ports:
        for address in (*paths, f"/%70/{KEY}/", f"/e/spring/?marker={port}"):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("GET", address, headers={"Referer": f"http://127.0.0.1/p/{KEY}/"})
            assert connection.getresponse().status in (301, 502)
            connection.close()
    # The page itself is logged, so the logs are written; its error log names public pages only. A log line is
    # written after its answer.
    log = logs / "ringside.log"
    wait_for(lambda: all(f"/e/spring/?marker={port}" in log.read_text() for port in ports))
    access = log.read_text()
    assert access.count("(private address)") == 2 * (len(paths) + 1)
    assert [path.name for path in logs.glob("*.log") if f"/{KEY}" in _unencoded(path)] == []


def _unencoded(path: Path) -> str:
    """Return what a log says, without the pages that browsers of old would name."""
    text = path.read_text(errors="replace").replace("%2F", "/").replace("%2f", "/")
    return re.sub(r', referrer: "[^"]*"', "", text)
