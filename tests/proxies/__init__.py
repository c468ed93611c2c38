"""Proxies in front of a server, with the very files of deploy/."""
