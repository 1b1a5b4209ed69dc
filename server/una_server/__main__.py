"""`una-server`, and `python -m una_server`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line."""
    from .output import written

    sys.exit(written(_run))


def _run() -> int:
    """The exit status. What is typed wrongly ends with one sentence."""
    import click

    from .cli import cli

    try:
        status = cli.main(prog_name="una-server", standalone_mode=False)
    except click.ClickException as error:
        print(error.format_message(), file=sys.stderr)
        return error.exit_code
    except click.Abort:
        return 130
    return status if isinstance(status, int) else 0


if __name__ == "__main__":
    main()
