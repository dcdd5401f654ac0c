"""BakeFile, the reference's pack format of version 1: questions and their answers in one JSON file, read strictly."""

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from archstudio.files.strict_json import read_json
from archstudio.intuition.records import Number, Record, checked, json_bytes

QuestionId = Annotated[str, Field(pattern=r"^q_[0-9a-f]+$")]
Letter = Annotated[str, Field(pattern=r"^[A-Z]$")]
Text = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(ge=0)]
AtLeastOne = Annotated[int, Field(ge=1)]
Grid = list[list[Number | None]]

CONTAINS_ANSWERS = "A BakeFile contains the answers of all its questions. Do not give it to those who are to answer."


class Open(Record):
    """A record that may carry more than is known here, and keeps it."""

    model_config = ConfigDict(extra="allow")


class LabelledValue(Record):
    """One row of a card."""

    label: str
    value: str


class PlotPoint(Record):
    """A point, with its class if it has one."""

    x: Number
    y: Number
    label: Number | None = None


class Plot(Open):
    """A picture of a data set: scatter, heatmap, classification, or none. `probability` may have empty cells."""

    kind: str
    train: list[PlotPoint] | None = None
    test: list[PlotPoint] | None = None
    matrix: Grid | None = None
    x_edges: list[Number] | None = Field(default=None, alias="xEdges")
    y_edges: list[Number] | None = Field(default=None, alias="yEdges")
    probability: Grid | None = None
    feature_pair: Annotated[list[int], Field(min_length=2, max_length=2)] | None = Field(
        default=None, alias="featurePair"
    )
    selection_note: str | None = Field(default=None, alias="selectionNote")
    x_label: str | None = Field(default=None, alias="xLabel")
    y_label: str | None = Field(default=None, alias="yLabel")
    legend: str | None = None
    min: Number | None = None
    max: Number | None = None


class BakedDataset(Record):
    """The data set of a question."""

    family: str
    dataset_id: str = Field(alias="datasetId")
    selection_metric: str | None = Field(default=None, alias="selectionMetric")
    params: dict[str, Any] | None = None
    plot: Plot | None = None
    example: dict[str, Any] | None = None
    files: dict[str, Any] | None = None
    tensor_shapes: dict[str, Any] | None = Field(default=None, alias="tensorShapes")


class BakedChoice(Record):
    """One card: `variant` is what differs between choices."""

    letter: Letter
    candidate_id: Text = Field(alias="candidateId")
    color: Text
    variant: list[LabelledValue]
    model_lines: list[str] = Field(alias="modelLines")
    optimizer_lines: list[str] = Field(alias="optimizerLines")
    loss_lines: list[str] = Field(alias="lossLines")
    files: dict[str, Any]


class Detail(Record):
    """All that is shown before an answer."""

    prompt: str
    shared: list[LabelledValue]
    dataset: BakedDataset
    choices: Annotated[list[BakedChoice], Field(min_length=1)]


class RankedRow(Record):
    """One choice's result; a mean over no seeds is null."""

    letter: Letter
    candidate_id: str = Field(alias="candidateId")
    metric: str
    mean: Number | None
    std: Number | None
    label: str


class CurveSeries(Record):
    """One choice's mean curve over the seeds that did not fail, with its deviation; empty if all failed."""

    letter: Letter
    samples: list[Number]
    mean: list[Number]
    std: list[Number]

    @model_validator(mode="after")
    def _lengths_agree(self) -> Self:
        if not len(self.samples) == len(self.mean) == len(self.std):
            lengths = f"{len(self.samples)}, {len(self.mean)} and {len(self.std)}"
            raise ValueError(f"samples, mean and std have different lengths: {lengths}")
        return self


class Reveal(Record):
    """The answer."""

    correct_letter: Letter = Field(alias="correctLetter")
    ranked: Annotated[list[RankedRow], Field(min_length=1)]
    curves: list[CurveSeries]
    files: dict[str, dict[str, Any]] | None = None


class AskedQuestion(Open):
    """One question without its answer."""

    id: QuestionId
    title: Text
    family: Text
    dataset_id: Text = Field(alias="datasetId")
    type: Text
    profile: str | None = None
    profile_hash: str | None = Field(default=None, alias="profileHash")
    track: str | None = None
    source_run: str | None = Field(default=None, alias="sourceRun")
    provenance: dict[str, Any] | None = None
    budget: Number | dict[str, Any]
    metric: str | None = None
    evaluation: dict[str, Any] | None = None
    invariant_axes: list[str] | None = Field(default=None, alias="invariantAxes")
    varying_axes: list[str] | None = Field(default=None, alias="varyingAxes")
    num_choices: AtLeastOne | None = Field(default=None, alias="numChoices")
    summary: dict[str, Any] | None = None
    detail: Detail


class BakedQuestion(AskedQuestion):
    """One question whole."""

    reveal: Reveal

    @model_validator(mode="after")
    def _answer_is_a_choice(self) -> Self:
        letters = [choice.letter for choice in self.detail.choices]
        if len(set(letters)) < len(letters):
            raise ValueError(f"a letter is given to two choices: {letters}")
        if self.reveal.correct_letter not in letters:
            raise ValueError(f"the right letter {self.reveal.correct_letter} is none of {letters}")
        results = [row.letter for row in self.reveal.ranked] + [curve.letter for curve in self.reveal.curves]
        if unknown := set(results) - set(letters):
            raise ValueError(f"results are given for {sorted(unknown)}, which are no choices")
        return self


class CatalogueEntry(Record):
    """One line of the list of questions."""

    id: QuestionId
    type: str | None = None
    dataset_id: str | None = Field(default=None, alias="datasetId")
    family: str | None = None
    budget: Number | None = None
    choices: AtLeastOne | None = None
    metric: str | None = None
    profile: str | None = None
    profile_hash: str | None = Field(default=None, alias="profileHash")
    track: str | None = None
    order: Count | None = None


class Collection(Open):
    """Where the questions come from."""

    collection_id: Text | None = None
    title: str | None = None
    question_count: Count | None = None
    candidate_count: Count | None = None
    candidate_reuse_policy: str | None = None
    question_order_policy: str | None = None
    profiles: list[str] | None = None
    tracks: list[str] | None = None
    source_runs: list[str] | None = None
    question_paths: list[str] | None = None
    records: list[dict[str, Any]] | None = None
    note: str | None = None


class BakeFile(Record):
    """A pack; `ordered` says that its order is the order to answer in."""

    schema_version: Literal[1] = 1
    ordered: bool | None = None
    collection: Collection | None = None
    questions: Annotated[list[CatalogueEntry], Field(min_length=1)]
    by_id: Annotated[dict[str, BakedQuestion], Field(min_length=1, alias="byId")]

    @model_validator(mode="after")
    def _catalogue_is_the_content(self) -> Self:
        listed = [entry.id for entry in self.questions]
        if len(set(listed)) < len(listed):
            raise ValueError("a question is listed twice")
        if difference := set(listed) ^ set(self.by_id):
            raise ValueError(f"listed and contained questions differ: {sorted(difference)[:3]}")
        for name, question in self.by_id.items():
            if question.id != name:
                raise ValueError(f"the question under {name} has the id {question.id}")
        return self

    def as_json(self) -> dict[str, Any]:
        """Return the pack as JSON values; means and cells that are null stay, absent keys stay absent."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)


def read_bake(path: Path) -> BakeFile:
    """Read a pack; raises `UnusableFile` with the place."""
    return checked(BakeFile, read_json(path), path.name)


def bake_bytes(pack: BakeFile) -> bytes:
    """Return a pack as the bytes of its file."""
    return json_bytes(pack.as_json())
