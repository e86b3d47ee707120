"""Everything that reads: records for the engine, rows for pages. Nothing here writes."""
