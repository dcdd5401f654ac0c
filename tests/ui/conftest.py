"""Qt tests draw into memory, with no window on a screen."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
