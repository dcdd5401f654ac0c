"""Arch-Bench's ten actions on plain, lenient models, exactly as the benchmark applies them.

One engine serves the grader, the plan and the command line. `regex` holds name patterns with JavaScript's meaning.
"""

from archstudio.edits.actions.engine import ActionError, Applied, apply
from archstudio.edits.actions.model import Model, hydrate

__all__ = ["ActionError", "Applied", "Model", "apply", "hydrate"]
