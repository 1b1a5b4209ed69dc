"""Write the tables of keys anew from the client's key table: all in docs/KEYS.md, those of play in the README."""

from __future__ import annotations

import re
from pathlib import Path

from una_client.tui.keys import keys_markdown

ROOT = Path(__file__).resolve().parent.parent
BETWEEN = re.compile(r"(<!-- keys -->\n).*?(<!-- /keys -->)", re.DOTALL)


def write(page: Path, keys: str) -> None:
    """Put the keys between the two marks of a page."""
    text = page.read_text("utf-8")
    page.write_text(BETWEEN.sub(lambda found: f"{found[1]}{keys.strip()}\n{found[2]}", text), "utf-8")


if __name__ == "__main__":
    everything = keys_markdown()
    write(ROOT / "docs" / "KEYS.md", everything)
    write(ROOT / "README.md", everything.partition("\n\n**")[0])
