"""The commands of `una bot`: run, new, check. Everything heavy is imported only when it is needed."""

from __future__ import annotations

from typing import Any, Final

import click

from .cli_look import Number

_SECONDS: Final = Number(0, 86_400, min_open=True)


@click.group()
def bot() -> None:
    """Bots of your own."""


@bot.command("run")
@click.argument("words", nargs=-1, metavar="[MODULE:CLASS] HOST[:PORT][/TABLE]")
@click.option("--exec", "command", metavar="CMD", help="Run this program: JSON lines on its standard input and output.")
@click.option(
    "--limit",
    type=_SECONDS,
    default=30,
    show_default=True,
    metavar="SECONDS",
    help="With --exec: play the default move after that.",
)
@click.option("--name", metavar="NAME", help="The bot's name.  [default: that of the class or program]")
@click.option("--password", envvar="UNA_PASSWORD", metavar="TEXT", help="The password of the server or table.")
@click.option("--matches", type=click.IntRange(1), metavar="N", help="Leave after so many.  [default: play on]")
@click.option("--ranked", is_flag=True, help="Let a server in arena mode seat it, match after match, for its ladder.")
@click.option(
    "--key-file", metavar="FILE",
    help="With --ranked: the secret to which its name in the ladder belongs.  [default: one for all your bots]",
)  # fmt: skip
@click.option("--create", is_flag=True, help="Open a table of its own.")
@click.option("--bots", type=click.IntRange(0, 9), default=0, help="With --create: seat house bots, and begin.")
@click.option("--profile", default="una", show_default=True, metavar="PROFILE", help="With --create: the rules.")
def run_bot(words: tuple[str, ...], command: str | None, **given: Any) -> int:
    """Let a bot of yours play: a class of Python's, or a program in any language.

    \b
    una bot run mybot:MyBot localhost
    una bot run ./mybot.py:MyBot 192.168.1.20/kitchen --name Deep
    una bot run --exec "node mybot.js" localhost --create --bots 3
    una bot run mybot:MyBot 192.168.1.20 --ranked
    """
    from una_protocol.address import Address

    if len(words) != (2 if command is None else 1):
        raise click.UsageError("Give MODULE:CLASS and the address; or --exec CMD and the address.")
    try:
        parsed = Address.parse(words[-1])
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if given["ranked"] and (parsed.table is not None or given["create"]):
        raise click.UsageError("With --ranked the server chooses the table: give its address alone.")
    if given["key_file"] is not None and not given["ranked"]:
        raise click.UsageError("--key-file goes with --ranked.")
    from .bot.start import run

    return run(words[0] if command is None else None, command, parsed, **given)


@bot.command("new")
@click.argument("name", metavar="NAME")
@click.option(
    "--lang",
    type=click.Choice(["python", "jsonl"]),
    default="python",
    show_default=True,
    help="A class, or a program of its own that speaks JSON lines.",
)
def new_bot(name: str, lang: str) -> int:
    """Write a bot to begin with, and a test beside it that passes.

    \b
    una bot new hasty
    una bot run ./hasty.py:Hasty localhost
    """
    from .bot.new import write

    return write(name, lang)


@bot.command("check")
@click.argument("where", required=False, metavar="[MODULE:CLASS]")
@click.option("--exec", "command", metavar="CMD", help="A program that speaks JSON lines.")
@click.option("--tcp", metavar="CMD", help="A program that speaks TCP: {host} {port} {table} are filled in.")
@click.option("--only", multiple=True, metavar="NAME", help="Only this situation; may be given again.")
@click.option(
    "--limit",
    type=_SECONDS,
    default=5,
    show_default=True,
    metavar="SECONDS",
    help="How long an answer may take.",
)
@click.option("--list", "listing", is_flag=True, help="List the situations and end.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
def check_bot(where: str | None, command: str | None, tcp: str | None, listing: bool, **given: Any) -> int:
    """Put a bot into unusual situations and say what it gets wrong; exit status 1 if anything.

    \b
    una bot check mybot:MyBot
    una bot check --exec "node mybot.js"
    una bot check --tcp "./mybot {host} {port} {table}"
    """
    if not listing and sum(one is not None for one in (where, command, tcp)) != 1:
        raise click.UsageError("Give one of MODULE:CLASS, --exec CMD, --tcp CMD.")
    from .bot.checking import run_check

    return run_check(where, command, tcp, listing=listing, **given)
