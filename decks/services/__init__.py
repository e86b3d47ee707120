"""Everything that writes lists or the catalogue; each function is one transaction."""

from decks.services.catalogue import import_catalogue, preview_catalogue, raise_version
from decks.services.lists import create_list, lock, overrule, submit, unlock

__all__ = [
    "create_list",
    "import_catalogue",
    "lock",
    "overrule",
    "preview_catalogue",
    "raise_version",
    "submit",
    "unlock",
]
