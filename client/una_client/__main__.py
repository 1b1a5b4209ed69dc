"""`una`, and `python -m una_client`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line."""
    from .cli import run
    from .output import written

    sys.exit(written(run))


if __name__ == "__main__":
    main()
