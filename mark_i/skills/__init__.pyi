from .order_words import order_of as order_of
