"""Write the table of keys in the README anew, from the client's key table."""

from __future__ import annotations

import re
from pathlib import Path

from una_client.tui.keys import keys_markdown

README = Path(__file__).resolve().parent.parent / "README.md"

if __name__ == "__main__":
    text = README.read_text("utf-8")
    between = re.compile(r"(<!-- keys -->\n).*?(<!-- /keys -->)", re.DOTALL)
    README.write_text(between.sub(lambda found: f"{found[1]}{keys_markdown().strip()}\n{found[2]}", text), "utf-8")
