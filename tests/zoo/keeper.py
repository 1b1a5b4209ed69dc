"""Lets the bad clients of `scripts/bots/bad` loose on a server, as processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

BAD = Path(__file__).resolve().parents[2] / "scripts" / "bots" / "bad"
KINDS = sorted(path.stem for path in BAD.glob("*.py") if path.stem != "wire")
MARK = b"Zoomark"


class Keeper:
    """All kinds at once."""

    def __init__(self, port: int, seconds: float, kinds: list[str] | None = None) -> None:
        self.running = {
            kind: subprocess.Popen(
                [sys.executable, str(BAD / f"{kind}.py"), f"127.0.0.1:{port}", "--seconds", str(seconds)],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                # they would be on other machines: here they must not take the processor from those who play
                preexec_fn=(lambda: os.nice(15)) if hasattr(os, "nice") else None,
            )
            for kind in kinds or KINDS
        }

    def gather(self, timeout: float) -> dict[str, str]:
        """Wait for them; what each printed. A kind that failed has an exclamation mark before it."""
        said = {}
        for kind, process in self.running.items():
            try:
                text, _ = process.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                process.kill()
                text, _ = process.communicate()
                text += "did not end"
                process.returncode = 1
            said[f"{'!' if process.returncode else ''}{kind}"] = text.strip()
        return said
