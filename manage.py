#!/usr/bin/env python3
"""Django's command line for Ringside."""

from __future__ import annotations

import os
import sys

from config.env.private_files import keep_new_files_private


def main() -> int:
    """Run the command that the arguments name; a wrong configuration is told, not traced."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    keep_new_files_private()
    from django.core.management import execute_from_command_line

    from config.env.errors import ConfigurationError

    try:
        execute_from_command_line(sys.argv)
    except ConfigurationError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
