"""Tournaments over the network: a server in arena mode seats the bots that wait, and keeps a ladder.

`pairing` chooses who plays whom and `ladder` rates what came of it, both pure; `tournament` opens the tables in the
hall, judges them when they are over, and answers the requests `queue` and `ladder`.
"""
