"""The Inspector dock: the selected layer's parameters, its formulas with numbers, the PyTorch line it becomes."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from archstudio.app.application import Application
from archstudio.app.inspector import FieldRefused, FieldRow, field_help, layer_facts, shared_rows, typed
from archstudio.edits import Batch, EditRefused
from archstudio.edits.compose import rename
from archstudio.layers import find
from archstudio.ui.panels.elided import ElidedLabel
from archstudio.ui.panels.field import FieldEditor
from archstudio.ui.panels.panel import Panel, label
from archstudio.ui.theme.spacing import FIELD_HEIGHT

_LABEL_PX = 108
_LEAST_PX = 236
"""The dock is not made so narrow that fields are cut off."""


class InspectorPanel(Panel):
    """Edits one selected layer, or one parameter of several layers of the same type at once."""

    def __init__(self, application: Application) -> None:
        super().__init__(application)
        self._name = QLineEdit()
        self._name.setObjectName("nodeName")
        self._name.setAccessibleName(self.tr("Name"))
        self._name.editingFinished.connect(self._rename)
        self._type = label("", "muted")
        self._summary = label("", "muted", wrap=True)
        self._empty = label(self.tr("Select a layer to see and edit its parameters."), "muted", wrap=True)
        self._shape_line = label("", "muted", wrap=True)
        self._parameters_line = label("", "muted", wrap=True)
        self._code = label("", "code", wrap=True)
        self._code.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._refusal = label("", "error", wrap=True)
        self._help = label("", "muted", wrap=True)
        self._help.setObjectName("fieldHelp")
        self._fields: dict[str, FieldEditor] = {}
        self._form = QFormLayout()
        self._drawn: tuple[object, ...] = ()
        self._arrange()

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self._name, 1)
        head.addWidget(self._type)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(12, 4, 12, 10)
        column.setSpacing(7)
        column.addLayout(head)
        column.addWidget(self._summary)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._form.setVerticalSpacing(4)
        column.addLayout(self._form)
        for part in (self._refusal, self._help, self._shape_line, self._parameters_line, self._code, self._empty):
            column.addWidget(part)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setMinimumWidth(_LEAST_PX)
        scroll.setWidget(body)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)

    # --------------------------------------------------------------- drawing

    def selected(self) -> None:
        self._tell("")
        self.schedule()

    def _chosen(self) -> list[str]:
        """The nodes edited together: all selected ones, if they have one type."""
        document = self.document
        if document is None:
            return []
        nodes = [n for n in document.graph.node_ids if n in document.selection.nodes]
        kinds = {find(document.graph.node(n).type) for n in nodes}
        return nodes if len(kinds) == 1 else []

    def refresh(self) -> None:
        chosen = self._chosen()
        document = self.document
        shown = bool(chosen) and document is not None
        for part in (self._name, self._type, self._summary):
            part.setVisible(shown)
        self._empty.setVisible(not shown)
        self._refusal.setVisible(bool(self._refusal.text()))
        if not shown or document is None:
            self._empty.setText(self._empty_text())
            self._clear_form()
            self._show_facts(None)
            return
        node = document.graph.node(chosen[0])
        several = len(chosen) > 1
        if not self._name.hasFocus():
            self._name.setText(self.tr("{n} layers").format(n=len(chosen)) if several else node.name)
            self._name.setCursorPosition(0)
        self._name.setReadOnly(several)
        self._type.setText(node.type)
        self._show_fields(chosen)
        self._show_facts(None if several else chosen[0])

    def _empty_text(self) -> str:
        several = self.document is not None and len(self.document.selection.nodes) > 1
        if several:
            return self.tr("The selected layers have different types; select layers of one type to edit them together.")
        return self.tr("Select a layer to see and edit its parameters.")

    def _show_fields(self, chosen: list[str]) -> None:
        assert self.document is not None
        rows = shared_rows(self.document, chosen)
        signature = (self.document, tuple(chosen), tuple(row.field.json for row in rows))
        if signature != self._drawn:
            self._clear_form()
            self._drawn = signature
            for row in rows:
                editor = FieldEditor(row, self._typed)
                editor.entered.connect(self._show_help)
                self._fields[row.field.json] = editor
                self._form.addRow(_field_label(row.field.json), editor)
        visible = self.document.visibility
        for row in rows:
            self._fields[row.field.json].show_row(row, divisors=visible.divisor_steppers, shapes=visible.shapes)

    def _show_help(self, row: FieldRow) -> None:
        """Say what the field takes that has the keyboard."""
        allowed = self.document is not None and self.document.visibility.field_reasons
        divisors = self.document is not None and self.document.visibility.divisor_steppers
        self._help.setText(f"{row.field.json}: {field_help(row, divisors=divisors)}" if allowed else "")
        self._help.setVisible(bool(self._help.text()))

    def _clear_form(self) -> None:
        self._help.clear()
        self._help.hide()
        while self._form.rowCount():
            self._form.removeRow(0)
        self._fields.clear()
        self._drawn = ()

    def _show_facts(self, node_id: str | None) -> None:
        facts = None if node_id is None or self.document is None else layer_facts(self.document, node_id)
        visible = None if self.document is None else self.document.visibility
        lines = (
            ("", "", "")
            if facts is None or visible is None
            else (
                facts.shape_line if visible.shapes else "",
                facts.parameters_line if visible.counts else "",
                facts.code if visible.exact_verdict else "",
            )
        )
        for part, text in zip((self._shape_line, self._parameters_line, self._code), lines, strict=True):
            part.setText(text)
            part.setVisible(bool(text))
        self._summary.setText("" if facts is None else facts.summary)

    # --------------------------------------------------------------- editing

    def _typed(self, row: FieldRow, text: str) -> None:
        """Give the value to every layer shown, as one step; what the field refuses changes none of them."""
        document, chosen = self.document, self._chosen()
        if document is None or not chosen:
            return
        key = row.field.json
        self._tell("")
        try:
            edits = [edit for node in chosen if (edit := typed(document, node, row.field, text)) is not None]
            if edits:
                who = document.graph.node(chosen[0]).name if len(chosen) == 1 else f"{len(chosen)} layers"
                edit = edits[0] if len(edits) == 1 else Batch(tuple(edits), f"Set {key}")
                document.push(edit, f"Set {key} of {who}", f"param:{','.join(chosen)}:{key}")
        except (FieldRefused, EditRefused) as refused:
            reasons = document.visibility.field_reasons
            self._tell(str(refused) if reasons else self.tr("This value does not fit the field."))
            self._fields[key].refuse()
            return
        self.schedule()

    def _tell(self, refusal: str) -> None:
        self._refusal.setText(refusal)
        self._refusal.setVisible(bool(refusal))

    @property
    def refusal(self) -> str:
        """Why the last value was refused; empty if it was not."""
        return self._refusal.text()

    def _rename(self) -> None:
        document, chosen = self.document, self._chosen()
        if document is None or len(chosen) != 1 or self._name.isReadOnly():
            return
        node = document.graph.node(chosen[0])
        wanted = self._name.text().strip()
        if not wanted or wanted == node.name:
            self._name.setText(node.name)
            return
        try:
            document.push(rename(document.graph, node.id, wanted), f"Rename {node.name}")
        except EditRefused as refused:
            self._name.setText(node.name)
            self._tell(str(refused))

    def focus_first_field(self) -> None:
        """Put the cursor into the first parameter: what Enter on a node does."""
        self.refresh()
        target: QWidget = next(iter(self._fields.values())).control if self._fields else self._name
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focus_name(self) -> None:
        """Put the cursor into the name: what F2 does."""
        self.refresh()
        self._name.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._name.selectAll()


def _field_label(text: str) -> ElidedLabel:
    made = ElidedLabel(text)
    made.setFixedWidth(_LABEL_PX)
    made.setMinimumHeight(FIELD_HEIGHT)
    return made
