"""Questions of ArchitectureIQ: opening packs, going on, answering, results, and designs among candidates."""

from __future__ import annotations

from pathlib import Path

from archstudio.app.commands.command import Command, Context, has_document
from archstudio.files.atomic import SaveFailed, save_atomic

_MARK = b'"questions"'
"""A key that every pack has and no graph; the rooms that know packs load only for a file with it."""
_MOST_BYTES = 256 * 1024 * 1024
_OWN_SUFFIX = ".iqpack"
_BAKE_MARKS = (b'"byId"', b'"schema_version"')


def may_be_pack(path: Path) -> bool:
    """Whether a file calls itself a pack of questions; reading it says whether it is one."""
    if path.suffix.lower() == _OWN_SUFFIX:
        return True
    if path.suffix.lower() != ".json" or not path.is_file() or path.stat().st_size > _MOST_BYTES:
        return False
    data = path.read_bytes()
    if _MARK not in data:
        return False
    from archstudio.intuition.packs.ranking_pack import BUNDLE, SCHEMA

    return all(mark in data for mark in _BAKE_MARKS) or SCHEMA.encode() in data or BUNDLE.encode() in data


def open_pack(context: Context) -> None:
    """Ask for a pack and open it."""
    chosen = context.view.questions.ask_pack()
    if chosen is not None:
        context.view.questions.open_pack(chosen)


def open_shipped(context: Context) -> None:
    """Open the pack that ships with the program."""
    from archstudio.study.protocol.question_packs import shipped_pack

    context.view.questions.open_pack(shipped_pack())


def new_practice(context: Context) -> None:
    """Ask for a folder of trained candidates and make questions of it."""
    chosen = context.view.questions.ask_folder("A folder of data sets, candidates or questions")
    if chosen is not None:
        context.view.questions.new_practice(chosen)


def export_answers(context: Context) -> None:
    """Write the answers of the session to a file."""
    from archstudio.app.quiz.results import session_export

    session = context.view.questions.session
    assert session is not None  # the command's own condition
    path = context.view.questions.ask_answers_file(f"answers-{session.record.session}.json")
    if path is None:
        return
    try:
        save_atomic(path, session_export(session), backups=0)
    except SaveFailed as failed:
        context.view.notify("Not exported", str(failed), fault=True)
        return
    context.view.notify(f"Exported {path.name}")


def add_design(context: Context) -> None:
    """Ask for a set of candidates and train the open graph among them."""
    chosen = context.view.questions.ask_folder("A set of trained candidates")
    if chosen is not None:
        context.view.questions.add_design(chosen)


def has_session(context: Context) -> bool:
    """A session is open."""
    return context.view.questions.session is not None


def is_open(context: Context) -> bool:
    """A question is in front and not answered yet."""
    session = context.view.questions.session
    return session is not None and context.view.questions.in_front() and not session.finished and session.answer is None


def can_go_on(context: Context) -> bool:
    """A question is in front that may be left."""
    session = context.view.questions.session
    return session is not None and context.view.questions.in_front() and session.can_go_on


def can_try(context: Context) -> bool:
    """Own settings may be trained on the question in front."""
    session = context.view.questions.session
    return session is not None and context.view.questions.in_front() and not session.finished and session.may_try


def in_front(context: Context) -> bool:
    """Questions are in front."""
    return context.view.questions.in_front()


def may_train_design(context: Context) -> bool:
    """A graph is open and training may be used."""
    return has_document(context) and context.document.visibility.training


COMMANDS = (
    Command("questions.open", "Open Pack…", "Questions", open_pack,
            help="Open a pack of questions: a BakeFile, a ranking pack or a blind bundle."),
    Command("questions.shipped", "Studio 60", "Questions", open_shipped,
            help="Open the sixty questions that ship with the program: four families, three choices each."),
    Command("questions.practice", "New Practice from a Folder…", "Questions", new_practice,
            help="Make questions of trained candidates in a folder."),
    Command("questions.continue", "Continue", "Questions", lambda c: c.view.questions.go_on(), "Ctrl+Alt+Q",
            help="Go on with the questions answered last."),
    Command("questions.all", "All Questions", "Questions", lambda c: c.view.questions.show_all(),
            help="Show the sessions that were begun."),
    Command("questions.results", "Results", "Questions", lambda c: c.view.questions.show_results(), "", has_session,
            "Show what the session came to so far."),
    Command("questions.export", "Export Answers…", "Questions", export_answers, "", has_session,
            "Write the answers, with results where they may be shown, to a file."),
    Command("questions.answer", "Answer", "Questions", lambda c: c.view.questions.answer(), "", is_open,
            "Record the answer as it stands.", True),
    Command("questions.next", "Next Question", "Questions", lambda c: c.view.questions.next(), "", can_go_on,
            "Go to the next question."),
    Command("questions.try", "Try Your Own Setting", "Questions", lambda c: c.view.questions.try_setting(), "", can_try,
            "Train one more set-up on the data of this question."),
    Command("questions.leave", "Back to the Graphs", "Questions", lambda c: c.view.questions.leave(), "", in_front,
            "Leave the questions; they go on where they were."),
    Command("questions.addDesign", "Add This Design to a Candidate Set…", "Questions", add_design, "",
            may_train_design, "Train the open graph as one more candidate, and show where it ranks.", True),
)  # fmt: skip
