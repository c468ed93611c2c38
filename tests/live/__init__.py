"""Tests against server processes on real sockets."""
