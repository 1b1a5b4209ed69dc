"""`una-server admin` and `una-server status`: the words of the command line for looking after a server that runs.

Exit codes: 0 done, 1 the server says no or does not answer, 2 the command makes no sense.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

import click

if TYPE_CHECKING:
    from una_protocol.address import Address
    from una_protocol.messages import Admin, Ok, ServerStatus


def fail(sentence: str, code: int = 1) -> NoReturn:
    """One plain sentence on stderr, and out."""
    click.echo(sentence, err=True)
    sys.exit(code)


def _asked(question: Callable[[], Any]) -> Any:
    from .caretaker import Refused, Unreachable

    try:
        return question()
    except (Refused, Unreachable) as error:
        fail(str(error))


# -- admin -----------------------------------------------------------------------------------------------------------


class Desk:
    """Which server, and the token."""

    def __init__(self, address: Address, token: str) -> None:
        self._address, self._token = address, token

    def ask(self, do: Any, **fields: Any) -> Ok:
        """Let the server do something."""
        from .caretaker import ask

        answer: Ok = _asked(lambda: ask(self._address, self._message(do, fields)))
        return answer

    def pages(self, what: str) -> list[Ok]:
        """All pages of a list."""
        from .caretaker import all_pages

        pages: list[Ok] = _asked(lambda: list(all_pages(self._address, self._message("list", {"what": what}))))
        return pages

    def _message(self, do: Any, fields: dict[str, Any]) -> Admin:
        import msgspec

        from una_protocol.messages import Admin

        try:
            return msgspec.convert({"t": "admin", "id": 1, "token": self._token, "do": do, **fields}, Admin)
        except msgspec.ValidationError as error:
            fail(f"{error}.", 2)


@click.group()
@click.option("--host", default="localhost", show_default=True, metavar="ADDRESS", help="Where the server is.")
@click.option(
    "--port", type=click.IntRange(1, 65535), default=4820, show_default=True, metavar="PORT", help="Its port."
)
@click.option("--token", metavar="TEXT", help="The admin token. Others on this machine can see it; better use a file.")
@click.option("--token-file", metavar="FILE", help="Read the token from this file: una-server run --admin-token-file.")
@click.pass_context
def admin(context: click.Context, host: str, port: int, token: str | None, token_file: str | None) -> None:
    """Look after a server that runs: who is there, messages, kicks, bans, its end.

    \b
    una-server admin --token-file token list
    una-server admin --token-file token kick Ann
    una-server admin --token-file token ban 192.0.2.7 --for 3600
    una-server admin --token-file token shutdown --after 60

    The server shows its admin token when it starts. It is taken from --token, --token-file, or the environment
    variable UNA_ADMIN_TOKEN.
    """
    from una_protocol.address import Address

    context.obj = lambda: Desk(Address(host, port), _token(token, token_file))


def _token(given: str | None, file: str | None) -> str:
    import os

    if given is not None and file is not None:
        fail("Either --token or --token-file.", 2)
    if file is not None:
        try:
            with open(file, encoding="ascii") as stream:
                given = stream.read()
        except OSError as error:
            fail(f"{file} cannot be read: {(error.strerror or 'it failed').lower()}.", 2)
        except UnicodeDecodeError:
            fail(f"{file} holds no token.", 2)
    token = (given or os.environ.get("UNA_ADMIN_TOKEN") or "").strip()
    if not token:
        fail("The admin token is needed: --token-file FILE, --token TEXT, or UNA_ADMIN_TOKEN.", 2)
    return token


@admin.command("list")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
@click.pass_obj
def list_(desk: Callable[[], Desk], as_json: bool) -> None:
    """List guests, tables and bans."""
    import msgspec

    one = desk()
    whole = {
        what: [row for page in one.pages(what) for row in getattr(page, what) or ()]
        for what in ("guests", "tables", "bans")
    }
    if as_json:
        click.echo(json.dumps(msgspec.to_builtins(whole), indent=1))
        return
    for guest in whole["guests"]:
        where = guest.address or "not connected"
        tables = f", at {', '.join(guest.tables)}" if guest.tables else ""
        click.echo(_clean(f"{guest.key}  {guest.name}{' (bot)' if guest.bot else ''}, {where}{tables}"))
    for table in whole["tables"]:
        click.echo(_clean(f"{table.id}  {table.name}, {table.taken} of {table.seats} seats, {table.phase}"))
    for ban in whole["bans"]:
        click.echo(_clean(f"{ban.address}  banned" + (f" for {ban.seconds} s" if ban.seconds is not None else "")))
    click.echo(
        f"{_count(whole['guests'], 'guest')}, {_count(whole['tables'], 'table')}, {_count(whole['bans'], 'ban')}."
    )


@admin.command()
@click.argument("text")
@click.pass_obj
def say(desk: Callable[[], Desk], text: str) -> None:
    """Say something to everybody."""
    click.echo(f"Said to {desk().ask('say', text=text).n} guests.")


@admin.command()
@click.argument("name", required=False)
@click.option("--key", metavar="KEY", help="The one guest with this key, as `list` shows it.")
@click.pass_obj
def kick(desk: Callable[[], Desk], name: str | None, key: str | None) -> None:
    """Send away the guests of a name, or one by its key; their seats are left."""
    if (name is None) == (key is None):
        fail("Either a name or --key.", 2)
    click.echo(f"Sent away: {desk().ask('kick', **({'name': name} if key is None else {'key': key})).n}.")


@admin.command()
@click.argument("table")
@click.pass_obj
def close(desk: Callable[[], Desk], table: str) -> None:
    """Close a table, by its id or name."""
    click.echo(f"Table {desk().ask('close', table=table).table} is closed.")


@admin.command()
@click.argument("address")
@click.option("--for", "seconds", type=int, metavar="SECONDS", help="For so long.  [default: until unban]")
@click.pass_obj
def ban(desk: Callable[[], Desk], address: str, seconds: int | None) -> None:
    """Let nobody in from an address; of an IPv6 address: from its /64 network."""
    answer = desk().ask("ban", address=address, **({} if seconds is None else {"seconds": seconds}))
    click.echo(f"Banned. Connections that were closed: {answer.n}.")


@admin.command()
@click.argument("address")
@click.pass_obj
def unban(desk: Callable[[], Desk], address: str) -> None:
    """Lift a ban."""
    desk().ask("unban", address=address)
    click.echo("Lifted.")


@admin.command()
@click.option("--after", "seconds", type=int, default=0, metavar="SECONDS", help="Tell everybody, and stop then.")
@click.pass_obj
def shutdown(desk: Callable[[], Desk], seconds: int) -> None:
    """Stop the server."""
    desk().ask("shutdown", seconds=seconds)
    click.echo(f"The server stops in {seconds} seconds." if seconds else "The server stops.")


# -- status ----------------------------------------------------------------------------------------------------------


@click.command()
@click.argument("where", default="localhost", metavar="[HOST:PORT]")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
@click.option("--token-file", metavar="FILE", help="The admin token, where the server is on another machine.")
def status(where: str, as_json: bool, token_file: str | None) -> None:
    """Say how a server is doing.

    \b
    una-server status
    una-server status 192.0.2.1:4820 --token-file token --json

    A server on this machine needs no token; others take one from --token-file or UNA_ADMIN_TOKEN.
    """
    import os

    import msgspec

    from una_protocol.address import Address
    from una_protocol.messages import Status

    from .caretaker import ask

    try:
        address = Address.parse(where)
    except ValueError as error:
        fail(str(error), 2)
    has_token = token_file is not None or os.environ.get("UNA_ADMIN_TOKEN")
    message = Status(1, _token(None, token_file) if has_token else None)
    answer: Ok = _asked(lambda: ask(address, message))
    if answer.status is None:
        fail(f"The server at {address} does not say.")
    if as_json:
        click.echo(json.dumps(msgspec.to_builtins(answer.status), indent=1))
    else:
        click.echo("\n".join(_lines(answer.status)))


def _lines(now: ServerStatus) -> list[str]:
    shown = {
        "version": _clean(now.version),
        "uptime": _span(now.uptime_s),
        "connections": f"{now.connections} ({now.connections_total} since the start, {now.refused_total} turned away)",
        "guests": f"{now.guests} connected, {now.sessions} remembered",
        "tables": f"{now.tables} open, {now.rounds} in a round",
        "moves": f"{now.moves_per_min / 60:.1f} a second in the last minute, {now.moves} since the start",
        "commits": _commits(now),
        "memory": f"{now.memory_kb / 1024:.1f} MiB" if now.memory_kb is not None else "unknown",
        "bans": str(now.bans),
    }
    return [f"{name + ':':13}{value}" for name, value in shown.items()]


def _commits(now: ServerStatus) -> str:
    if now.commit_p50_us is None or now.commit_p99_us is None:
        return "none"
    text = f"p50 {now.commit_p50_us / 1000:.1f} ms, p99 {now.commit_p99_us / 1000:.1f} ms"
    return text + (f"; not stored: {now.storage_trouble}" if now.storage_trouble else "")


def _span(seconds: int) -> str:
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    return f"{days} d {hours:02}:{minutes:02}:{seconds:02}" if days else f"{hours:02}:{minutes:02}:{seconds:02}"


def _count(rows: list[Any], what: str) -> str:
    return f"{len(rows)} {what}" + ("" if len(rows) == 1 else "s")


def _clean(text: str) -> str:
    from una_protocol.text import clean

    return clean(text)
