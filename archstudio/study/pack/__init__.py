"""A frozen study as one `.study` file: protocol, texts, items, and, apart and sealed, the key that grades them.

A pack of blind questions holds no key at all. Elsewhere the key is sealed, which claims only "not readable without
altering the program": who changes the program, or makes the seeds' tasks again, can work out answers, as with models.
"""

from archstudio.study.pack.freeze import Frozen, freeze
from archstudio.study.pack.read import StudyPack, open_key, open_study

__all__ = ["Frozen", "StudyPack", "freeze", "open_key", "open_study"]
