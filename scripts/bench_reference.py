"""The bare reference that the server is measured against: what reading and sending alone cost under Trio.

Every four connections are a table. It reads frames of 59 bytes and sends an event of 191 bytes to all four, the way
una does: one task per connection, `wait_readable`, a non-blocking `recv`, direct non-blocking sends. Nothing is
decoded, nothing is decided. Started by `bench_server.py`; prints its port, ends with its standard input.
"""

from __future__ import annotations

import os
import socket

import trio

REQUEST = 59
EVENT = (187).to_bytes(4, "big") + b"\x80" * 187


async def serve(sock: socket.socket, table: list[socket.socket]) -> None:
    buffer = bytearray()
    while True:
        await trio.lowlevel.wait_readable(sock)
        try:
            data = sock.recv(65536)
        except BlockingIOError:
            continue
        if not data:
            return
        buffer += data
        while len(buffer) >= 4:
            end = 4 + int.from_bytes(buffer[:4], "big")
            if len(buffer) < end:
                break
            del buffer[:end]
            for member in table:
                member.send(EVENT)


async def main() -> None:
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(512)
    listener.setblocking(False)
    print(listener.getsockname()[1], flush=True)
    async with trio.open_nursery() as nursery:

        async def until_eof() -> None:
            while await trio.to_thread.run_sync(os.read, 0, 4096, abandon_on_cancel=True):
                pass
            nursery.cancel_scope.cancel()

        nursery.start_soon(until_eof)
        table: list[socket.socket] = []
        while True:
            await trio.lowlevel.wait_readable(listener)
            connection, _ = listener.accept()
            connection.setblocking(False)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if len(table) == 4:
                table = []
            table.append(connection)
            nursery.start_soon(serve, connection, table)


if __name__ == "__main__":
    trio.run(main)
