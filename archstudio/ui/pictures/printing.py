"""Prints a graph, with a preview if wanted."""

from __future__ import annotations

from PySide6.QtGui import QPageLayout
from PySide6.QtPrintSupport import QPrintDialog, QPrinter, QPrintPreviewDialog
from PySide6.QtWidgets import QWidget

from archstudio.app.document import Document
from archstudio.ui.pictures.render import print_sheet
from archstudio.ui.pictures.sheet import Sheet


def ask_print(parent: QWidget, document: Document) -> None:
    """Ask for a printer and print on one page."""
    with Sheet(document) as sheet:
        printer = printer_for(sheet)
        dialog = QPrintDialog(printer, parent)
        if dialog.exec():
            print_sheet(sheet, printer)
        dialog.deleteLater()


def preview_print(parent: QWidget, document: Document) -> None:
    """Show the page before it is printed."""
    with Sheet(document) as sheet:
        printer = printer_for(sheet)
        dialog = QPrintPreviewDialog(printer, parent)
        dialog.setWindowTitle(parent.tr("Print preview"))
        dialog.paintRequested.connect(lambda asked: print_sheet(sheet, asked))
        dialog.resize(900, 640)
        dialog.exec()
        dialog.deleteLater()


def printer_for(sheet: Sheet) -> QPrinter:
    """The usual printer, with the paper laid across where the graph is wider than high."""
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(sheet.title)
    wide = sheet.area.width() > sheet.area.height()
    printer.setPageOrientation(QPageLayout.Orientation.Landscape if wide else QPageLayout.Orientation.Portrait)
    return printer
