"""A screen reader's own way: another process walks the canvas over the accessibility bus of a real window."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent / "bus"
LAUNCHER = Path("/usr/libexec/at-spi-bus-launcher")
SYSTEM_PYTHON = "/usr/bin/python3"
DISPLAY = ":83"


def tools_are_missing() -> bool:
    if not all(map(shutil.which, ("Xvfb", "dbus-run-session"))) or not LAUNCHER.exists():
        return True
    asked = [SYSTEM_PYTHON, "-c", "import gi; gi.require_version('Atspi', '2.0')"]
    return not Path(SYSTEM_PYTHON).exists() or subprocess.run(asked, capture_output=True, check=False).returncode != 0


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux" or tools_are_missing(), reason="needs Xvfb, dbus, AT-SPI and its bindings")
def test_a_canvas_is_walked_over_the_accessibility_bus(tmp_path: Path) -> None:
    script = tmp_path / "session.sh"
    script.write_text(
        f"Xvfb {DISPLAY} -screen 0 1400x900x24 >/dev/null 2>&1 & SCREEN=$!\n"
        f"sleep 1; {LAUNCHER} --launch-immediately >/dev/null 2>&1 & sleep 1\n"
        f"{sys.executable} {HERE / 'window.py'} 60 >/dev/null 2>&1 & WINDOW=$!\n"
        f"{SYSTEM_PYTHON} {HERE / 'walk.py'}; CODE=$?\n"
        "kill -0 $WINDOW || CODE=9\n"
        "kill $WINDOW $SCREEN; exit $CODE\n"
    )
    surroundings = {
        **os.environ, "DISPLAY": DISPLAY, "QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        "ARCHSTUDIO_HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
    }  # fmt: skip
    surroundings.pop("WAYLAND_DISPLAY", None)
    ran = subprocess.run(
        ["dbus-run-session", "--", "bash", str(script)], env=surroundings, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-2_000:]
    met = json.loads(ran.stdout.strip().splitlines()[-1])
    roles = [role for role, *_ in met["parts"]]
    assert roles.count("list item") == 70
    assert roles.count("link") == 77
    assert met["parts"][1][1] == "stem_conv, conv2d"
    assert "from image" in met["parts"][1][2]
    assert all(width > 0 for role, _, _, width in met["parts"] if role == "list item")
    assert met["actions"] == ["Select", "Edit parameters", "Rename"]
    assert "selected" in met["states"]
