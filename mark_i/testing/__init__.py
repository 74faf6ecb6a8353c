"""Local servers that speak the protocols of model vendors, for tests of your own brains and tools.

    with ModelServer(GEMINI, [{"thought": "Save.", "action": {"tool": "click", "args": {"target": "Save"}}}]) as server:
        brain = brain_named("gemini", Access(lambda vendor: server.key, server.base_url))
        ...
    assert server.received[0].image == Size(1440, 900)

They check requests as the vendor would, refuse invalid ones, and can simulate the failures of networks and services.
Nothing leaves the machine.
"""

from mark_i.testing.faults import KINDS, Fault
from mark_i.testing.protocols import ANTHROPIC, GEMINI, OPENAI, Protocol, Received
from mark_i.testing.server import ModelServer

__all__ = ["ANTHROPIC", "GEMINI", "KINDS", "OPENAI", "Fault", "ModelServer", "Protocol", "Received"]
