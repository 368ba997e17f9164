"""Questions in words without a model: read them, ask back, or say what is missing."""

from gateway.intake.notes import reading_notes
from gateway.intake.once import PreparedOnce
from gateway.intake.outcome import Intake, IntakeAbstain, IntakeAsk, IntakePlan, Problem
from gateway.intake.prepared import Prepared, prepare
from gateway.intake.take import take

__all__ = [
    "Intake",
    "IntakeAbstain",
    "IntakeAsk",
    "IntakePlan",
    "Prepared",
    "PreparedOnce",
    "Problem",
    "prepare",
    "reading_notes",
    "take",
]
