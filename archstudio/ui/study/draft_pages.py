"""The pages on which a study is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QPushButton,
    QSpinBox,
    QWidget,
)

from archstudio.app.study.draft import Draft
from archstudio.bench.generate import Tier
from archstudio.study.protocol.model import TEXTS, ExclusionPlan
from archstudio.study.protocol.power import planned, table
from archstudio.study.protocol.ready import ready_made, ready_protocol
from archstudio.ui.panels.panel import label, roomy
from archstudio.ui.study.draft_form import DraftPage

_LIST_PX = 84
_MOST_PEOPLE, _MOST_ITEMS, _LARGEST_SEED = 100_000, 10_000, 2**31 - 1


class BeginningPage(DraftPage):
    """Which ready-made protocol it begins from, and what it is called."""

    def __init__(self, draft: Draft) -> None:
        super().__init__(draft)
        self.entitle(self.tr("Study"))
        self.template = QComboBox()
        self.template.setAccessibleName(self.tr("Begin from"))
        for name in ready_made():
            self.template.addItem(ready_protocol(name).title, name)
        self.form.addRow(self.tr("Begin from"), self.template)
        self.text(self.tr("Id"), ("id",), self.tr("small letters, digits, . _ -"))
        self.text(self.tr("Title"), ("title",))
        self.choice(self.tr("Phase"), ("phase",), [("pilot", self.tr("pilot")), ("main", self.tr("main"))])
        self.text(self.tr("Split"), ("split",), self.tr("as result files of models name it"))
        self.number(self.tr("Plan version"), ("plan_version",), whole=True)
        self.column.addStretch(1)


class ItemsPage(DraftPage):
    """Where items come from, and which of them are in."""

    def __init__(self, draft: Draft) -> None:
        super().__init__(draft)
        self.entitle(self.tr("Items"))
        self.sources, self.practice = QListWidget(), QListWidget()
        for listed, name in ((self.sources, self.tr("Items")), (self.practice, self.tr("Practice items"))):
            listed.setAccessibleName(name)
            listed.setFixedHeight(_LIST_PX)
            listed.setAlternatingRowColors(True)
            self.form.addRow(name, listed)
        self.tier = QComboBox()
        self.tier.setAccessibleName(self.tr("Tier"))
        self.tier.addItems(list(get_args(Tier)))
        self.count, self.seed = roomy(QSpinBox()), roomy(QSpinBox())
        self.count.setRange(1, _MOST_ITEMS)
        self.count.setValue(120)
        self.count.setAccessibleName(self.tr("Count"))
        self.seed.setRange(0, _LARGEST_SEED)
        self.seed.setValue(7)
        self.seed.setAccessibleName(self.tr("Seed"))
        self.for_practice = QCheckBox(self.tr("for practice"))
        self._add_buttons()
        rules = [("all", self.tr("all")), ("first", self.tr("the first")), ("random", self.tr("drawn by seed")),
                 ("stratified", self.tr("drawn evenly from the families"))]  # fmt: skip
        self.choice(self.tr("Sampling"), ("sampling", "rule"), rules)
        self.number(self.tr("How many"), ("sampling", "count"), self.tr("empty with “all”"), whole=True)
        self.number(self.tr("Of those each person"), ("sampling", "per_person"), self.tr("all"), whole=True)
        self.number(self.tr("Sampling seed"), ("sampling", "seed"), whole=True)
        self.problem = label("", "error", wrap=True)
        self.column.addWidget(self.problem)
        self.column.addStretch(1)
        self._shows.append(self._list)

    def _add_buttons(self) -> None:
        curated = QPushButton(self.tr("Add the curated tasks"))
        curated.clicked.connect(lambda: self._add({"kind": "curated", "rubric": 3}))
        generated = QPushButton(self.tr("Add generated"))
        generated.clicked.connect(self._add_generated)
        file, remove = QPushButton(self.tr("Add a file…")), QPushButton(self.tr("Remove"))
        file.clicked.connect(self.ask_file)
        remove.clicked.connect(self._remove)
        line, below = QHBoxLayout(), QHBoxLayout()
        for part in (generated, self.tier, self.count, label(self.tr("seed"), "muted"), self.seed):
            line.addWidget(part)
        for other in (curated, file, remove, self.for_practice):
            below.addWidget(other)
        line.addStretch(1)
        below.addStretch(1)
        self.form.addRow("", line)
        self.form.addRow("", below)

    def _add(self, source: dict[str, Any]) -> None:
        block = "practice" if self.for_practice.isChecked() else "items"
        self.draft.put((block,), [*self.draft.said.get(block, ()), source])
        self.refresh()

    def _add_generated(self) -> None:
        self._add({"kind": "generated", "tier": self.tier.currentText(), "count": self.count.value(),
                   "seed": self.seed.value(), "wording": "original-facts"})  # fmt: skip

    def ask_file(self) -> None:
        """Ask for a file of tasks, or for a pack of questions."""
        name, _ = QFileDialog.getOpenFileName(self, self.tr("Choose tasks or questions"), "", "*.json *.jsonl *.iqpack")
        if name:
            self.add_file(Path(name))

    def add_file(self, path: Path) -> None:
        """Take a file; one that a template names and nobody chose yet is replaced by it."""
        questions = self.draft.said["benchmark"] == "architectureiq"
        try:
            source = (
                self.draft.add_questions(path) if questions else {"kind": "tasks", "path": self.draft.add_file(path)}
            )
        except ValueError as reason:
            self.problem.setText(str(reason))
            return
        missing = self.draft.missing_files()
        kept = [each for each in self.draft.said.get("items", ()) if each.get("path") not in missing]
        self.draft.put(("items",), kept)
        self._add(source)

    def _remove(self) -> None:
        for block, listed in (("items", self.sources), ("practice", self.practice)):
            row = listed.currentRow()
            if row >= 0:
                kept = list(self.draft.said.get(block, ()))
                del kept[row]
                self.draft.said[block] = kept
        self.refresh()

    def _list(self) -> None:
        for block, listed in (("items", self.sources), ("practice", self.practice)):
            listed.clear()
            listed.addItems([_source_text(source) for source in self.draft.said.get(block, ())])
        missing = self.draft.missing_files()
        self.problem.setText(self.tr("Not chosen yet: {files}").format(files=", ".join(missing)) if missing else "")


def _source_text(source: dict[str, Any]) -> str:
    if source["kind"] == "generated":
        return f"generated {source['tier']}, {source['count']}, seed {source['seed']}"
    if source["kind"] == "curated":
        chosen = source.get("tasks")
        return "curated" + ("" if not chosen else f": {', '.join(chosen)}")
    return f"{source['kind']}: {source['path']}"


class RulesPage(DraftPage):
    """Conditions, order, limits, and what opening a session again does."""

    def __init__(self, draft: Draft) -> None:
        super().__init__(draft)
        self.entitle(self.tr("Conditions and order"))
        self.boxes: dict[str, QCheckBox] = {}
        self._place = QHBoxLayout()
        self.form.addRow(self.tr("Conditions"), self._place)
        orders = [("counterbalanced", self.tr("counterbalanced")), ("random", self.tr("shuffled for each person")),
                  ("fixed", self.tr("as in the study"))]  # fmt: skip
        self.choice(self.tr("Order"), ("order", "rule"), orders)
        self.number(self.tr("Order seed"), ("order", "seed"), whole=True)
        self.number(self.tr("Assignment seed"), ("assignment", "seed"), whole=True)
        self.number(self.tr("Minutes an item (active)"), ("limits", "active_minutes"), self.tr("no limit"))
        self.number(self.tr("Submissions an item"), ("limits", "attempts"), self.tr("by the condition"), whole=True)
        self.number(self.tr("Actions a submission"), ("limits", "actions"), self.tr("by the task"), whole=True)
        self.number(self.tr("Minutes it takes (told)"), ("session_minutes",))
        again = [("resume", self.tr("goes on")), ("restart", self.tr("begins anew")), ("block", self.tr("is refused"))]
        self.choice(self.tr("A session begun"), ("resume", "incomplete"), again)
        self.choice(self.tr("A session ended"), ("resume", "completed"), again[1:][::-1])
        self.number(self.tr("Counts as ended after hours"), ("resume", "max_age_hours"), self.tr("never"))
        self.column.addStretch(1)
        self._shows.append(self._show_boxes)

    def _show_boxes(self) -> None:
        names = self.draft.conditions
        if list(self.boxes) != names:
            for box in self.boxes.values():
                box.deleteLater()
            self.boxes = {name: QCheckBox(name) for name in names}
            for box in self.boxes.values():
                self._place.addWidget(box)
                box.clicked.connect(self._ticked)
        for name, box in self.boxes.items():
            box.setChecked(name in self.draft.said["conditions"])

    def _ticked(self) -> None:
        self.draft.said["conditions"] = [name for name, box in self.boxes.items() if box.isChecked()]


class TextsPage(DraftPage):
    """The five texts, each shipped or from a file."""

    def __init__(self, draft: Draft) -> None:
        super().__init__(draft)
        self.entitle(self.tr("Texts"))
        told = self.tr("Markdown. A consent has “- [ ]” lines to agree to, a questionnaire has fields in code style.")
        self.column.insertWidget(1, label(told, "muted", wrap=True))
        self.where: dict[str, QLabel] = {}
        for name in TEXTS:
            line, words = QHBoxLayout(), label("", "muted")
            choose, shipped = QPushButton(self.tr("File…")), QPushButton(self.tr("Use the shipped one"))
            choose.setAccessibleName(f"{name}: {choose.text()}")
            shipped.setAccessibleName(f"{name}: {shipped.text()}")
            choose.clicked.connect(lambda _=False, name=name: self._ask(name))
            shipped.clicked.connect(lambda _=False, name=name: self._ship(name))
            for part in (words, choose, shipped):
                line.addWidget(part, 1 if part is words else 0)
            self.where[name] = words
            self.form.addRow(name, line)
            self.text(f"{name}: {self.tr('version')}", ("texts", name, "version"))
        self.column.addStretch(1)
        self._shows.append(self._show_places)

    def _show_places(self) -> None:
        for name, words in self.where.items():
            file = self.draft.get(("texts", name, "file"))
            words.setText(self.tr("the shipped one") if file is None else str(file))

    def _ask(self, name: str) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self, self.tr("Choose a text"), "", "Markdown (*.md)")
        if chosen:
            self.use_file(name, Path(chosen))

    def use_file(self, name: str, path: Path) -> None:
        """Take a text from a file."""
        version = self.draft.get(("texts", name, "version")) or "1"
        self.draft.put(("texts", name), {"version": version, "file": self.draft.add_file(path)})
        self.refresh()

    def _ship(self, name: str) -> None:
        self.draft.put(("texts", name), {"version": "1", "template": name})
        self.refresh()


class ExclusionsPage(DraftPage):
    """The rules that leave rows out, registered before there is data."""

    def __init__(self, draft: Draft) -> None:
        super().__init__(draft)
        self.entitle(self.tr("Exclusions"))
        self._texts = {
            "attention_failed": self.tr("Sessions in which attention items were answered wrongly, at least"),
            "seen_before": self.tr("Items that the person says to have met before"),
            "too_fast": self.tr("Items locked after less than so many seconds of active time"),
            "not_completed": self.tr("Sessions that were not completed"),
            "author": self.tr("Authors of the study, the benchmark or the program"),
            "clock_jumps": self.tr("Sessions in which the clock jumped, at least so often"),
            "repeated": self.tr("Items that the person was shown in an earlier session"),
        }
        self.boxes: dict[str, QCheckBox] = {}
        self.least: dict[str, QDoubleSpinBox] = {}
        for measure, text in self._texts.items():
            box = QCheckBox(text)
            box.clicked.connect(self._write)
            self.boxes[measure] = box
            line: QWidget = label("")
            if measure in ("attention_failed", "too_fast", "clock_jumps"):
                least = roomy(QDoubleSpinBox())
                least.setRange(1, 3600)
                least.setDecimals(0)
                least.setAccessibleName(text)
                least.valueChanged.connect(self._write)
                self.least[measure] = least
                line = least
            self.form.addRow(box, line)
        self.column.addStretch(1)
        self._shows.append(self._read)

    def _rules(self) -> dict[str, dict[str, Any]]:
        return {rule["measure"]: rule for rule in self.draft.said.get("exclusions", ()) if rule.get("measure")}

    def _read(self) -> None:
        rules = self._rules()
        for measure, box in self.boxes.items():
            box.setChecked(measure in rules)
            if measure in self.least:
                spin = self.least[measure]
                spin.blockSignals(True)
                spin.setValue(float(rules.get(measure, {}).get("at_least") or 1))
                spin.blockSignals(False)

    def _write(self) -> None:
        """Rules that were there keep their words; new ones get those of the box. Those applied by hand stay."""
        before = self._rules()
        made = [rule for rule in self.draft.said.get("exclusions", ()) if not rule.get("measure")]
        for measure, box in self.boxes.items():
            if not box.isChecked():
                continue
            rule = dict(before.get(measure, {"id": measure.replace("_", "-"), "text": box.text(), "measure": measure}))
            if measure in self.least:
                rule["at_least"] = self.least[measure].value()
            made.append(ExclusionPlan.model_validate(rule).as_json())
        self.draft.said["exclusions"] = made


class EthicsPage(DraftPage):
    """Ethics, compensation and preregistration."""

    def __init__(self, draft: Draft) -> None:
        super().__init__(draft)
        self.entitle(self.tr("Ethics and registration"))
        states = [("none", self.tr("not reviewed")), ("pending", self.tr("pending")), ("approved", self.tr("approved")),
                  ("exempt", self.tr("exempt")), ("not required", self.tr("not required"))]  # fmt: skip
        self.choice(self.tr("Ethics review"), ("ethics", "status"), states)
        self.text(self.tr("Reference"), ("ethics", "ref"))
        self.text(self.tr("Compensation"), ("compensation", "scheme"))
        self.number(self.tr("Amount"), ("compensation", "amount"))
        self.text(self.tr("Currency"), ("compensation", "currency"), "EUR")
        self.text(self.tr("Per"), ("compensation", "per"), self.tr("hour, session"))
        self.text(self.tr("Bonus"), ("compensation", "bonus"))
        self.text(self.tr("Preregistered at (address)"), ("preregistration", "url"))
        self.text(self.tr("Its sha256"), ("preregistration", "sha256"))
        self.text(self.tr("Its date"), ("preregistration", "at"))
        self.number(self.tr("People planned"), ("planned_participants",), whole=True)
        self.text(self.tr("Stopping rule"), ("stopping_rule",))
        self.column.addStretch(1)


class PowerPage(DraftPage):
    """How wide the interval will be: the figures of `archstudio study plan`."""

    def __init__(self, draft: Draft) -> None:
        super().__init__(draft)
        self.entitle(self.tr("How many people"))
        self.people, self.items = roomy(QSpinBox()), roomy(QSpinBox())
        self.people.setRange(1, _MOST_PEOPLE)
        self.items.setRange(1, _MOST_ITEMS)
        self.rate, self.icc = roomy(QDoubleSpinBox()), roomy(QDoubleSpinBox())
        for share, value in ((self.rate, 0.6), (self.icc, 0.2)):
            share.setRange(0, 1)
            share.setSingleStep(0.05)
            share.setValue(value)
        self.people.setValue(24)
        self.items.setValue(12)
        rows: tuple[tuple[str, QSpinBox | QDoubleSpinBox], ...] = (
            (self.tr("People"), self.people),
            (self.tr("Items each"), self.items),
            (self.tr("Expected rate of success"), self.rate),
            (self.tr("How alike one person's answers are"), self.icc),
        )
        for title, box in rows:
            box.setAccessibleName(title)
            box.valueChanged.connect(self._work_out)
            self.form.addRow(title, box)
        self.told, self.sizes = label("", "title", wrap=True), label("", "mono", wrap=True)
        use = QPushButton(self.tr("Plan for so many people"))
        use.clicked.connect(lambda: draft_people(self.draft, self.people.value()))
        for part in (self.told, self.sizes):
            self.column.addWidget(part)
        self.column.addWidget(use, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addStretch(1)
        self._work_out()

    def _work_out(self) -> None:
        made = planned(self.people.value(), self.items.value(), self.rate.value(), self.icc.value())
        told = self.tr("95 % interval of about ±{points} points; as much as {n} independent answers")
        self.told.setText(told.format(points=f"{made.half_width_points:.1f}", n=f"{made.effective:.0f}"))
        rows = [f"{size:>5}  ±{width:.1f}" for size, width in table(rate=self.rate.value())]
        self.sizes.setText("\n".join(rows))


def draft_people(draft: Draft, people: int) -> None:
    """Plan for so many people."""
    draft.put(("planned_participants",), people)
