"""Running a session: the engine a window drives, and the fold of its events that everything else reads."""

from archstudio.study.session.beginning import Start, earlier_sessions, new_id, next_step, sessions_folder
from archstudio.study.session.clock import Clock, ManualClock, SystemClock
from archstudio.study.session.desks import Feedback, GraphDesk, NotNow, QuestionDesk, Reveal
from archstudio.study.session.engine import Session, Tick
from archstudio.study.session.state import BrokenSession, State, fold

__all__ = [
    "BrokenSession",
    "Clock",
    "Feedback",
    "GraphDesk",
    "ManualClock",
    "NotNow",
    "QuestionDesk",
    "Reveal",
    "Session",
    "Start",
    "State",
    "SystemClock",
    "Tick",
    "earlier_sessions",
    "fold",
    "new_id",
    "next_step",
    "sessions_folder",
]
