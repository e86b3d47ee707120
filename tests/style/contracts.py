"""A custom contract of import-linter."""

from __future__ import annotations

from typing import Any

from importlinter import Contract, ContractCheck, fields, output


class OwnPagesContract(Contract):
    """A contract that no room imports the pages of another room.

    What both need has a name further down. Options: `pages` are the names of the protected modules in each
    room, `shared` the rooms that keep some for all others.
    """

    type_name = "own_pages"

    pages = fields.SetField(subfield=fields.StringField())
    shared = fields.SetField(subfield=fields.StringField())

    def check(self, graph: Any, verbose: bool) -> ContractCheck:
        pairs = [
            (importer, imported_module)
            for imported_module in sorted(filter(self._is_page, graph.modules))
            for importer in sorted(graph.find_modules_that_directly_import(imported_module))
            if _room(importer) != _room(imported_module)
        ]
        return ContractCheck(kept=not pairs, metadata={"found": pairs})

    def _is_page(self, module: str) -> bool:
        _, *inside = module.split(".")[1:] or [""]
        return bool(inside) and inside[0] in self.pages and _room(module) not in self.shared

    def render_broken_contract(self, check: ContractCheck) -> None:
        for importer, imported_module in check.metadata["found"]:
            output.print_error(f"{importer} imports {imported_module} of another room", bold=False)


def _room(module: str) -> str:
    return ".".join(module.split(".")[:2])
