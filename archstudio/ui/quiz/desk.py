"""Sessions of questions in the main window: begun, gone on with, shown page by page, and what works behind them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from archstudio.app.commands import run_command
from archstudio.app.quiz.designs import CannotUse, design_of, open_field
from archstudio.app.quiz.packs import QuizPack, open_pack
from archstudio.app.quiz.record import SessionRecord
from archstudio.app.quiz.session import QuizSession
from archstudio.app.quiz.shelf import Shelf
from archstudio.app.quiz.workbench import Workbench
from archstudio.files.atomic import SaveFailed
from archstudio.files.unusable import UnusableFile
from archstudio.ui.quiz.home_page import HomePage
from archstudio.ui.quiz.own_panel import OwnSettingPanel
from archstudio.ui.quiz.page import QuizPage
from archstudio.ui.quiz.place import QuizPlace
from archstudio.ui.quiz.practice import PracticeMaker
from archstudio.ui.quiz.results_page import ResultsPage
from archstudio.ui.quiz.start_dialog import StartDialog

if TYPE_CHECKING:
    from archstudio.ui.quiz.design_dialog import DesignDialog
    from archstudio.ui.window import MainWindow


class QuizDesk(QObject):
    """Made with the first question; `close` ends what works in the background."""

    def __init__(self, window: MainWindow, place: QuizPlace) -> None:
        super().__init__(window)
        self._window, self._place = window, place
        self.shelf = Shelf.at_home()
        self.session: QuizSession | None = None
        self.page: QuizPage | None = None
        self.home: HomePage | None = None
        self.results: ResultsPage | None = None
        self.design: DesignDialog | None = None
        self.bench = Workbench()
        self.practice = PracticeMaker(window)
        self.practice.made.connect(self.begin)
        self.practice.failed.connect(self._practice_failed)

    def set_theme(self) -> None:
        """Draw in the window's colours."""
        theme = self._window.theme
        if self.page is not None:
            self.page.set_theme(theme)
        if self.home is not None:
            self.home.set_theme(theme)
        if self.results is not None and self._place.pages.currentWidget() is self.results:
            self.show_results()

    def close(self) -> None:
        """End what works in the background; called when the window closes."""
        self.practice.end()
        self._drop_page()
        self.bench.close()

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
        self.session = session
        if session.finished:
            self.show_results()
            return
        self.page = self._make_page(session)
        self._place.enter(self.page)

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
        self.bench.stop()
        if self.page is not None:
            self.page.close_page()
            self._place.drop(self.page)
            self.page = None

    def go_on(self) -> None:
        """Go on with the session that is open, else with the newest that is not over."""
        if self.page is not None and self.session is not None and not self.session.finished:
            self._place.enter(self.page)
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
            self.home.leave_asked.connect(self._place.leave)
        self.home.refresh()
        self._place.enter(self.home)

    def _results_of(self, record: SessionRecord) -> None:
        if self.session is None or self.session.record.session != record.session:
            try:
                self._drop_page()
                self.session = self.shelf.resume(record)
            except (UnusableFile, OSError) as fault:
                self._window.view.notify(self.tr("The session cannot be shown"), str(fault), fault=True)
                return
        self.show_results()

    def _forget(self, record: SessionRecord) -> None:
        question = self.tr("Delete the answers to {title}?").format(title=record.pack_title)
        if not self._window.view.ask_confirm(question, self.tr("This cannot be undone."), self.tr("Delete")):
            return
        if self.session is not None and self.session.record.session == record.session:
            self._drop_page()
            self.session = None
        self.shelf.forget(record)
        self.show_all()

    def show_results(self) -> None:
        """Show what the open session came to."""
        if self.session is None:
            return
        made = ResultsPage(self.session, self._window.theme)
        made.export_asked.connect(lambda: run_command("questions.export", self._window.context))
        made.leave_asked.connect(self.show_all)
        made.back_asked.connect(self._to_question)
        if self.results is not None:
            self._place.drop(self.results)
        self.results = made
        self._place.enter(made)

    def _to_question(self) -> None:
        assert self.session is not None  # the results shown are its
        if self.page is None:
            self.show_session(self.session)
        else:
            self._place.enter(self.page)

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
        from archstudio.ui.quiz.design_dialog import DesignDialog  # pyqtgraph comes with it

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
