"""The one error for a file that cannot be used: it says which file, where in it, what stands there and what to do."""


class UnusableFile(Exception):
    """A file was refused, and nothing was changed.

    `place` is "line 3, column 7 ($.nodes[4])", a JSON path, or empty when the whole file is meant; `value` is the
    offending text, shortened; `remedy` is a sentence.
    """

    def __init__(self, file: str, *, problem: str, place: str = "", value: str = "", remedy: str = "") -> None:
        self.file = file
        self.problem = problem
        self.place = place
        self.value = shortened(value)
        self.remedy = remedy
        super().__init__(file, problem, place, value, remedy)

    def __str__(self) -> str:
        where = f"{self.file}, {self.place}" if self.place else self.file
        what = f"{self.problem} (found: {self.value})" if self.value else self.problem
        return f"{where}: {what}." + (f" {self.remedy}" if self.remedy else "")


def shortened(text: str, longest: int = 60) -> str:
    """Return `text` cut to at most `longest` characters, with an ellipsis where something was left out."""
    return text if len(text) <= longest else text[: longest - 1] + "…"
