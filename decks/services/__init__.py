"""Everything that writes lists or the catalogue; each function is one transaction."""

from decks.services.catalogue import import_catalogue, preview_catalogue, raise_version
from decks.services.lists import answer, create_list, judge, keep, lock, overrule, submit, unlock

__all__ = [
    "answer",
    "create_list",
    "import_catalogue",
    "judge",
    "keep",
    "lock",
    "overrule",
    "preview_catalogue",
    "raise_version",
    "submit",
    "unlock",
]
