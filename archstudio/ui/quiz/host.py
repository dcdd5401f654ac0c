"""Questions in the main window: which of their pages is in front, and what stands still meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject
from PySide6.QtWidgets import QFileDialog, QStackedWidget, QVBoxLayout, QWidget

from archstudio.app.commands import run_command
from archstudio.app.document import Document
from archstudio.app.quiz.designs import CannotUse, design_of, open_field
from archstudio.app.quiz.packs import QuizPack, open_pack
from archstudio.app.quiz.record import SessionRecord
from archstudio.app.quiz.session import QuizSession
from archstudio.app.quiz.shelf import Shelf
from archstudio.app.quiz.workbench import Workbench
from archstudio.files.atomic import SaveFailed
from archstudio.files.unusable import UnusableFile
from archstudio.ui.notice import Notice
from archstudio.ui.quiz.home_page import HomePage
from archstudio.ui.quiz.own_panel import OwnSettingPanel
from archstudio.ui.quiz.page import QuizPage
from archstudio.ui.quiz.practice import PracticeMaker
from archstudio.ui.quiz.results_page import ResultsPage
from archstudio.ui.quiz.start_dialog import StartDialog

if TYPE_CHECKING:
    from archstudio.ui.quiz.design_dialog import DesignDialog
    from archstudio.ui.window import MainWindow

_PACKS = "Packs of questions (*.json);;All files (*)"
_LAYOUT_VERSION = 1


class QuizHost(QObject):
    """Implements `app.quiz.view.QuestionsView`.

    While questions are in front no graph is current, so that no command acts on one unseen, and the docks are hidden.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._shelf: Shelf | None = None
        self._session: QuizSession | None = None
        self._before: Document | None = None
        self._docks: QByteArray | None = None
        self._pages = QStackedWidget()
        self.page: QuizPage | None = None
        self.home: HomePage | None = None
        self.results: ResultsPage | None = None
        self.design: DesignDialog | None = None
        self.notice = Notice()
        self._area = QWidget()
        column = QVBoxLayout(self._area)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._pages, 1)
        column.addWidget(self.notice)
        self._stack = QStackedWidget()
        self.bench = Workbench()
        self.practice = PracticeMaker(window)
        self.practice.made.connect(self.begin)
        self.practice.failed.connect(self._practice_failed)
        self._stop_watching: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Take the place in the middle of the window, with what stands there as the first page."""
        middle = self._window.takeCentralWidget()
        assert middle is not None  # the window has made it
        self._stack.addWidget(middle)
        self._stack.addWidget(self._area)
        self._window.setCentralWidget(self._stack)
        self._stop_watching = self._window.application.watch(self._follow)

    def tell(self, text: str, detail: str, *, fault: bool) -> bool:
        """Show a notice on the page in front; whether it was one of questions."""
        if not self.in_front():
            return False
        self.notice.tell(text, detail, fault=fault)
        return True

    # ------------------------------------------------------------ being in front

    @property
    def session(self) -> QuizSession | None:
        """The session that is open."""
        return self._session

    @property
    def shelf(self) -> Shelf:
        """The sessions on disk; its folder is made by the first use."""
        if self._shelf is None:
            self._shelf = Shelf.at_home()
        return self._shelf

    def in_front(self) -> bool:
        """Whether a page of questions is what the window shows."""
        return self._stack.currentWidget() is self._area

    def _enter(self, page: QWidget) -> None:
        if self._pages.indexOf(page) < 0:
            self._pages.addWidget(page)
        self._pages.setCurrentWidget(page)
        if not self.in_front():
            application = self._window.application
            self._before = application.current
            self._docks = self._window.saveState(_LAYOUT_VERSION)
            for dock in self._window.docks.docks.values():
                dock.hide()
            self._stack.setCurrentWidget(self._area)
            application.make_current(None)  # commands about graphs must not act on one that cannot be seen
        self._title()
        self._window.commands.update()
        page.setFocus()

    def leave(self) -> None:
        """Go back to the graph that was in front before."""
        if not self.in_front():
            return
        before = self._before
        self._back()
        application = self._window.application
        if before in application.documents:
            application.make_current(before)
        self._window.commands.update()

    def _back(self) -> None:
        self._stack.setCurrentIndex(0)
        if self._docks is not None:
            self._window.restoreState(self._docks, _LAYOUT_VERSION)
        self._docks, self._before = None, None

    def _follow(self) -> None:
        """A graph that is opened or chosen comes to the front by itself."""
        if self.in_front():
            if self._window.application.current is not None:
                self._back()
            else:
                self._title()

    def _title(self) -> None:
        self._window.setWindowTitle(self.tr("Questions – Arch Studio"))

    def set_theme(self) -> None:
        """Draw in the window's colours."""
        theme = self._window.theme
        if self.page is not None:
            self.page.set_theme(theme)
        if self.home is not None:
            self.home.set_theme(theme)
        if self.results is not None and self._pages.currentWidget() is self.results:
            self.show_results()

    def close(self) -> None:
        """End what works in the background and put the docks back; called when the window closes."""
        self.practice.end()
        self._drop_page()
        self.bench.close()
        if self.in_front():
            self._back()
        self._stop_watching()

    # -------------------------------------------------------- asking for a place

    def ask_pack(self) -> Path | None:
        """Ask for a pack."""
        name, _ = QFileDialog.getOpenFileName(self._window, self.tr("Open a pack of questions"), "", _PACKS)
        return Path(name) if name else None

    def ask_folder(self, title: str) -> Path | None:
        """Ask for a folder."""
        name = QFileDialog.getExistingDirectory(self._window, title)
        return Path(name) if name else None

    def ask_answers_file(self, suggestion: str) -> Path | None:
        """Ask where to write answers to."""
        start = str(Path.home() / suggestion)
        name, _ = QFileDialog.getSaveFileName(self._window, self.tr("Export answers"), start, "JSON (*.json)")
        return Path(name) if name else None

    # ------------------------------------------------------------------ beginning

    def open_pack(self, path: Path) -> None:
        """Open a pack and ask how to begin; says why if it cannot be used."""
        try:
            pack = open_pack(path)
        except (UnusableFile, OSError) as fault:
            self._window.view.notify(
                self.tr("{file} could not be opened").format(file=path.name), str(fault), fault=True
            )
            return
        self._remember(path)
        self.begin([pack])

    def _remember(self, path: Path) -> None:
        """Packs are among the files opened lately; that one could not be noted stops nobody from answering."""
        try:
            self._window.application.recent.add(path.resolve())
        except SaveFailed as failed:
            self._window.view.notify(self.tr("Not among the recent files"), str(failed))

    def begin(self, packs: list[QuizPack]) -> None:
        """Ask how to begin, and begin."""
        dialog = StartDialog(self._window, packs)
        if not dialog.exec():
            return
        try:
            session = self.shelf.begin(dialog.pack, protocol=dialog.protocol, seed=dialog.seed, items=dialog.items)
        except (SaveFailed, OSError) as failed:
            self._window.view.notify(self.tr("The questions were not begun"), str(failed), fault=True)
            return
        self.show_session(session)

    def show_session(self, session: QuizSession) -> None:
        """Show a session's question in front, or its results if it is over."""
        self._drop_page()
        self._session = session
        if session.finished:
            self.show_results()
            return
        self.page = self._make_page(session)
        self._enter(self.page)

    def _make_page(self, session: QuizSession) -> QuizPage:
        page = QuizPage(session, self._window.theme, self._make_own)
        page.leave_asked.connect(self.show_all)
        page.over.connect(self.show_results)
        page.refused.connect(lambda reason: self._window.view.notify(self.tr("Not recorded"), reason, fault=True))
        for changed in (page.answered, page.moved_on):
            changed.connect(self._window.commands.update)
        return page

    def _make_own(self) -> OwnSettingPanel:
        documents = self._window.application.documents
        return OwnSettingPanel(self.bench, self._window.theme, lambda: documents, self._window.view.ask_confirm)

    def _drop_page(self) -> None:
        if self.page is not None:
            self.page.close_page()
            self._pages.removeWidget(self.page)
            self.page.deleteLater()
            self.page = None

    def go_on(self) -> None:
        """Go on with the session that is open, else with the newest that is not over."""
        if self.page is not None and self._session is not None and not self._session.finished:
            self._enter(self.page)
            return
        records, _ = self.shelf.records()
        unfinished = next((record for record in records if record.finished_at is None), None)
        if unfinished is None:
            self._window.view.notify(self.tr("There are no questions to go on with"), self.tr("Open a pack first."))
            return
        self.resume(unfinished)

    def resume(self, record: SessionRecord) -> None:
        """Go on with a session; says why if its pack is gone or changed."""
        try:
            session = self.shelf.resume(record)
        except (UnusableFile, OSError) as fault:
            self._window.view.notify(self.tr("The session cannot go on"), str(fault), fault=True)
            return
        self.show_session(session)

    # --------------------------------------------------------------------- pages

    def show_all(self) -> None:
        """Show all sessions."""
        if self.home is None:
            self.home = HomePage(self.shelf, self._window.theme)
            context = self._window.context
            self.home.open_asked.connect(lambda: run_command("questions.open", context))
            self.home.practice_asked.connect(lambda: run_command("questions.practice", context))
            self.home.session_chosen.connect(self.resume)
            self.home.results_chosen.connect(self._results_of)
            self.home.forget_chosen.connect(self._forget)
            self.home.leave_asked.connect(self.leave)
        self.home.refresh()
        self._enter(self.home)

    def _results_of(self, record: SessionRecord) -> None:
        if self._session is None or self._session.record.session != record.session:
            try:
                self._drop_page()
                self._session = self.shelf.resume(record)
            except (UnusableFile, OSError) as fault:
                self._window.view.notify(self.tr("The session cannot be shown"), str(fault), fault=True)
                return
        self.show_results()

    def _forget(self, record: SessionRecord) -> None:
        question = self.tr("Delete the answers to {title}?").format(title=record.pack_title)
        if not self._window.view.ask_confirm(question, self.tr("This cannot be undone."), self.tr("Delete")):
            return
        if self._session is not None and self._session.record.session == record.session:
            self._drop_page()
            self._session = None
        self.shelf.forget(record)
        self.show_all()

    def show_results(self) -> None:
        """Show what the open session came to."""
        if self._session is None:
            return
        made = ResultsPage(self._session, self._window.theme)
        made.export_asked.connect(lambda: run_command("questions.export", self._window.context))
        made.leave_asked.connect(self.show_all)
        made.back_asked.connect(self._to_question)
        if self.results is not None:
            self._pages.removeWidget(self.results)
            self.results.deleteLater()
        self.results = made
        self._enter(made)

    def _to_question(self) -> None:
        assert self._session is not None  # the results shown are its
        if self.page is None:
            self.show_session(self._session)
        else:
            self._enter(self.page)

    def answer(self) -> None:
        """Record the answer as it stands."""
        if self.page is not None:
            self.page.answer()

    def next(self) -> None:
        """Go to the next question."""
        if self.page is not None:
            self.page.go_on()

    def try_setting(self) -> None:
        """Bring the form for an own setting into sight."""
        if self.page is not None:
            self.page.show_own()

    def new_practice(self, folder: Path) -> None:
        """Make packs of a folder in a process of its own, then ask how to begin."""
        self.practice.start(folder)

    def _practice_failed(self, reason: str) -> None:
        self._window.view.notify(self.tr("No practice was made"), reason, fault=True)

    # ------------------------------------------------------------------- designs

    def add_design(self, folder: Path) -> None:
        """Train the open graph among the candidates of a set; says why if it cannot be."""
        from archstudio.ui.quiz.design_dialog import DesignDialog

        document = self._window.application.current
        if document is None:
            return
        try:
            field = open_field(folder)
            design_of(document, field.dataset.spec)
        except (UnusableFile, CannotUse, OSError) as reason:
            head = self.tr("{title} cannot be a candidate there").format(title=document.title)
            self._window.view.notify(head, str(reason), fault=True)
            return
        self.design = DesignDialog(self._window, document, field, self.bench, self._window.theme)
        self.design.open()
