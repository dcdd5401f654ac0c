"""Packs of questions read from files, whichever kind they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from archstudio.app.quiz.bake_items import asked_item, bake_items
from archstudio.app.quiz.item import ItemKey, QuizItem, ShownChoice
from archstudio.app.quiz.ranking_items import ranking_items
from archstudio.app.quiz.wording import ABSENT
from archstudio.files.limits import MIB, Limits
from archstudio.files.strict_json import read_json
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.packs.bake import BakeFile
from archstudio.intuition.packs.pack import MANIFEST
from archstudio.intuition.packs.ranking_pack import BUNDLE, SCHEMA, RankingPack, parse_ranking
from archstudio.intuition.packs.read import is_pack, is_pack_path, read_pack
from archstudio.intuition.packs.unfold import asked_questions, baked
from archstudio.intuition.records import checked

MOST_BYTES, MOST_VALUES = 256 * MIB, 16_000_000
"""A published pack of sixty questions has 6 MB; ten times as many whole ones still open."""


@dataclass(frozen=True)
class QuizPack:
    """Questions in the pack's order; `key` is None where the file holds no answers. `sha256` is that of its bytes."""

    name: str
    title: str
    sha256: str
    items: tuple[QuizItem, ...]
    key: Mapping[str, ItemKey] | None
    ordered: bool
    content: bytes = field(repr=False)

    def item(self, item_id: str) -> QuizItem:
        """The question of this id; KeyError if there is none."""
        for item in self.items:
            if item.id == item_id:
                return item
        raise KeyError(item_id)

    @property
    def tells_results(self) -> bool:
        """Whether what one ranking shows to judge by is a target of another, as in cyclic layouts: answers leak."""
        rankings = [item for item in self.items if item.kind == "ranking"]
        shown = [{_whole(item, one.choice) for one in item.calibration} for item in rankings]
        asked = [{_whole(item, choice) for choice in item.choices} for item in rankings]
        return any(shown[a] & asked[b] for a in range(len(rankings)) for b in range(len(rankings)) if a != b)

    @property
    def families(self) -> Counter[str]:
        """How many questions each family has."""
        return Counter(item.family for item in self.items)


def _whole(item: QuizItem, choice: ShownChoice) -> frozenset[tuple[str, str]]:
    """All settings of a set-up, wherever the question shows them."""
    return frozenset((row.label, row.value) for row in (*item.shared, *choice.rows) if row.value != ABSENT)


def open_pack(path: Path) -> QuizPack:
    """Read a pack of ours, a BakeFile, a ranking pack or a blind bundle of rankings.

    A pack of ours may be a folder. Raises `UnusableFile` with file and place.
    """
    if path.name == MANIFEST and is_pack_path(path.parent):
        path = path.parent
    if path.is_dir() and is_pack_path(path):
        return parse_pack(read_pack(path).file_bytes(), path.name)
    if path.is_dir():
        remedy = "Choose a file, or use New Practice from a Folder."
        raise UnusableFile(path.name, problem="It is a folder, not a pack of questions", remedy=remedy)
    try:
        too_long = path.stat().st_size > MOST_BYTES
        data = b"" if too_long else path.read_bytes()
    except OSError as error:
        problem = f"The file cannot be read: {error.strerror or error}"
        raise UnusableFile(path.name, problem=problem) from error
    if too_long:
        raise UnusableFile(path.name, problem=f"is longer than {MOST_BYTES // MIB} MiB")
    return parse_pack(data, path.name)


def parse_pack(data: bytes, name: str) -> QuizPack:
    """Read a pack from the bytes of its file; raises `UnusableFile` with the place in the file `name`."""
    if is_pack(data):
        return _own_pack(data, name)
    content = read_json(data, name=name, limits=Limits(size_bytes=MOST_BYTES, values=MOST_VALUES))
    if not looks_like_pack(content):
        raise UnusableFile(
            name,
            problem="This is no pack of questions",
            place="$",
            remedy="Packs are .iqpack files, BakeFiles (byId, questions) and ranking packs (schema, questions).",
        )
    assert isinstance(content, dict)
    if "byId" in content:
        bake = checked(BakeFile, content, name)
        items, key = bake_items(bake, name)
        title = (bake.collection.title if bake.collection else None) or name
        return QuizPack(name, title, sha256(data).hexdigest(), tuple(items), key, bool(bake.ordered), data)
    ranking = parse_ranking(content, name)
    ranked, results = ranking_items(ranking, name)
    title = ranking.title if isinstance(ranking, RankingPack) else name
    return QuizPack(name, title, sha256(data).hexdigest(), tuple(ranked), results, False, data)


def _own_pack(data: bytes, name: str) -> QuizPack:
    pack = read_pack(data, name=name)
    key: Mapping[str, ItemKey] | None = None
    if pack.answers is None:
        items = [asked_item(question, name) for question in asked_questions(pack)]
    else:
        items, key = bake_items(baked(pack), name)
    return QuizPack(name, pack.manifest.title, sha256(data).hexdigest(), tuple(items), key, True, data)


def looks_like_pack(content: object) -> bool:
    """Whether JSON values claim to be a pack; whether they are one, reading them says."""
    if not isinstance(content, dict):
        return False
    return "byId" in content or content.get("schema") == SCHEMA or content.get("schema_version") == BUNDLE
