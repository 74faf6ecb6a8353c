"""Every type of node there is. Those of classes get their functions where a run begins, from an object of the class."""

from collections.abc import Mapping
from typing import Final

from mark_i.workflows.format.node_type import NodeType, registry_of
from mark_i.workflows.nodes import scratchpad, surroundings
from mark_i.workflows.nodes.router import conditional_router
from mark_i.workflows.nodes.surroundings import ProfileNodes
from mark_i.workflows.nodes.turns import Turns

CATALOG: Final[Mapping[str, NodeType]] = registry_of(
    # What a run begins with
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
    # The answer, and what is left behind
    surroundings.cot_stripper,
    surroundings.response_refiner,
    surroundings.stream_writer,
    surroundings.audit_logger,
    ProfileNodes,
)
