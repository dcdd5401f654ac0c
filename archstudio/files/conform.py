"""The outcome of comparing recorded cases with what the program says today."""

from dataclasses import dataclass, field


@dataclass
class ConformReport:
    """Counts of recorded cases, with a sentence for each of the first that differ or could not be judged."""

    agree: int = 0
    differ: int = 0
    uncovered: int = 0
    differences: list[str] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)
    keep: int = 20

    def agreed(self) -> None:
        """Count a case that came out as recorded."""
        self.agree += 1

    def differs(self, text: str) -> None:
        """Count a case that came out differently; `text` says which case, where, what was recorded and what came."""
        self.differ += 1
        if len(self.differences) < self.keep:
            self.differences.append(text)

    def not_covered(self, text: str) -> None:
        """Count a case that could not be judged; `text` says which and why."""
        self.uncovered += 1
        if len(self.gaps) < self.keep:
            self.gaps.append(text)

    @property
    def summary(self) -> str:
        """`N agree, M differ, K uncovered`."""
        return f"{self.agree} agree, {self.differ} differ, {self.uncovered} uncovered"

    @property
    def exit_code(self) -> int:
        """0 when everything agrees, 3 when some cases are uncovered but none differs, else 1."""
        if self.differ:
            return 1
        return 3 if self.uncovered else 0
