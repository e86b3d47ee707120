"""The sample of `deploy/`, set up in a folder.

Its units' commands and its nginx use other paths and ports.
"""

from __future__ import annotations

import http.client
import os
import re
import shlex
import shutil
import signal
import ssl
import subprocess
import sys
from pathlib import Path

from config.start.watchdog import Watchdog
from tests.fixtures.ports import find_free_ports
from tests.fixtures.workers import CLONE, process_environment, wait_for

DEPLOY = CLONE / "deploy"
HOST = "ringside.example"
UNITS = {path.name.removesuffix(".service"): path for path in sorted(DEPLOY.glob("*.service"))}


def read_unit(name: str) -> dict[str, list[str]]:
    """Return the settings of a unit, each with all its values."""
    values: dict[str, list[str]] = {}
    for line in UNITS[name].read_text().splitlines():
        if "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            values.setdefault(key, []).append(value)
    return values


def read_environment() -> dict[str, str]:
    """Return the variables of `ringside.env`."""
    return dict(line.split("=", 1) for line in (DEPLOY / "ringside.env").read_text().splitlines())


def certificate(folder: Path) -> tuple[Path, Path]:
    """Return a certificate and its key, signed by no one."""
    names = folder / "ringside.crt", folder / "ringside.key"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    files = ["-nodes", "-days", "2", "-subj", f"/CN={HOST}", "-out", str(names[0]), "-keyout", str(names[1])]
    subprocess.run([*command, *files], check=True, capture_output=True)
    return names


class Sample:
    """The processes of the sample, on a test database."""

    def __init__(self, folder: Path, static: Path) -> None:
        self.folder, self.static = folder, static
        self.https, self.http, self.live = find_free_ports(3)
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.watchdogs: dict[str, Watchdog] = {}
        for name in ("run", "run-staff", "log"):
            (folder / name).mkdir(parents=True)
        values_by_name = {
            name: value for name, value in read_environment().items() if not name.endswith("_URL")
        }
        own = {"RINGSIDE_DATA_DIR": folder / "data", "RINGSIDE_STATIC_DIR": static}
        base = {"RINGSIDE_BASE_URL": f"https://{HOST}", "RINGSIDE_LOG_LEVEL": "WARNING"}
        self.environment = process_environment(
            folder / "data", **{**values_by_name, **base, **{name: str(path) for name, path in own.items()}}
        )

    def replace_values(self, text: str) -> str:
        """Return a text of the sample with the paths and ports of this folder."""
        names = {
            "/srv/ringside/app/.venv/bin/python": sys.executable,
            "/srv/ringside/app/.venv/bin": str(Path(sys.executable).parent),
            "/srv/ringside/static": str(self.static),
            "/run/ringside": str(self.folder / "run"),
            "127.0.0.1:8001": f"127.0.0.1:{self.live}",
            "--port 8001": f"--port {self.live}",
            "--workers 4": "--workers 1",
            "--workers 2": "--workers 1",
            "ringside-%i@%H": "ringside-1@test",
        }
        for old, new in names.items():
            text = text.replace(old, new)
        return text

    def start(self, name: str) -> None:
        """Start a unit as systemd would, and wait until it is ready.

        It waits only for a unit that reports that it is ready.
        """
        unit = read_unit(name)
        command = shlex.split(self.replace_values(unit["ExecStart"][0]))
        environment = self.environment
        if unit.get("Type") == ["notify"]:
            self.watchdogs[name] = Watchdog()
            environment = {**environment, **self.watchdogs[name].environment}
        with (self.folder / "log" / name).open("wb") as log:
            self.processes[name] = subprocess.Popen(
                command, cwd=CLONE, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        if name in self.watchdogs:
            self.wait_until_ready(name)

    def wait_until_ready(self, name: str) -> None:
        """Wait for a heartbeat that is still to come."""
        watchdog = self.watchdogs[name]
        watchdog.begin()
        signs = watchdog.signs
        wait_for(lambda: watchdog.fault() or watchdog.signs > signs, 60, f"{name}: {self.log(name)}")

    def reload(self, name: str) -> None:
        """Reload the server as `systemctl reload` does."""
        command = read_unit(name)["ExecReload"][0].replace("$MAINPID", str(self.processes[name].pid))
        subprocess.run(shlex.split(command), check=True)

    def log(self, name: str) -> str:
        """Return what a process has said."""
        return (self.folder / "log" / name).read_text(errors="replace")

    def nginx_configuration(self) -> Path:
        """Return the nginx.conf of the sample.

        It differs from the file only in paths, ports and certificate.
        """
        crt, key = certificate(self.folder)
        text = self.replace_values((DEPLOY / "nginx.conf").read_text())
        lines = {
            "user www-data;": "user root;" if os.geteuid() == 0 else "",
            "/run/nginx.pid": str(self.folder / "nginx.pid"),
            "/var/log/nginx/": f"{self.folder}/log/",
            "/etc/ssl/ringside.example.crt": str(crt),
            "/etc/ssl/ringside.example.key": str(key),
            "listen 80;": f"listen 127.0.0.1:{self.http};",
            "listen 443 ssl": f"listen 127.0.0.1:{self.https} ssl",
        }
        for old, new in lines.items():
            assert old in text, old
            text = text.replace(old, new)
        text = re.sub(r" *listen \[::\]:\d+.*\n", "", text)
        configuration = self.folder / "nginx.conf"
        configuration.write_text(text)
        return configuration

    def nginx(self, *options: str) -> subprocess.CompletedProcess[str]:
        """Run nginx with this configuration."""
        command = [str(nginx_program()), "-c", str(self.folder / "nginx.conf"), "-p", str(self.folder)]
        return subprocess.run([*command, *options], capture_output=True, text=True, check=False)

    def start_nginx(self) -> None:
        """Start nginx; it ends with `end`."""
        self.nginx_configuration()
        start_result = self.nginx()
        assert start_result.returncode == 0, start_result.stderr

    def connection(self, seconds: float = 120) -> http.client.HTTPSConnection:
        """Return a connection to nginx, whose certificate no one signed."""
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return http.client.HTTPSConnection("127.0.0.1", self.https, timeout=seconds, context=context)

    def get(self, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers and body of an answer."""
        connection = self.connection()
        try:
            connection.request("GET", path, headers={"Host": HOST, **headers})
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def end(self) -> None:
        """End everything."""
        if (self.folder / "nginx.pid").exists():
            self.nginx("-s", "stop")
        for process in self.processes.values():
            process.send_signal(signal.SIGTERM)
        for process in self.processes.values():
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(60)
        for watchdog in self.watchdogs.values():
            watchdog.close()


def nginx_program() -> str | None:
    """Return where nginx is; it is rarely in the PATH of a user."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
