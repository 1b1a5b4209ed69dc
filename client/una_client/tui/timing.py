"""When the picture changes by itself: clocks, notes that expire, what is fresh for a moment, signs that turn. Pure."""

from __future__ import annotations

import math

from .model import Model
from .prompt import grace_left, seconds_left
from .world import FRESH_S, SPIN_AFTER_S

SPIN_S = 0.25
LEAST_S = 0.02


def next_change(model: Model, now: float) -> float | None:
    """Seconds until the picture is another one though nothing happens; None where it stays as it is."""
    world = model.world
    waits = [moment - now for moment in (model.note_until, world.fresh.laid_at + FRESH_S,
                                         world.fresh.drawn_at + FRESH_S)]  # fmt: skip
    if world.lost is not None:
        waits += [_second(moment - now) for moment in (world.lost.next_at, world.lost.held_until) if moment is not None]
    elif world.frozen is None and (left := seconds_left(model, now)):
        waits.append(_second(left))
    if (grace := grace_left(model, now)) is not None:
        waits.append(min(grace, SPIN_S))
    if world.vote_deadline is not None:
        waits.append(_second(world.vote_deadline - now))
    since = world.sent_at if world.connecting is None else world.connecting[1]
    if since is not None:
        waits.append(max(since + SPIN_AFTER_S - now, SPIN_S))
    waits = [wait for wait in waits if wait > 0]
    return max(LEAST_S, min(waits)) if waits else None


def _second(left: float) -> float:
    """Until the number of whole seconds left, rounded up, is another one."""
    return left - math.ceil(left) + 1 if left > 0 else 0.0
