"""The una server: the rules engine, tables, the lobby, and the network around them."""

__version__ = "0.1.0"
