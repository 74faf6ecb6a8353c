"""Our tools for LangChain and LangGraph, and theirs for us. It needs the extra `langgraph`."""

import uuid
from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

from pydantic import BaseModel, Field

from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.extras import not_installed
from toolbelt.tool import SECONDS, Ending, Risk, Tool, ToolResult
from world_model import Action, ToolFailure, describe

try:
    from langchain_core.messages import ToolCall, ToolMessage
    from langchain_core.tools import BaseTool, StructuredTool, Tool as SimpleTool, ToolException
except ModuleNotFoundError as error:
    raise ImportError(not_installed("LangChain", "langgraph")) from error


class _Ours(BaseTool):
    """A tool of ours as LangChain knows tools. Only the Toolbelt checks its arguments and limits its time."""

    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    belt: Toolbelt = Field(exclude=True, repr=False)
    control: Control = Field(exclude=True, repr=False)

    def _run(self, /, *_: object, **args: object) -> tuple[str, Any]:
        done = self.belt.call(Action(self.name, args), self.control)
        seen = done.observation
        if not seen.ok:
            raise ToolException(describe(seen))
        return _ended(done.ending) if done.ending else (seen.text, seen.data)


def _ended(ending: Ending) -> tuple[str, Any]:
    return ending.summary, {"done": ending.done, "evidence": list(ending.evidence)}


def as_langchain(tool: Tool, control: Control) -> BaseTool:
    """One of our tools for LangChain. What it returns is the content of the message, its data the artifact.

    A failure is a message with the status `error`: code, what happened, hints. `finish` and `fail` return directly.

    Args:
        tool: as a Toolbelt has it, `toolbelt["click"]`.
        control: stops every call that goes on, with `Halt`.
    """
    return _Ours(
        name=tool.name,
        description=tool.description,
        args_schema=tool.schema,  # it would check a pydantic class itself, and offer its fields by names of our own
        metadata={"risk": tool.risk, "instead": list(tool.instead)},
        return_direct=tool.ending,
        handle_tool_error=True,
        belt=Toolbelt(tool),
        control=control,
    )


def all_as_langchain(toolbelt: Toolbelt, control: Control) -> list[BaseTool]:
    """All tools of a Toolbelt for LangChain, for a `ToolNode` or a model's `bind_tools`."""
    return [as_langchain(tool, control) for tool in toolbelt]


def from_langchain(tool: BaseTool, risk: Risk = "write", seconds: float = SECONDS) -> Tool:
    """A tool of LangChain's for a Toolbelt. Its content is the text of the observation, its artifact the data.

    Args:
        tool: it must be able to run without `await`.
        risk: what a call may do; LangChain does not say it.
        seconds: how long a call may take.

    Raises:
        TypeError: it is async only, or has no description.
    """
    if isinstance(tool, StructuredTool | SimpleTool) and tool.func is None:
        raise TypeError(f"The LangChain tool {tool.name} is async only. Give it a function that runs without await.")
    if not tool.description.strip():
        raise TypeError(f"The LangChain tool {tool.name} needs a description: it is what the agent knows about it.")
    return Tool(
        name=tool.name,
        description=tool.description,
        risk=risk,
        seconds=seconds,
        run=partial(_called, tool),
        schema=_schema(tool),
        check=partial(_checked, tool),
        returns="text and data",
    )


def _schema(tool: BaseTool) -> dict[str, Any]:
    """The schema of what a model gives; the description is told beside it."""
    shape = _shape(tool)
    schema = shape if isinstance(shape, dict) else _json_schema(shape)
    return {"properties": {}, **{name: value for name, value in schema.items() if name != "description"}}


def _shape(tool: BaseTool) -> dict[str, Any] | type:
    """What a model gives, as a JSON schema or as a class: not what LangChain itself puts in."""
    if isinstance(tool, SimpleTool) and tool.args_schema is None:  # a class is made from the wrong function here
        return {"type": "object", "properties": tool.args, "required": list(tool.args)}
    return tool.tool_call_schema


def _json_schema(shape: Any) -> dict[str, Any]:  # noqa: ANN401 - a class of pydantic's, of version 1 or 2
    found: dict[str, Any] = shape.model_json_schema() if issubclass(shape, BaseModel) else shape.schema()
    return found


def _checked(tool: BaseTool, args: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments as they came: LangChain converts them itself. A plain JSON schema is for the tool to check."""
    shape = _shape(tool)
    if isinstance(shape, type) and issubclass(shape, BaseModel):
        shape.model_validate(dict(args))
    return dict(args)


def _called(tool: BaseTool, /, **args: object) -> object:
    """What the tool gives for a tool call, as only that has the artifact and says whether it failed."""
    answer = tool.invoke(ToolCall(type="tool_call", id=uuid.uuid4().hex, name=tool.name, args=args))
    if not isinstance(answer, ToolMessage):  # a command to a graph
        return answer
    if answer.status == "error":
        raise ToolFailure("TOOL_ERROR", str(answer.text))
    return ToolResult(str(answer.text), answer.artifact)
