"""Synopses of sessions: one a session under one id, extractive and deterministic, abstractive with a language model."""

from reverie.pipelines.summaries.queue import TOPIC, entry
from reverie.pipelines.summaries.summarize import Summarised, run, summarize, summary_id, withdraw

__all__ = ["TOPIC", "Summarised", "entry", "run", "summarize", "summary_id", "withdraw"]
