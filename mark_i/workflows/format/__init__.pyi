from .graph import Graph as Graph, Node as Node
from .order import Order as Order, order_of as order_of
