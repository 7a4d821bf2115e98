"""Facts of the namespace, and what is known of their predicates."""

from datetime import datetime

from reverie.display import FactList
from reverie.pipelines import facts as pipeline
from reverie.pipelines.context import Context
from reverie.pipelines.facts import FactView
from reverie.tools import facts
from reverie.tools.facts import CorrectFactParams, FactsParams, FactUpsert, RetractFactParams
from reverie.tools.fields import Params, Text, validated


class Facts:
    """`agent.facts(...)` asks for facts as of any pair of times."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx

    def __call__(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        *,
        valid_as_of: datetime | None = None,
        known_as_of: datetime | None = None,
    ) -> list[FactView]:
        """The facts that held at `valid_as_of` by what was known at `known_as_of` (both: now), by their beginning.

        Raises ValidationFailed, StoreUnavailable.
        """
        params = validated(
            FactsParams,
            subject=subject,
            predicate=predicate,
            object=object,
            valid_as_of=valid_as_of,
            known_as_of=known_as_of,
        )
        return FactList(facts.find_facts(self.ctx, params))

    def get(self, fact_id: str) -> FactView | None:
        """A fact in the version that holds now, else in its last one; None for an unknown id."""
        return facts.get_fact(self.ctx, fact_id)

    def history(self, fact_id: str) -> list[FactView]:
        """Every version of a fact, in the order they were recorded; [] for an unknown id."""
        return FactList(facts.fact_history(self.ctx, fact_id))

    def correct(self, fact_id: str, object: str | None, *, reason: str | None = None) -> FactUpsert:
        """Put `object` in the place of a fact's, by a user's word, for the time in which the fact was believed to hold.

        The fact itself is closed as wrong, not as ended: by what is known from now on it never held. What was said
        before brings it back no more, and what a model infers never; a user who says it later is believed again.

        Raises ValidationFailed, NotFound (no such fact), StoreUnavailable.
        """
        return facts.correct_fact(self.ctx, validated(CorrectFactParams, fact_id=fact_id, object=object, reason=reason))

    def retract(self, fact_id: str, *, reason: str | None = None) -> bool:
        """Close a fact as wrong, as `correct` does, with nothing in its place; False when it was not believed.

        What held and holds no more is ended by `agent.invalidate_fact`. Raises ValidationFailed, NotFound,
        StoreUnavailable.
        """
        return facts.retract_fact(self.ctx, validated(RetractFactParams, fact_id=fact_id, reason=reason))


class _Predicate(Params):
    name: Text
    single: bool = True


class Predicates:
    """How many values a predicate holds at a time. Many, unless it is shipped or declared as single-valued."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx

    def declare(self, name: str, *, single: bool = True) -> None:
        """Settle it for the namespace, from the next assertion on. Raises ValidationFailed, StoreUnavailable."""
        checked = validated(_Predicate, name=name, single=single)
        pipeline.declare(self.ctx.ns, checked.name, single=checked.single)

    def is_single(self, name: str) -> bool:
        """Whether a predicate holds one value at a time. Raises ValidationFailed, StoreUnavailable."""
        return pipeline.single_valued(self.ctx.ns, validated(_Predicate, name=name).name)

    def declared(self) -> dict[str, bool]:
        """What the namespace declared: predicate to whether it holds one value at a time."""
        return pipeline.declared(self.ctx.ns)
