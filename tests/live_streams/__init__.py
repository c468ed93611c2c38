"""Following games on real sockets."""
