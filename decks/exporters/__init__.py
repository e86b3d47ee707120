"""Lists out, in the file types that can be read; each is checked to give the same list when read again."""

from __future__ import annotations

from decks.exporters.exporting import CannotExport, export
from decks.exporters.model import Exportable, ExportEntry

__all__ = ["CannotExport", "ExportEntry", "Exportable", "export"]
