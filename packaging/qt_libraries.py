"""Says which system libraries Qt lacks on a Linux machine, and the one line that installs them."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple


class Need(NamedTuple):
    """A shared library (or "font", or "venv") and the packages that bring it, by family of distributions."""

    library: str
    debian: str
    fedora: str
    arch: str


ALWAYS = (
    Need("libEGL.so.1", "libegl1", "libglvnd-egl", "libglvnd"),
    Need("libGL.so.1", "libgl1", "libglvnd-glx", "libglvnd"),
    Need("libxkbcommon.so.0", "libxkbcommon0", "libxkbcommon", "libxkbcommon"),
    Need("libdbus-1.so.3", "libdbus-1-3", "dbus-libs", "dbus"),
    Need("libfontconfig.so.1", "libfontconfig1", "fontconfig", "fontconfig"),
    Need("libglib-2.0.so.0", "libglib2.0-0", "glib2", "glib2"),
)
X11 = (
    Need("libxcb-cursor.so.0", "libxcb-cursor0", "xcb-util-cursor", "xcb-util-cursor"),
    Need("libxcb-icccm.so.4", "libxcb-icccm4", "xcb-util-wm", "xcb-util-wm"),
    Need("libxcb-image.so.0", "libxcb-image0", "xcb-util-image", "xcb-util-image"),
    Need("libxcb-keysyms.so.1", "libxcb-keysyms1", "xcb-util-keysyms", "xcb-util-keysyms"),
    Need("libxcb-randr.so.0", "libxcb-randr0", "libxcb", "libxcb"),
    Need("libxcb-render-util.so.0", "libxcb-render-util0", "xcb-util-renderutil", "xcb-util-renderutil"),
    Need("libxcb-shape.so.0", "libxcb-shape0", "libxcb", "libxcb"),
    Need("libxcb-xkb.so.1", "libxcb-xkb1", "libxcb", "libxcb"),
    Need("libxkbcommon-x11.so.0", "libxkbcommon-x11-0", "libxkbcommon-x11", "libxkbcommon-x11"),
)
FONT = Need("font", "fonts-dejavu-core", "dejavu-sans-fonts", "ttf-dejavu")
VENV = Need("venv", "python3-venv", "python3", "python")

FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")


def missing_for_qt(with_x11: bool) -> list[Need]:
    """Return what Qt lacks here; empty on other systems than Linux. `with_x11`: a window on an X display is wanted."""
    if not sys.platform.startswith("linux"):
        return []
    wanted = ALWAYS + (X11 if with_x11 else ())
    return [need for need in wanted if not _loads(need.library)] + ([] if _has_font() else [FONT])


def install_line(needs: list[Need]) -> str:
    """Return the shell line that installs `needs` on this distribution, or the bare names where it is unknown."""
    if shutil.which("apt-get"):
        return "sudo apt-get install " + _packages(needs, "debian")
    if shutil.which("dnf"):
        return "sudo dnf install " + _packages(needs, "fedora")
    if shutil.which("pacman"):
        return "sudo pacman -S " + _packages(needs, "arch")
    return "your package manager, for: " + " ".join(need.library for need in needs)


def install_as_root(needs: list[Need]) -> bool:
    """Install `needs` when we are root on a Debian-like system; say whether that was done."""
    if not shutil.which("apt-get") or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "--no-install-recommends", *_packages(needs, "debian").split()]
    commands = (["apt-get", "update"], install)
    return all(subprocess.call(command, env=environment) == 0 for command in commands)


def _packages(needs: list[Need], family: str) -> str:
    return " ".join(sorted({getattr(need, family) for need in needs}))


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _has_font() -> bool:
    kinds = {".ttf", ".otf", ".ttc"}
    for folder in FONT_FOLDERS:
        for _, _, files in os.walk(Path(folder).expanduser()):
            if any(Path(file).suffix.lower() in kinds for file in files):
                return True
    return False
