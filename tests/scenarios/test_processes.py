"""Tests that are spread over processes run once, and none is lost."""

from __future__ import annotations

import re
import subprocess
import sys
import traceback
from pathlib import Path

import pytest

from tests.fixtures import call_stack

CLONE = Path(__file__).resolve().parents[2]
OTHERS = ("django", "schemathesis", "time_machine", "rerunfailures", "hypothesispytest", "cacheprovider")
MODULES = {
    "test_many.py": """
import os
import time
import pytest

def meet(number):
    "Wait until the other of two tests has begun, which takes another process."
    open(f"begun-{number}", "w").close()
    end = time.monotonic() + 60
    while not os.path.exists(f"begun-{30 - number}"):
        assert time.monotonic() < end, "the other test has not begun"
        time.sleep(0.01)

@pytest.mark.parametrize("number", range(70))
def test_passes(number, tmp_path):
    (tmp_path / "own").touch(exist_ok=False)
    if number in (0, 30):
        meet(number)
    print(f"printed by {number}")
    with open("ran", "a") as file:
        file.write(f"{number} {os.environ['RINGSIDE_TEST_PROCESS']} {tmp_path}\\n")
    assert number != 41
""",
    "test_killed.py": """
import os
import signal

def test_before(): pass
def test_killed(): os.kill(os.getpid(), signal.SIGKILL)
def test_behind(): pass
""",
    "test_shared.py": """
import pytest

@pytest.fixture(scope="session")
def shared():
    yield
    open("ended", "a").close()

def test_shared(shared): pass
def test_left_out(): pytest.skip("not today")
""",
}


def run(folder: Path, *options: str) -> str:
    """Return the output of a run of the modules in three processes."""
    for name, text in MODULES.items():
        (folder / name).write_text(text)
    without = [f"-pno:{name}" for name in OTHERS]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--processes=3",
        f"--basetemp={folder / 'own'}",
        "-rfs",
        *without,
    ]
    plugin = ["-p", "tests.fixtures.processes", "-c", "/dev/null", f"--rootdir={folder}", str(folder)]
    environment = {"PYTHONPATH": str(CLONE), "PATH": "/usr/bin:/bin"}
    return subprocess.run(
        [*command, *plugin, *options],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    ).stdout


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    folder = tmp_path_factory.mktemp("modules")
    return run(folder), folder


def test_each_test_runs_once_and_has_a_folder_of_its_own(output: tuple[str, Path]) -> None:
    lines = [line.split() for line in (output[1] / "ran").read_text().splitlines()]
    assert sorted(int(number) for number, _, _ in lines) == list(range(70))
    assert len({folder for _, _, folder in lines}) == 70
    processes = {int(number): process for number, process, _ in lines}
    assert processes[0] != processes[30]


def test_failure_is_told_with_what_its_test_alone_has_printed(output: tuple[str, Path]) -> None:
    text, _ = output
    assert re.findall(r"printed by (\d+)", text) == ["41"]
    assert "assert 41 != 41" in text


def test_killed_process_costs_the_test_it_ran_alone(output: tuple[str, Path]) -> None:
    text, _ = output
    failures = re.findall(r"^FAILED (\S+)(.*)", text, re.MULTILINE)
    assert sorted(failures) == [
        ("test_killed.py::test_killed", " - the process of this test ended with -9"),
        ("test_many.py::test_passes[41]", " - assert 41 != 41"),
    ]
    assert "2 failed, 72 passed, 1 skipped" in text.splitlines()[-1]


def test_what_tests_share_is_ended_with_their_process(output: tuple[str, Path]) -> None:
    assert (output[1] / "ended").exists()


def test_run_that_stops_at_the_first_failure_begins_no_other_group(tmp_path: Path) -> None:
    text = run(tmp_path, "--exitfirst", "-k", "test_many")
    assert "stopping after 1 failures" in text
    assert len((tmp_path / "ran").read_text().splitlines()) < 70


def test_tests_of_a_run_have_room_for_deep_calls_in_any_process() -> None:
    sizes = [frame.f_code.co_stacksize for frame, _ in traceback.walk_stack(None)]
    assert call_stack.WORDS in sizes
