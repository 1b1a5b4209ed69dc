"""The una client: the full-screen terminal game, the line mode, and the runner for bots."""

__version__ = "0.1.0"
