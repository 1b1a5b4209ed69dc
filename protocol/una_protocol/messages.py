"""All messages, as the types that check them. The reference, the JSON Schema and `describe` are made from these.

The two directions have their own types: `REQUESTS` lists what a client sends, `ANSWERS` what a server sends. Unknown
fields are ignored by both sides. Whoever uses messages takes them from here.
"""

from .answers import *  # noqa: F403  # this module is nothing but their names
from .requests import *  # noqa: F403
from .requests import _Request as _Request
from .requests import _TableRequest as _TableRequest
from .wire import *  # noqa: F403
