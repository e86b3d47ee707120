"""The picture and the tables of docs/explanation/architecture.md.

They agree with the contracts and the folders.
"""

from __future__ import annotations

import re
from itertools import chain

import pytest

from tests.docs import picture
from tests.docs.contracts import CLONE, read_contracts
from tests.everyday import each_case

CONTRACTS = read_contracts()
PAGE = (CLONE / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")


def get_section(title: str) -> str:
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def get_table_names(title: str) -> list[str]:
    """Return the names in the first column of the table in a section."""
    first_cells = re.findall(r"^\| (`.*?) \|", get_section(title), re.MULTILINE)
    return [name for cell in first_cells for name in re.findall(r"`(\w+)`", cell)]


def get_folders(package: str) -> set[str]:
    """Return the folders of a package that contain files.

    A folder that was moved may leave its cache behind.
    """
    folders = (path for path in (CLONE / package).iterdir() if path.name != "__pycache__" and path.is_dir())
    return {folder.name for folder in folders if any(path.name != "__pycache__" for path in folder.iterdir())}


def test_picture_drawn_again_is_the_committed_file() -> None:
    drawn_picture = picture.draw(CONTRACTS)
    assert picture.FILE.read_text(encoding="utf-8") == drawn_picture, "Run python -m tests.docs.picture"


def test_picture_is_shown_on_the_page() -> None:
    assert f"(../{picture.FILE.relative_to(CLONE / 'docs').as_posix()})" in PAGE


@pytest.mark.parametrize("package", CONTRACTS.rooms)
def test_rooms_of_the_contract_have_a_line_in_its_order(package: str) -> None:
    assert get_table_names(package) == list(chain.from_iterable(CONTRACTS.rooms[package]))


@each_case("package", CONTRACTS.packages)
def test_folders_of_a_package_are_named_in_its_section(package: str) -> None:
    assert get_folders(package) <= set(re.findall(r"`(\w+)`", get_section(package)))


@each_case("package", CONTRACTS.packages)
def test_names_in_a_table_are_folders_or_modules(package: str) -> None:
    names = get_table_names(package)
    assert [name for name in names if not is_folder_or_module(package, name)] == []


def is_folder_or_module(package: str, name: str) -> bool:
    return (CLONE / package / name).is_dir() or (CLONE / package / f"{name}.py").is_file()


def test_layers_inside_a_room_have_a_line() -> None:
    assert set(chain.from_iterable(CONTRACTS.inside_a_room)) <= set(get_table_names("Inside a room"))
