"""The una protocol without I/O: cards, messages, frames, the view a player has, and the bot interface.

Knows neither sockets nor trio, neither server nor client: both import it, and bots may.
"""
