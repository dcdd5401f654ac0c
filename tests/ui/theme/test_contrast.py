"""Words and marks can be read on every surface they appear on, in every theme."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from archstudio.layers.catalogue import FAMILIES
from archstudio.ui.canvas.ink import Ink
from archstudio.ui.panels.curve_colours import run_colour
from archstudio.ui.theme.contrast import contrast
from archstudio.ui.theme.theme import THEME_NAMES, Theme, ThemeName

SURFACES = {
    "text": ("surface", "surface2", "chrome", "canvas", "field", "node", "select"),
    "muted": ("surface", "surface2", "chrome", "canvas", "field", "node", "select"),
    "shape": ("surface", "surface2", "canvas", "node"),
    "accent": ("surface", "surface2", "canvas", "field", "node"),
    "ok": ("surface", "surface2", "select"),
    "warn": ("surface", "surface2", "node"),
    "error": ("surface", "surface2", "canvas", "node", "errorbg"),
}


@pytest.mark.parametrize("name", THEME_NAMES)
@pytest.mark.parametrize(("ink", "surface"), [(i, s) for i, row in SURFACES.items() for s in row])
def test_text_reads_on_the_surfaces_it_appears_on(name: ThemeName, ink: str, surface: str) -> None:
    theme = Theme.named(name)
    assert contrast(theme.colour(ink), theme.colour(surface)) >= 4.5


@pytest.mark.parametrize("name", THEME_NAMES)
@pytest.mark.parametrize("family", FAMILIES)
def test_family_hues_stand_out_on_nodes(name: ThemeName, family: str) -> None:
    theme = Theme.named(name)
    assert contrast(theme.family(family), theme.colour("node")) >= 3
    assert contrast(theme.family(family), theme.colour("surface")) >= 3


@pytest.mark.parametrize("name", THEME_NAMES)
def test_marks_on_coloured_grounds_read(name: ThemeName) -> None:
    theme = Theme.named(name)
    for token in ("accent", "error", "warn"):
        ground = theme.colour(token)
        assert contrast(theme.text_on(ground), ground) >= 4.5
    assert contrast(theme.colour("wire"), theme.colour("canvas")) >= 3
    assert contrast(theme.colour("port"), theme.colour("node")) >= 3


@pytest.mark.parametrize("name", THEME_NAMES)
@pytest.mark.parametrize("family", FAMILIES)
def test_blocks_seen_from_afar_stand_out_from_the_canvas(qapp: QApplication, name: ThemeName, family: str) -> None:
    ink = Ink(Theme.named(name))
    assert contrast(ink.block(ink.hue(family)).color(), ink.canvas.color()) >= 1.7


def test_contrast_runs_from_one_to_twenty_one() -> None:
    assert contrast(QColor("white"), QColor("black")) == pytest.approx(21)
    assert contrast(QColor("#777777"), QColor("#777777")) == pytest.approx(1)


@pytest.mark.parametrize("name", THEME_NAMES)
def test_names_of_runs_read_in_the_colours_of_their_curves(name: ThemeName) -> None:
    theme = Theme.named(name)
    for place in range(8):
        assert contrast(run_colour(place, theme), theme.colour("surface")) >= 4.5
