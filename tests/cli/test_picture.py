"""`archstudio picture` draws without a window or a display."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from archstudio.app.application import task_document
from archstudio.files.embedded import embedded_text
from archstudio.graph import write_graph


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    without = {k: v for k, v in os.environ.items() if k not in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")}
    command = [sys.executable, "-m", "archstudio", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=without, timeout=120, check=False)


def test_a_graph_is_drawn_into_each_file_and_read_back(tmp_path: Path) -> None:
    graph = task_document("deepen-resnet").graph
    file = tmp_path / "net.arch.json"
    file.write_bytes(write_graph(graph))
    outs = [tmp_path / f"figure.{kind}" for kind in ("svg", "pdf", "png")]
    done = run("picture", file, *(part for out in outs for part in ("--out", out)))
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == [str(out) for out in outs]
    for out in outs:
        assert embedded_text(out) == write_graph(graph)
    again = tmp_path / "again.svg"
    assert run("picture", outs[2], "--out", again, "--words", "outlines").returncode == 0
    assert "<text" not in again.read_text(encoding="utf-8")


def test_what_cannot_be_drawn_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "net.arch.json"
    file.write_text("[1]", encoding="utf-8")
    for arguments in ((file, "--out", tmp_path / "a.svg"), (tmp_path / "no.json", "--out", tmp_path / "a.svg")):
        done = run("picture", *arguments)
        assert done.returncode == 2
        assert len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "a.svg").exists()
