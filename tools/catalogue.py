"""Every tool that a model can call."""

from typing import Annotated

from pydantic import Field

from reverie.config.errors import NotFound
from reverie.pipelines import summaries
from reverie.tools import actions, artifacts, context, curating, episodes, facts, goals, observations, tasks
from reverie.tools import instructions as standing
from reverie.tools.fields import Count, Id, Json, OnlyText, Params, Text, validated
from reverie.tools.observe import ObserveParams, SaidParams, observe
from reverie.tools.phases import GoalPhase, TaskPhase
from reverie.tools.recall import RecallParams, recall
from reverie.tools.tool import Call, Tool


class ObserveTool(SaidParams):
    """A message and its conversation."""

    session_id: Id


class RecallTool(Params):
    """What is asked of the memory."""

    query: Text = Field(description="in plain words")
    limit: Annotated[Count, Field(le=100)] | None = Field(None, description="default 15")


class GoalName(Params):
    """The id of a goal."""

    goal_id: Id


class GoalStatus(GoalName):
    """A goal and what becomes of it."""

    status: Text = Field(description="such as planned, active, done, cancelled")


class GoalResult(GoalName):
    """A goal and what came of it."""

    result: Json = Field(None, description="what was achieved; an object joins the metrics")


class GoalChange(GoalName, goals.UpdateGoalParams):
    """A goal and what is to change of it."""


class GoalsIn(Params):
    """Which of the agent's goals are wanted."""

    phase: Annotated[GoalPhase, OnlyText] | None = None


class TaskName(Params):
    """The id of a task."""

    task_id: Id


class TaskStatus(TaskName):
    """A task and what becomes of it."""

    status: Text = Field(description="such as todo, active, blocked, done")


class TaskChange(TaskName, tasks.UpdateTaskParams):
    """A task and what is to change of it."""


class TasksIn(Params):
    """Which tasks."""

    phase: Annotated[TaskPhase, OnlyText] | None = None
    goal_id: Id | None = None


class ArtifactName(Params):
    """The id of an artifact."""

    artifact_id: Id = Field(description="as an action's output names it")


class SessionName(Params):
    """The id of a conversation."""

    session_id: Id


def _observe(call: Call, params: ObserveTool) -> object:
    given = params.model_dump(exclude={"session_id"}, exclude_unset=True)
    return observe(call.ctx, call.agent, params.session_id, validated(ObserveParams, given))


def _recall(call: Call, params: RecallTool) -> object:
    bundle = recall(call.ctx, call.agent, RecallParams(query=params.query, limit=params.limit))
    return {"coverage": bundle.coverage, "memory": bundle.render()}


def _done(found: bool, kind: str, id: str) -> object:
    if not found:
        raise NotFound(kind, id)
    return {"done": True}


def _found(view: object | None, kind: str, id: str) -> object:
    if view is None:
        raise NotFound(kind, id)
    return view


def _set_goal(call: Call, params: GoalName, status: str, result: object = None) -> object:
    return _done(goals.set_goal_status(call.ctx, call.agent, params.goal_id, status, result), "goal", params.goal_id)


def _update_goal(call: Call, params: GoalChange) -> object:
    given = params.model_dump(include=params.model_fields_set - {"goal_id"})
    changes = validated(goals.UpdateGoalParams, given)
    return _done(goals.update_goal(call.ctx, call.agent, params.goal_id, changes), "goal", params.goal_id)


def _update_task(call: Call, params: TaskChange) -> object:
    given = params.model_dump(include=params.model_fields_set - {"task_id"})
    changes = validated(tasks.UpdateTaskParams, given)
    return _done(tasks.update_task(call.ctx, call.agent, params.task_id, changes), "task", params.task_id)


def _set_task(call: Call, params: TaskName, status: str) -> object:
    return _done(tasks.set_task_status(call.ctx, call.agent, params.task_id, status), "task", params.task_id)


def _list_tasks(call: Call, params: TasksIn) -> object:
    if params.goal_id is None:
        return tasks.tasks(call.ctx, call.agent, params.phase)
    found = tasks.tasks_of(call.ctx, call.agent, params.goal_id)
    return [task for task in found if params.phase is None or task.phase is params.phase]


TOOLS: tuple[Tool, ...] = (
    Tool(
        "observe",
        "Store what somebody said.",
        ObserveTool,
        _observe,
        identity="message_id",
    ),
    Tool("recall", "Look up what the memory holds, with its sources.", RecallTool, _recall),
    Tool(
        "summarize_session",
        "Write or refresh the summary of a conversation.",
        SessionName,
        lambda call, params: {"summary_id": summaries.summarize(call.ctx, params.session_id)},
    ),
    # Goals
    Tool(
        "create_goal",
        "Commit to an objective.",
        goals.CreateGoalParams,
        lambda call, params: goals.create_goal(call.ctx, call.agent, params),
        identity="goal_id",
    ),
    Tool(
        "start_goal",
        "Pursue a goal; a completed one is open again.",
        GoalName,
        lambda call, params: _set_goal(call, params, "active"),
    ),
    Tool(
        "complete_goal",
        "A goal is achieved.",
        GoalResult,
        lambda call, params: _set_goal(call, params, "completed", params.result),
    ),
    Tool("abandon_goal", "A goal is given up.", GoalName, lambda call, params: _set_goal(call, params, "abandoned")),
    Tool(
        "set_goal_status",
        "Give a goal any status.",
        GoalStatus,
        lambda call, params: _set_goal(call, params, params.status),
    ),
    Tool("update_goal", "Change a goal; null leaves as it is.", GoalChange, _update_goal),
    Tool(
        "get_goal",
        "One of your goals as it stands.",
        GoalName,
        lambda call, params: _found(goals.get_goal(call.ctx, call.agent, params.goal_id), "goal", params.goal_id),
    ),
    Tool(
        "list_goals",
        "Your goals, oldest first.",
        GoalsIn,
        lambda call, params: goals.goals(call.ctx, call.agent, params.phase),
    ),
    Tool(
        "goal_context",
        "Tasks, sessions, recent messages, facts and entities of a goal.",
        GoalName,
        lambda call, params: _found(context.goal_context(call.ctx, call.agent, params.goal_id), "goal", params.goal_id),
    ),
    # Tasks
    Tool(
        "create_task",
        "Add a unit of work that advances a goal.",
        tasks.CreateTaskParams,
        lambda call, params: tasks.create_task(call.ctx, call.agent, params),
        identity="task_id",
    ),
    Tool("start_task", "Work on a task.", TaskName, lambda call, params: _set_task(call, params, "active")),
    Tool("complete_task", "A task is done.", TaskName, lambda call, params: _set_task(call, params, "completed")),
    Tool("block_task", "A task cannot go on.", TaskName, lambda call, params: _set_task(call, params, "blocked")),
    Tool(
        "set_task_status",
        "Give a task any status.",
        TaskStatus,
        lambda call, params: _set_task(call, params, params.status),
    ),
    Tool("update_task", "Change a task; null leaves as it is.", TaskChange, _update_task),
    Tool(
        "get_task",
        "One of your tasks as it stands.",
        TaskName,
        lambda call, params: _found(tasks.get_task(call.ctx, call.agent, params.task_id), "task", params.task_id),
    ),
    Tool("list_tasks", "Tasks by priority: yours, or all of a goal.", TasksIn, _list_tasks),
    # What was done
    Tool(
        "record_action",
        "Record a tool call that you made.",
        actions.RecordActionParams,
        lambda call, params: actions.record_action(call.ctx, call.agent, params),
        identity="action_id",
    ),
    Tool(
        "get_artifact",
        "An output that was too large for its action, whole.",
        ArtifactName,
        lambda call, params: _found(
            artifacts.get_artifact(call.ctx, call.agent, params.artifact_id), "artifact", params.artifact_id
        ),
    ),
    Tool(
        "record_episode",
        "Record an experience worth remembering.",
        episodes.RecordEpisodeParams,
        lambda call, params: episodes.record_episode(call.ctx, call.agent, params),
        identity="episode_id",
    ),
    # What is known
    Tool(
        "add_observation",
        "Add an atomic claim to the message it was drawn from.",
        observations.AddObservationParams,
        lambda call, params: observations.add_observation(call.ctx, call.agent, params),
    ),
    Tool(
        "assert_fact",
        "Assert that something holds. A predicate of one value at a time, such as 'lives in', closes the value before.",
        facts.AssertFactParams,
        lambda call, params: facts.assert_fact(call.ctx, params, agent=call.agent, token=call.token),
    ),
    Tool(
        "invalidate_fact",
        "Retract a fact that no longer holds.",
        facts.InvalidateFactParams,
        lambda call, params: {"changed": facts.invalidate_fact(call.ctx, params)},
    ),
    Tool(
        "instructions",
        "What users told you to do from now on: follow it.",
        standing.InstructionsParams,
        lambda call, params: standing.standing_instructions(call.ctx, call.agent, params),
    ),
    Tool(
        "find_facts",
        "The facts of a subject, predicate or object.",
        facts.FactsParams,
        lambda call, params: facts.find_facts(call.ctx, params),
    ),
    # The knowledge graph
    Tool(
        "remember",
        "Remember facts about a person, place, thing or topic.",
        curating.RememberParams,
        lambda call, params: curating.remember(call.graph, params),
    ),
    Tool(
        "relate",
        "Remember how two things relate, as in Alice, works_at, Acme.",
        curating.RelateParams,
        lambda call, params: curating.relate(call.graph, params),
    ),
    Tool(
        "forget",
        "Mark a remembered fact or relation as no longer true.",
        curating.ForgetParams,
        lambda call, params: curating.forget(call.graph, params),
    ),
    Tool(
        "load_memory",
        "Look up what was remembered; without a query the profile of the user.",
        curating.LoadMemoryParams,
        lambda call, params: curating.load_memory(call.graph, params),
    ),
)
