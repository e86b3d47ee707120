"""Say in time that the disk of the data folder fills up."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

SECONDS_BETWEEN_LOOKS = 30.0
LOW_MEGABYTES = 500


class DiskWatch:
    """Looks now and then how much room is left, and says it once when that is little."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._look_at = 0.0
        self._is_low = False

    def monitor(self, say: Callable[[str], None]) -> None:
        """Say that there is little room left, and that there is enough again."""
        if time.monotonic() < self._look_at:
            return
        self._look_at = time.monotonic() + SECONDS_BETWEEN_LOOKS
        try:
            megabytes = shutil.disk_usage(self._folder).free // 1_000_000
        except OSError:
            return
        was_low, self._is_low = self._is_low, megabytes < LOW_MEGABYTES
        if self._is_low and not was_low:
            say(f"Only {megabytes} MB are left on the disk of {self._folder}. Free some space.")
        if was_low and not self._is_low:
            say(f"There is room again on the disk of {self._folder}: {megabytes} MB.")
