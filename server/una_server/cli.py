"""The command line of `una-server`: words, exit codes, and what to call. Heavy imports wait until they are needed.

Exit codes: 0 done, 1 something does not hold (a scenario, a record), 2 it could not even begin.
"""

from __future__ import annotations

import sys
from typing import Any, NoReturn

import click

from . import __version__, caretaking, records
from .cli_options import arena_options, limits_of


def give_up(sentence: str, code: int = 2) -> NoReturn:
    """One plain sentence on stderr, and out."""
    click.echo(sentence, err=True)
    sys.exit(code)


def read_text(file: str) -> str:
    """A file's text; gives up where it cannot be read."""
    try:
        with open(file, encoding="utf-8") as stream:
            return stream.read()
    except OSError as error:
        give_up(f"{file} cannot be read: {(error.strerror or 'it failed').lower()}.")
    except UnicodeDecodeError:
        give_up(f"{file} cannot be read: it is no UTF-8 text.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="una-server", message="%(prog)s %(version)s")
def cli() -> None:
    """The una server: tables for a card game on your network.

    \b
    una-server run                  open a server; others type: una join <address>
    una-server rules classic        read the rules as they are played here
    una-server COMMAND --help       more about a command
    """


@cli.command()
@click.option("--host", metavar="ADDRESS", help="Listen on this address only.  [default: all, IPv4 and IPv6]")
@click.option("--port", type=int, metavar="PORT", help="Listen on this port; 0 takes any free one.  [default: 4820]")
@click.option("--name", metavar="NAME", help="What the server is called.  [default: the name of the machine]")
@click.option("--password", metavar="TEXT", help="Let in only who knows this.")
@click.option(
    "--allow-bots/--no-bots", "bots", default=None, help="Let in programs that say that they are one.  [default: yes]"
)
@click.option(
    "--discovery/--no-discovery", default=None,
    help="Let others find the server with: una servers.  [default: yes]",
)  # fmt: skip
@click.option("--config", "config_file", metavar="FILE", help="Read settings from a TOML file; options here win.")
@click.option(
    "--data", metavar="FILE",
    help="Keep tables, guests and finished rounds in this database.  [default: una.db, in the user's data folder]",
)  # fmt: skip
@click.option("--no-data", is_flag=True, help="Keep nothing: what is played ends with the server.")
@click.option("--keep", type=int, metavar="DAYS", help="Keep finished rounds for so many days.  [default: for ever]")
@click.option("--motd", metavar="TEXT", help="A message for everybody who comes.")
@click.option("--record", metavar="DIR", help="Also keep a record of each round in this folder.")
@click.option(
    "--seed", type=int, metavar="N",
    help="Shuffle from this number. For tests and games of your own: who knows it knows all cards.",
)  # fmt: skip
@click.option("--max-connections", type=int, metavar="N", help="At most so many connections.  [default: 64]")
@click.option("--max-tables", type=int, metavar="N", help="At most so many tables.  [default: 200]")
@click.option(
    "--limit", "limits", multiple=True, metavar="NAME=VALUE",
    help="Set another limit, such as rate=500 or keepalive_s=30; a wrong name lists them all.",
)  # fmt: skip
@click.option(
    "--admin/--no-admin", default=None,
    help="Show a token at the start with which the server can be looked after: una-server admin.  [default: yes]",
)  # fmt: skip
@click.option("--admin-token-file", metavar="FILE", help="Write that token to this file instead of showing it.")
@click.option("--metrics", type=int, metavar="PORT", help="Offer metrics for Prometheus on this port; 0 takes any.")
@click.option("--metrics-host", metavar="ADDRESS", help="On this address.  [default: 127.0.0.1]")
@click.option("--log-json", is_flag=True, default=None, help="Log JSON objects, one a line.")
@click.option("--log-level", metavar="LEVEL", help="debug, info, warning or error.  [default: info]")
@arena_options
@click.option("--port-file", metavar="FILE", help="Write the port to this file once the server is ready.")
@click.option("--until-eof", is_flag=True, help="Stop when standard input ends, so with the program that started it.")
def run(
    config_file: str | None,
    limits: tuple[str, ...],
    max_connections: int | None,
    max_tables: int | None,
    port_file: str | None,
    until_eof: bool,
    no_data: bool,
    **settings: Any,
) -> None:
    """Open a server and run it until Ctrl-C.

    \b
    una-server run
    una-server run --port 5000 --record rounds
    una-server run --config kitchen.toml

    Tables, guests and finished rounds stand in a database, so a server that is started again goes on in the middle of
    every round; see also: una-server records. SIGHUP reads the config file again: limits, motd and log_level.

    A config file holds the same settings, and a table of limits:

    \b
    name = "Kitchen"
    record = "rounds"
    [limits]
    tables = 20
    """
    from .config import BadConfig, Config, make_config
    from .logs import log_to_stderr
    from .net.listener import CannotListen
    from .store import NoData

    if no_data and settings["data"] is not None:
        give_up("Either --data or --no-data.")
    try:
        given = {name: value for name, value in settings.items() if value is not None}
        named = {"connections": max_connections, "tables": max_tables}
        wanted = limits_of(limits) | {name: value for name, value in named.items() if value is not None}
        if no_data:
            given["data"] = False

        def config_now() -> Config:
            return make_config(config_file, given, wanted, {"data": True})

        config = config_now()
        log_to_stderr(config.log_level, config.log_json)

        from .process import run_process  # imports trio

        run_process(config, port_file, until_eof, config_now)
    except (BadConfig, CannotListen, NoData) as error:
        give_up(str(error))
    except KeyboardInterrupt:
        sys.exit(130)


@cli.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def scenario(files: tuple[str, ...]) -> None:
    """Play rule scenarios and say what does not hold.

    \b
    una-server scenario tests/game/scenarios/*.toml
    """
    from .game.scenario import run_scenario

    failed = 0
    for file in files:
        failures = run_scenario(read_text(file), file)
        failed += bool(failures)
        for failure in failures:
            click.echo(failure if failure.startswith(file) else f"{file}: {failure}")
    held = len(files) - failed
    click.echo(f"{held} of {len(files)} scenarios hold.")
    sys.exit(1 if failed else 0)


@cli.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--steps", is_flag=True, help="Tell the one record step by step as JSON lines, for viewers.")
def replay(files: tuple[str, ...], steps: bool) -> None:
    """Play records again and check that they hold.

    \b
    una-server replay rounds/*.una.jsonl
    una-server replay --steps round.una.jsonl
    """
    from .game.replay import RecordError, replay

    if steps:
        if len(files) != 1:
            raise click.UsageError("With --steps, give one file.")
        from .replay_views import step_lines

        try:
            for line in step_lines(read_text(files[0]).splitlines()):
                click.echo(line)
        except RecordError as error:
            give_up(f"{files[0]}: {error}", 1)
        return
    failed = 0
    for file in files:
        try:
            found = replay(read_text(file).splitlines())
        except RecordError as error:
            failed += 1
            click.echo(f"{file}: {error}")
        else:
            end = "to its end" if found.end is not None else "unfinished"
            click.echo(f"{file}: holds ({found.actions} actions, {end})")
    sys.exit(1 if failed else 0)


@cli.command()
@click.argument("what", default="una", metavar="[PROFILE|FILE]")
@click.option("--lang", type=click.Choice(["en", "de"]), default="en", show_default=True, help="The language.")
def rules(what: str, lang: str) -> None:
    """Print the rules of a profile, or of a TOML file with house rules.

    \b
    una-server rules official
    una-server rules my-house.toml --lang de

    A file of house rules names a profile and what differs from it:

    \b
    profile = "classic"
    [options]
    jump_in = true
    """
    from .game import PROFILES, BadOption, Options, load_house_rules
    from .rules_text import rules_text

    options: Options | None = None
    if what not in PROFILES:
        if not what.endswith(".toml") and "/" not in what:
            give_up(f"{what!r} is neither a profile ({', '.join(PROFILES)}) nor a TOML file.")
        try:
            what, _, options = load_house_rules(read_text(what))
        except (BadOption, ValueError) as error:
            give_up(f"{what}: {error}")
    click.echo("\n".join(rules_text(what, "de" if lang == "de" else "en", options)))


@cli.command()
@click.argument("competitors", nargs=-1, required=True, metavar="COMPETITOR...")
@click.option("--games", type=int, default=1000, show_default=True, metavar="N", help="Play at least so many.")
@click.option(
    "--seats", type=int, metavar="N", help="Players in each game, 2 to 10.  [default: the competitors; 4 for 3]"
)
@click.option("--profile", default="una", show_default=True, metavar="PROFILE", help="The rules.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="Change an option of the rules.")
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="Same seed, same games.")
@click.option("--matches", is_flag=True, help="A game is a whole match up to the target score, not one round.")
@click.option("--jobs", type=int, default=1, show_default=True, metavar="N", help="Play in so many processes.")
@click.option("--move-ms", type=int, default=5000, show_default=True, metavar="MS", help="The time for one move.")
@click.option("--simulations", type=int, metavar="N", help="The playouts of one decision of hard.  [default: 600]")
@click.option(
    "--memory", type=int, default=2048, show_default=True, metavar="MB", help="What a job, or a program, may take."
)
@click.option("--record", metavar="DIR", help="Keep a record of each round in this folder.")
@click.option("--json", "json_file", metavar="FILE", help="Write the results as JSON too; - for standard output alone.")
def arena(competitors: tuple[str, ...], jobs: int, json_file: str | None, **wanted: Any) -> None:
    """Let bots play against each other and say who is better.

    \b
    una-server arena normal easy random --games 2000
    una-server arena mybot:MyBot normal --profile official --jobs 2
    una-server arena 'exec:node bot.js' hard --games 200 --record rounds

    A competitor is a level (easy, normal, hard, random), MODULE:CLASS or FILE.py:CLASS for a class of bots, or
    exec:COMMAND for a program that is told its messages as lines of JSON. Each deal is played once from every seat.
    """
    from .arena.command import BadRun, make_run, run_arena

    try:
        if not 1 <= jobs <= 64:
            raise BadRun("--jobs must be 1 to 64.")
        run_arena(make_run(competitors, **wanted), jobs, json_file)
    except BadRun as error:
        give_up(str(error))
    except KeyboardInterrupt:
        sys.exit(130)


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
def describe(as_json: bool) -> None:
    """Print the catalogue: messages, events, errors, limits, options, profiles.

    \b
    una-server describe --json > catalogue.json
    """
    import json

    from .describe import whole_catalogue

    catalogue = whole_catalogue()
    if as_json:
        click.echo(json.dumps(catalogue, indent=1, ensure_ascii=False))
        return
    for name, part in catalogue.items():
        click.echo(f"{name}: {', '.join(part)}")
    click.echo("Use --json for all of it.")


cli.add_command(records.records)
cli.add_command(caretaking.admin)
cli.add_command(caretaking.status)
