"""Our tools for LangChain and LangGraph, and theirs for us. Needs the extra `langgraph`."""

import uuid
from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

from pydantic import BaseModel, Field

from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.extras import not_installed
from toolbelt.tool import TIMEOUT_S, Ending, Risk, Tool, ToolResult
from world_model import Action, Observation, ToolFailure, describe

try:
    from langchain_core.messages import ToolCall, ToolMessage
    from langchain_core.tools import BaseTool, StructuredTool, Tool as SimpleTool, ToolException
except ModuleNotFoundError as error:
    raise ImportError(not_installed("LangChain", "langgraph")) from error


class _Failed(ToolException):
    """A call that failed. LangChain makes a message of an exception's text alone, so this makes its own."""

    def __init__(self, seen: Observation) -> None:
        super().__init__(describe(seen))
        self.problem = seen.error

    def answer(self, name: str, call: str | None) -> ToolMessage | str:
        """Return the message for the call with that id, with the problem as its artifact; the text if there is none."""
        if call is None:
            return str(self)
        artifact = {"problem": self.problem.to_dict()} if self.problem else None
        return ToolMessage(str(self), artifact=artifact, name=name, tool_call_id=call, status="error")


class _Ours(BaseTool):
    """One of our tools as a LangChain tool. Only the Toolbelt validates its arguments and limits its time."""

    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    belt: Toolbelt = Field(exclude=True, repr=False)
    control: Control = Field(exclude=True, repr=False)

    def _run(self, /, *_: object, **args: object) -> tuple[str, Any]:
        done = self.belt.call(Action(self.name, args), self.control)
        seen = done.observation
        if not seen.ok:
            raise _Failed(seen)
        return _ended(done.ending) if done.ending else (seen.text, seen.data)

    def run(self, *args: Any, tool_call_id: str | None = None, **options: Any) -> Any:  # noqa: ANN401 - as LangChain has it
        """Run the tool; a failure is a message, too."""
        try:
            return super().run(*args, tool_call_id=tool_call_id, **options)
        except _Failed as failed:
            return failed.answer(self.name, tool_call_id)

    async def arun(self, *args: Any, tool_call_id: str | None = None, **options: Any) -> Any:  # noqa: ANN401
        """Run the tool without blocking; a failure is a message, too."""
        try:
            return await super().arun(*args, tool_call_id=tool_call_id, **options)
        except _Failed as failed:
            return failed.answer(self.name, tool_call_id)


def _ended(ending: Ending) -> tuple[str, Any]:
    return ending.summary, {"done": ending.done, "evidence": list(ending.evidence)}


def as_langchain(tool: Tool, control: Control) -> BaseTool:
    """Make one of our tools a LangChain tool. Its text is the content of the message, its data the artifact.

    A failure is a message with the status `error`: code, what happened, hints; its artifact has the `problem` as JSON.
    A tool that ends a run returns directly.

    Args:
        tool: from a Toolbelt, such as `toolbelt["click"]`.
        control: stops running calls with `Halt`.
    """
    return _Ours(
        name=tool.name,
        description=tool.description,
        args_schema=tool.schema,  # LangChain would validate a pydantic class itself, by our internal names
        metadata={"risk": tool.risk, "instead": list(tool.instead)},
        return_direct=tool.ending,
        belt=Toolbelt(tool),
        control=control,
    )


def all_as_langchain(toolbelt: Toolbelt, control: Control) -> list[BaseTool]:
    """Make all tools of a Toolbelt LangChain tools, for a `ToolNode` or `bind_tools` of a model."""
    return [as_langchain(tool, control) for tool in toolbelt]


def from_langchain(tool: BaseTool, risk: Risk = "write", seconds: float = TIMEOUT_S) -> Tool:
    """Make a LangChain tool one of ours. Its content is the text of the observation, its artifact the data.

    Args:
        tool: must be able to run without `await`.
        risk: what a call may do, which LangChain does not know.
        seconds: how long a call may take.

    Raises:
        TypeError: the tool is async only or has no description.
    """
    if isinstance(tool, StructuredTool | SimpleTool) and tool.func is None:
        raise TypeError(f"The LangChain tool {tool.name} is async only. Give it a function that runs without await.")
    if not tool.description.strip():
        raise TypeError(
            f"The LangChain tool {tool.name} needs a description: the agent learns from it what the tool does."
        )
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
    """Return the schema of the arguments, without the description."""
    shape = _shape(tool)
    schema = shape if isinstance(shape, dict) else _json_schema(shape)
    return {"properties": {}, **{name: value for name, value in schema.items() if name != "description"}}


def _shape(tool: BaseTool) -> dict[str, Any] | type:
    """Return the arguments that a model gives, as a JSON schema or a class, without what LangChain injects."""
    if (
        isinstance(tool, SimpleTool) and tool.args_schema is None
    ):  # LangChain makes a class from the wrong function here
        return {"type": "object", "properties": tool.args, "required": list(tool.args)}
    return tool.tool_call_schema


def _json_schema(shape: Any) -> dict[str, Any]:  # noqa: ANN401 - a class of pydantic's, of version 1 or 2
    found: dict[str, Any] = shape.model_json_schema() if issubclass(shape, BaseModel) else shape.schema()
    return found


def _checked(tool: BaseTool, args: Mapping[str, Any]) -> dict[str, Any]:
    """Validate the arguments and return them unchanged: LangChain converts them. A JSON schema is left to the tool."""
    shape = _shape(tool)
    if isinstance(shape, type) and issubclass(shape, BaseModel):
        shape.model_validate(dict(args))
    return dict(args)


def _called(tool: BaseTool, /, **args: object) -> object:
    """Invoke the tool with a tool call: only that returns the artifact and the status."""
    answer = tool.invoke(ToolCall(type="tool_call", id=uuid.uuid4().hex, name=tool.name, args=args))
    if not isinstance(answer, ToolMessage):  # a command to a graph
        return answer
    if answer.status == "error":
        raise ToolFailure("TOOL_ERROR", str(answer.text))
    return ToolResult(str(answer.text), answer.artifact)
