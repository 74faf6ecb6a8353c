"""Servers on this machine that speak the protocols of model vendors, for the tests of who writes a brain or a tool.

    with ModelServer(GEMINI, [{"thought": "Save.", "action": {"tool": "click", "args": {"target": "Save"}}}]) as server:
        brain = brain_named("gemini", Access(lambda vendor: server.key, server.base_url))
        ...
    assert server.received[0].image == Size(1440, 900)

They check what they receive as the vendor would, refuse what is wrong, and can be told to fail in the ways in which
networks and services fail. Nothing leaves the machine.
"""

from mark_i.testing.faults import KINDS, Fault
from mark_i.testing.protocols import ANTHROPIC, GEMINI, OPENAI, Protocol, Received
from mark_i.testing.server import ModelServer

__all__ = ["ANTHROPIC", "GEMINI", "KINDS", "OPENAI", "Fault", "ModelServer", "Protocol", "Received"]
