"""Find import cycles between modules: `python -m tests.style.import_cycles`.

Imports inside functions and under TYPE_CHECKING count as well: they hide a cycle, they do not open it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.style.sources import CLONE, PACKAGES, find_nodes

Graph = Mapping[str, set[str]]


def find_modules(root: Path, packages: tuple[str, ...] = PACKAGES) -> dict[str, Path]:
    """Map the dotted name of each module to its file; migrations are left out."""
    files = (file for package in packages for file in sorted((root / package).rglob("*.py")))
    return {_module_name(root, file): file for file in files if "migrations" not in file.parts}


def _module_name(root: Path, file: Path) -> str:
    parts = file.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def import_graph(modules: Mapping[str, Path]) -> dict[str, set[str]]:
    """Map each module to the modules that it imports anywhere in its file."""
    return {name: set(_imports(name, file, modules)) - {name} for name, file in modules.items()}


def _imports(module: str, file: Path, modules: Mapping[str, Path]) -> Iterator[str]:
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    for node in find_nodes(file, ast.Import, ast.ImportFrom):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom):
            source = _source(package, node)
            names = (f"{source}.{alias.name}" for alias in node.names)
            targets = {name if name in modules else source for name in names}
            yield from targets & modules.keys()


def _source(package: str, node: ast.ImportFrom) -> str:
    """Return the dotted name that a `from` import reads, also of a relative one."""
    if not node.level:
        return node.module or ""
    parents = package.split(".")
    base = parents[: len(parents) - node.level + 1]
    return ".".join([*base, *([node.module] if node.module else [])])


def find_cycles(graph: Graph) -> list[tuple[str, ...]]:
    """List the groups of modules that reach each other, each sorted by name."""
    reachable_modules = {module: _reachable(graph, module) for module in graph}
    groups = {
        tuple(sorted(other for other in reachable_modules[module] if module in reachable_modules[other]))
        for module in graph
        if module in reachable_modules[module]
    }
    return sorted(groups)


def _reachable(graph: Graph, start: str) -> set[str]:
    reached_modules: set[str] = set()
    modules_to_visit = [start]
    while modules_to_visit:
        new = graph[modules_to_visit.pop()] - reached_modules
        reached_modules |= new
        modules_to_visit.extend(new)
    return reached_modules


def main() -> int:
    """Print each cycle; return 1 if there is one."""
    cycles = find_cycles(import_graph(find_modules(CLONE)))
    for cycle in cycles:
        print(", ".join(cycle))
    return 1 if cycles else 0


if __name__ == "__main__":
    sys.exit(main())
