"""Which program froze a study: its version, its commit where it runs from a checkout, and its grader."""

from pathlib import Path

import archstudio
from archstudio.study.protocol.model import Protocol


def commit() -> str | None:
    """The commit of the source checkout the program runs from; None for an installed one."""
    git = Path(archstudio.__file__).resolve().parent.parent / ".git"
    try:
        head = (git / "HEAD").read_text(encoding="ascii").strip()
        if not head.startswith("ref: "):
            return head
        return (git / head.removeprefix("ref: ")).read_text(encoding="ascii").strip()
    except OSError:
        return None


def grader_version(protocol: Protocol) -> str:
    """What decides a grade."""
    if protocol.benchmark == "architectureiq":
        return "letters/1"
    rubrics = {source.rubric for source in protocol.items if source.kind == "curated"} or {3}
    return "archbench-rubric-" + "+".join(str(rubric) for rubric in sorted(rubrics))
