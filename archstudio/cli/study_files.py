"""Opens a study's file for the commands of `archstudio study`, with the researcher's key where it is given."""

from pathlib import Path

from archstudio.study.pack import StudyPack, open_key, open_study


def opened(study: Path, key: Path | None) -> StudyPack:
    """The study; raises `UnusableFile`."""
    pack = open_study(study)
    return pack if key is None else open_key(key, pack)
