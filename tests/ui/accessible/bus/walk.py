"""Walks the canvas of a running window over the accessibility bus, as a screen reader does; prints what it met as JSON.

It runs with the system's Python, which has the bindings of AT-SPI.
"""

from __future__ import annotations

import json
import sys
import time
import warnings

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

warnings.simplefilter("ignore")
DEADLINE = time.monotonic() + 40


def canvas_in(part, depth: int = 0):
    """The canvas below a part, if any."""
    if part is None or depth > 12:
        return None
    if part.get_role_name() == "canvas":
        return part
    for k in range(min(part.get_child_count(), 80)):
        found = canvas_in(part.get_child_at_index(k), depth + 1)
        if found is not None:
            return found
    return None


def wait_for_canvas():
    """The canvas of the window once it has parts."""
    while time.monotonic() < DEADLINE:
        desktop = Atspi.get_desktop(0)
        for k in range(desktop.get_child_count()):
            found = canvas_in(desktop.get_child_at_index(k))
            if found is not None and found.get_child_count() > 100:
                return found
        time.sleep(0.5)
    sys.exit("no canvas was found on the bus")


Atspi.init()
canvas = wait_for_canvas()
met = [canvas.get_child_at_index(k) for k in range(canvas.get_child_count())]
rows = [
    (p.get_role_name(), p.get_name(), p.get_description(), p.get_extents(Atspi.CoordType.SCREEN).width) for p in met
]
chosen = met[3]
actions = chosen.get_action_iface()
names = [actions.get_action_name(k) for k in range(actions.get_n_actions())]
actions.do_action(0)
time.sleep(0.5)
states = [state.value_nick for state in chosen.get_state_set().get_states()]
print(json.dumps({"parts": rows, "actions": names, "states": states}))
