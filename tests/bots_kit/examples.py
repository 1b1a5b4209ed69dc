"""The shipped examples, and how each is started."""

from __future__ import annotations

import atexit
import shlex
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import ROOT

BOTS = ROOT / "scripts" / "bots"
PYTHON = shlex.join([sys.executable, "-P", "-W", "error"])
LINES = {
    "jsonlines.py": f"{PYTHON} {shlex.quote(str(BOTS / 'jsonlines.py'))}",
    "jsonlines.pl": f"perl {shlex.quote(str(BOTS / 'perl' / 'jsonlines.pl'))}",
}
MINIMAL = f"{PYTHON} {shlex.quote(str(BOTS / 'minimal.py'))} {{host}}:{{port}} {{table}}"
HAS_PERL = (
    shutil.which("perl") is not None
    and subprocess.run(["perl", "-MJSON::PP", "-e", "1"], capture_output=True, check=False).returncode == 0
)
PERL = pytest.mark.skipif(not HAS_PERL, reason="there is no Perl, or one without its standard library")
RUNNER = f"{PYTHON} -m una_client bot run {{bot}} {{host}}:{{port}}/{{table}} --name Ann"
CHECKED = [
    f"{BOTS / 'simple.py'}:Simple",
    f"--exec={LINES['jsonlines.py']}",
    pytest.param(f"--exec={LINES['jsonlines.pl']}", marks=PERL),
    f"--tcp={MINIMAL}",
    f"--tcp={RUNNER.replace('{bot}', str(BOTS / 'simple.py') + ':Simple')}",
    f"--tcp={RUNNER.replace('{bot}', '--exec ' + shlex.quote(LINES['jsonlines.py']))}",
    f"--tcp={MINIMAL.removesuffix(' {table}')}",
]


@cache
def node() -> str:
    """The command of the example in JavaScript, installed; the test is skipped where that cannot be."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("there is no Node, or no npm")
    folder = Path(tempfile.mkdtemp(prefix="una-node-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for path in (BOTS / "node").glob("*.js*"):
        shutil.copy(path, folder)
    line = ["npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"]
    try:
        done = subprocess.run(line, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        pytest.skip("npm cannot install the packages: it takes too long")
    if done.returncode:
        pytest.skip(f"npm cannot install the packages: {done.stderr.strip()[:200]}")
    return f"node {shlex.quote(str(folder / 'bot.js'))} {{host}}:{{port}} {{table}}"
