"""`una-server records`: the finished rounds in a database – to list, to read, to take out – also while a server runs.

It reads what `store` has written and knows nothing of a server.
"""

from __future__ import annotations

import contextlib
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NoReturn

import click

SUFFIX: Final = ".una.jsonl"
LISTED: Final = 50
_data = click.option(
    "--data", metavar="FILE", type=click.Path(path_type=Path), help="The database.  [default: the user's una.db]"
)
_limit = click.option(
    "--limit", type=click.IntRange(1, 1_000_000), metavar="N", help=f"List so many at the most.  [default: {LISTED}]"
)


@click.group(invoke_without_command=True)
@_data
@_limit
@click.pass_context
def records(context: click.Context, data: Path | None, limit: int | None) -> None:
    """Finished rounds: list them, the newest first, or show or export some.

    \b
    una-server records
    una-server records --limit 200
    una-server records show 17 > round.una.jsonl
    una-server records export 17 18 --to rounds
    una-server records export --to rounds
    una-server replay rounds/*.una.jsonl
    """
    context.obj = data
    if context.invoked_subcommand is None:
        _list(data, limit or LISTED)
    elif limit is not None and context.invoked_subcommand != "list":
        raise click.UsageError("--limit is for the list.")


@records.command("list")
@_data
@_limit
@click.pass_context
def list_(context: click.Context, data: Path | None, limit: int | None) -> None:
    """List them, the newest first."""
    assert context.parent is not None
    _list(data or context.obj, limit or context.parent.params["limit"] or LISTED)


@records.command()
@click.argument("number", type=int, metavar="ID")
@_data
@click.pass_obj
def show(before: Path | None, number: int, data: Path | None) -> None:
    """Print one, as JSON lines."""
    with _open(data or before) as sql:
        click.echo(_lines(sql, number), nl=False)


@records.command()
@click.argument("numbers", type=int, nargs=-1, metavar="[ID...]")
@click.option("--to", "folder", metavar="DIR", type=click.Path(path_type=Path), default=Path(), help="[default: here]")
@_data
@click.pass_obj
def export(before: Path | None, numbers: tuple[int, ...], folder: Path, data: Path | None) -> None:
    """Write some, or all, as files of their own. A file that is there already is left as it is."""
    written = 0
    with _open(data or before) as sql:
        rows = [number for (number,) in sql.execute("SELECT number FROM record ORDER BY number")]
        for number in numbers or rows:
            lines = _lines(sql, number)
            try:
                folder.mkdir(parents=True, exist_ok=True)
                with (folder / f"una-{number:06d}{SUFFIX}").open("x", encoding="utf-8") as file:
                    file.write(lines)
            except OSError as error:
                if isinstance(error, FileExistsError) and folder.is_dir():
                    continue
                _give_up(f"{folder} cannot be written to: {(error.strerror or 'it failed').lower()}.")
            written += 1
    click.echo(f"{written} of {len(numbers or rows)} records written to {folder}.")


def _list(data: Path | None, limit: int) -> None:
    newest = "SELECT number, started, table_name, round, profile, players FROM record ORDER BY number DESC LIMIT ?"
    with _open(data) as sql:
        (count,) = sql.execute("SELECT count(*) FROM record").fetchone()
        for number, started, table, round_, profile, players in sql.execute(newest, (limit,)):
            click.echo(f"{number:6d}  {started}  {table}, round {round_} ({profile}): {players}")
    if not count:
        click.echo("There are no records yet: each round becomes one when it is finished.")
    elif count > limit:
        click.echo(f"Older ones that are not listed: {count - limit} (--limit {count} lists them all).")


def _lines(sql: sqlite3.Connection, number: int) -> str:
    known = 0 < number < 2**63  # what the database can hold
    row = sql.execute("SELECT lines FROM record WHERE number = ?", (number,)).fetchone() if known else None
    if row is None:
        _give_up(f"There is no record {number}.", 1)
    return str(row[0])


@contextlib.contextmanager
def _open(data: Path | None) -> Iterator[sqlite3.Connection]:
    from .config import usual_data_path
    from .store import NoData
    from .store.file import reading

    try:
        with reading(data or usual_data_path()) as sql:
            yield sql
    except NoData as error:
        _give_up(str(error))


def _give_up(sentence: str, code: int = 2) -> NoReturn:
    click.echo(sentence, err=True)
    sys.exit(code)
