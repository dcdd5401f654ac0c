"""Try your own setting: a form that begins as a choice, a run in the background, its curve beside the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QProgressBar, QPushButton, QToolButton, QVBoxLayout, QWidget

from archstudio.app.document import Document
from archstudio.app.quiz.designs import CannotUse, design_of
from archstudio.app.quiz.foreign import ForeignSetting, TrustedCode, foreign_setting
from archstudio.app.quiz.item import QuizItem, ShownChoice
from archstudio.app.quiz.own import CannotTry, OwnSetting, has_foreign_files
from archstudio.app.quiz.wording import number_text, setting_label, setting_value, time_text
from archstudio.app.quiz.workbench import Trainable, Trial, Workbench, dataset_spec, retained
from archstudio.files.atomic import SaveFailed
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.design import DesignCandidate
from archstudio.intuition.questions.words import settings
from archstudio.ui.panels.panel import label, set_role
from archstudio.ui.quiz.looks import sheet
from archstudio.ui.quiz.own_form import OwnForm, field
from archstudio.ui.quiz.reveal import RevealPanel
from archstudio.ui.theme import Theme

POLL_MS = 200
Confirm = Callable[[str, str, str], bool]
"""Asks one question with its detail and the name of the action; whether the person said yes."""
_OWN_PLACES = 5
"""Own settings have colours of their own, beyond those of the choices."""


class OwnSettingPanel:
    """Made anew with each page; what was trained stays on the workbench as long as the question does."""

    def __init__(
        self,
        bench: Workbench,
        theme: Theme,
        graphs: Callable[[], Sequence[Document]],
        confirm: Confirm = lambda question, detail, action: False,
    ) -> None:
        self._bench, self._theme, self._graphs, self._confirm = bench, theme, graphs, confirm
        self._trusted = TrustedCode()
        self._sheet = sheet()
        self._sheet.setObjectName("ownSetting")
        self._column = QVBoxLayout(self._sheet)
        self._column.setContentsMargins(16, 8, 16, 12)
        self.toggle = QToolButton()
        self.toggle.setText(self._sheet.tr("Try your own setting"))
        self.toggle.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.toggle.setArrowType(Qt.ArrowType.RightArrow)
        self.toggle.setCheckable(True)
        self.toggle.toggled.connect(self._open)
        self._column.addWidget(self.toggle)
        self._body = QWidget()
        self._body.hide()
        self._column.addWidget(self._body)
        self._item: QuizItem | None = None
        self._reveal: Callable[[], RevealPanel] | None = None
        self.form: OwnForm | None = None
        self._timer = QTimer(self._sheet)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._poll)

    def widget(self) -> QWidget:
        """What is put on the page."""
        return self._sheet

    def show_item(self, item: QuizItem, reveal: Callable[[], RevealPanel]) -> None:
        """Offer settings on the data of a question; what was trained on it before is shown again."""
        self._item, self._reveal = item, reveal
        specs = [choice.spec for choice in item.choices if choice.spec is not None]
        self._sheet.setVisible(bool(specs))
        if specs and self._bench.trials and self._is_current():
            self.toggle.setChecked(True)

    def _is_current(self) -> bool:
        return self._item is not None and self._bench.key == self._item.id

    def _build(self, item: QuizItem) -> None:
        column = QVBoxLayout(self._body)
        column.setContentsMargins(4, 4, 0, 0)
        column.setSpacing(10)
        base = next(choice.spec for choice in item.choices if choice.spec is not None)
        self.form = OwnForm(base)
        self.source = QComboBox()
        self.source.setObjectName("inherit")
        for choice in item.choices:
            if choice.spec is not None:
                self.source.addItem(self._sheet.tr("choice {letter}").format(letter=choice.label), choice.label)
        for choice in item.choices:
            if choice.spec is not None and has_foreign_files(choice) and foreign_setting(choice, choice.spec):
                words = self._sheet.tr("choice {letter}, its own files").format(letter=choice.label)
                self.source.addItem(words, choice)
        for document in self._graphs():
            self.source.addItem(self._sheet.tr("the graph {title}").format(title=document.title), document)
        self.source.currentIndexChanged.connect(self._inherit)
        line = QHBoxLayout()
        line.addWidget(field(self._sheet.tr("Begin with"), self.source))
        line.addStretch(1)
        column.addLayout(line)
        column.addWidget(self.form)
        column.addLayout(self._buttons())
        self.told = label("", "muted", wrap=True)
        column.addWidget(self.told)
        self.kept = label("", "", wrap=True)
        self.kept.hide()
        column.addWidget(self.kept)
        if any(has_foreign_files(choice) for choice in item.choices):
            words = self._sheet.tr(
                "The pack's own files differ from those that these settings make; they run only if you choose them."
            )
            column.addWidget(label(words, "muted", wrap=True))

    def _buttons(self) -> QHBoxLayout:
        self.train, self.stop = QPushButton(self._sheet.tr("Train")), QPushButton(self._sheet.tr("Stop"))
        self.train.setProperty("role", "primary")
        self.train.setObjectName("trainOwn")
        self.train.clicked.connect(self.start)
        self.stop.clicked.connect(self._stop)
        self.stop.setEnabled(False)
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self._sheet.tr("Training"))
        line = QHBoxLayout()
        line.setSpacing(10)
        for part in (self.train, self.stop):
            line.addWidget(part)
        line.addWidget(self.bar, 1)
        return line

    # ----------------------------------------------------------------- acting

    def _open(self, on: bool) -> None:
        self.toggle.setArrowType(Qt.ArrowType.DownArrow if on else Qt.ArrowType.RightArrow)
        if on and self._item is not None:
            if self.form is None:
                self._build(self._item)
            self._take(self._item)
        self._body.setVisible(on)

    def _take(self, item: QuizItem) -> None:
        try:
            self._bench.take(item.id, dataset_spec(item.data))
        except (SaveFailed, UnusableFile, OSError) as reason:
            self._say(str(reason), "error")
            return
        self._timer.start()
        self._show_trials()

    def _inherit(self) -> None:
        assert self.form is not None
        assert self._item is not None
        chosen = self.source.currentData()
        foreign = isinstance(chosen, ShownChoice)
        self.form.model.setEnabled(not isinstance(chosen, Document) and not foreign)
        self.form.recipe.setEnabled(not foreign)
        if not isinstance(chosen, Document):
            letter = chosen.label if foreign else chosen
            spec = next(choice.spec for choice in self._item.choices if choice.label == letter)
            if spec is not None:
                self.form.inherit(spec)

    def start(self) -> None:
        """Train what the fields describe."""
        assert self.form is not None
        assert self._item is not None
        self._take(self._item)
        try:
            what, words = self._wanted(self.form)
        except (CannotTry, CannotUse) as reason:
            self._say(str(reason), "error")
            return
        if isinstance(what, ForeignSetting) and not self._may_run(what):
            return
        self._bench.start(what, words, range(self.form.seeds.value()))
        self._timer.start()
        self._show_trials()

    def _may_run(self, what: ForeignSetting) -> bool:
        """Ask once for each content whether somebody else's code may run."""
        if self._trusted.allows(what.digest):
            return True
        names = ", ".join(file.name for file in what.files)
        question = self._sheet.tr("Run code that came with this pack?")
        told = self._sheet.tr(
            "{names} were written by somebody else. They run in a process of their own, without your keys and with "
            "limits of memory, but with your rights on files. You are asked again if they change."
        ).format(names=names)
        if not self._confirm(question, told, self._sheet.tr("Run them")):
            self._say(self._sheet.tr("Not run."), "muted")
            return False
        try:
            self._trusted.allow(what.digest)
        except SaveFailed as failed:
            self._say(str(failed), "error")  # it runs all the same; the question comes again
        return True

    def _wanted(self, form: OwnForm) -> tuple[Trainable, str]:
        chosen = self.source.currentData()
        if isinstance(chosen, ShownChoice):
            foreign = foreign_setting(chosen, form.setting(chosen.label).spec)
            assert foreign is not None  # else it is not offered
            return foreign, self._sheet.tr("{letter}, its own files").format(letter=chosen.label)
        inherited = "" if isinstance(chosen, Document) else str(chosen)
        setting = form.setting(inherited)
        if isinstance(chosen, Document):
            assert self._item is not None
            design = design_of(chosen, dataset_spec(self._item.data))
            return DesignCandidate(design, setting.spec), design.title
        return setting, self._words(setting)

    def _words(self, setting: OwnSetting) -> str:
        """What it began as, and what is another."""
        assert self._item is not None
        base = next(choice.spec for choice in self._item.choices if choice.label == setting.inherited)
        assert base is not None
        before, after = settings(base), settings(setting.spec)
        other = [f"{setting_label(k)} {setting_value(v)}" for k, v in after.items() if before.get(k) != v]
        begun = self._sheet.tr("like {letter}").format(letter=setting.inherited)
        return ", ".join([begun, *other])

    def _stop(self) -> None:
        self._bench.stop()
        self._show_trials()

    # ---------------------------------------------------------------- showing

    def _poll(self) -> None:
        if not self._is_current():
            self._timer.stop()
            return
        if self._bench.poll():
            self._show_trials()
        if not self._bench.busy:
            self._timer.stop()

    def _show_trials(self) -> None:
        if self.form is None:
            return
        self.form.show_devices(self._bench.devices)
        trial = self._bench.trials[-1] if self._bench.trials else None
        active = trial is not None and not trial.over
        self.stop.setEnabled(active)
        busy = trial is not None and trial.state == "preparing"
        self.bar.setRange(0, 0 if busy else 1000)
        self.bar.setValue(0 if trial is None else round(1000 * trial.done))
        if trial is not None:
            self._say(self._state(trial), "error" if trial.state == "failed" else "muted")
        elif self._bench.problem:
            self._say(self._bench.problem, "error")
        self._show_kept(retained(self._bench.trials))

    def _state(self, trial: Trial) -> str:
        if trial.state == "preparing":
            return self._sheet.tr("Preparing the data…")
        if trial.state == "training":
            left = "" if trial.left is None else ", " + self._sheet.tr("{time} left").format(time=time_text(trial.left))
            return self._sheet.tr("{name} trains: {done}").format(name=trial.name, done=f"{trial.done:.0%}") + left
        if trial.state == "failed":
            return self._sheet.tr("{name} failed. {why}").format(name=trial.name, why=trial.message)
        if trial.state == "stopped":
            return self._sheet.tr("{name} was stopped.").format(name=trial.name)
        assert trial.mean is not None
        told = self._sheet.tr("{name} ends at {mean} ± {std} ({seeds} seeds).").format(
            name=trial.name, mean=number_text(trial.mean), std=f"{trial.std:.2g}", seeds=len(trial.seeds)
        )
        lost = self._sheet.tr(" {n} seeds failed.").format(n=trial.failed_seeds) if trial.failed_seeds else ""
        return told + lost

    def _show_kept(self, kept: Sequence[Trial]) -> None:
        """The newest and the best, as curves and in the ranking."""
        if self._reveal is None or not kept:
            return
        from archstudio.ui.quiz.result_plot import Drawn

        drawn = [Drawn(t.name, t.curve, _place(t), own=True) for t in kept if t.curve.samples]
        rows = [(t.name, t.mean, t.std, _place(t)) for t in kept if t.mean is not None]
        if drawn:
            self._reveal().show_own(drawn, rows)
        lines = [f"{trial.name}: {trial.words}" for trial in kept]
        self.kept.setText("\n".join(lines))
        self.kept.setVisible(bool(lines))

    def _say(self, text: str, role: str) -> None:
        self.told.setText(text)
        set_role(self.told, role)


def _place(trial: Trial) -> int:
    return _OWN_PLACES + (int(trial.name.rpartition(" ")[2]) - 1) % 3
