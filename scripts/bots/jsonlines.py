"""A bot with nothing but JSON lines: una bot run --exec "python3 scripts/bots/jsonlines.py" HOST[/TABLE]"""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "turn":  # all that may be done stands in `legal`; most other messages are `state` and `ev`
        plays = [action for action in message["legal"] if action["k"] == "play"]
        do = plays[0] if plays else message["legal"][message["default"]]
        print(json.dumps({"turn": message["turn"], "do": do}), flush=True)
