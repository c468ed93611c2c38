"""The rules of push-your-luck dice games: pure, immutable, standard library only."""
