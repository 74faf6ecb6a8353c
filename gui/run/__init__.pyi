from .messages import Begun as Begun, Over as Over, Pictured as Pictured
