"""The main job without a person: a broken model is opened, mended, graded and trained in the real window."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer, qInstallMessageHandler
from PySide6.QtWidgets import QApplication
from rich.console import Console

from archstudio.app.application import Application
from archstudio.app.document import Document
from archstudio.app.figures import plural
from archstudio.app.storage import save_document
from archstudio.app.task_report import TaskReport, task_report
from archstudio.design.fixes import fixes_for
from archstudio.files.home import log_path
from archstudio.files.log import start_log
from archstudio.training.export import runs_as_csv
from archstudio.ui.start import log_qt, make_window
from archstudio.ui.welcome import FIRST_REPAIR
from archstudio.ui.window import MainWindow
from archstudio.verify.report import report

PATIENCE_SECONDS = 600.0
"""How long the demo waits for its one run."""
_SIZE_PX = (1600, 1000)
_STYLE = "body{font:16px system-ui;max-width:960px;margin:40px auto;padding:0 20px}img{width:100%}"


@dataclass
class _Story:
    """What happened, in order: a heading, sentences, and the picture of it."""

    out: Path
    console: Console
    chapters: list[tuple[str, list[str], str]] = field(default_factory=list)

    def tell(self, heading: str, sentences: list[str], picture: str = "") -> None:
        self.console.print(f"[bold]{heading}[/]")
        for sentence in sentences:
            self.console.print(f"  {sentence}", markup=False, highlight=False)
        self.chapters.append((heading, sentences, picture))


def run_demo(out: Path, samples: int) -> int:
    """Do the main job and leave pictures, graph, curve and report in `out`; returns the exit code."""
    out.mkdir(parents=True, exist_ok=True)
    qt = QApplication.instance() or QApplication([])
    assert isinstance(qt, QApplication)
    start_log(log_path())
    qInstallMessageHandler(log_qt)
    story = _Story(out, Console(soft_wrap=True))
    window = make_window(Application())
    window.resize(*_SIZE_PX)
    window.view.arrange("design")
    window.show()
    try:
        return _play(window, story, samples)
    finally:
        _leave(window)


def _play(window: MainWindow, story: _Story, samples: int) -> int:
    document = _open(window, story)
    before = task_report(document)
    _mend(window, document, story)
    after = task_report(document)
    assert before is not None
    assert after is not None
    _tell_grades(window, story, before, after)
    save_document(document, story.out / f"{FIRST_REPAIR}.arch.json")
    trained = _train(window, document, story, samples)
    _write_report(story)
    story.console.print(f"Everything is in {story.out}", markup=False)
    mended = document.verdict.runs and after.grade.passed and not before.grade.passed
    return 0 if mended and trained else 1


def _open(window: MainWindow, story: _Story) -> Document:
    window.open_task(FIRST_REPAIR)
    document = window.application.current
    assert document is not None
    verdict = document.verdict
    told = [report(document.graph, verdict, p).title for p in verdict.errors]
    picture = _picture(window, story, "1-broken")
    story.tell(f"Opened {FIRST_REPAIR}", [f"{len(told)} problem: {told[0]}" if told else "Nothing is wrong."], picture)
    return document


def _mend(window: MainWindow, document: Document, story: _Story) -> None:
    """Apply the first fix offered for each problem, as an edit, until none is left."""
    made: list[str] = []
    while document.verdict.errors and len(made) < len(document.graph):
        offered = fixes_for(document.graph, document.verdict.errors[0], document.verdict)
        if not offered:
            break
        document.push(offered[0].edit, offered[0].label)
        made.append(f"Applied: {offered[0].label}")
    story.tell("Mended", made or ["No fix is offered."], _picture(window, story, "2-mended"))


def _tell_grades(window: MainWindow, story: _Story, before: TaskReport, after: TaskReport) -> None:
    def line(when: str, made: TaskReport) -> str:
        failures = "; ".join(f.text for f in made.grade.failures)
        verdict = "passes" if made.grade.passed else f"does not pass ({failures})"
        return f"{when}: {verdict}, score {made.grade.score:g}, {plural(len(made.plan.actions), 'action')}"

    met = f"The brief: {after.facts_met} of {len(after.facts)} facts hold."
    story.tell("Graded", [line("Before", before), line("After", after), met])


def _train(window: MainWindow, document: Document, story: _Story, samples: int) -> bool:
    window.view.show_dock("training")
    window.docks.training.form.budget.setValue(samples)
    window.docks.training.start()
    rows = window.docks.training.book.rows
    if not rows:
        story.tell("Not trained", [window.docks.training.message])
        return False
    row = rows[0]
    with story.console.status("training"):
        _wait(lambda: row.state in ("finished", "failed", "stopped"), PATIENCE_SECONDS)
    stored = window.docks.training.desk.stored(row.run_id)
    (story.out / "curve.csv").write_text(runs_as_csv([stored]), encoding="utf-8")
    sentences = [f"{row.state}: {row.result_text or row.failure}, after {row.samples:,} samples"]
    story.tell("Trained", sentences, _picture(window, story, "3-trained"))
    window.docks.training.grab_curves(story.out / "curve.png")
    return row.state == "finished"


def _picture(window: MainWindow, story: _Story, name: str) -> str:
    _wait(lambda: False, 0.5)
    file = f"{name}.png"
    window.grab().save(str(story.out / file))
    return file


def _wait(done: Callable[[], bool], seconds: float) -> None:
    """Let the window live until `done`, or so many seconds."""
    loop = QEventLoop()
    timer = QTimer()
    until = time.monotonic() + seconds

    def look() -> None:
        if done() or time.monotonic() > until:
            loop.quit()

    timer.timeout.connect(look)
    timer.start(50)
    loop.exec()


def _leave(window: MainWindow) -> None:
    """Close without questions: the edits were saved to the demo's own folder."""
    for document in list(window.application.documents):
        window.application.close(document)
    window.close()


def _write_report(story: _Story) -> None:
    parts = ["<!doctype html><meta charset='utf-8'><title>Arch Studio demo</title>"]
    parts.append(
        "<style>body{font:16px system-ui;max-width:960px;margin:40px auto;padding:0 20px}img{width:100%}</style>"
    )
    parts.append("<h1>Arch Studio: the main job</h1>")
    for heading, sentences, picture in story.chapters:
        parts.append(f"<h2>{escape(heading)}</h2>")
        parts += [f"<p>{escape(sentence)}</p>" for sentence in sentences]
        if picture:
            parts.append(f"<img src='{escape(picture)}' alt='The window: {escape(heading)}'>")
    (story.out / "report.html").write_text("\n".join(parts) + "\n", encoding="utf-8")
