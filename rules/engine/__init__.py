"""The engine: plays any game, and knows none of them."""
