"""A theme dresses the whole application, and every colour and icon it names exists."""

from __future__ import annotations

import re

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QRadioButton

from archstudio.ui.theme import ICONS, Theme, apply_theme, icon, resolve_theme
from archstudio.ui.theme.style_sheet import style_sheet
from archstudio.ui.theme.theme import THEME_NAMES, ThemeName


def test_all_themes_have_the_same_tokens_and_families() -> None:
    light = Theme.named("light")
    for name in THEME_NAMES:
        assert Theme.named(name).tokens.keys() == light.tokens.keys()
        assert Theme.named(name).hues.keys() == light.hues.keys()


def test_unknown_families_are_drawn_neutral() -> None:
    theme = Theme.named("light")
    assert theme.family("something else") == theme.family("io")


@pytest.mark.parametrize("name", THEME_NAMES)
def test_the_style_sheet_leaves_no_hole(qapp: QApplication, name: ThemeName) -> None:
    sheet = style_sheet(Theme.named(name))
    assert "$" not in sheet
    assert sheet.count("{") == sheet.count("}")
    assert set(re.findall(r"#[0-9a-f]{6}", sheet)) <= {
        *Theme.named(name).tokens.values(),
        *re.findall(r"::handle \{ background: (#[0-9a-f]{6})", sheet),
        "#ffffff",
        "#10141a",
    }


@pytest.mark.parametrize("name", THEME_NAMES)
def test_applying_a_theme_sets_the_palette(qapp: QApplication, name: ThemeName) -> None:
    before = qapp.styleSheet(), qapp.palette()
    try:
        apply_theme(Theme.named(name), qapp)
        assert qapp.palette().color(QPalette.ColorRole.Window) == Theme.named(name).colour("surface")
        assert qapp.palette().color(QPalette.ColorRole.WindowText) == Theme.named(name).colour("text")
    finally:
        qapp.setStyleSheet(before[0])
        qapp.setPalette(before[1])


def test_a_choice_names_its_theme_and_the_system_decides_otherwise(qapp: QApplication) -> None:
    assert resolve_theme("dark").is_dark
    assert not resolve_theme("light").is_dark
    assert resolve_theme("high-contrast").name == "high-contrast"
    assert resolve_theme("system").name in ("light", "dark")


@pytest.mark.parametrize("name", ICONS)
def test_icons_draw_something(qapp: QApplication, name: str) -> None:
    image = icon(name, Theme.named("light")).pixmap(16, 16).toImage()
    assert any(image.pixelColor(x, y).alpha() for x in range(16) for y in range(16))


@pytest.mark.parametrize("name", THEME_NAMES)
def test_a_chosen_radio_button_looks_chosen_also_with_the_focus(qtbot, qapp: QApplication, name: ThemeName) -> None:
    theme = Theme.named(name)
    button = QRadioButton("one")
    qtbot.addWidget(button)
    button.setStyleSheet(style_sheet(theme))
    button.resize(button.sizeHint())
    button.show()
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)

    def accented() -> int:
        image = button.grab().toImage()
        accent = QColor(theme.tokens["accent"])
        return sum(image.pixelColor(x, y) == accent for x in range(18) for y in range(image.height()))

    ring = accented()
    button.setChecked(True)
    assert accented() > 1.3 * ring


def test_widgets_are_dressed_anew_only_when_the_theme_changes(qapp: QApplication, monkeypatch) -> None:
    apply_theme(Theme.named("light"), qapp)
    palette, dressed = qapp.palette(), []
    with monkeypatch.context() as patch:
        patch.setattr(type(qapp), "setStyleSheet", lambda app, sheet: dressed.append(sheet))
        apply_theme(Theme.named("light"), qapp)
        assert dressed == []
        apply_theme(Theme.named("dark"), qapp)
        assert len(dressed) == 1
    qapp.setPalette(palette)
