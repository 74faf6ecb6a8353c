from .client import AccessibilityClient as AccessibilityClient
from .nodes import Node as Node, State as State, WindowTree as WindowTree
