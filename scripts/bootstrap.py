"""Make the environment that una needs, once, and start a command in it.

`una`, `una-server`, `test` and `check` come here through `bootstrap.sh`; on Windows call
`python scripts\\bootstrap.py una …`.
This file owns `.venv` (what is in it, when it is made anew) and knows nothing of the game. It runs before anything is
installed, so it imports the standard library only, and slow modules only where they are needed: a later run costs
the reading of a stamp. Each failure is one plain sentence on stderr and exit status 2.
"""

import os
import sys

if sys.version_info < (3, 11):  # noqa: UP036 - when it was started by hand; bootstrap.sh has looked already
    sys.stderr.write("una: this needs Python 3.11 or newer; " + sys.executable + " is older.\n")
    sys.exit(2)

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
SOURCES = ("protocol", "server", "client")
UNFINISHED = VENV / "una-unfinished"
LAYOUT = "1"  # raise it when what this file puts into .venv changes
NEEDS = {
    "una": ("runtime",),
    "una-server": ("runtime",),
    "test": ("runtime", "dev"),
    "check": ("runtime", "dev"),
}
WHOLE_SUITE = ["-n", "auto", "--maxprocesses", "4", "--dist", "worksteal"]  # pytest's arguments where none are given
RUNS = {
    "una": ["-m", "una_client"],
    "una-server": ["-m", "una_server"],
    "test": ["-m", "pytest"],
    "check": [str(ROOT / "scripts" / "run_checks.py")],
}


def main(argv: list[str]) -> None:
    """Make sure that what `argv[0]` needs is installed, then become that command."""
    command, *arguments = argv
    if command == "test" and not arguments:
        arguments = WHOLE_SUITE
    if not all(is_current(pins) for pins in NEEDS[command]):
        with locked():
            for pins in NEEDS[command]:
                if not is_current(pins):
                    install(pins)
    if command in ("una", "una-server"):
        os.environ["PYTHONSAFEPATH"] = "1"  # a random.py in the folder where the user stands is not ours
    else:
        os.chdir(ROOT)
    start([str(PYTHON), *RUNS[command], *arguments])


def start(line: list[str]) -> NoReturn:
    """Become `line`; Windows cannot, and waits for it."""
    if os.name == "nt":
        import subprocess

        sys.exit(subprocess.call(line))
    if sys.stdout is not None:  # it may have been closed; what that means is for the command to say
        sys.stdout.flush()
    os.execv(line[0], line)


# -- what is there -----------------------------------------------------------------------------------------------


def stamp_of(pins: str) -> Path:
    """Where it is written down that `pins` (the name of a file in requirements/) are installed."""
    return VENV / f"una-{pins}.stamp"


def stamp_text(pins: str) -> str:
    """What the stamp says when nothing is to be done: the pins, the Python, the folder and the layout."""
    import hashlib

    version = "{}.{}".format(*sys.version_info) if is_inside() else venv_version()
    digest = hashlib.sha256((ROOT / "requirements" / f"{pins}.txt").read_bytes()).hexdigest()
    return f"{LAYOUT}\n{digest}\n{version}\n{ROOT}\n"


def is_inside() -> bool:
    """Whether this runs on the environment's own Python (with -S, `sys.prefix` does not tell)."""
    return Path(sys.executable).parent.resolve() == BIN.resolve()


def venv_version() -> str:
    """The Python version the environment was made for, as its configuration says; empty where there is none."""
    with suppress(OSError):
        for line in (VENV / "pyvenv.cfg").read_text("utf-8").splitlines():
            key, _, value = line.partition("=")
            if key.strip() in ("version", "version_info"):
                return ".".join(value.strip().split(".")[:2])
    return ""


def is_current(pins: str) -> bool:
    """Whether `pins` are installed as they stand in requirements/, in this folder."""
    try:
        return PYTHON.exists() and not UNFINISHED.exists() and stamp_of(pins).read_text("utf-8") == stamp_text(pins)
    except OSError:
        return False


def is_ours() -> bool:
    """Whether this file made (or began to make) `.venv`, and so may make it anew."""
    return UNFINISHED.exists() or any(stamp_of(pins).exists() for pins in ("runtime", "dev"))


def is_usable() -> bool:
    """Whether `.venv` has a Python that runs, is new enough, and stands where it was made."""
    import subprocess

    if UNFINISHED.exists() or any(_folder_of(stamp_of(pins)) not in ("", str(ROOT)) for pins in ("runtime", "dev")):
        return False
    probe = "import sys; print('%d.%d' % sys.version_info[:2]); sys.exit(sys.version_info < (3, 11))"
    try:
        done = subprocess.run([str(PYTHON), "-I", "-c", probe], capture_output=True, text=True, check=False)
    except OSError:
        return False
    return done.returncode == 0 and done.stdout.strip() == venv_version()


def _folder_of(stamp: Path) -> str:
    with suppress(OSError, IndexError):
        return stamp.read_text("utf-8").splitlines()[3]
    return ""


# -- making it ---------------------------------------------------------------------------------------------------


@contextmanager
def locked() -> Iterator[None]:
    """Let one process at a time install; the lock is the pins' own file, so none is left behind."""
    with (ROOT / "requirements" / "runtime.txt").open("rb") as file:
        with suppress(OSError):  # a file system without locks: go on without
            _lock(file.fileno())
        yield


def _lock(handle: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        os.lseek(handle, 1 << 30, os.SEEK_SET)  # far behind the text: others may go on reading it
        msvcrt.locking(handle, msvcrt.LK_LOCK, 1)
        return
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("waiting for another run that is setting up .venv …")
        fcntl.flock(handle, fcntl.LOCK_EX)


def install(pins: str) -> None:
    """Put the pinned packages of requirements/`pins`.txt into `.venv`, and the project beside them."""
    what = "what una needs" if pins == "runtime" else "the tools for tests and checks"
    try:
        usable = is_usable()
        if not usable:
            must_be_ours()
        say(f"setting up {what} in {VENV} (once; takes a few seconds) …")
        if not usable:
            make()
        UNFINISHED.touch()
        for stale in (stamp_of(pins), *([stamp_of("dev")] if pins == "runtime" else [])):
            stale.unlink(missing_ok=True)
        fill(pins)
        link_sources()
        stamp_of(pins).write_text(stamp_text(pins), "utf-8")
        UNFINISHED.unlink()
    except OSError as error:
        why = error.strerror or error
        fail(f"{VENV} could not be written ({why}); make room or give write access, then run this again.")


def must_be_ours() -> None:
    """Go on only where `.venv` may be made anew: not over one that somebody else made, nor while running in it."""
    if VENV.exists() and any(VENV.iterdir()) and not is_ours():
        fail(f"{VENV} is there but has no working Python 3.11 or newer; remove that folder, then run this again.")
    if is_inside():
        start([getattr(sys, "_base_executable", sys.executable), "-I", __file__, *sys.argv[1:]])


def make() -> None:
    """Make `.venv` anew."""
    import shutil

    shutil.rmtree(VENV, ignore_errors=True)
    VENV.mkdir(exist_ok=True)
    UNFINISHED.touch()
    if not uv() or run([uv(), "venv", "--quiet", "--allow-existing", "--python", sys.executable, str(VENV)]):
        make_with_venv()


def make_with_venv() -> None:
    """Make `.venv`, or give one that has none its pip, with the standard library alone."""
    base = getattr(sys, "_base_executable", sys.executable)
    if run([base, "-I", "-m", "venv", str(VENV)]):
        fail(
            f"{base} cannot make virtual environments; install its venv module "
            "(Debian, Ubuntu: the package python3-venv) or uv, then run this again."
        )


def fill(pins: str) -> None:
    """Install the pins, each file checked against its hash: with uv where it is there, else with pip."""
    wanted = ["--require-hashes", "-r", str(ROOT / "requirements" / f"{pins}.txt")]
    if uv() and run([uv(), "pip", "install", "--quiet", "--python", str(PYTHON), *wanted]) == "":
        return
    if run([str(PYTHON), "-I", "-c", "import pip"]):
        make_with_venv()
    options = ["--quiet", "--no-deps", "--no-input", "--disable-pip-version-check", "--retries", "2"]
    problem = run([str(PYTHON), "-I", "-m", "pip", "install", *options, *wanted])
    if not problem:
        return
    log = VENV / "una-install.log"
    log.write_text(problem, "utf-8")
    if "DO NOT MATCH THE HASHES" in problem:
        fail(
            f"a downloaded package is not the one that una was tested with, so nothing was installed (details: {log})."
        )
    fail(
        "the packages that una needs could not be downloaded; check the network connection "
        f"(or pip's settings), then run this again (details: {log})."
    )


def link_sources() -> None:
    """Put the project's three folders on the environment's path: no build, so nothing else is needed."""
    import subprocess

    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    where = subprocess.run([str(PYTHON), "-I", "-c", ask], capture_output=True, text=True, check=True).stdout.strip()
    text = "".join(f"{ROOT / source}\n" for source in SOURCES)
    Path(where, "una_sources.pth").write_text(text, "utf-8")


def uv() -> str:
    """Where uv is, or nothing."""
    import shutil

    return shutil.which("uv") or ""


def run(line: list[str]) -> str:
    """Run `line` quietly: nothing if it went well, else what it said."""
    import subprocess

    ignored = (
        "PIP_USER",
        "PIP_TARGET",
        "PIP_PREFIX",
        "PIP_DRY_RUN",
        "PIP_REQUIRE_VIRTUALENV",
        "VIRTUAL_ENV",
        "PYTHONHOME",
    )
    environment = {name: value for name, value in os.environ.items() if name not in ignored}
    try:
        done = subprocess.run(line, capture_output=True, text=True, errors="replace", env=environment, check=False)
    except OSError as error:
        return str(error)
    return "" if done.returncode == 0 else f"{line}\n{done.stdout}{done.stderr}"


def say(text: str) -> None:
    """Tell the user what is going on, on stderr."""
    sys.stderr.write(f"una: {text}\n")
    sys.stderr.flush()


def fail(text: str) -> NoReturn:
    """Say why it does not go on, and end."""
    say(text)
    sys.exit(2)


if __name__ == "__main__":
    try:
        main(sys.argv[1:] or ["una"])
    except KeyboardInterrupt:
        sys.exit(130)
