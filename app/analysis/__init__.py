"""The odds of a rule set as clients and the command line see them: made apart, kept for a while."""
