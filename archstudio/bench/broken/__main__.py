"""Writes `fixtures/broken/`: `python -m archstudio.bench.broken [FOLDER]`."""

import sys
from pathlib import Path

from archstudio.bench.broken.drafts import drafts
from archstudio.files.strict_json import dump_json


def write(folder: Path) -> int:
    """Write one file an exercise, and the index; returns how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    made = drafts()
    for each in made:
        (folder / f"{each.name}.json").write_text(dump_json(each.plain()), encoding="utf-8")
    index = {"exercises": [each.name for each in made]}
    (folder / "index.json").write_text(dump_json(index), encoding="utf-8")
    return len(made)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("fixtures/broken")
    sys.stdout.write(f"{write(target)} exercises in {target}\n")
