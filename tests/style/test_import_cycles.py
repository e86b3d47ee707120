"""Modules of the product import each other in one direction only."""

from __future__ import annotations

from pathlib import Path

from tests.style.import_cycles import find_cycles, find_modules, import_graph
from tests.style.sources import CLONE


def _write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def _cycles(folder: Path) -> list[tuple[str, ...]]:
    return find_cycles(import_graph(find_modules(folder, ("shop",))))


def test_modules_of_the_product_have_no_import_cycle():
    assert find_cycles(import_graph(find_modules(CLONE))) == []


def test_find_cycles_import_inside_function_is_found(tmp_path):
    files = {
        "shop/__init__.py": "",
        "shop/cart.py": "from shop.price import total\n",
        "shop/price.py": "def total():\n    from shop import cart\n    return cart\n",
    }
    assert _cycles(_write(tmp_path, files)) == [("shop.cart", "shop.price")]


def test_find_cycles_relative_import_under_type_checking_is_found(tmp_path):
    files = {
        "shop/__init__.py": "",
        "shop/cart.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .price import Price\n",
        "shop/price.py": "import shop.cart\n",
    }
    assert _cycles(_write(tmp_path, files)) == [("shop.cart", "shop.price")]


def test_find_cycles_imports_in_one_direction_none_is_found(tmp_path):
    files = {"shop/__init__.py": "", "shop/cart.py": "from shop.price import total\n", "shop/price.py": ""}
    assert _cycles(_write(tmp_path, files)) == []
