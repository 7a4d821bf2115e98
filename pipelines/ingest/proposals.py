"""The claims that a language model is asked for."""

from pydantic import BaseModel, Field

from reverie.knowledge.claims import Kind, Mood


class Proposal(BaseModel):
    """A claim as a model gives it; `quote` are the words of the turn that it says are its ground."""

    subject: str = Field(min_length=1, max_length=200)
    predicate: str = Field(max_length=100)
    object: str | None = Field(None, max_length=500)
    content: str = Field(min_length=1, max_length=1000)
    mood: Mood = "asserted"
    kind: Kind | None = None
    state: str | None = Field(None, max_length=100)
    since: str | None = Field(None, max_length=100)
    until: str | None = Field(None, max_length=100)
    began: bool = False
    adds: bool = False
    speaker: str | None = Field(None, max_length=200)
    quote: str = Field(min_length=1, max_length=1000)
