"""The API as its clients meet it: in-process, on real databases."""
