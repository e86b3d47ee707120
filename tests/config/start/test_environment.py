"""The environment that both commands make.

It is as the script that makes it describes it.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

CLONE = Path(__file__).resolve().parents[3]


@pytest.fixture
def environment(tmp_path, monkeypatch):
    """The script as a module, with its clone in a folder of its own."""
    spec = importlib.util.spec_from_file_location("environment_script", CLONE / "bin" / "_environment.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "CLONE", tmp_path)
    monkeypatch.setattr(module, "ENVIRONMENT", tmp_path / ".venv")
    monkeypatch.setattr(module, "PYTHON", tmp_path / ".venv" / "bin" / "python")
    monkeypatch.setattr(module, "MARK", tmp_path / ".venv" / "installed.json")
    monkeypatch.setattr(module, "LOGS", tmp_path / "var" / "log")
    module.LOGS.mkdir(parents=True)
    for lock in ("requirements.lock", "requirements-test.lock"):
        (tmp_path / lock).write_text("")
    return module


@pytest.fixture
def installs(environment, monkeypatch):
    """The install commands that were called; they do nothing."""
    ran = []
    monkeypatch.setattr(
        environment, "_install_command", lambda lock: ran.append(lock) or [sys.executable, "-c", ""]
    )
    return ran


def test_an_environment_is_made_once(environment, installs):
    environment.ensure("requirements.lock")
    environment.ensure("requirements.lock")
    assert installs == ["requirements.lock"]
    assert environment.PYTHON.exists()


def test_a_changed_lock_is_installed_again(environment, installs, tmp_path):
    environment.ensure("requirements.lock")
    (tmp_path / "requirements.lock").write_text("# another version\n")
    environment.ensure("requirements.lock")
    assert installs == ["requirements.lock", "requirements.lock"]


def test_the_environment_for_tests_serves_for_running_too(environment, installs):
    environment.ensure("requirements-test.lock")
    environment.ensure("requirements.lock")
    assert installs == ["requirements-test.lock"]


def test_an_interrupted_installation_is_taken_up_again(environment, monkeypatch):
    monkeypatch.setattr(
        environment, "_install_command", lambda lock: [sys.executable, "-c", "raise SystemExit(1)"]
    )
    with pytest.raises(environment.Trouble, match=r"^This step failed\. The last lines of "):
        environment.ensure("requirements.lock")
    assert environment._list_installed() == {}


def test_an_environment_whose_python_is_gone_is_made_again(environment, installs):
    environment.ensure("requirements.lock")
    environment.PYTHON.unlink()
    environment.PYTHON.symlink_to("/nowhere/python3")
    environment.ensure("requirements.lock")
    assert (installs, environment._works()) == (["requirements.lock"] * 2, True)


def test_a_python_without_pip_is_told_in_words(environment, monkeypatch):
    monkeypatch.setattr(environment.shutil, "which", lambda name: None)
    monkeypatch.setattr(environment.sys, "executable", "/bin/false")
    with pytest.raises(
        environment.Trouble, match=r"has no pip.*\nOn Debian or Ubuntu:  sudo apt-get install"
    ):
        environment._install_command("requirements.lock")


def test_a_missing_library_is_named_with_the_line_that_installs_it(environment, monkeypatch, capsys):
    monkeypatch.setattr(environment, "can_load", lambda name: False)
    monkeypatch.setattr(environment.os, "geteuid", lambda: 1000)
    environment.ensure_paper_libraries()
    assert capsys.readouterr().out.splitlines() == [
        "PDF printouts need missing libraries. Until then, print from the browser.",
        "    sudo apt-get install libpangoft2-1.0-0 libharfbuzz-subset0",
    ]


def test_libraries_that_are_there_are_not_spoken_of(environment, monkeypatch, capsys):
    monkeypatch.setattr(environment, "can_load", lambda name: True)
    environment.ensure_paper_libraries()
    assert capsys.readouterr().out == ""


def test_missing_fonts_are_named_with_their_scripts_and_installed_once(environment, monkeypatch, capsys):
    missing_fonts = (["Thai", "Korean"], ["fonts-noto-core", "fonts-noto-cjk"])
    asked_scripts = []
    monkeypatch.setattr(environment, "FONTS_TRIED", environment.LOGS / "fonts-tried.txt")
    monkeypatch.setattr(environment, "_find_missing_fonts", lambda: missing_fonts)
    monkeypatch.setattr(environment, "_apt", asked_scripts.append)
    monkeypatch.setattr(environment.shutil, "which", lambda name: "/usr/bin/apt-get")
    monkeypatch.setattr(environment.os, "geteuid", lambda: 0)
    environment.ensure_fonts()
    environment.ensure_fonts()
    assert asked_scripts == [["fonts-noto-core", "fonts-noto-cjk"]]
    assert capsys.readouterr().out.splitlines() == [
        "Printouts show boxes for letters of: Thai, Korean. To add fonts:",
        "    sudo apt-get install fonts-noto-core fonts-noto-cjk",
    ]


def test_a_library_that_is_listed_but_cannot_be_loaded_is_missing(environment, monkeypatch):
    monkeypatch.setattr(environment, "find_library", lambda name: __file__)
    assert not environment.can_load("pangoft2-1.0")


def pins(lock):
    return set(re.findall(r"^([\w.-]+==\S+)", (CLONE / lock).read_text(), re.MULTILINE))


def test_the_lock_for_tests_holds_every_package_of_the_other_in_the_same_version():
    assert pins("requirements.lock") - pins("requirements-test.lock") == set()


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-test.lock"])
def test_locks_hold_hashes_and_no_addresses(lock):
    text = (CLONE / lock).read_text()
    assert "://" not in text
    assert all(
        "--hash=sha256:" in entry
        for entry in re.split(r"\n(?=\S)", text)
        if not entry.startswith("#") and entry
    )


@pytest.mark.parametrize("command", ["bin/start", "bin/test", ".ci/run"])
def test_the_commands_can_be_run_as_they_are_checked_out(command):
    assert os.access(CLONE / command, os.X_OK)


@pytest.mark.parametrize("command", ["start", "test"])
def test_a_machine_without_a_new_enough_python_is_told_so(command, tmp_path):
    tools, scripts = tmp_path / "tools", tmp_path / "clone" / "bin"
    tools.mkdir()
    scripts.mkdir(parents=True)
    for tool in ("sh", "dirname"):
        (tools / tool).symlink_to(f"/usr/bin/{tool}")
    for name in (command, "_python.sh"):
        (scripts / name).write_text((CLONE / "bin" / name).read_text())
    ran = subprocess.run(
        ["/bin/sh", scripts / command],
        env={"PATH": str(tools)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.splitlines() == [
        "Ringside needs Python 3.11 or newer, but none is on the PATH of this computer.",
        "On Debian or Ubuntu:  sudo apt-get install python3 python3-pip",
    ]


def test_the_mark_is_readable_or_ignored(environment, tmp_path):
    environment.ENVIRONMENT.mkdir()
    environment.MARK.write_text("{broken")
    assert environment._list_installed() == {}
    environment.MARK.write_text(json.dumps({"requirements.lock": "1"}))
    assert environment._list_installed() == {"requirements.lock": "1"}
