"""Pages of decklists for staff and for players."""
