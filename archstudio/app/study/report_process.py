"""Makes a study's report in a process of its own: `python -m archstudio.app.study.report_process` reads an order.

The order is one JSON object on standard input, the answers are lines of JSON: what is being done, then what came of it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from archstudio.files.atomic import SaveFailed
from archstudio.files.unusable import UnusableFile
from archstudio.stats.extra import MissingExtra

FROZEN_FLAG = "--study-report"
"""The argument by which a frozen program knows that it is to make a report."""


@dataclass(frozen=True, slots=True)
class ReportOrder:
    """What a report is made of, all as paths, and where it goes."""

    study: str
    sessions: tuple[str, ...]
    out: str
    key: str | None = None
    models: tuple[str, ...] = ()
    exclusions: str | None = None
    allow_simulated: bool = False

    def request(self) -> bytes:
        """As it is sent to the process."""
        return json.dumps(asdict(self)).encode()

    @classmethod
    def read(cls, request: bytes) -> ReportOrder:
        """As it arrives there."""
        said: dict[str, Any] = json.loads(request)
        for name in ("sessions", "models"):
            said[name] = tuple(said[name])
        return cls(**said)


def report_command() -> list[str]:
    """How the process is started."""
    if getattr(sys, "frozen", False):
        return [sys.executable, FROZEN_FLAG]
    return [sys.executable, "-P", "-m", "archstudio.app.study.report_process"]


def made_report(order: ReportOrder) -> Iterator[dict[str, Any]]:
    """Make the report; says each step before it is done, and at last `page` or `refused`."""
    from archstudio.study.collect import collect
    from archstudio.study.collect.exclusions import read_exclusions
    from archstudio.study.export.folder import write_report
    from archstudio.study.pack import open_key, open_study
    from archstudio.study.report.figures import SimulatedRefused
    from archstudio.study.report.material import prepare
    from archstudio.study.report.models import read_models

    try:
        yield {"step": "reading"}
        pack = open_study(Path(order.study))
        pack = pack if order.key is None else open_key(Path(order.key), pack)
        listed = [] if order.exclusions is None else read_exclusions(Path(order.exclusions), pack.protocol)
        made = collect(pack, _paths(order.sessions), exclusions=listed)
        yield {"step": "figures"}
        rows = read_models(_paths(order.models), made.records)
        material = prepare(made.records, rows, allow_simulated=order.allow_simulated)
        yield {"step": "writing"}
        written = write_report(material, Path(order.out))
    except (UnusableFile, SimulatedRefused, MissingExtra, SaveFailed, OSError) as fault:
        yield {"refused": str(fault)}
        return
    yield {"page": str(Path(order.out) / "report.html"), "files": len(written)}


def _paths(names: Sequence[str]) -> list[Path]:
    return [Path(name) for name in names]


def main() -> None:
    """Carry out one order from standard input."""
    for told in made_report(ReportOrder.read(sys.stdin.buffer.read())):
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
