"""The arena: bots against bots, offline, thousands of games, with luck cancelled and the rest in numbers.

`plan` says which games there are, `run` what else a run is, `game` plays one. `crew` has them all played by processes
of their own (`worker`), where bots may do as they like: what they break is theirs. `report` adds up, `command` is
the command line. Knows nothing of tables, sessions and the network.
"""
