"""Starts the command line or the window; the only module that knows both."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from archstudio.cli.rooms import ROOMS
from archstudio.cli.windowed import PictureOrder, StudyOrder, Windowed
from archstudio.files.home import HOME_VARIABLE

STUDY_SUFFIX = ".study"


def console() -> None:
    """The console program `archstudio`: a command, or the window on the files named."""
    arguments = sys.argv[1:]
    if not arguments or (arguments[0] not in ROOMS and not arguments[0].startswith("-")):
        raise SystemExit(_window([Path(a) for a in arguments]))
    from archstudio.cli.program import main

    raise SystemExit(main(arguments, Windowed(_window, _demo, _picture, _study)))


def gui() -> None:
    """The windowed program `archstudio-gui`."""
    raise SystemExit(_window([Path(a) for a in sys.argv[1:]]))


def _window(files: list[Path], task: str | None = None) -> int:
    missing = [str(f) for f in files if not f.exists()]
    if missing:
        return _refused(f"no such file or command: {', '.join(missing)}. See 'archstudio --help'.")
    if not _has_display():
        return _refused("no display was found. Use 'archstudio demo --out DIR', or see --help.")
    if len(files) == 1 and files[0].suffix == STUDY_SUFFIX:
        return _study(StudyOrder(files[0]))
    from archstudio.ui.start import run_window

    return run_window(files, task)


def _study(order: StudyOrder) -> int:
    if not _has_display():
        return _refused("no display was found; people take part in a window.")
    from archstudio.ui.study.start import run_study

    return run_study(order.study, order.sessions, full_screen=order.full_screen)


def _demo(out: Path, samples: int) -> int:
    """The demo works in a home of its own, so that a person's first window does not open on its runs."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from archstudio.ui.demo import run_demo

    with tempfile.TemporaryDirectory(prefix="archstudio-demo-", ignore_cleanup_errors=True) as home:
        os.environ[HOME_VARIABLE] = home
        return run_demo(out, samples)


def _picture(order: PictureOrder) -> int:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from archstudio.ui.pictures.draw import draw_pictures

    return draw_pictures(order.file, order.out, order.scale, "outlines" if order.words == "outlines" else "font")


def _refused(why: str) -> int:
    from archstudio.cli.output import UNUSABLE, complain

    complain(why)
    return UNUSABLE


def _has_display() -> bool:
    if not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


if __name__ == "__main__":
    console()
