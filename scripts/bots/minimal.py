"""A whole una bot with nothing but sockets and msgpack: minimal.py HOST[:PORT] [TABLE] [NAME]"""

import socket
import struct
import sys
import time

import msgpack

REPLY = {"ping": "pong", "round_over": "ready", "match_over": "rematch"}
address, table, name = [*sys.argv[1:], "", "", ""][:3]
host, _, port = address.partition(":")
connection = socket.create_connection((host or "localhost", int(port or 4820)))
stream, seat, last_id = connection.makefile("rb"), None, 0


def send(t, **fields):  # a frame: four bytes of length, then one msgpack map; the ids increase
    global last_id
    last_id += 1
    body = msgpack.packb({"t": t, "id": last_id, **fields})
    time.sleep(0.02)  # the server takes 50 messages a second
    connection.sendall(struct.pack(">I", len(body)) + body)


send("hello", proto=[1], name=name or "minimal", bot=True)
send("join", table=table) if table else send("lobby", subscribe=True)
while header := stream.read(4):
    msg = msgpack.unpackb(stream.read(struct.unpack(">I", header)[0]))
    kind, event = msg["t"], msg.get("e", {}).get("k")
    if reply := REPLY.get(event or kind):
        send(reply, table=table)
    elif kind == "state":  # we sit, and know all that we may: msg["hand"], msg["top"], msg["players"] …
        seat, table = msg.get("you"), msg["table"]
    elif kind == "turn":  # all that may be done stands in `legal`: play if a card fits, else the default move
        plays = [action for action in msg["legal"] if action["k"] == "play"]
        send("act", table=table, turn=msg["turn"], do=plays[0] if plays else msg["legal"][msg["default"]])
    elif rows := [row for row in msg.get("tables", []) if row["phase"] == "waiting" and row["taken"] < row["seats"]]:
        table or send("join", table=(table := rows[0]["id"]))  # the lobby: sit down at the first open table
    elif kind == "bye" or (kind == "err" and seat is None) or (event == "left" and msg["e"].get("seat") == seat):
        sys.exit(msg.get("msg", "The table is gone."))
