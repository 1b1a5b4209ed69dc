"""A whole una bot with nothing but sockets and msgpack: minimal.py HOST[:PORT] [TABLE] [NAME]"""

import socket
import struct
import sys

import msgpack

address, table, name = [*sys.argv[1:], *["localhost", "", ""][len(sys.argv) - 1 :]]
host, _, port = address.partition(":")
connection = socket.create_connection((host, int(port or 4820)))
stream, seat, last_id = connection.makefile("rb"), None, 0


def send(t, **fields):  # a frame: four bytes of length, then one msgpack map
    global last_id
    if t != "pong":  # every other message has an id, and the ids increase
        fields["id"] = last_id = last_id + 1
    body = msgpack.packb({"t": t, **fields})
    connection.sendall(struct.pack(">I", len(body)) + body)


send("hello", proto=[1], name=name or "Minimal", client="minimal/1", bot=True)
send("join", table=table) if table else send("lobby", subscribe=True)
while header := stream.read(4):
    msg = msgpack.unpackb(stream.read(struct.unpack(">I", header)[0]))
    kind, event = msg["t"], msg.get("e", {})
    if kind == "ping":
        send("pong")
    elif msg.get("tables") and not table:  # the lobby: sit down at the first open table
        table = next(
            (row["id"] for row in msg["tables"] if row["phase"] == "waiting" and row["taken"] < row["seats"]), ""
        )
        table and send("join", table=table)
    elif kind == "state":  # we sit, and know everything that we may: msg["hand"], msg["top"], msg["players"]
        seat = msg["you"]
    elif kind == "turn":  # all that may be done stands in `legal`: play if a card fits, else the default move
        plays = [action for action in msg["legal"] if action["k"] == "play"]
        send("act", table=msg["table"], turn=msg["turn"], do=plays[0] if plays else msg["legal"][msg["default"]])
    elif event.get("k") in ("round_over", "match_over"):
        send("ready" if event["k"] == "round_over" else "rematch", table=msg["table"])
    elif (event.get("k") == "left" and event.get("seat") == seat) or kind == "bye" or (kind == "err" and seat is None):
        sys.exit(msg.get("msg", "The table is gone."))
