"""What users told an agent to do from then on."""

from pydantic import Field

from reverie.pipelines.context import Context
from reverie.pipelines.instructions import InstructionView, instructions
from reverie.tools.fields import Id, Params


class InstructionsParams(Params):
    """Whose instructions; default everybody's."""

    giver: Id | None = Field(None, description="who gave them")


def standing_instructions(ctx: Context, agent: str, params: InstructionsParams) -> list[InstructionView]:
    """The instructions to an agent that hold now, oldest first. Raises StoreUnavailable."""
    return instructions(ctx, agent=agent, giver=params.giver)
