"""`una-server`, and `python -m una_server`."""

from __future__ import annotations

import errno
import os
import sys


def main() -> None:
    """Run the command line. What is typed wrongly ends with one sentence."""
    import click

    from .cli import cli

    try:
        status = cli.main(prog_name="una-server", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        print(error.format_message(), file=sys.stderr)
        status = error.exit_code
    except click.Abort:
        status = 130
    except OSError as error:
        if error.errno not in (errno.EPIPE, errno.ENOSPC):
            raise
        if error.errno == errno.ENOSPC:
            print("The output cannot be written: no space left on device.", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left has nowhere to go
        status = 1
    sys.exit(status if isinstance(status, int) else 0)


if __name__ == "__main__":
    main()
