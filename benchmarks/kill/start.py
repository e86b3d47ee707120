"""`bin/start` whose workers know the jobs of the kill trial.

The command is `python -m benchmarks.kill.start`.
"""

from __future__ import annotations

import sys

from config.start import __main__ as start

if __name__ == "__main__":
    start.WORKER_OPTIONS += ["--include", "benchmarks.kill.job_kinds"]
    sys.exit(start.main())
