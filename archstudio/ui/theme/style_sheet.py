"""The one style sheet of the application, filled with a theme's colours."""

from __future__ import annotations

from string import Template

from PySide6.QtGui import QColor

from archstudio.ui.theme.fonts import base_pixels, mono_family
from archstudio.ui.theme.icons import icon_file
from archstudio.ui.theme.spacing import CARD_RADIUS, FIELD_RADIUS
from archstudio.ui.theme.theme import Theme

_FRAME = """
* { outline: none; }
QWidget { color: $text; font-size: ${base}px; }
QMainWindow, QDialog { background: $surface; }
QMainWindow::separator { background: $border; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: $accent; }
QSplitter::handle { background: $border; }
QToolTip { background: $surface; color: $text; border: 1px solid $border; padding: 4px 6px; }
QMenuBar { background: $surface; border-bottom: 1px solid $border; padding: 1px 4px; }
QMenuBar::item { padding: 5px 10px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: $select; }
QMenu { background: $surface; border: 1px solid $border; padding: 5px; }
QMenu::item { padding: 5px 26px 5px 22px; border-radius: 4px; }
QMenu::item:selected { background: $select; }
QMenu::item:disabled { color: $muted; background: transparent; }
QMenu::separator { height: 1px; background: $hair; margin: 5px 6px; }
QToolBar { background: $surface; border: 0; border-bottom: 1px solid $border; spacing: 4px; padding: 3px; }
QStatusBar { background: $surface2; color: $muted; border-top: 1px solid $border; }
QStatusBar QLabel { color: $muted; font-size: ${small}px; }
QStatusBar::item { border: 0; }
QDockWidget { color: $muted; font-size: ${tiny}px; font-weight: 700; }
QDockWidget::title { background: $surface; padding: 9px 12px 4px 14px; text-transform: uppercase; text-align: left; }
QDockWidget > QWidget { background: $surface; }
QScrollArea, QStackedWidget { background: transparent; border: 0; }
QScrollArea > QWidget > QWidget { background: transparent; }
"""

_WORDS = """
QLabel { background: transparent; }
QLabel[role="heading"] { font-size: ${large}px; font-weight: 700; }
QLabel[role="title"], QLabel[role="strong"] { font-weight: 700; }
QLabel[role="dock-title"] { color: $muted; font-size: ${tiny}px; font-weight: 700; }
QLabel[role="muted"] { color: $muted; font-size: ${small}px; }
QLabel[role="mono"] { font-family: "$mono"; color: $shape; font-size: ${small}px; }
QLabel[role="code"] {
  font-family: "$mono"; background: $surface2; border-radius: ${radius}px; padding: 6px 10px; font-size: ${small}px;
}
QLabel[role="ok"] { color: $ok; }
QLabel[role="warn"] { color: $warn; }
QLabel[role="error"] { color: $error; }
QLabel[role="accent"] { color: $accent; }
QFrame#hair { background: $hair; border: 0; max-height: 1px; min-height: 1px; }
QFrame[role="card"] { background: $surface; border: 1px solid $border; border-radius: ${card}px; }
QFrame[role="card"]:hover { border-color: $accent; }
"""

_FIELDS = """
QLineEdit, QPlainTextEdit, QTextEdit, QSpinBox, QDoubleSpinBox, QComboBox {
  background: $field; border: 1px solid $border; border-radius: ${radius}px; padding: 4px 9px; min-height: 18px;
  selection-background-color: $select; selection-color: $text; placeholder-text-color: $muted;
}
QLineEdit:hover, QSpinBox:hover, QDoubleSpinBox:hover, QComboBox:hover { border-color: $muted; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus {
  border: 2px solid $accent; padding: 3px 8px;
}
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled {
  color: $muted; background: $surface2;
}
QLineEdit[role="refused"] { border: 2px solid $error; background: $errorbg; padding: 3px 8px; }
QLineEdit#nodeName { border-color: transparent; background: transparent; padding: 2px 4px;
  font-size: ${large}px; font-weight: 700; }
QLineEdit#nodeName:hover { border-color: $border; }
QLineEdit#nodeName:focus { border: 2px solid $accent; padding: 1px 3px; background: $field; }
QAbstractSpinBox QLineEdit { border: 0; padding: 0; background: transparent; min-height: 0; }
QAbstractSpinBox QLineEdit:focus { border: 0; padding: 0; }
QComboBox::drop-down { border: 0; width: 22px; }
QComboBox::down-arrow { image: url("$chevron"); width: 14px; height: 14px; }
QComboBox QAbstractItemView { background: $surface; border: 1px solid $border; padding: 4px;
  selection-background-color: $select; selection-color: $text; }
QSpinBox::up-button, QDoubleSpinBox::up-button { subcontrol-position: top right; }
QSpinBox::down-button, QDoubleSpinBox::down-button { subcontrol-position: bottom right; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: 0; width: 18px; subcontrol-origin: border; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url("$chevronup"); width: 11px; height: 11px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url("$chevron"); width: 11px; height: 11px; }
QCheckBox, QRadioButton { spacing: 7px; background: transparent; }
QCheckBox::indicator, QRadioButton::indicator {
  width: 14px; height: 14px; border: 1px solid $muted; background: $field; border-radius: 4px;
}
QRadioButton::indicator { border-radius: 8px; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url("$tick"); }
QRadioButton::indicator:checked { background: $onaccent; border: 5px solid $accent; width: 6px; height: 6px; }
QCheckBox:focus, QRadioButton:focus { color: $accent; }
QCheckBox::indicator:focus, QRadioButton::indicator:focus { border: 2px solid $accent; width: 12px; height: 12px; }
QRadioButton::indicator:checked:focus { border: 5px solid $accent; width: 6px; height: 6px; }
"""

_BUTTONS = """
QPushButton { background: $surface2; border: 1px solid $border; border-radius: ${radius}px; padding: 5px 14px;
  min-height: 18px; }
QPushButton:hover { border-color: $muted; }
QPushButton:pressed { background: $select; }
QPushButton:disabled { color: $muted; background: $surface; }
QPushButton:focus { border: 2px solid $accent; padding: 4px 13px; }
QPushButton:default, QPushButton#submit, QPushButton[role="primary"] {
  background: $accent; color: $onaccent; border-color: $accent;
}
QPushButton#submit, QPushButton[role="primary"] { font-weight: 600; }
QPushButton:default:hover, QPushButton#submit:hover, QPushButton[role="primary"]:hover { border-color: $text; }
QPushButton:default:disabled, QPushButton#submit:disabled, QPushButton[role="primary"]:disabled {
  background: $surface2; color: $muted; border-color: $border;
}
QPushButton:default:focus, QPushButton#submit:focus, QPushButton[role="primary"]:focus { border: 2px solid $text; }
QPushButton[role="fix"] { text-align: left; font-weight: 600; padding: 6px 12px; }
QPushButton:flat { background: transparent; border-color: transparent; color: $accent; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: 5px; padding: 3px 6px; }
QToolButton:hover { background: $surface2; border-color: $border; }
QToolButton:pressed, QToolButton:checked { background: $select; }
QToolButton:focus { border: 2px solid $accent; padding: 2px 5px; }
QToolButton:disabled, QRadioButton:disabled, QCheckBox:disabled { color: $muted; }
QToolButton::menu-indicator { image: none; }
QProgressBar { background: $hair; border: 0; border-radius: 3px; max-height: 6px; color: transparent; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }
QSlider::groove:horizontal { height: 4px; background: $hair; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSlider::handle:horizontal { width: 14px; height: 14px; margin: -6px 0; border-radius: 8px;
  background: $surface; border: 1px solid $muted; }
QSlider::handle:horizontal:focus { border: 2px solid $accent; }
QGroupBox { border: 1px solid $border; border-radius: ${card}px; margin-top: 10px; padding: 10px 8px 8px 8px; }
QGroupBox::title { subcontrol-origin: margin; left: 10px; padding: 0 4px; color: $muted; }
"""

_TABS = """
QTabWidget::pane { border: 0; }
QTabBar { background: $surface2; border: 0; qproperty-drawBase: 0; }
QTabBar::tab { background: $surface2; color: $muted; padding: 7px 16px 6px 16px; border: 0;
  border-bottom: 3px solid transparent; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { color: $text; font-weight: 700; border-bottom-color: $accent; }
QTabBar::tab:focus { color: $accent; }
QTabBar#documents::tab { min-width: 120px; padding: 8px 16px 8px 16px; border-bottom: 0; }
QTabBar#documents::tab:selected { background: $canvas; border-top: 0; }
QTabBar#documents::tab:focus:selected { color: $accent; }
"""

_VIEWS = """
QListView, QTreeView, QTableView, QListWidget, QTreeWidget, QTableWidget {
  background: $surface; alternate-background-color: $surface2; border: 0; gridline-color: $hair;
  selection-background-color: $select; selection-color: $text;
}
QListView::item, QTreeView::item { padding: 4px 6px; border-radius: ${radius}px; }
QListView::item:hover, QTreeView::item:hover { background: $surface2; }
QListView::item:selected, QTreeView::item:selected, QTableView::item:selected { background: $select; color: $text; }
QListView::item:focus, QTreeView::item:focus, QTableView::item:focus { border: 1px solid $accent; }
QTableView::item { padding: 2px 6px; }
QHeaderView { background: $surface; border: 0; }
QHeaderView::section { background: $surface; color: $muted; border: 0; border-bottom: 1px solid $border;
  padding: 5px 8px; font-size: ${small}px; font-weight: 600; }
QHeaderView::section:hover { color: $text; }
QTableCornerButton::section { background: $surface; border: 0; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: $thumb; border-radius: 2px; margin: 2px 3px; }
QScrollBar::handle:vertical { min-height: 28px; margin: 2px 3px; }
QScrollBar::handle:horizontal { min-width: 28px; margin: 3px 2px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
"""

_CANVAS = """
QGraphicsView { background: $canvas; border: 0; }
QFrame#layerSearch { background: $surface; border: 1px solid $border; border-radius: ${card}px; }
QFrame#layerSearch QLabel#layerDoc { color: $muted; font-size: ${small}px; padding: 4px 6px; }
QLineEdit#rename { padding: 1px 4px; font-weight: 700; }
"""

_WINDOW = """
QLabel[role="display"] { font-size: ${display}px; font-weight: 700; }
QLabel[role="monoError"] { font-family: "$mono"; color: $error; font-size: ${small}px; }
QFrame#notice { background: $surface; border: 1px solid $border; border-radius: ${card}px; }
QFrame#notice[role="fault"] { background: $errorbg; border-color: $error; }
QFrame#problem:focus { border: 1px solid $accent; border-radius: ${radius}px; }
QWidget#welcome { background: $canvas; }
QPushButton[role="card"] { background: $surface; border: 1px solid $border; border-radius: ${card}px;
  min-height: 104px; }
QPushButton[role="card"]:hover { border-color: $accent; background: $surface; }
QPushButton[role="card"]:focus { border: 2px solid $accent; }
QPushButton[role="link"] { background: transparent; border: 0; color: $accent; text-align: left; padding: 2px 0; }
QPushButton[role="link"]:focus { text-decoration: underline; }
QTabBar::close-button { image: url("$close"); subcontrol-position: right; width: 14px; height: 14px; }
QTabBar::close-button:hover { background: $hair; border-radius: 3px; }
QDialog#chooser { background: $surface; border: 1px solid $border; }
QLabel[role="badgeError"] { background: $error; color: $onerror; border-radius: 8px; font-weight: 700;
  font-size: ${tiny}px; }
QLabel[role="badgeMistake"] { color: $error; border: 1px solid $error; border-radius: 8px; font-weight: 700;
  font-size: ${tiny}px; }
QLabel[role="badge"] { color: $warn; border: 1px solid $warn; border-radius: 8px; font-weight: 700;
  font-size: ${tiny}px; }
QToolButton#stepper { background: transparent; border: 0; padding: 3px 0; color: $muted; }
QToolButton#stepper:hover { background: $surface2; color: $text; }
QToolButton#corner { color: $muted; font-size: ${small}px; padding: 4px 12px; }
"""


def style_sheet(theme: Theme) -> str:
    """The style sheet in a theme's colours, with sizes relative to the system's font."""
    base = base_pixels()
    values = {
        **theme.tokens,
        "base": base,
        "small": base - 1,
        "tiny": base - 2,
        "large": base + 3,
        "display": base + 15,
        "mono": mono_family(),
        "radius": FIELD_RADIUS,
        "card": CARD_RADIUS,
        "onerror": theme.text_on(theme.colour("error")).name(),
        "onaccent": theme.text_on(theme.colour("accent")).name(),
        "thumb": _between(theme.colour("border"), theme.colour("muted")).name(),
        "chevron": icon_file("chevron"),
        "close": icon_file("tab-close"),
        "chevronup": icon_file("chevron-up"),
        "tick": icon_file("tick" if theme.text_on(theme.colour("accent")).lightness() > 128 else "tick-dark"),
    }
    return Template(_FRAME + _WORDS + _FIELDS + _BUTTONS + _TABS + _VIEWS + _CANVAS + _WINDOW).substitute(values)


def _between(a: QColor, b: QColor) -> QColor:
    return QColor((a.red() + b.red()) // 2, (a.green() + b.green()) // 2, (a.blue() + b.blue()) // 2)
