"""The arena: bots against bots, offline, thousands of games, with luck cancelled and the rest in numbers.

`plan` says which games there are, `game` plays one, `run` plays them all (in as many processes as wanted), `report`
adds them up, `command` is the command line. Knows nothing of tables, sessions and the network.
"""
