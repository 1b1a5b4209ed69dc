"""The database file: group commits, a real full disk, migrations, and a plain sentence for each file that cannot be."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import trio
from click.testing import CliRunner

from una_server.cli import cli
from una_server.store import (
    Aside,
    CannotStore,
    Closing,
    Forgotten,
    NoData,
    Opening,
    Part,
    Prune,
    Record,
    Reopening,
    SessionRow,
    Step,
)
from una_server.store.database import Database
from una_server.store.schema import APPLICATION_ID, VERSION
from una_server.store.sqlite import SqliteStore
from una_server.store.twin import Disk


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "una.db"


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    with closing(Database(path)) as database:
        yield database


def step(number: int, table: int = 1) -> Step:
    return Step(table, number, number * 3, number * 7 % 2**32, f"body {number}".encode())


PARTS: list[Part] = [
    Opening(1, "k3f", "0.1.0", b"opening"),
    Opening(2, "m2x", "0.1.0", b"another"),
    SessionRow("g1", b"hash", "Ann", False, None),
    SessionRow("g2", b"other", "Robo", True, 12.5),
    *(step(number) for number in range(1, 151)),
    Reopening(1, "k3f", "0.1.1", b"between two matches", 101),
    step(151),
    step(1, 2),
    Record("k3f-1-1", "Kitchen", 1, "una", "Ann, Robo", "2026-11-29T18:00:00Z", 1000, "{}\n"),
    Record("k3f-1-2", "Kitchen", 2, "una", "Ann, Robo", "2026-11-29T18:30:00Z", 2000, "{}\n"),
    SessionRow("g1", b"hash", "Anna", False, 99.0),
    Closing(2),
    Forgotten("g2"),
    Prune(1500),
    Opening(3, "p9q", "0.1.0", b"third"),
    Aside(3, "p9q", "it leads elsewhere"),
]


def test_what_was_written_is_found_and_the_twin_agrees(path: Path) -> None:
    disk = Disk()
    with closing(Database(path)) as database:
        database.write(PARTS)
        disk.write(PARTS)
        assert database.steps(1) == [step(number) for number in range(101, 152)]
    with closing(Database(path)) as database:
        found = database.load()
        assert found == disk.load()
        assert found.opened == 3
        assert [opening for opening, _ in found.tables] == [Opening(1, "k3f", "0.1.1", b"between two matches", 101)]
        assert found.aside == {"p9q": "it leads elsewhere"}
        assert found.sessions == [SessionRow("g1", b"hash", "Anna", False, 99.0)]
        assert database.purge()
        assert not database.purge()
        assert database.steps(2) == []
        assert len(database.steps(1)) == 51
        assert database._sql.execute("SELECT count(*) FROM step").fetchone() == (51,)


def test_a_transaction_is_stored_wholly_or_not_at_all(database: Database) -> None:
    database.write([Opening(1, "k3f", "", b"")])
    with pytest.raises(sqlite3.IntegrityError):
        database.write([step(1), SessionRow("g1", b"", "Ann", False, None), Opening(1, "k3f", "", b"")])
    assert database.steps(1) == []
    assert database.load().sessions == []
    database.write([step(1)])


def test_a_full_disk_for_real(database: Database) -> None:
    sql = database._sql
    pages = sql.execute("PRAGMA page_count").fetchone()[0]
    sql.execute(f"PRAGMA max_page_count = {pages + 2}")
    database.write([Opening(1, "k3f", "", b"")])
    stored = 0

    def write_on() -> None:
        nonlocal stored
        while True:
            database.write([step(stored + 1)])
            stored += 1

    with pytest.raises(sqlite3.OperationalError, match="full"):
        write_on()
    assert len(database.steps(1)) == stored > 10
    with pytest.raises(sqlite3.OperationalError, match="full"):
        database.probe()
    sql.execute("PRAGMA max_page_count = 100000")
    database.probe()
    database.write([step(stored + 1)])
    assert sql.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")
def test_nobody_else_reads_the_seeds(path: Path, database: Database) -> None:
    database.write([step(1)])
    for file in path.parent.glob("una.db*"):
        if "-lock" not in file.name:
            assert file.stat().st_mode & 0o077 == 0, file


# -- the thread that writes -----------------------------------------------------------------------------------------


async def test_what_comes_together_is_committed_together(path: Path) -> None:
    store = SqliteStore(path)
    settled = 0
    answers: list[int] = []

    def count() -> None:
        nonlocal settled
        settled += 1

    store.put((Opening(1, "k3f", "", b""),), lambda error: None)
    for number in range(1, 101):
        store.put((step(number),), lambda error, number=number: answers.append(number))  # type: ignore[misc]
    store.start(count)
    with trio.fail_after(10):
        await store.drain()
    assert answers == list(range(1, 101))
    assert settled < 10
    assert len(store.commit_s) < 10
    found: list[object] = []
    store.read(1, found.append)
    with trio.fail_after(10):
        await store.drain()
    assert found == [[step(number) for number in range(1, 101)]]
    store.put((step(101),), lambda error: None)
    store.close()  # stores what was put before
    with closing(Database(path)) as database:
        assert len(database.steps(1)) == 101


async def test_errors_reach_those_they_concern_and_a_fault_nobody_else(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = SqliteStore(path)
    store.start(lambda: None)
    errors: list[CannotStore | None] = []
    store.database._sql.execute("PRAGMA max_page_count = 1")
    store.put([step(number) for number in range(1, 500)], errors.append)
    with trio.fail_after(10):
        await store.drain()
    assert isinstance(errors[0], CannotStore)
    assert "full" in str(errors[0])
    found: list[object] = []
    store.read(1, found.append)
    with trio.fail_after(10):
        await store.drain()
    assert isinstance(found[0], CannotStore)
    store.database._sql.execute("PRAGMA max_page_count = 10000")

    def broken(error: CannotStore | None) -> None:
        raise RuntimeError("a fault")

    store.put((step(1)._replace(seq=2**70),), errors.append)  # no sqlite3.Error
    store.put((step(1),), broken)
    store.put((step(2),), errors.append)
    with trio.fail_after(10):
        await store.drain()
    assert isinstance(errors[1], CannotStore)
    assert errors[2] is None
    assert "a fault" in caplog.text
    store.close()


# -- files that cannot be ---------------------------------------------------------------------------------------------


def start(path: Path) -> str:
    """What a server says that is to use this file, and cannot."""
    before = path.read_bytes() if path.is_file() else None
    result = CliRunner().invoke(cli, ["run", "--host", "127.0.0.1", "--port", "0", "--data", str(path)])
    assert result.exit_code == 2, result.output
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.output
    assert (path.read_bytes() if path.is_file() else None) == before, "nothing is overwritten"
    return result.stderr


def test_a_newer_database(path: Path) -> None:
    Database(path).close()
    with closing(sqlite3.connect(path)) as sql:
        sql.execute(f"PRAGMA user_version = {VERSION + 1}")
    assert "newer una server" in start(path)
    assert "newer" in CliRunner().invoke(cli, ["records", "--data", str(path)]).stderr


def test_an_older_database_is_led_to_the_newest_form(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as sql:
        sql.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    with closing(Database(path)) as database:
        assert database._sql.execute("PRAGMA user_version").fetchone() == (VERSION,)
        database.write([step(1)])


def test_a_second_server(path: Path, database: Database) -> None:
    assert "in use by another una server" in start(path)
    database.write([step(1)])


def test_somebody_elses_database(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as sql:
        sql.execute("CREATE TABLE mine(a)")
    assert "not one of una's" in start(path)


def test_a_damaged_database(path: Path) -> None:
    with closing(Database(path)) as database:
        database.write([step(number) for number in range(1, 2000)])
    data = bytearray(path.read_bytes())
    data[8192:24576] = os.urandom(16384)
    path.write_bytes(data)
    assert "is damaged" in start(path)
    path.write_bytes(b"This is no database at all. " * 100)
    assert "is damaged" in start(path)


def test_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    assert "cannot be" in start(tmp_path)  # a folder where a file should be
    file = tmp_path / "file"
    file.write_text("")
    assert "cannot be" in start(file / "una.db")
    assert "cannot be" in start(Path("/proc/nowhere/una.db"))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_database(path: Path) -> None:
    Database(path).close()
    path.chmod(0o444)
    assert "cannot be written to" in start(path)


def test_a_database_that_refuses_to_be_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for root, who may write to files that are read-only."""
    Database(path).close()
    connect = sqlite3.connect

    def read_only(name: Any, **how: Any) -> sqlite3.Connection:
        if str(name).endswith("-lock"):
            return connect(name, **how)
        return connect(f"{Path(str(name)).as_uri()}?mode=ro", uri=True, **how)

    monkeypatch.setattr(sqlite3, "connect", read_only)
    with pytest.raises(NoData, match="cannot be written to"):
        Database(path)


def test_data_and_no_data() -> None:
    result = CliRunner().invoke(cli, ["run", "--data", "x.db", "--no-data"])
    assert result.exit_code == 2
    assert "Either" in result.stderr


# -- the records ----------------------------------------------------------------------------------------------------


def test_records_are_listed_shown_and_exported_while_a_server_runs(path: Path, tmp_path: Path) -> None:
    def run(*args: str) -> str:
        result = CliRunner().invoke(cli, ["records", *args, "--data", str(path)])
        assert result.exit_code == 0, result.output
        return result.output

    with closing(Database(path)) as database:
        database.write(PARTS)
        for listed in (run(), run("list")):
            assert listed == "     2  2026-11-29T18:30:00Z  Kitchen, round 2 (una): Ann, Robo\n"
        assert run("show", "2") == "{}\n"
        to = tmp_path / "rounds"
        assert "1 of 1 records written" in run("export", "--to", str(to))
        assert "0 of 1 records written" in run("export", "2", "--to", str(to))
        assert [file.name for file in to.iterdir()] == ["una-000002.una.jsonl"]
        database.write([step(1000)])
    for number in ("7", "0", str(2**63)):
        missing = CliRunner().invoke(cli, ["records", "show", number, "--data", str(path)])
        assert (missing.exit_code, missing.stderr) == (1, f"There is no record {number}.\n")
    file = to / "una-000002.una.jsonl"
    instead = CliRunner().invoke(cli, ["records", "export", "--to", str(file), "--data", str(path)])
    assert (instead.exit_code, instead.stderr) == (2, f"{file} cannot be written to: file exists.\n")
    nowhere = CliRunner().invoke(cli, ["records", "--data", str(tmp_path / "none.db")])
    assert nowhere.exit_code == 2
    assert "There is no database" in nowhere.stderr


def test_the_newest_records_are_listed_first_and_not_all_of_them(path: Path) -> None:
    def listed(*args: str) -> list[str]:
        result = CliRunner().invoke(cli, ["records", *args, "--data", str(path)])
        assert result.exit_code == 0, result.output
        return result.output.splitlines()

    record = next(part for part in PARTS if isinstance(part, Record))
    with closing(Database(path)) as database:
        assert listed() == ["There are no records yet: each round becomes one when it is finished."]
        database.write([record._replace(id=str(number)) for number in range(60)])
        numbers = [line.split()[0] for line in listed()]
        assert numbers == [*(str(number) for number in range(60, 10, -1)), "Older"]
        assert listed()[-1] == "Older ones that are not listed: 10 (--limit 60 lists them all)."
        assert len(listed("--limit", "60")) == 60
        assert [line.split()[0] for line in listed("list", "--limit", "2")] == ["60", "59", "Older"]
        assert listed("--limit", "2", "list") == listed("list", "--limit", "2")
    for wrong in (["--limit", "0"], ["--limit", "2", "show", "7"]):
        assert CliRunner().invoke(cli, ["records", *wrong, "--data", str(path)]).exit_code == 2


def test_the_usual_place_is_the_users(tmp_path: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("another place on this system")
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    line = [sys.executable, "-m", "una_server", "records"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=20, env=environment, check=False)
    assert done.returncode == 2
    assert done.stderr == f"There is no database {tmp_path / 'una' / 'una.db'}.\n"
