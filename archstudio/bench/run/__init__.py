"""Runs of a policy over a suite of tasks, in rounds with feedback, kept as lines of JSON that can be resumed."""

from archstudio.bench.run.answering import Answer, Answerer, BuiltIn, Command
from archstudio.bench.run.episode import Episode, Round, play
from archstudio.bench.run.language_model import Conversation, LanguageModel
from archstudio.bench.run.record import OtherRun, RunFile, RunSettings

__all__ = [
    "Answer",
    "Answerer",
    "BuiltIn",
    "Command",
    "Conversation",
    "Episode",
    "LanguageModel",
    "OtherRun",
    "Round",
    "RunFile",
    "RunSettings",
    "play",
]
