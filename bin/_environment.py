"""Make the Python environment of this clone from a lock file.

It needs nothing but the system's Python. python3 bin/_environment.py requirements.lock [--paper]
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from ctypes import CDLL
from ctypes.util import find_library
from pathlib import Path

CLONE = Path(__file__).resolve().parent.parent
ENVIRONMENT = CLONE / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"
MARK = ENVIRONMENT / "installed.json"
LOGS = CLONE / "var" / "log"
# The environment for tests is that for running and more besides.
INCLUDED = {"requirements-test.lock": ["requirements-test.lock", "requirements.lock"]}
FONTS_TRIED = ENVIRONMENT / "fonts-tried.txt"
PAPER = {"pangoft2-1.0": "libpangoft2-1.0-0", "harfbuzz-subset": "libharfbuzz-subset0"}
SECONDS_BETWEEN_DOTS = 3


class Trouble(Exception):
    """A problem that a person has to fix; the text says how."""


def main() -> int:
    """Create or update the environment that the arguments name; 0 when it is ready."""
    parser = argparse.ArgumentParser()
    parser.add_argument("lock", help="file of locked requirements")
    parser.add_argument("--paper", action="store_true", help="also the system's libraries for PDF sheets")
    options = parser.parse_args()
    try:
        LOGS.mkdir(parents=True, exist_ok=True)
        with (CLONE / "var" / "environment.lock").open("w") as lock:
            _one_at_a_time(lock.fileno())
            ensure(options.lock)
            if options.paper:
                ensure_paper_libraries()
                ensure_fonts()
    except Trouble as trouble:
        sys.stderr.write(f"{trouble}\n")
        return 1
    except OSError as error:
        sys.stderr.write(
            f"The folder {CLONE} is not writable: {error}.\nMake the folder writable for this user.\n"
        )
        return 1
    return 0


def _one_at_a_time(descriptor: int) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("Another command is creating the environment. Waiting for it …")
        fcntl.flock(descriptor, fcntl.LOCK_EX)


def ensure(lock: str) -> None:
    """Install the packages of `lock` unless exactly these are installed.

    Raises Trouble with a fix.
    """
    lock_digest = _digest(lock)
    if _list_installed().get(lock) == lock_digest and _works():
        return
    began = time.monotonic()
    if not _works():
        _make_environment()
    count = sum("==" in line for line in (CLONE / lock).read_text().splitlines())
    _run(_install_command(lock), f"Installing {count} packages into .venv (once)", LOGS / "install.log")
    installed_digests = {
        name: digest for name, digest in _list_installed().items() if digest == _digest(name)
    }
    MARK.write_text(
        json.dumps(installed_digests | {name: _digest(name) for name in INCLUDED.get(lock, [lock])})
    )
    say(f"Environment ready ({time.monotonic() - began:.0f} s).")


def _digest(lock: str) -> str:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return f"{version} {hashlib.sha256((CLONE / lock).read_bytes()).hexdigest()}"


def _list_installed() -> dict[str, str]:
    try:
        return dict(json.loads(MARK.read_text()))
    except (OSError, ValueError):
        return {}


def _works() -> bool:
    if not PYTHON.exists():
        return False
    program = f"import sys; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    return subprocess.run([str(PYTHON), "-c", program], capture_output=True, check=False).returncode == 0


def _make_environment() -> None:
    # Debian's Python comes without ensurepip; an environment without pip does not need it.
    if ENVIRONMENT.exists():
        shutil.rmtree(ENVIRONMENT)
    command = [sys.executable, "-m", "venv", "--without-pip", str(ENVIRONMENT)]
    _run(command, "Creating the environment .venv", LOGS / "environment.log")


def _install_command(lock: str) -> list[str]:
    uv = shutil.which("uv")
    if uv:
        return [
            uv,
            "pip",
            "install",
            "--python",
            str(PYTHON),
            "--compile-bytecode",
            "--require-hashes",
            "-r",
            lock,
        ]
    if subprocess.run(
        [sys.executable, "-m", "pip", "--version"], capture_output=True, check=False
    ).returncode:
        raise Trouble(
            f"{sys.executable} has no pip, which is needed once to install Ringside's packages.\n"
            "On Debian or Ubuntu:  sudo apt-get install python3-pip"
        )
    quiet = ["--no-input", "--disable-pip-version-check", "--no-warn-script-location"]
    pip = [sys.executable, "-m", "pip", "--python", str(PYTHON), "install"]
    return [*pip, *quiet, "--require-hashes", "-r", lock]


def _run(command: Sequence[str], words: str, log: Path, environment: dict[str, str] | None = None) -> None:
    """Run a command with its output in a file, and print a dot every few seconds.

    Raises Trouble with the end of the log.
    """
    sys.stdout.write(f"{words} ..")
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=CLONE,
            stdout=output,
            stderr=output,
            env={**os.environ, "PIP_USER": "0", **(environment or {})},
        )
        while process.poll() is None:
            sys.stdout.write(".")
            sys.stdout.flush()
            _wait(process)
    sys.stdout.write("\n")
    if process.returncode != 0:
        last = "\n".join(f"    {line}" for line in log.read_text(errors="replace").splitlines()[-6:])
        raise Trouble(
            f"This step failed. The last lines of {log}:\n{last}\nFix the problem and run the command again."
        )


def _wait(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(SECONDS_BETWEEN_DOTS)
    except subprocess.TimeoutExpired:
        return


def can_load(library: str) -> bool:
    """Return whether the library can be loaded.

    One that is listed may be broken, or lack another that it needs.
    """
    try:
        CDLL(find_library(library) or f"lib{library}.so.0")
    except OSError:
        return False
    return True


def ensure_paper_libraries() -> None:
    """Install the libraries for PDF sheets if that is allowed.

    Otherwise, print how to install them, and continue without them.
    """
    missing_packages = [package for library, package in PAPER.items() if not can_load(library)]
    if not missing_packages:
        return
    by_hand = f"sudo apt-get install {' '.join(missing_packages)}"
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        say(f"PDF printouts need missing libraries. Until then, print from the browser.\n    {by_hand}")
        return
    try:
        _apt(missing_packages)
    except Trouble:
        say(f"Libraries for PDF printouts could not be installed. To install them:\n    {by_hand}")


def ensure_fonts() -> None:
    """Install fonts for the scripts of names if that is allowed.

    Otherwise, print what is missing. It is tried once.
    """
    scripts, packages = _find_missing_fonts()
    if not packages:
        return
    by_hand = f"sudo apt-get install {' '.join(packages)}"
    font_warning = f"Printouts show boxes for letters of: {', '.join(scripts)}. To add fonts:\n    {by_hand}"
    fonts_tried = FONTS_TRIED.read_text() if FONTS_TRIED.exists() else ""
    if os.geteuid() != 0 or not shutil.which("apt-get") or fonts_tried == by_hand:
        say(font_warning)
        return
    FONTS_TRIED.write_text(by_hand)
    try:
        _apt(packages)
    except Trouble:
        say(font_warning)


def _find_missing_fonts() -> tuple[list[str], list[str]]:
    """Return the names of scripts without a font, and the packages with their fonts."""
    sys.path.insert(0, str(CLONE))
    try:
        from tournament.shared import fonts
    finally:
        sys.path.pop(0)
    scripts = fonts.find_scripts_without_font()
    return [script.name for script in scripts], fonts.list_packages(scripts)


def _apt(packages: Sequence[str]) -> None:
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    log = LOGS / "apt.log"
    _run(["apt-get", "update"], "Looking for what PDF printouts need", log, quiet)
    install = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    _run(install, f"Installing {' and '.join(packages)}", log, quiet)


def say(words: str) -> None:
    """Print a line without buffering, on terminals of any encoding."""
    encoding = sys.stdout.encoding or "ascii"
    sys.stdout.write(words.encode(encoding, errors="replace").decode(encoding) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
