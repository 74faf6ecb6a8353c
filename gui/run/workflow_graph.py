"""A workflow as the window draws it, read once when it is chosen. No Tk here."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mark_i.config import DEFAULT_PROFILE, nodes_folder
from mark_i.workflows.drawing import NAMELESS, one_line, size

if TYPE_CHECKING:
    from mark_i.workflows import Workflow
    from mark_i.workflows.drawing import Layout
    from mark_i.workflows.format import Graph, Order


@dataclass(frozen=True, slots=True)
class WorkflowDrawing:
    """A workflow, its layout, and what is wrong with plugin node types."""

    workflow: "Workflow"
    order: "Order"
    layout: "Layout"
    complaints: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name by which it was chosen."""
        return self.workflow.name

    @property
    def graph(self) -> "Graph":
        """Its nodes and links."""
        return self.workflow.graph

    @property
    def title(self) -> str:
        """Its own title."""
        return one_line(self.graph.name) or NAMELESS

    @property
    def size(self) -> str:
        """Its size, in words."""
        return size(self.graph, self.order)


def drawing_of(name: str, profile: str = DEFAULT_PROFILE) -> WorkflowDrawing:
    """Read the workflow of that name, or in that file, with the node types of the profile.

    Raises:
        UsageError: there is none, it is invalid, or it is too large to draw.
    """
    from mark_i.workflows import workflow_named  # noqa: PLC0415
    from mark_i.workflows.drawing import laid_out  # noqa: PLC0415 - the window comes up without all that runs one
    from mark_i.workflows.format import order_of  # noqa: PLC0415

    workflow, complaints = workflow_named(name, nodes_folder(profile))
    order = order_of(workflow.graph, workflow.types)
    return WorkflowDrawing(workflow, order, laid_out(workflow.graph, order), tuple(complaints))
