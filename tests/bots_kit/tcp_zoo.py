"""Bad bots that speak TCP, by name of the fault: python tcp_zoo.py FAULT PORT. For the checks only."""

from __future__ import annotations

import socket
import struct
import sys
import threading
from typing import Any

import msgpack

fault, port = sys.argv[1], int(sys.argv[2])
connection = socket.create_connection(("127.0.0.1", port))
stream = connection.makefile("rb")
ids = iter(range(1, 10**6))


def send(**message: Any) -> None:
    body = msgpack.packb({"id": 1 if fault == "same id" else next(ids), **message})
    order = "<I" if fault == "wrong order" else ">I"
    connection.sendall(struct.pack(order, len(body)) + body)


def main() -> None:
    if fault == "silent":
        stream.read()
    send(t="hello", proto=[1], name="Zoo")
    send(t="join", table="k3f")
    while True:
        if fault == "one read, one message":
            header = connection.recv(4)
            message = msgpack.unpackb(connection.recv(65536))
        else:
            header = stream.read(4)
            if not header:
                if fault == "hangs":
                    threading.Event().wait()
                return
            message = msgpack.unpackb(stream.read(struct.unpack(">I", header)[0]))
        if message["t"] == "turn" and fault == "chatters":
            while True:
                send(t="ping")
        if message["t"] == "turn":
            number = {} if fault == "no turn" else {"turn": message["turn"]}
            send(t="act", table="k3f", do=message["legal"][0], **number)
        if message["t"] == "ping" and fault != "no pong":
            send(t="pong")
        if message["t"] == "bye":
            return


main()
