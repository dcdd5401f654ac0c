"""Writes constraints.txt from the environment it runs in: `.venv/bin/python packaging/pin.py`.

Only what the project depends on, extras included where they are installed, through any number of steps.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HEAD = "# Written by packaging/pin.py: the releases that bootstrap.py installs. Not a list of requirements.\n"
EXTRAS = ("", "dev", "cluster", "export", "images", "llm", "mcp", "serve", "study")


def pins(project: str) -> dict[str, str]:
    """Return the installed version of every package `project` needs, without local parts such as "+cpu"."""
    found: dict[str, str] = {}
    waiting = [(project, EXTRAS)]
    seen: set[tuple[str, tuple[str, ...]]] = set()
    while waiting:
        name, extras = waiting.pop()
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        try:
            package = distribution(name)
        except PackageNotFoundError:  # for another system, or an extra that is not installed
            continue
        found[canonicalize_name(name)] = package.version.partition("+")[0]
        for line in package.requires or ():
            need = Requirement(line)
            if need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in extras):
                waiting.append((need.name, ("", *sorted(need.extras))))
    found.pop(canonicalize_name(project))
    return found


if __name__ == "__main__":
    lines = [f"{name}=={version}\n" for name, version in sorted(pins("archstudio").items())]
    Path(__file__).with_name("constraints.txt").write_text(HEAD + "".join(lines))
