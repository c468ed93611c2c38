"""
Checks finished games from their logs, without a server: the eight steps of docs/fairness.md.

`examining.verify` is pure: bytes in, a report out. It plays the log again by the engine that played
it; the verifier in `app/pages/verify.js` shares no code with it, and tests hold the two to the same
verdicts.
"""
