"""Our own pack of questions: what a taker sees and the key lie apart, named by what they hold.

`pack.json` says what is in it, `items.json` is what a taker sees, `key.sealed` holds the answers unless the pack is
blind: then they are in a file of their own, which its maker keeps. A seal claims only "not readable without altering
the program"; whoever has the code and the seeds can train the choices again and find the answers out.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from archstudio.files.seal import seal
from archstudio.files.zips import zip_bytes
from archstudio.intuition.packs.bake import CurveSeries, LabelledValue, Letter, Plot, QuestionId
from archstudio.intuition.records import Number, Record

FORMAT: Final = "archstudio.questions"
KEY_FORMAT: Final = "archstudio.questions.key"
VERSION: Final = 1
SUFFIX: Final = ".iqpack"
MANIFEST, ITEMS, SEALED_KEY = "pack.json", "items.json", "key.sealed"
ID_DIGITS: Final = 16
NO_LICENCE: Final = "not stated"

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Digits = Annotated[int, Field(ge=6, le=64)]
"""Of an id: 6 under profile v1, 16 under ours."""
DataName = Annotated[str, Field(pattern=r"^data_[0-9a-f]{16}$")]


class PackedData(Record):
    """A data set as it is shown. Its id elsewhere is the digest of `params` with so many digits, and not said here."""

    family: str
    metric: str | None = None
    params: dict[str, Any] | None = None
    plot: Plot | None = None
    example: dict[str, Any] | None = None
    files: dict[str, str] = Field(default_factory=dict)
    tensor_shapes: dict[str, Any] | None = None
    digits: Digits | None = None

    @property
    def name(self) -> str:
        """What questions of the pack call it: a digest of what is shown."""
        return f"data_{_digest(self.as_json())}"


class PackedChoice(Record):
    """One card. `spec` is the set-up whole, without the ids that name it and its data set elsewhere."""

    letter: Letter
    color: str
    variant: list[LabelledValue]
    model_lines: list[str]
    optimizer_lines: list[str]
    loss_lines: list[str]
    files: dict[str, str] = Field(default_factory=dict)
    spec: dict[str, Any] | None = None
    digits: Digits | None = None


class Asked(Record):
    """All of a question that its id is the digest of."""

    data: DataName
    family: str
    type: str
    metric: str
    budget: Number | dict[str, Any]
    profile: str | None = None
    profile_hash: str | None = None
    seeds: dict[str, int | str] = Field(default_factory=dict)
    """n_seeds, base_seed, device: how the truth was found."""
    invariant_axes: list[str] | None = None
    varying_axes: list[str] | None = None
    prompt: str
    shared: list[LabelledValue]
    choices: Annotated[list[PackedChoice], Field(min_length=2)]

    @property
    def id(self) -> str:
        """The question's id, the same in every pack that holds it."""
        return f"q_{_digest(self.as_json())}"

    @property
    def letters(self) -> tuple[str, ...]:
        """The choices' letters."""
        return tuple(choice.letter for choice in self.choices)


class PackItems(Record):
    """What a taker sees: data sets by name, questions in the order they are asked in."""

    data: dict[DataName, PackedData]
    questions: Annotated[list[Asked], Field(min_length=1)]


class KeyedResult(Record):
    """How one choice ended; a mean over no seeds is absent."""

    letter: Letter
    metric: str
    mean: Number | None = None
    std: Number | None = None
    label: str = ""


class Answer(Record):
    """The answer to one question, and what its parts are called where it was made."""

    correct: Letter
    ranked: list[KeyedResult]
    curves: list[CurveSeries]
    source_id: str
    candidates: dict[Letter, str]
    dataset_id: str


class KeyFile(Record):
    """The answers to the questions of one pack, by question id."""

    format: Literal["archstudio.questions.key"] = KEY_FORMAT
    version: Literal[1] = VERSION
    items_sha256: Digest
    answers: dict[QuestionId, Answer]


class ProfileName(Record):
    """A profile that questions were made under."""

    name: str
    hash: str = ""


class Digests(Record):
    """sha256 of the bytes of the parts; the key's is that of the file that opens a blind pack."""

    items: Digest
    key: Digest


class Manifest(Record):
    """What `pack.json` holds. The id is the digest of the rest."""

    format: Literal["archstudio.questions"] = FORMAT
    version: Literal[1] = VERSION
    id: Annotated[str, Field(pattern=r"^p_[0-9a-f]{16}$")]
    title: str
    profiles: list[ProfileName]
    families: dict[str, int]
    n: Annotated[int, Field(ge=1)]
    licence: str
    seed: int
    key: Literal["sealed", "apart"]
    sha256: Digests

    @property
    def expected_id(self) -> str:
        """The id that the rest asks for."""
        return manifest_id(self.as_json())


def manifest_id(content: Mapping[str, Any]) -> str:
    """Return the id of a pack whose `pack.json` holds this."""
    return f"p_{_digest({name: value for name, value in content.items() if name != 'id'})}"


@dataclass(frozen=True)
class QuestionPack:
    """A pack in memory; `answers` is None while no key was opened."""

    manifest: Manifest
    items: PackItems
    answers: Mapping[str, Answer] | None

    @property
    def questions(self) -> Sequence[Asked]:
        """The questions in the pack's order."""
        return self.items.questions

    @property
    def blind(self) -> bool:
        """Whether the pack itself holds no key."""
        return self.manifest.key == "apart"

    def key_bytes(self) -> bytes:
        """The bytes of the key file. The answers must be known."""
        assert self.answers is not None
        return content_bytes(KeyFile(items_sha256=self.manifest.sha256.items, answers=dict(self.answers)).as_json())

    def members(self) -> dict[str, bytes]:
        """The pack's files by name; of a pack that is not blind the answers must be known."""
        made = {MANIFEST: content_bytes(self.manifest.as_json(), indent=2), ITEMS: content_bytes(self.items.as_json())}
        if not self.blind:
            made[SEALED_KEY] = seal(self.key_bytes(), self.manifest.sha256.items)
        return made

    def file_bytes(self) -> bytes:
        """The pack as one file."""
        return zip_bytes(self.members())


def assembled(
    data: Mapping[str, PackedData],
    answers: Mapping[str, tuple[Asked, Answer]],
    *,
    title: str,
    seed: int,
    blind: bool,
    licence: str,
) -> QuestionPack:
    """Return the pack of questions with their answers, in an order that follows from the seed and their ids alone."""
    order = sorted(answers, key=lambda name: sha256(f"{seed}:{name}".encode()).digest())
    asked = [answers[name][0] for name in order]
    used = {question.data for question in asked}
    items = PackItems(data={name: data[name] for name in sorted(used)}, questions=asked)
    items_sha256 = sha256(content_bytes(items.as_json())).hexdigest()
    by_id = {name: answers[name][1] for name in sorted(answers)}
    key = content_bytes(KeyFile(items_sha256=items_sha256, answers=by_id).as_json())
    profiles = sorted({(question.profile or "", question.profile_hash or "") for question in asked})
    content: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "title": title,
        "profiles": [{"name": name, "hash": digest} for name, digest in profiles],
        "families": dict(sorted(Counter(question.family for question in asked).items())),
        "n": len(asked),
        "licence": licence,
        "seed": seed,
        "key": "apart" if blind else "sealed",
        "sha256": {"items": items_sha256, "key": sha256(key).hexdigest()},
    }
    return QuestionPack(Manifest.model_validate({**content, "id": manifest_id(content)}), items, by_id)


def content_bytes(value: object, *, indent: int | None = None) -> bytes:
    """Return JSON that keeps 1.0 and 1 apart, since ids elsewhere are digests of the text."""
    separators = (",", ":") if indent is None else None
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=separators, indent=indent)
    return (text + "\n").encode()


def _digest(content: Mapping[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return sha256(text.encode()).hexdigest()[:ID_DIGITS]
