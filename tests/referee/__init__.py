"""A slow, plain second reading of the rules, to check the engine against.

Laws of this package: it imports neither the engine nor the app; it searches instead of computing;
where a line could be clever or read like the rules, it reads like the rules.
"""
