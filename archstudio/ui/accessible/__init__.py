"""The canvas as assistive technology walks it: each layer, wire, frame and comment with name, role, value and state."""

from archstudio.ui.accessible.install import install_accessibility

__all__ = ["install_accessibility"]
