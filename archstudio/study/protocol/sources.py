"""Where a study's items come from: the curated suite, a generated split, a file of tasks, or a question pack."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from archstudio.bench.generate import Tier
from archstudio.bench.generate.task import Wording as BriefWording
from archstudio.bench.tasks import Rubric
from archstudio.intuition.records import Record
from archstudio.study.records import Wording

Count = Annotated[int, Field(ge=1, le=10_000)]
Seed = Annotated[int, Field(ge=0, lt=2**32)]


class Curated(Record):
    """The twelve curated tasks, or some of them; their briefs stand word for word as models read them."""

    kind: Literal["curated"] = "curated"
    rubric: Rubric = 3
    tasks: list[str] | None = None


class Generated(Record):
    """The first `count` tasks of a generated split. `original-facts` says what the models' briefs said, no more."""

    kind: Literal["generated"] = "generated"
    tier: Tier = "core"
    count: Count = 120
    seed: Seed = 7
    wording: BriefWording = "original-facts"


class TaskFile(Record):
    """A file of tasks, beside the protocol; `wording` says how its texts stand to those that models read."""

    kind: Literal["tasks"] = "tasks"
    path: str
    wording: Wording = "byte-equal"


class QuestionPack(Record):
    """A pack of questions, beside the protocol; the answers in it go into the key and nowhere else.

    `path` is a pack of ours or a BakeFile, `key` the key file of a blind pack.
    """

    kind: Literal["questions"] = "questions"
    path: str
    key: str | None = None
    wording: Wording = "fact-equal"


Source: TypeAlias = Annotated[Curated | Generated | TaskFile | QuestionPack, Field(discriminator="kind")]
