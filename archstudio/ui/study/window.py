"""The window of somebody who takes part: one page or item at a time, and only what the condition allows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent, QGuiApplication, QShowEvent
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from archstudio.app.commands import Context
from archstudio.app.study.room import StudyRoom
from archstudio.app.view import ThemeChoice
from archstudio.files.atomic import SaveFailed
from archstudio.files.unusable import UnusableFile
from archstudio.study.log.store import LogFailed
from archstudio.study.pack.read import StudyPack
from archstudio.study.protocol.questionnaire import BadAnswer
from archstudio.study.session import Clock, NotNow, Session, Start, SystemClock, new_id, next_step
from archstudio.study.session.beginning import NextStep
from archstudio.ui.floating import Floating
from archstudio.ui.menus import CommandActions
from archstudio.ui.notice import Notice
from archstudio.ui.study.actions import ON_ITEM, study_actions
from archstudio.ui.study.attending import Attending
from archstudio.ui.study.bar import StudyBar
from archstudio.ui.study.before import CodePage, ConsentPage, StartPage, TellingPage, TextPage
from archstudio.ui.study.form import QuestionnairePage
from archstudio.ui.study.graph_stage import StudyCentre, StudyDocks
from archstudio.ui.study.items import ItemFlow
from archstudio.ui.study.page import StudyPage
from archstudio.ui.study.view import StudyView, study_commands
from archstudio.ui.theme import apply_theme, resolve_theme

_TICK_MS = 1000
_SIZE_PX = (1600, 1000)


class StudyWindow(QMainWindow):
    """Leads through a session, from consent to debrief. Everything it knows of the person's work is in the session.

    `folder` holds the session files of this study on this machine.
    """

    def __init__(
        self, pack: StudyPack, folder: Path, theme: ThemeChoice = "system", clock: Clock | None = None
    ) -> None:
        super().__init__()
        self.pack, self.folder = pack, folder
        self.session: Session | None = None
        self._clock: Clock = clock or SystemClock()
        self.theme_choice = theme
        self.theme = resolve_theme(theme)
        self.setWindowTitle(pack.protocol.title)
        self.resize(*_SIZE_PX)
        self.setDockNestingEnabled(True)
        self.setAcceptDrops(False)
        self.stack = QStackedWidget()
        self.notice = Notice()
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.stack, 1)
        self.setCentralWidget(middle)
        self._floating = Floating(self.notice, middle)
        self.page: StudyPage | None = None
        self.items: ItemFlow | None = None
        self.docks: StudyDocks | None = None
        self.dialog: QDialog | None = None
        self._attending: Attending | None = None
        self._told_fault = ""
        self._may_close = False
        self._ticking = QTimer(self)
        self._ticking.setInterval(_TICK_MS)
        self._ticking.timeout.connect(self.tick)
        self._show_start()

    # ---------------------------------------------------------------- beginning

    def _show_start(self) -> None:
        try:
            step = next_step(self.pack, self.folder, self._clock.wall_ms())
        except (UnusableFile, OSError) as fault:
            self.show_page(TellingPage(self.tr("The study cannot begin"), str(fault), self.tr("Close")), self.close_now)
            return
        page = StartPage(self.pack, step)
        page.refused.connect(self.close_now)
        self.show_page(page, self.close_now if step.action == "block" else lambda: self._begin(step, page))

    def _begin(self, step: NextStep, page: StartPage) -> None:
        device = {"screen": _screen(self), "scale": self.devicePixelRatioF(), "qt": _qt_version()}
        try:
            if step.action == "start" or step.earlier is None:
                start = Start(new_id(), page.given_number)
                session = Session.start(self.pack, self.folder, start, clock=self._clock, device=device)
            elif step.action == "resume":
                session = Session.resume(self.pack, step.earlier.path, clock=self._clock, device=device)
            else:
                session = Session.restart(self.pack, step.earlier, clock=self._clock, device=device)
        except (UnusableFile, SaveFailed, OSError, ValueError) as fault:
            page.tell_problem(str(fault))
            return
        self.open_session(session)

    def open_session(self, session: Session) -> None:
        """Lead through a session that was begun or resumed."""
        self.session = session
        self._equip(session)
        self._ticking.start()
        self.show_stage()

    def _equip(self, session: Session) -> None:
        """Make what the condition allows: docks, commands, the bar."""
        seen = session.visibility
        self.application = StudyRoom(seen)
        self.view = StudyView(self)
        self.context = Context(self.application, self.view)
        self.central = StudyCentre(self.notice)
        if session.conduct.item_kind == "graph":
            self.docks = StudyDocks(self, self.application, self.theme, seen)
        self.commands = CommandActions(self, self.context, study_commands(seen) if self.docks is not None else ())
        self.items = items = ItemFlow(self, session)
        if self.docks is not None:
            self.docks.layers.chosen.connect(items.add_layer)
        self.actions_of = study_actions(
            self,
            {
                "study.submit": items.submit,
                "study.audit": items.audit,
                "study.pause": items.pause,
                "study.flag": items.flag,
                "study.seen": items.tell_seen,
                "study.text": items.show_text,
                "study.fullScreen": self.toggle_full_screen,
                "study.code": self._another_code,
                "study.quit": self.ask_quit,
                "study.withdraw": self.ask_withdraw,
            },
        )
        shown = [self.actions_of[name] for name in ON_ITEM[:-1]]
        self.bar = StudyBar(self, shown, self.actions_of["study.submit"])
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, self.bar)
        self._enable()

    # -------------------------------------------------------------------- pages

    def show_page(self, page: StudyPage, go_on: Callable[[], object]) -> None:
        """Show a page over everything; what was there before goes, items stay in the background."""
        old, self.page = self.page, page
        page.go_on.connect(go_on)
        self.stack.addWidget(page)
        self.stack.setCurrentWidget(page)
        if old is not None:
            self.stack.removeWidget(old)
            old.deleteLater()
        self._enable()

    def show_item(self, widget: QWidget) -> None:
        """Show an item's widget, and no page."""
        if self.stack.indexOf(widget) < 0:
            self.stack.addWidget(widget)
        self.stack.setCurrentWidget(widget)
        if self.page is not None:
            self.stack.removeWidget(self.page)
            self.page.deleteLater()
            self.page = None
        self._enable()

    def _enable(self) -> None:
        if self.items is None or self.session is None:
            return
        on_item = self.page is None and self.session.desk is not None
        self.bar.setVisible(on_item)
        for name in ON_ITEM:
            self.actions_of[name].setEnabled(on_item)
        for name in ("study.quit", "study.withdraw"):
            self.actions_of[name].setEnabled(self.session.stage != "ended")
        agreed = self.session.state.consent is not None
        self.actions_of["study.code"].setEnabled(agreed and self.page is not None and self.session.stage != "ended")
        self.actions_of["study.withdraw"].setEnabled(agreed and self.session.stage != "ended")
        self.items.show_actions()
        self.commands.update()

    def show_stage(self) -> None:
        """Show where the session stands."""
        session, texts = self.session, self.pack.texts
        assert session is not None
        match session.stage:
            case "consent":
                consent = ConsentPage(texts["consent"], self.pack.consent_points)
                consent.refused.connect(lambda: self._step(session.decline))
                self.show_page(consent, lambda: self._agree(consent))
            case "questionnaire":
                asked = QuestionnairePage(self.pack.questionnaire)
                self.show_page(asked, lambda: self._answered(asked))
            case "tutorial":
                text = f"{texts['instructions']}\n\n{texts['tutorial']}"
                page = TextPage(self.tr("How it goes"), text, self.tr("Begin"))
                self.show_page(page, lambda: self._step(session.begin_items))
            case "items":
                assert self.items is not None
                self.items.present()
            case "debrief":
                page = TextPage(self.tr("The end"), texts["debrief"], self.tr("Finish"))
                self.show_page(page, lambda: self._step(session.finish))
            case _:
                self._show_end()

    def _step(self, step: Callable[[], object]) -> None:
        """Do a step of the session, and show where it leads."""
        if self.record(step):
            self.show_stage()

    def _agree(self, page: ConsentPage) -> None:
        session = self.session
        assert session is not None
        codes: list[str] = []
        if self.record(lambda: codes.append(session.agree(page.agreed))):
            self.show_page(CodePage(codes[0]), self.show_stage)

    def _another_code(self) -> None:
        session, codes = self.session, list[str]()
        if session is not None and self.record(lambda: codes.append(session.another_code())):
            self.show_page(CodePage(codes[0]), self.show_stage)

    def _answered(self, page: QuestionnairePage) -> None:
        session = self.session
        assert session is not None
        try:
            recorded = self.record(lambda: session.answer_questionnaire(page.answers))
        except BadAnswer as bad:
            page.refuse(bad)
            return
        if recorded:
            self.show_stage()

    def _show_end(self) -> None:
        session = self.session
        assert session is not None
        if session.state.end_reason == "withdrawn":
            told = self.tr("Nothing of what you did is kept. Thank you for your time.")
        else:
            told = self.tr("Thank you. Please hand this file to the researcher as you agreed:\n\n{path}").format(
                path=session.path
            )
        self.show_page(TellingPage(self.tr("The study has ended"), told, self.tr("Close")), self.close_now)

    # ------------------------------------------------------------------- ending

    def ask_quit(self) -> None:
        """End early, after one question; a normal end."""
        detail = self.tr("What you did so far is kept. You cannot go on later.")
        if self.view.ask_confirm(self.tr("End the study here?"), detail, self.tr("End study")):
            self.quit()

    def quit(self) -> None:
        """End here."""
        session = self.session
        if session is not None and self.record(session.quit):
            self.let_go_of_item()
            self.show_stage()

    def ask_withdraw(self) -> None:
        """End and erase, after one question."""
        detail = self.tr("Everything you did in this session is erased for good.")
        if self.session is not None and self.view.ask_confirm(
            self.tr("Withdraw from the study?"), detail, self.tr("Withdraw and erase")
        ):
            self.let_go_of_item()
            self._ticking.stop()
            self.record(self.session.withdraw)
            self._show_end()

    def let_go_of_item(self) -> None:
        """No item is shown any more."""
        if self.items is not None:
            self.items.leave()

    def close_now(self) -> None:
        """Close the window."""
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """A session that has not ended can be gone on with."""
        self._ticking.stop()
        session, self.session = self.session, None
        if session is not None:
            try:
                session.close()
            except LogFailed as fault:
                if not self._may_close:
                    self._may_close, self.session = True, session
                    self.notice.tell(self.tr("Not everything could be recorded"), str(fault), fault=True)
                    event.ignore()
                    return
        if self.dialog is not None:
            self.dialog.reject()
        if self._attending is not None:
            self._attending.end()
            self._attending = None
        self.let_go_of_item()
        if self.docks is not None:
            self.docks.close()
        event.accept()

    # ---------------------------------------------------------------- recording

    def record(self, step: Callable[[], object]) -> bool:
        """Do a step of the session; says why if it could not be recorded, and then it did not happen."""
        try:
            step()
        except LogFailed as fault:
            self.notice.tell(self.tr("This could not be recorded, so it did not happen"), str(fault), fault=True)
            return False
        except NotNow as reason:
            self.notice.tell(str(reason))
            return False
        return True

    def tick(self) -> None:
        """Once a second: time, idleness, limits, and whether the disk takes what is recorded."""
        session, items = self.session, self.items
        if session is None or items is None:
            return
        if session.desk is not None:
            self.record(items.tick)
        fault = session.fault or ""
        if fault != self._told_fault:
            self._told_fault = fault
            if fault:
                told = self.tr("The disk takes no more. Your steps wait in memory; make room and they are recorded.")
                self.notice.tell(self.tr("Steps cannot be recorded at present"), f"{told} ({fault})", fault=True)
            else:
                self.notice.tell(self.tr("Everything is recorded again"))

    def _focused(self, has: bool) -> None:
        session = self.session
        if session is not None and session.desk is not None:
            self.record(lambda: session.focus(has))

    def _touched(self) -> None:
        session = self.session
        if session is not None and session.desk is not None:
            self.record(session.touched)

    # ------------------------------------------------------------------- window

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        handle = self.windowHandle()
        if self._attending is None and handle is not None:
            self._attending = Attending(handle, self._touched, self._focused)

    def next_region(self, step: int) -> None:
        """Move the focus round canvas, docks and bar."""
        if self.docks is not None and self.central.canvas is not None:
            self.docks.next_region(self.central.canvas, self.bar, step)

    def toggle_full_screen(self) -> None:
        """Use the whole screen, or stop doing so."""
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)
        self.actions_of["study.fullScreen"].setChecked(self.isFullScreen())

    def set_theme(self, choice: ThemeChoice) -> None:
        """Use another theme."""
        self.theme_choice, self.theme = choice, resolve_theme(choice)
        qt = QApplication.instance()
        assert isinstance(qt, QApplication)
        apply_theme(self.theme, qt)
        if self.docks is not None:
            self.docks.set_theme(self.theme)
        if self.items is not None:
            self.items.set_theme()


def _screen(window: QWidget) -> str:
    screen = window.screen() or QGuiApplication.primaryScreen()
    size = screen.size()
    return f"{size.width()}x{size.height()}"


def _qt_version() -> str:
    from PySide6.QtCore import qVersion

    return qVersion()
