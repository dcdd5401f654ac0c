"""Opens packs of questions, ours or BakeFiles, each part checked against its digest and the answers against the items.

A blind pack opens without answers, or with the key file that was written when it was made.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from importlib.resources.abc import Traversable
from pathlib import Path

from archstudio.files.limits import MIB, Limits
from archstudio.files.seal import BrokenSeal, unseal
from archstudio.files.strict_json import read_json
from archstudio.files.unusable import UnusableFile
from archstudio.files.zips import read_zip
from archstudio.intuition.packs.bake import BakeFile, read_bake
from archstudio.intuition.packs.pack import (
    FORMAT,
    ITEMS,
    MANIFEST,
    SEALED_KEY,
    VERSION,
    Answer,
    KeyFile,
    Manifest,
    PackItems,
    QuestionPack,
)
from archstudio.intuition.packs.unfold import asked_questions, baked
from archstudio.intuition.records import checked

LIMITS = Limits(size_bytes=256 * MIB, values=16_000_000)
_ZIP = b"PK\x03\x04"
_ANEW = "Get the pack anew from whoever made it."
_PARTS = (MANIFEST, ITEMS, SEALED_KEY)


def is_pack(content: bytes) -> bool:
    """Whether the bytes of a file may be a pack of ours; reading it says whether they are."""
    return content.startswith(_ZIP)


def is_pack_path(path: Path) -> bool:
    """Whether a place holds a pack of ours, as a folder or as one file."""
    if path.is_dir():
        return (path / MANIFEST).is_file() and (path / ITEMS).is_file()
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        return is_pack(stream.read(len(_ZIP)))


def read_pack(source: Traversable | bytes, *, name: str | None = None, key: Path | None = None) -> QuestionPack:
    """Open a pack of ours: a folder, a file, or the bytes of one. Raises `UnusableFile` with file and place.

    `key` opens a blind pack.
    """
    file = name or ("the pack" if isinstance(source, bytes) else source.name)
    members = _members(source, file)
    manifest = _manifest(members, file)
    items = checked(PackItems, _json(members, ITEMS, manifest.sha256.items, file), f"{file}, {ITEMS}")
    _agree(manifest, items, file)
    pack = QuestionPack(manifest, items, None)
    asked_questions(pack)  # a set-up that cannot be read is told now, not in the middle of a session
    if pack.blind:
        if SEALED_KEY in members:
            raise UnusableFile(file, place=SEALED_KEY, problem="A blind pack holds a key", remedy=_ANEW)
        return pack if key is None else with_key(pack, key)
    if SEALED_KEY not in members:
        raise UnusableFile(file, place=SEALED_KEY, problem="a part is missing", remedy=_ANEW)
    try:
        content = unseal(members[SEALED_KEY], manifest.sha256.items)
    except BrokenSeal as error:
        raise UnusableFile(file, place=SEALED_KEY, problem=str(error), remedy=_ANEW) from error
    return _with_answers(pack, content, f"{file}, {SEALED_KEY}")


def with_key(pack: QuestionPack, key: Path) -> QuestionPack:
    """Return the pack with its key file opened; raises `UnusableFile` if it belongs to another pack."""
    try:
        content = key.read_bytes()
    except OSError as error:
        problem = f"cannot be read: {error.strerror or error}"
        raise UnusableFile(key.name, problem=problem, remedy="Check its name.") from error
    return _with_answers(pack, content, key.name)


def read_questions(path: Path, key: Path | None = None) -> BakeFile:
    """Return the questions and answers of a pack of ours or of a BakeFile; raises `UnusableFile`.

    A blind pack without its key is refused.
    """
    return baked(read_pack(path, key=key)) if is_pack_path(path) else read_bake(path)


def _members(source: Traversable | bytes, file: str) -> Mapping[str, bytes]:
    if isinstance(source, bytes):
        return read_zip(source, name=file)
    if source.is_dir():
        return {name: source.joinpath(name).read_bytes() for name in _PARTS if source.joinpath(name).is_file()}
    try:
        content = source.read_bytes()
    except OSError as error:
        problem = f"cannot be read: {error.strerror or error}"
        raise UnusableFile(file, problem=problem, remedy="Check its name.") from error
    if not is_pack(content):
        problem = "is no pack of questions in this program's own format"
        raise UnusableFile(file, problem=problem, remedy="Choose a folder with pack.json, or an .iqpack file.")
    return read_zip(content, name=file)


def _manifest(members: Mapping[str, bytes], file: str) -> Manifest:
    if MANIFEST not in members:
        raise UnusableFile(file, problem=f"is no pack of questions: it has no {MANIFEST}", remedy="Choose another.")
    value = read_json(members[MANIFEST], name=f"{file}, {MANIFEST}")
    said = value if isinstance(value, dict) else {}
    if said.get("format") != FORMAT:
        raise UnusableFile(file, problem="is no pack of questions", value=str(said.get("format")), remedy=_ANEW)
    version = said.get("version")
    if isinstance(version, int) and version > VERSION:
        problem = f"was made by a newer version of the program; this one reads up to {VERSION}"
        raise UnusableFile(file, place="version", value=str(version), problem=problem, remedy="Update Arch Studio.")
    manifest = checked(Manifest, value, f"{file}, {MANIFEST}")
    if manifest.id != manifest.expected_id:
        problem = f"The id is not the digest of the rest, which is {manifest.expected_id}"
        raise UnusableFile(file, place="id", value=manifest.id, problem=problem, remedy=_ANEW)
    return manifest


def _json(members: Mapping[str, bytes], part: str, digest: str, file: str) -> object:
    if part not in members:
        raise UnusableFile(file, place=part, problem="a part is missing", remedy=_ANEW)
    if sha256(members[part]).hexdigest() != digest:
        problem = f"a part was altered; its digest should be {digest[:12]}…"
        raise UnusableFile(file, place=part, problem=problem, remedy=_ANEW)
    return read_json(members[part], name=f"{file}, {part}", limits=LIMITS)


def _agree(manifest: Manifest, items: PackItems, file: str) -> None:
    """Refuse items that do not hold together, or are not what the manifest says."""
    ids = [question.id for question in items.questions]
    unknown = [question.id for question in items.questions if question.data not in items.data]
    letters = [
        question.id
        for question in items.questions
        if question.letters != tuple(chr(ord("A") + place) for place in range(len(question.choices)))
    ]
    faults = {
        "a question is there twice": len(set(ids)) < len(ids),
        f"the data set of {unknown[:1]} is missing": bool(unknown),
        f"the letters of {letters[:1]} are not A, B, C …": bool(letters),
        "a data set is not what its name says": any(name != data.name for name, data in items.data.items()),
        f"pack.json says {manifest.n} questions, and there are {len(ids)}": len(ids) != manifest.n,
    }
    for problem, found in faults.items():
        if found:
            raise UnusableFile(file, place=ITEMS, problem=problem, remedy=_ANEW)


def _with_answers(pack: QuestionPack, content: bytes, name: str) -> QuestionPack:
    if sha256(content).hexdigest() != pack.manifest.sha256.key:
        problem = f"is not the key of the pack {pack.manifest.id}"
        raise UnusableFile(name, problem=problem, remedy="Use the key file that was written with the pack.")
    key = checked(KeyFile, read_json(content, name=name, limits=LIMITS), name)
    for question in pack.questions:
        answer = key.answers.get(question.id)
        if key.items_sha256 != pack.manifest.sha256.items or answer is None or not _answers(question.letters, answer):
            problem = f"does not answer the question {question.id}"
            raise UnusableFile(name, problem=problem, remedy=_ANEW)
    return QuestionPack(pack.manifest, pack.items, key.answers)


def _answers(letters: tuple[str, ...], answer: Answer) -> bool:
    return answer.correct in letters and {row.letter for row in answer.ranked} == set(letters)
