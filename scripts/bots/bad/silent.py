"""Silent clients: some never say hello, some never say anything after it, not even pong.

A server must not keep a place for them: the first are sent away after five seconds, the others after their silence.
"""

from __future__ import annotations

import contextlib
import time

from wire import ERRORS, Client, Zoo, a_name

zoo = Zoo(__doc__)
while zoo.going:
    clients: list[Client] = []
    for number in range(zoo.count or 10):
        with contextlib.suppress(*ERRORS):
            client = zoo.connect()
            clients.append(client)
            if number % 2:
                client.hello(a_name(zoo))
                zoo.note("silent after hello")
            else:
                zoo.note("silent from the beginning")
    while zoo.going and len(clients) > (zoo.count or 10) // 2:
        time.sleep(0.5)
        for client in clients.copy():
            client.sock.settimeout(0.01)
            try:
                while client.sock.recv(65536):
                    pass
                ended = True
            except TimeoutError:
                ended = False
            except OSError:
                ended = True
            if ended:
                zoo.note("sent away")
                clients.remove(client)
    for client in clients:
        client.sock.close()
zoo.done()
