"""Every built-in node type. Types of a class get their functions from an object of the class when a run begins."""

from collections.abc import Mapping
from typing import Final

from mark_i.workflows.format.node_type import NodeType, registry_of
from mark_i.workflows.nodes import scratchpad, surroundings
from mark_i.workflows.nodes.router import conditional_router
from mark_i.workflows.nodes.surroundings import ProfileNodes
from mark_i.workflows.nodes.turns import Turns

CATALOG: Final[Mapping[str, NodeType]] = registry_of(
    # The start of a run
    surroundings.user_input,
    surroundings.session_context,
    surroundings.system_settings,
    surroundings.auth_check,
    surroundings.operator_eligibility,
    surroundings.conversation_history,
    surroundings.context_builder,
    # The loop
    Turns,
    scratchpad.scratchpad_initializer,
    scratchpad.iteration_counter,
    scratchpad.scratchpad_updater,
    scratchpad.scratchpad_completion_checker,
    conditional_router,
    scratchpad.scratchpad_formatter,
    # The answer, and what is kept of the run
    surroundings.cot_stripper,
    surroundings.response_refiner,
    surroundings.stream_writer,
    surroundings.audit_logger,
    ProfileNodes,
)
