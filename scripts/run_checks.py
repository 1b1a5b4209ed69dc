"""Run every check of the code that is not a test, and say which failed; `./scripts/check` starts it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = [sys.executable]
LINT_IMPORTS = "from importlinter.cli import lint_imports_command; lint_imports_command()"
CHECKS = {
    "ruff check": [*PYTHON, "-m", "ruff", "check", "--quiet", "."],
    "ruff format": [*PYTHON, "-m", "ruff", "format", "--check", "--quiet", "."],
    "mypy": [*PYTHON, "-m", "mypy"],
    "lint-imports": [*PYTHON, "-c", LINT_IMPORTS],
    "generated files": [*PYTHON, "scripts/generate_protocol.py", "--check"],
    "man page": [*PYTHON, "scripts/make_man.py", "--check"],
    "translations": [*PYTHON, "scripts/translations.py"],
}


def main() -> int:
    """Run them all, also after one has failed; the exit status is 1 if any did."""
    os.chdir(ROOT)
    failed = [name for name, line in CHECKS.items() if not passes(name, line)]
    print(f"failed: {', '.join(failed)}" if failed else "all checks passed")
    return 1 if failed else 0


def passes(name: str, line: list[str]) -> bool:
    """Run one check; its output is shown only if it fails."""
    began = time.monotonic()
    done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    print(f"{'ok  ' if done.returncode == 0 else 'FAIL'} {name} ({time.monotonic() - began:.1f} s)", flush=True)
    if done.returncode:
        print(done.stdout, flush=True)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
