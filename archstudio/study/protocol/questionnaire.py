"""Reads what the consent and the questionnaire ask from their Markdown, so that one text says it to people and to us.

A consent has a line `- [ ] …` for each point to agree to. A questionnaire has, under each question's heading, a line
in code style that says what kind of answer belongs to it and where it is kept:

    ## How many years have you worked with machine learning?
    `years_ml: number 0..60`

    ## What is your role?
    `role: choice student | researcher | engineer | other`

Kinds are `number low..high`, `whole low..high`, `choice a | b`, `several a | b` and `text`. A trailing `?` after the
name ("`age?: number 18..99`") offers "prefer not to say".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, cast

from archstudio.files.unusable import UnusableFile

Kind: TypeAlias = Literal["number", "whole", "choice", "several", "text"]
Answer: TypeAlias = str | float | int | list[str]

PREFER_NOT: Final = "prefer not to say"
LONGEST_ANSWER: Final = 400
_POINT = re.compile(r"^\s*[-*] \[ \] (.+?)\s*$", re.MULTILINE)
_HEADING = re.compile(r"^#{2,6} +(.+?)\s*$")
_FIELD = re.compile(r"^`([a-z][a-z0-9_.-]*)(\??): *(number|whole|choice|several|text)(?: +(.+?))?`\s*$")
_RANGE = re.compile(r"^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)$")


class BadAnswer(ValueError):
    """An answer that its question does not take; `field` and `reason` say which and why."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field, self.reason = field, reason


@dataclass(frozen=True, slots=True)
class Field:
    """One question about the person."""

    name: str
    question: str
    kind: Kind
    options: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    optional: bool = False
    """Whether "prefer not to say" is offered."""

    def checked(self, answer: object) -> Answer:
        """The answer as it is kept; raises `BadAnswer`."""
        if self.optional and answer == PREFER_NOT:
            return PREFER_NOT
        if self.kind in ("number", "whole"):
            return self._number(answer)
        if self.kind == "several":
            chosen = answer if isinstance(answer, list | tuple) else [answer]
            if not all(one in self.options for one in chosen):
                raise BadAnswer(self.name, f"takes only {', '.join(self.options)}")
            return [str(one) for one in chosen]
        if not isinstance(answer, str):
            raise BadAnswer(self.name, "takes a text")
        if self.kind == "choice" and answer not in self.options:
            raise BadAnswer(self.name, f"takes one of {', '.join(self.options)}")
        return answer[:LONGEST_ANSWER]

    def _number(self, answer: object) -> float | int:
        if isinstance(answer, bool) or not isinstance(answer, int | float):
            raise BadAnswer(self.name, "takes a number")
        if self.kind == "whole" and answer != int(answer):
            raise BadAnswer(self.name, "takes a whole number")
        if not (self.low is None or self.high is None or self.low <= answer <= self.high):
            raise BadAnswer(self.name, f"takes a number from {self.low:g} to {self.high:g}")
        return int(answer) if self.kind == "whole" else answer


def parse_consent(text: str) -> tuple[str, ...]:
    """The points of a consent, in order."""
    return tuple(_POINT.findall(text))


def parse_questionnaire(text: str, file: str) -> tuple[Field, ...]:
    """The questions of a questionnaire; raises `UnusableFile` for a line that looks like a field and is none."""
    fields: list[Field] = []
    heading = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if found := _HEADING.match(line):
            heading = found[1]
        elif line.startswith("`") and ":" in line:
            field = _field(line, heading)
            if field is None or any(field.name == other.name for other in fields):
                problem = "is no field" if field is None else f"the field {field.name} is there twice"
                remedy = "Write `name: kind …` with number, whole, choice, several or text."
                raise UnusableFile(file, place=f"line {number}", value=line.strip(), problem=problem, remedy=remedy)
            fields.append(field)
    return tuple(fields)


def _field(line: str, heading: str) -> Field | None:
    found = _FIELD.match(line)
    if found is None:
        return None
    name, optional, kind, rest = found[1], bool(found[2]), cast(Kind, found[3]), found[4] or ""
    if kind in ("choice", "several"):
        options = tuple(part.strip() for part in rest.split("|") if part.strip())
        return Field(name, heading, kind, options, optional=optional) if len(options) > 1 else None
    if kind == "text":
        return Field(name, heading, kind, optional=optional)
    bounds = _RANGE.match(rest)
    if bounds is None:
        return None
    return Field(name, heading, kind, low=float(bounds[1]), high=float(bounds[2]), optional=optional)
