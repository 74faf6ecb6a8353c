from .demo import compare as compare, goal as goal, new_letter as new_letter
