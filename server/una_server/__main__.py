"""`una-server`, and `python -m una_server`."""

from __future__ import annotations


def main() -> None:
    """Run the command line."""
    from .cli import cli

    cli(prog_name="una-server")


if __name__ == "__main__":
    main()
