"""`una replay`: a recorded round looked at again. `una-server replay --steps`, a child, knows the rules."""

from __future__ import annotations

from .command import run_replay as run_replay
