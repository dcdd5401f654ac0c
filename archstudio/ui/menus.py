"""Menus and shortcuts, made from the table of commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QToolButton, QWidget

from archstudio.app.commands import Command, Context, all_commands, run_command
from archstudio.app.shortcuts import SEPARATOR, Shortcuts
from archstudio.app.words import said
from archstudio.ui.language import spoken
from archstudio.ui.palette import keys_text

MENUS = ("File", "Edit", "View", "Graph", "Task", "Train", "Questions", "Study", "Help")


class CommandActions:
    """One QAction a command; `update` enables what can run now."""

    def __init__(self, window: QMainWindow, context: Context, only: Sequence[Command] | None = None) -> None:
        """`only` are the commands of a window that has not all of them."""
        rows = all_commands() if only is None else only
        self._context = context
        self.shortcuts = Shortcuts(context.application.settings)
        self._menus: dict[str, QMenu] = {}
        self._actions: dict[str, tuple[Command, QAction]] = {}
        used = {row.menu.partition("/")[0] for row in rows}
        for name in (menu for menu in MENUS if menu in used):
            self._menus[name] = window.menuBar().addMenu(said(name))
        for row in map(spoken, rows):
            action = self._make(window, row)
            self._actions[row.id] = (row, action)
            if row.menu:
                menu = self._menu(row.menu)
                if row.separator:
                    menu.addSeparator()
                menu.addAction(action)

        self._corner_button: QToolButton | None = None
        if "view.palette" in self._actions:
            self._corner_button = self._corner("view.palette")
            window.menuBar().setCornerWidget(self._corner_button)
            self._corner_button.show()

    def _corner(self, command_id: str) -> QToolButton:
        """A quiet reminder at the right end of the menu bar."""
        row, action = self._actions[command_id]
        button = QToolButton()
        button.setObjectName("corner")
        button.setText(self._reminder(row))
        button.setToolTip(row.help)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(action.trigger)
        return button

    def _reminder(self, row: Command) -> str:
        return f"{keys_text(self.shortcuts.keys(row))}  {row.title.rstrip('…')}"

    def _make(self, window: QMainWindow, row: Command) -> QAction:
        action = QAction(row.title, window)
        action.setObjectName(row.id)
        action.setStatusTip(row.help)
        action.setShortcuts(self._keys(row))
        action.triggered.connect(self._runner(row.id))
        action.setCheckable(row.checked is not None)
        if row.canvas:
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        else:
            window.addAction(action)
        return action

    def _keys(self, row: Command) -> list[QKeySequence]:
        text = QKeySequence.SequenceFormat.PortableText
        return [QKeySequence.fromString(s, text) for s in self.shortcuts.keys(row).split(SEPARATOR) if s]

    def rekey(self) -> None:
        """Let every command have the keys that a person has given it."""
        for row, action in self._actions.values():
            action.setShortcuts(self._keys(row))
        if self._corner_button is not None:
            self._corner_button.setText(self._reminder(self._actions["view.palette"][0]))

    def give_canvas(self, canvas: QWidget) -> None:
        """Let a canvas hear the shortcuts that work only there."""
        for row, action in self._actions.values():
            if row.canvas:
                canvas.addAction(action)

    def _runner(self, command_id: str) -> Callable[[], None]:
        def run() -> None:
            run_command(command_id, self._context)
            self.update()

        return run

    def _menu(self, path: str) -> QMenu:
        if path not in self._menus:
            parent, _, name = path.rpartition("/")
            self._menus[path] = self._menu(parent).addMenu(said(name))
        return self._menus[path]

    def action(self, command_id: str) -> QAction:
        """The QAction of a command."""
        return self._actions[command_id][1]

    def update(self) -> None:
        """Enable what can run now, and tick what is on."""
        for row, action in self._actions.values():
            action.setEnabled(row.when(self._context))
            if row.checked is not None:
                action.setChecked(row.checked(self._context))

    def menu(self, path: str) -> QMenu:
        """The menu of this name."""
        return self._menus[path]

    def context_menu(self, parent: QMainWindow, command_ids: tuple[str, ...]) -> QMenu:
        """A menu of some commands, those that can run now."""
        menu = QMenu(parent)
        for command_id in command_ids:
            row, action = self._actions[command_id]
            if row.when(self._context):
                menu.addAction(action)
        return menu
