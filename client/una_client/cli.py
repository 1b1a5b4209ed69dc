"""The command line of `una`: words, options, exit codes. Everything heavy is imported only when it is needed.

Exit codes: 0 done, 1 it did not work (nothing listens there …), 2 not understood (usage, a bad value), 130 Ctrl-C.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from . import __version__
from .cli_bot import bot

if TYPE_CHECKING:
    from .goal import Goal, UiOptions

F = TypeVar("F", bound=Callable[..., Any])
_CONTEXT: Final = {"help_option_names": ["-h", "--help"]}
_LOOK: Final = ("plain", "ascii", "color", "theme", "lang", "name", "no_bell", "mouse")
WATCHED_THINK_MS: Final = 700
"""How long a house bot waits before it moves where somebody looks on."""


def look(command: F) -> F:
    """The global options: they may stand before the command and after it; after it wins."""
    for option in (
        click.option("--mouse", is_flag=True, help="Use the mouse."),
        click.option("--no-bell", is_flag=True, help="Never ring."),
        click.option("--name", envvar="UNA_NAME", metavar="NAME", help="Play under this name.  [default: login name]"),
        click.option("--lang", type=click.Choice(["en", "de"]), help="The language.  [default: that of the system]"),
        click.option("--theme", type=click.Choice(["default", "high-contrast"]), help="The looks."),
        click.option("--color", type=click.Choice(["auto", "none", "16", "256", "true"]), help="How many colours."),
        click.option("--ascii", is_flag=True, help="Draw with ASCII signs only."),
        click.option("--plain", is_flag=True, help="Line mode: text only, line by line; also for screen readers."),
    ):
        command = option(command)
    return command


@click.group(context_settings=_CONTEXT, invoke_without_command=True)
@click.version_option(__version__, prog_name="una", message="%(prog)s %(version)s")
@look
@click.pass_context
def cli(context: click.Context, /, **given: Any) -> None:
    """A card game for the terminal, alone against bots or with others on your network.

    \b
    una play                        play against two bots, now
    una servers                     list the servers on your network
    una join 192.168.1.20           play on somebody's server
    una-server run                  open a server for others
    una COMMAND --help              more about a command
    """
    context.obj = given
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
        click.echo("\nThe first thing to try:  una play")


cli.add_command(bot)


def _chosen(given: dict[str, Any]) -> dict[str, Any]:
    """The global options: those of the command, where it has none those before it. They are taken out of `given`."""
    before = click.get_current_context().find_root().obj or {}
    return {name: given.pop(name) or before.get(name) for name in _LOOK}


def _ui(chosen: dict[str, Any]) -> UiOptions:
    from .goal import UiOptions

    return UiOptions(
        ascii=bool(chosen["ascii"]),
        color=chosen["color"] or "auto",
        theme=chosen["theme"] or "default",
        lang=chosen["lang"],
        bell=not chosen["no_bell"],
        mouse=bool(chosen["mouse"]),
    )


def _run(goal: Goal, chosen: dict[str, Any], **how: Any) -> int:
    from .front import run_goal, wants_plain

    return run_goal(goal, _ui(chosen), plain=bool(chosen["plain"]) or wants_plain(), **how)


@cli.command()
@click.option("--profile", default="una", show_default=True, metavar="PROFILE", help="The rules; see: una rules.")
@click.option("--bots", type=click.IntRange(1, 9), default=2, show_default=True, help="How many bots play.")
@click.option(
    "--level", default="normal", show_default=True, metavar="LEVEL", help="How well: easy, normal or hard."
)
@click.option("--seed", type=int, metavar="N", help="The same number gives the same cards.")
@click.option("--target", type=click.IntRange(0), metavar="N", help="Play to this score; 0 is one round.")
@click.option("--option", "changes", multiple=True, metavar="NAME=VALUE", help="Change a rule, such as jump_in=true.")
@click.option("--auto", is_flag=True, help="A bot plays for you; ends with the match.")
@look
def play(
    profile: str, bots: int, level: str, seed: int | None, target: int | None, changes: tuple[str, ...], auto: bool,
    **given: Any,
) -> int:  # fmt: skip
    """Play against bots, on a server of your own that ends with the game.

    \b
    una play
    una play --profile official --bots 3 --target 200
    una play --auto --plain --seed 7
    """
    chosen = _chosen(given)
    options = _options(changes)
    if target is not None:
        options["target_score"] = target
    from una_protocol.messages import Create

    from .front import valid_name, wants_plain
    from .goal import OWN_TABLE, Goal

    create = Create(0, OWN_TABLE, profile=profile, options=options, seats=bots + 1, bots=[level[:16]] * bots)
    create.public = False
    if auto:
        create.between_s = create.una_grace_ms = 0
        create.think_ms = 0 if wants_plain() else WATCHED_THINK_MS
    goal = Goal(
        host="", name=valid_name(chosen["name"]), do="create", create=create, start=True, auto=auto, own_server=True
    )
    return _run(goal, chosen, own=True, seed=seed)


def _options(texts: tuple[str, ...]) -> dict[str, bool | int | str]:
    words: dict[str, bool] = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
    options: dict[str, bool | int | str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.UsageError(f"An option is written NAME=VALUE, such as jump_in=true; {text!r} is not.")
        number = value.removeprefix("-").isascii() and value.removeprefix("-").isdigit()
        options[name.strip()] = int(value) if number else words.get(value.strip().lower(), value.strip())
    return options


def _enter(do: Any, address: str, password: str | None, auto: bool, given: dict[str, Any]) -> int:
    from una_protocol.address import Address

    from .front import valid_name
    from .goal import Goal

    chosen = _chosen(given)
    try:
        where = Address.parse(address)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    goal = Goal(
        host=where.host, port=where.port, name=valid_name(chosen["name"]), do=do if where.table else "lobby",
        table=where.table, password=password, auto=auto,
    )  # fmt: skip
    return _run(goal, chosen)


@cli.command()
@click.argument("address", metavar="HOST[:PORT][/TABLE]")
@click.option("--password", envvar="UNA_PASSWORD", metavar="TEXT", help="The password of the server or table.")
@click.option("--auto", is_flag=True, help="A bot plays for you; ends with the match.")
@look
def join(address: str, password: str | None, auto: bool, **given: Any) -> int:
    """Sit down at a table of a server; without a table, choose one there.

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
@click.option("--seconds", type=click.FloatRange(0.1, 60), default=2, show_default=True, help="How long to look.")
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

    from . import i18n
    from .servers import list_servers

    i18n.use(_chosen(given)["lang"])
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
    lang = (click.get_current_context().find_root().obj or {}).get("lang")
    return _server("rules", *(("--lang", lang) if lang and "--lang" not in arguments else ()), *arguments)


@cli.command(context_settings=_PASS_ON)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="FILE...")
def replay(arguments: tuple[str, ...]) -> int:
    """Play the record of a round again and check it."""
    return _server("replay", *arguments)


@cli.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what makes the Tab key complete una's commands.

    \b
    una completion bash >> ~/.bashrc
    """
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    if made is not None:
        click.echo(made(cli, {}, "una", "_UNA_COMPLETE").source())


def run(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit status. No error leaves a traceback but a fault of our own."""
    try:
        status = cli.main(args=arguments, prog_name="una", standalone_mode=False)
    except click.ClickException as error:
        print(error.format_message(), file=sys.stderr)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        return 130
    return status if isinstance(status, int) else 0
