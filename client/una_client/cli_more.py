"""The commands beside playing: host, replay, learn, stats, config. Everything heavy is imported when it is needed."""

from __future__ import annotations

from typing import Any, Final

import click

from .cli_look import Number, chosen, look, run_goal


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), metavar="PORT", help="Listen on this port.  [default: 4820]")
@click.option("--table", metavar="NAME", help="What the table is called.  [default: after you]")
@click.option("--seats", type=click.IntRange(2, 10), help="How many can play.  [default: 4, or more for the bots]")
@click.option("--bots", type=click.IntRange(0, 9), default=0, show_default=True, help="Seat so many bots at once.")
@click.option("--level", default="normal", show_default=True, metavar="LEVEL", help="How well the bots play.")
@click.option("--profile", default="una", show_default=True, metavar="PROFILE", help="The rules; see: una rules.")
@click.option("--password", envvar="UNA_PASSWORD", metavar="TEXT", help="Let in only who knows this.")
@look
def host(**given: Any) -> int:
    """Open a table that others on your network join. You sit down there; the server for it ends with you.

    \b
    una host
    una host --bots 2 --profile official
    una host --password secret --table Kitchen
    """
    settled = chosen(given, ask=True)
    from .host import host_goal

    goal, own = host_goal(settled["name"], **given)
    return run_goal(goal, settled, own=own)


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--as", "seat", metavar="NAME|N", help="Look on as this player.  [default: all hands open]")
@click.option("--speed", type=Number(0.1, 100), default=1, show_default=True, help="Steps a second.")
@click.option("--check", is_flag=True, help="Only check that the records hold.")
@look
def replay(files: tuple[str, ...], seat: str | None, speed: float, check: bool, **given: Any) -> int:
    """Look at a recorded round again. Go step by step, or let it run.

    \b
    una replay round.una.jsonl
    una replay round.una.jsonl --as Ann --speed 2
    una replay --check rounds/*.una.jsonl
    """
    settled = chosen(given)
    from .cli_look import ui_options
    from .replay import run_replay

    return run_replay(files, seat, speed, ui_options(settled), check=check, plain=bool(settled["plain"]))


@click.command()
@click.argument("lesson", type=click.IntRange(1, 10), required=False, metavar="[LESSON]")
@click.option("--list", "listing", is_flag=True, help="List the lessons and end.")
@look
def learn(lesson: int | None, listing: bool, **given: Any) -> int:
    """Learn the game in ten short lessons. They go on where you stopped.

    \b
    una learn
    una learn 4
    una learn --list
    """
    settled = chosen(given, ask=not listing)
    from .cli_look import ui_options
    from .learn.course import list_lessons, run_course

    if listing:
        return list_lessons()
    return run_course(lesson, settled["name"], ui_options(settled), plain=bool(settled["plain"]))


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
@click.option("--forget", is_flag=True, help="Delete all that is kept.")
@look
def stats(as_json: bool, forget: bool, **given: Any) -> int:
    """Tell how your matches went. They are kept on this machine only.

    \b
    una stats
    una stats --json
    una stats --forget
    """
    chosen(given)
    from .stats import forget_all, show

    return forget_all() if forget else show(as_json)


@click.command()
@click.option("--init", is_flag=True, help="Write the file with every setting explained, if there is none.")
@look
def config(init: bool, **given: Any) -> int:
    """Tell where the config file is, and what is in force.

    \b
    una config
    una config --init
    """
    settled = chosen(given)
    from .config_shown import show

    return show(settled, init=init)


@click.command()
@click.argument("address", metavar="HOST[:PORT]")
@click.option("--top", type=click.IntRange(1), metavar="N", help="Only the best so many.")
@click.option("--password", envvar="UNA_PASSWORD", metavar="TEXT", help="The password of the server.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
@look
def ladder(address: str, top: int | None, password: str | None, as_json: bool, **given: Any) -> int:
    """Print the ladder of a server on which bots play for it (una-server run --arena).

    \b
    una ladder 192.168.1.20
    una ladder localhost --top 10 --json
    """
    chosen(given)
    from una_protocol.address import Address

    from .ladder import show_ladder
    from .words import reason_text

    try:
        where = Address.parse(address)
    except ValueError as error:
        raise click.UsageError(reason_text(error)) from None
    return show_ladder(where, password, top, as_json)


COMMANDS: Final = (host, replay, learn, stats, ladder, config)
