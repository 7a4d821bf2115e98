"""Procedures: sequences of actions that worked again and again, learned from episodes as they arrive.

candidate, then active once it worked three times, deprecated when it works less than 4 times in 10, and active again
from 6 in 10.
"""

from reverie.pipelines.procedures.learning import TOPIC, Learned, learn, record_use
from reverie.pipelines.procedures.reading import ProcedureView, procedures

__all__ = ["TOPIC", "Learned", "ProcedureView", "learn", "procedures", "record_use"]
