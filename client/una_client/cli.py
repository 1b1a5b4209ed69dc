"""The command line of `una`: words, options, exit codes. Everything heavy is imported only when it is needed.

Exit codes: 0 done, 1 it did not work (nothing listens there …), 2 not understood (usage, a bad value), 130 Ctrl-C.
"""

from __future__ import annotations

import sys
from typing import Any, Final

import click

from . import __version__, cli_bot
from .cli_look import Number, chosen, look, run_goal
from .cli_more import COMMANDS
from .i18n import _

_CONTEXT: Final = {"help_option_names": ["-h", "--help"]}
WATCHED_THINK_MS: Final = 700
"""How long a house bot waits before it moves where somebody looks on."""


@click.group(context_settings=_CONTEXT, invoke_without_command=True)
@click.version_option(__version__, prog_name="una", message="%(prog)s %(version)s")
@look
@click.pass_context
def cli(context: click.Context, /, **given: Any) -> int:
    """A card game for the terminal, alone against bots or with others on your network.

    \b
    una                             choose a server on your network
    una play                        play against two bots, now
    una servers                     list the servers on your network
    una join 192.168.1.20           play on somebody's server
    una host                        open a table for others on your network
    una learn                       learn the game, lesson by lesson
    una COMMAND --help              more about a command
    """
    context.obj = given
    if context.invoked_subcommand is None:
        from .first_run import ask_to_play

        settled = chosen(dict(given), ask=True)
        if settled["asked"] and ask_to_play():
            return int(context.invoke(play) or 0)
        if not settled["plain"] and sys.stdout.isatty():  # else this is the help, which is to come at once
            from .front import valid_name, wants_plain
            from .goal import Goal

            if not wants_plain():
                return run_goal(Goal(host="", name=valid_name(settled["name"])), settled)
        click.echo(context.get_help())
        click.echo("\n" + _("The first thing to try:  una play"))
    return 0


for command in (cli_bot.bot, *COMMANDS):
    cli.add_command(command)


@cli.command()
@click.option("--profile", default="una", show_default=True, metavar="PROFILE", help="The rules; see: una rules.")
@click.option("--bots", type=click.IntRange(1, 9), default=2, show_default=True, help="How many bots play.")
@click.option("--level", default="normal", show_default=True, metavar="LEVEL", help="How well: easy, normal or hard.")
@click.option("--seed", type=int, metavar="N", help="The same number gives the same cards.")
@click.option("--target", type=click.IntRange(0), metavar="N", help="Play to this score; 0 is one round.")
@click.option("--option", "changes", multiple=True, metavar="NAME=VALUE", help="Change a rule, such as jump_in=true.")
@click.option("--auto", is_flag=True, help="A bot plays for you; ends with the match.")
@look
def play(
    profile: str, bots: int, level: str, seed: int | None, target: int | None, changes: tuple[str, ...], auto: bool,
    **given: Any,
) -> int:  # fmt: skip
    """Play against bots. The server for it is your own, and ends with the game.

    \b
    una play
    una play --profile official --bots 3 --target 200
    una play --auto --plain --seed 7
    """
    settled = chosen(given, ask=True)
    options = _options(changes)
    if target is not None:
        options["target_score"] = target
    from una_protocol.messages import Create

    from .front import valid_name, wants_plain
    from .goal import OWN_TABLE, Goal
    from .play import Own

    create = Create(0, _(OWN_TABLE), profile=profile, options=options, seats=bots + 1, bots=[level[:16]] * bots)
    create.public = False
    if auto:
        create.between_s = create.una_grace_ms = 0
        create.think_ms = 0 if settled["plain"] or wants_plain() else WATCHED_THINK_MS
    goal = Goal(
        host="", name=valid_name(settled["name"]), do="create", create=create, start=True, auto=auto, own_server=True
    )
    return run_goal(goal, settled, own=Own(seed=seed))


def _options(texts: tuple[str, ...]) -> dict[str, bool | int | str]:
    words: dict[str, bool] = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
    options: dict[str, bool | int | str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.UsageError(
                _("An option is written NAME=VALUE, such as jump_in=true; {text} is not.").format(text=repr(text))
            )
        number = value.removeprefix("-").isascii() and value.removeprefix("-").isdigit()
        options[name.strip()] = int(value) if number else words.get(value.strip().lower(), value.strip())
    return options


def _enter(do: Any, address: str, password: str | None, auto: bool, given: dict[str, Any]) -> int:
    from una_protocol.address import Address

    from .front import valid_name
    from .goal import Goal
    from .words import reason_text

    settled = chosen(given, ask=True)
    try:
        where = Address.parse(address)
    except ValueError as error:
        raise click.UsageError(reason_text(error)) from None
    goal = Goal(
        host=where.host, port=where.port, name=valid_name(settled["name"]), do=do if where.table else "lobby",
        table=where.table, password=password, auto=auto,
    )  # fmt: skip
    return run_goal(goal, settled)


@cli.command()
@click.argument("address", metavar="HOST[:PORT][/TABLE]")
@click.option("--password", envvar="UNA_PASSWORD", metavar="TEXT", help="The password of the server or table.")
@click.option("--auto", is_flag=True, help="A bot plays for you; ends with the match.")
@look
def join(address: str, password: str | None, auto: bool, **given: Any) -> int:
    """Sit down at a table of a server. Without a table in the address, choose one there.

    \b
    una join 192.168.1.20
    una join lan-pc:5000/kitchen --name Ann
    """
    return _enter("join", address, password, auto, given)


@cli.command()
@click.argument("address", metavar="HOST[:PORT][/TABLE]")
@click.option("--password", envvar="UNA_PASSWORD", metavar="TEXT", help="The password of the server or table.")
@look
def watch(address: str, password: str | None, **given: Any) -> int:
    """Watch a table without a seat.

    \b
    una watch 192.168.1.20/kitchen
    """
    return _enter("watch", address, password, False, given)


@cli.command()
@click.option("--seconds", type=Number(0.1, 60), default=2, show_default=True, help="How long to look.")
@click.option("--port", type=click.IntRange(1, 65535), metavar="PORT", help="Ask at this port.  [default: 4820]")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
@look
def servers(seconds: float, port: int | None, as_json: bool, **given: Any) -> int:
    """List the servers on your network.

    \b
    una servers
    una servers --port 5000 --json
    """
    from una_protocol.version import DEFAULT_PORT

    from .servers import list_servers

    chosen(given)
    return list_servers(seconds, port or DEFAULT_PORT, as_json)


def _server(*arguments: str) -> int:
    """Run `una-server` in our place. It knows the rules; the client does not."""
    import subprocess

    sys.stdout.flush()
    return subprocess.call([sys.executable, "-m", "una_server", *arguments])


_PASS_ON: Final = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}


@cli.command(context_settings=_PASS_ON)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[PROFILE|FILE]")
def rules(arguments: tuple[str, ...]) -> int:
    """Read the rules as they are played: una rules official."""
    settled = chosen({})
    from . import i18n

    lang = settled["lang"] or i18n.locale_language()
    return _server("rules", *(("--lang", lang) if "--lang" not in arguments else ()), *arguments)


@cli.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what makes the Tab key complete commands.

    \b
    una completion bash >> ~/.bashrc
    """
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    if made is not None:
        click.echo(made(cli, {}, "una", "_UNA_COMPLETE").source())


def _told(error: click.ClickException, words: list[str]) -> str:
    from . import i18n
    from .cli_errors import said
    from .cli_help import language

    i18n.use(language(words))  # as a rule nothing was in force yet
    return said(error.format_message())


def run(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit status. No error leaves a traceback but a fault of our own."""
    words = sys.argv[1:] if arguments is None else arguments
    if {"-h", "--help"}.intersection(words) or not set(words).intersection(cli.commands) - {"bot"}:
        # it is asked for help, or names no command, which is answered with help; `bot` alone is none
        from .cli_help import speak

        speak(cli, words)
    try:
        status = cli.main(args=arguments, prog_name="una", standalone_mode=False)
    except click.ClickException as error:
        print(_told(error, words), file=sys.stderr)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        return 130
    return status if isinstance(status, int) else 0
